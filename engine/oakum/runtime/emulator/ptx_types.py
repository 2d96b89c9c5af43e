"""The types of PTX as dtypes of NumPy."""

from __future__ import annotations

import functools
from typing import Any, Final

from oakum.values import host

BYTES: Final = {
    f"{kind}{bits}": bits // 8
    for kind, sizes in (("u", (8, 16, 32, 64)), ("s", (8, 16, 32, 64)), ("b", (8, 16, 32, 64)))
    for bits in sizes
} | {"f16": 2, "f32": 4, "f64": 8, "pred": 1}
"""The bytes of a value of each type."""


class EmulationError(Exception):
    """A kernel does what a device would not forgive, or what is not emulated."""


class UnknownInstructionError(EmulationError):
    """An instruction that is not emulated."""


@functools.cache
def dtype_of(type: str) -> Any:
    """Returns the dtype of a type; values of type `b32` and the like are unsigned."""
    np = host.np
    if type == "pred":
        return np.dtype(np.bool_)
    if type not in BYTES:
        raise UnknownInstructionError(f"not emulated: values of type {type}")
    kind = {"u": "u", "b": "u", "s": "i", "f": "f"}[type[0]]
    return np.dtype(f"{kind}{BYTES[type]}")


@functools.cache
def unsigned(nbytes: int) -> Any:
    """Returns the unsigned dtype of a size, which registers and memory are kept in."""
    return host.np.dtype(f"u{nbytes}")


def is_signed(type: str) -> bool:
    """Returns whether a type is that of integers with a sign."""
    return type[0] == "s"


def is_float(type: str) -> bool:
    """Returns whether a type is that of floats."""
    return type[0] == "f"
