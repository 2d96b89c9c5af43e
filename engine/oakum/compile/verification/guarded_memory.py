"""Guarded memory: blocks with zones around them that nobody may write to, poisoned before use.

The poison is another one in each call: what reads memory that nobody has written gives other values
then, and a value that is right by accident is not so twice.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from typing import Any, Final

from oakum.values import host

ZONE: Final = 1024
"""The bytes before and behind each block that are looked at: a few rows of vectors too far."""

_ALIGNMENT: Final = 64
"""The alignment of each block in bytes, that of the arena."""

_POISONS: Final = itertools.cycle((0xFF, 0xAA, 0x7F, 0x55, 0x80, 0x3C))
"""As float32: NaN, -3e-13, 3e38, 1e13, -1e-38, 0.01; as bytes no truth value."""


def next_poison() -> int:
    """Returns the byte that the memory of the next call is filled with."""
    return next(_POISONS)


def bytes_at(address: int, size: int) -> Any:
    """Returns the bytes at an address, as an array that shares them."""
    np = host.np
    if not size:
        return np.empty(0, np.uint8)
    return np.ndarray(size, np.uint8, (ctypes.c_char * size).from_address(address))


def array_at(address: int, shape: tuple[int, ...], dtype: host.ArrayDType) -> Any:
    """Returns the array at an address, which shares its memory."""
    return _viewed(bytes_at(address, dtype.itemsize * math.prod(shape)), shape, dtype)


def _viewed(whole: host.Array, shape: tuple[int, ...], dtype: host.ArrayDType) -> Any:
    """Returns bytes as elements, which may have none: those of float0."""
    return whole.view(dtype).reshape(shape) if dtype.itemsize else host.np.empty(shape, dtype)


class Block:
    """Poisoned memory between two zones."""

    def __init__(self, name: str, size: int, poison: int) -> None:
        self.name = name
        """What it is for, as messages say it."""
        self._whole = host.np.empty(size + 2 * ZONE + _ALIGNMENT, host.np.uint8)
        begin = -self._whole.ctypes.data % _ALIGNMENT + ZONE
        self.bytes = self._whole[begin : begin + size]
        self.bytes[...] = poison
        self.address: int = self._whole.ctypes.data + begin
        self._zones = self._whole[begin - ZONE : begin], self._whole[begin + size :][:ZONE]
        self._guard = poison ^ 0x69
        for zone in self._zones:
            zone[...] = self._guard

    def array(self, shape: tuple[int, ...], dtype: host.ArrayDType) -> Any:
        """Returns the block as an array."""
        return _viewed(self.bytes, shape, dtype)

    def damage(self) -> str | None:
        """What was done to the zones, in words; None where nothing was."""
        np = host.np
        before, behind = (np.flatnonzero(zone != self._guard) for zone in self._zones)
        if before.size:
            return f"{ZONE - int(before[-1])} bytes before {self.name}"
        if behind.size:
            return f"{int(behind[0])} bytes behind the end of {self.name}"
        return None
