"""The global memory of an emulated device: allocations with guard zones between them.

It is known of each byte whether it belongs to an allocation and whether it was written.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from oakum.runtime.emulator.ptx_types import EmulationError, unsigned
from oakum.runtime.emulator.race_detector import RaceDetector
from oakum.values import host

ALIGNMENT: Final = 256
"""The bytes that an allocation begins at a multiple of, as a CUDA device's does."""

GUARD: Final = 256
"""The bytes between allocations that belong to none."""

_GRANULE: Final = 16
"""A load may reach beyond an allocation within so many aligned bytes, whose rest is junk: LLVM
loads 4 bytes of 3, as what is aligned to 16 bytes has them all.
"""

_FIRST: Final = 1 << 20
_JUNK: Final = 0xA5

_NOBODYS, _ALLOCATED, _WRITTEN = 0, 1, 2


class DeviceMemory:
    """Bytes with addresses from 256 on; address 0 is nobody's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._end = GUARD
        self._bytes = host.np.zeros(_FIRST, host.np.uint8)
        self._state = host.np.zeros(_FIRST, host.np.uint8)
        self._views: dict[int, Any] = {}
        self._free: defaultdict[int, list[int]] = defaultdict(list)
        self._sizes: dict[int, int] = {}
        self.races = RaceDetector("global", _FIRST)

    @property
    def live_bytes(self) -> int:
        """The bytes of all allocations."""
        return sum(self._sizes.values())

    def view(self, size: int) -> Any:
        """Returns all memory as unsigned numbers of a size in bytes."""
        found = self._views.get(size)
        if found is None:
            found = self._views[size] = self._bytes.view(unsigned(size))
        return found

    def allocate(self, nbytes: int) -> int:
        """Returns the address of new memory, which holds junk."""
        room = _room(nbytes)
        if self._free[room]:
            at = self._free[room].pop()
        else:
            at = self._end
            self._reserve(at + room + GUARD)
            self._end = at + room + GUARD
        self._sizes[at] = nbytes
        self._state[at : at + nbytes] = _ALLOCATED
        self._bytes[at : at + room] = _JUNK
        return at

    def release(self, address: int) -> None:
        """Gives memory back."""
        nbytes = self._sizes.pop(address, None)
        if nbytes is None:
            raise EmulationError(f"no allocation begins at {address:#x}")
        self._state[address : address + nbytes] = _NOBODYS
        self._free[_room(nbytes)].append(address)

    def _reserve(self, nbytes: int) -> None:
        if nbytes > self._most:
            raise MemoryError(f"the emulated device has {self._most} bytes")
        size = len(self._bytes)
        if nbytes <= size:
            return
        while size < nbytes:
            size *= 2
        for name in ("_bytes", "_state"):
            old = getattr(self, name)
            new = host.np.zeros(size, host.np.uint8)
            new[: len(old)] = old
            setattr(self, name, new)
        self._views.clear()
        self.races.grow(size)

    # What the host does.

    def put(self, address: int, raw: host.Array) -> None:
        """Copies bytes of the host to an address."""
        self._inside(address, raw.nbytes)
        self._bytes[address : address + raw.nbytes] = raw
        self._state[address : address + raw.nbytes] = _WRITTEN

    def get(self, address: int, nbytes: int) -> Any:
        """Returns a copy of the bytes at an address."""
        self._inside(address, nbytes)
        if (self._state[address : address + nbytes] != _WRITTEN).any():
            raise EmulationError("the host reads memory that nobody wrote")
        return self._bytes[address : address + nbytes].copy()

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copies bytes from one address to another."""
        self.put(to, self.get(source, nbytes))

    def _inside(self, address: int, nbytes: int) -> None:
        if nbytes and (self._state[address : address + nbytes] == _NOBODYS).any():
            raise EmulationError("the host copies beyond an allocation")

    # What threads do.

    def check_read(self, places: host.Array, nbytes: int) -> None:
        """Raises where a thread reads what it must not: `nbytes` at each of some places."""
        first, last = self._states(places, nbytes, "read")
        beyond = (last == _NOBODYS) & (places // _GRANULE != (places + nbytes - 1) // _GRANULE)
        if (first == _NOBODYS).any() or beyond.any():
            raise EmulationError("out of bounds: a read beyond the allocation")
        if (first == _ALLOCATED).any() or (last == _ALLOCATED).any():
            raise EmulationError("a read of global memory that nobody wrote")

    def check_written(self, places: host.Array, nbytes: int) -> None:
        """Raises where a thread writes what it must not, and notes that it is written."""
        first, last = self._states(places, nbytes, "write")
        if (first == _NOBODYS).any() or (last == _NOBODYS).any():
            raise EmulationError("out of bounds: a write beyond the allocation")
        self._state.reshape(-1, nbytes)[places // nbytes] = _WRITTEN

    def _states(self, places: host.Array, nbytes: int, word: str) -> tuple[Any, Any]:
        if (places < 0).any() or (places + nbytes > len(self._bytes)).any():
            at = int(places.max())
            raise EmulationError(f"out of bounds: a {word} at {at:#x}, outside all memory")
        return self._state[places], self._state[places + nbytes - 1]


def _room(nbytes: int) -> int:
    """Returns the bytes set apart for an allocation, of which larger ones are rounded up further,
    so that memory that was freed fits again.
    """
    step = max(ALIGNMENT, 1 << max(max(nbytes, 1).bit_length() - 4, 0))
    return -(-max(nbytes, 1) // step) * step
