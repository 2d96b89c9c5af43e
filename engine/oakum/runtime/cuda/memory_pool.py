"""The memory of a device: blocks that are released are kept for the next of their size.

All work of a device is done in the order in which it is asked for, so a block may be written by
work that is asked for after the release, whatever is still running.
"""

from __future__ import annotations

import ctypes
import gc
import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable
from ctypes import c_int64
from typing import TYPE_CHECKING, Final

from oakum.errors import JaxRuntimeError
from oakum.runtime.cuda import memory_options
from oakum.runtime.cuda.memory_source import DriverMemory, Reserve, Source, bytes_of, size_text
from oakum.runtime.prepared_launch import BUCKET_WORDS, POOL_WORDS
from oakum.runtime.topology.cuda_driver import Driver

if TYPE_CHECKING:
    from oakum.runtime.device_storage import DeviceStorage

ALIGNMENT: Final = 256
"""The bytes that a block begins at a multiple of."""

_LARGE: Final = 1 << 20
"""Smaller blocks are cut from pieces of this size: the driver gives no less than 2 MiB apart."""


_words: Final[list[ctypes.Array[c_int64]]] = []
"""What native code reads when an array dies, which may be after its device, where the garbage
collector takes a cycle apart. So they live as long as the process.
"""

_LIVE, _PEAK, _KEPT, _RECLAIM = range(len(POOL_WORDS.split()))


class MemoryPool:
    """The blocks of a device. Native code keeps some with the arrays that had them, in buckets, and
    counts them here.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver, self._fraction = driver, memory_options.fraction()
        self._keeps = not memory_options.frees_at_once()
        """Whether blocks that are released are kept."""
        in_advance = self._keeps and memory_options.preallocates()
        self._source: Source = (Reserve if in_advance else DriverMemory)(driver, self._fraction)
        self._free: defaultdict[int, list[int]] = defaultdict(list)
        """Heaps: the lowest address is next, so that the steps of a loop, which free what the step
        before last has made, find the same addresses at each second step.
        """
        self._sizes: dict[int, int] = {}
        self._rooms: dict[int, int] = {}
        self._buckets: dict[int, ctypes.Array[c_int64]] = {}
        self._cut = self._end = 0
        """What is left of the last piece; pieces are never given back to the driver."""
        self._counts = (c_int64 * len(POOL_WORDS.split()))()
        _words.append(self._counts)

    @property
    def live_bytes(self) -> int:
        """The bytes that arrays and programs have."""
        return self._counts[_LIVE]

    @property
    def kept_bytes(self) -> int:
        """The bytes that are free and not given back to the driver."""
        return self._counts[_KEPT]

    def bucket(self, nbytes: int) -> int:
        """Where native code keeps arrays whose block is for so many bytes; zero where it keeps
        none.
        """
        if not self._keeps:
            return 0
        room = self._room(nbytes)
        found = self._buckets.get(room)
        if found is None:
            words = {"first": 0, "room": room, "pool": ctypes.addressof(self._counts)}
            names = BUCKET_WORDS.split()
            found = (c_int64 * len(names))(*[words[name] for name in names])
            self._buckets[room] = found
            _words.append(found)
        return ctypes.addressof(found)

    def _room(self, nbytes: int) -> int:
        room = self._rooms.get(nbytes)
        if room is None:
            room = self._rooms[nbytes] = room_of(nbytes)
        return room

    def allocate(self, nbytes: int) -> int:
        """Returns the address of a block."""
        room = self._room(nbytes)
        free, counts = self._free[room], self._counts
        if not free:
            self._reclaim(room)
        if free:
            found = heapq.heappop(free)
            counts[_KEPT] -= room
        elif room < _LARGE and self._keeps:
            found = self._cut_off(room)
        else:
            found = self._ask(room)
        self._sizes[found] = room
        counts[_LIVE] += room
        counts[_PEAK] = max(counts[_PEAK], counts[_LIVE])
        return found

    def _reclaim(self, room: int) -> None:
        """Has arrays that native code keeps release their blocks of a size."""
        bucket = self._buckets.get(room)
        if bucket is not None and bucket[0]:
            reclaim = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(self._counts[_RECLAIM])
            reclaim(ctypes.addressof(bucket))

    def release(self, address: int) -> None:
        """Keeps a block for the next of its size, or gives it back."""
        room = self._sizes.pop(address)
        self._counts[_LIVE] -= room
        if not self._keeps:
            self._source.give(address, room)
            return
        heapq.heappush(self._free[room], address)
        self._counts[_KEPT] += room

    def trim(self) -> None:
        """Gives back what nobody uses."""
        for room in list(self._buckets):
            self._reclaim(room)
        for room in list(self._free):  # Other threads release blocks meanwhile.
            blocks = self._free[room]
            while room >= _LARGE and blocks:
                self._source.give(blocks.pop(), room)
                self._counts[_KEPT] -= room

    def _cut_off(self, room: int) -> int:
        if self._end - self._cut < room:
            self._cut = self._ask(2 * _LARGE)
            self._end = self._cut + 2 * _LARGE
        found, self._cut = self._cut, self._cut + room
        return found

    def _ask(self, room: int) -> int:
        found = self._source.take(room)
        if found is None:
            gc.collect()
            self.trim()
            found = self._source.take(room)
        if found is None:
            raise JaxRuntimeError(self._explain(room))
        return found

    def stats(self) -> dict[str, int]:
        """Returns the bytes in use and the most that were, those taken from the driver, and all, by
        JAX's names.
        """
        return {
            "bytes_in_use": self.live_bytes,
            "peak_bytes_in_use": self._counts[_PEAK],
            "bytes_reserved": self._source.taken_bytes,
            "bytes_limit": self._source.most_bytes,
        }

    def _explain(self, room: int) -> str:
        free, total = bytes_of(self._driver)
        most = size_text(self._source.most_bytes)
        if isinstance(self._source, Reserve):
            allowed = f", {most} were taken in advance"
        else:
            allowed = "" if self._fraction is None else f", {self._fraction} allows {most}"
        asked, live = size_text(room), size_text(self.live_bytes)
        return (
            f"RESOURCE_EXHAUSTED: Out of memory while trying to allocate {asked} on gpu:0: "
            f"{size_text(free)} of {size_text(total)} are free{allowed}, {live} are held by arrays "
            f"and programs of this process{_largest()}. Delete arrays that are not needed, or have "
            "jax.jit take arguments over: donate_argnums"
        )


_LINES: Final = 2
"""The lines that are named for arrays of one shape: those that made most."""

_LISTED: Final = 5
"""The arrays that an error lists: as many kinds of them as fit in a few lines."""


def _largest() -> str:
    """Returns the words for the arrays that hold most: those of one shape together, and memory that
    several arrays share once.
    """
    from oakum.runtime import arrays  # Only an error asks for all that are alive.

    kinds: defaultdict[str, dict[int, DeviceStorage]] = defaultdict(dict)
    for each in arrays.live():
        storage = each.storage
        if storage is not None and storage.nbytes:
            kinds[arrays.short(each.aval)][storage.address] = storage
    sums = {kind: sum(x.nbytes for x in found.values()) for kind, found in kinds.items()}
    texts: list[str] = []
    for kind in sorted(sums, key=lambda kind: (-sums[kind], kind))[:_LISTED]:
        found = kinds[kind].values()
        named = kind if len(found) == 1 else f"{len(found)} of {kind}"
        texts.append(f"{named} ({size_text(sums[kind])}{_lines(found)})")
    return f"; the largest arrays are {', '.join(texts)}" if texts else ""


def _lines(found: Iterable[DeviceStorage]) -> str:
    """Returns the words for the lines where memory of one kind was filled, as far as they are
    known.
    """
    counts = Counter(str(each.origin.frame) for each in found if each.origin is not None)
    most = [line for line, _ in counts.most_common(_LINES)]
    return f", made at {' and '.join(most)}" if most else ""


def room_of(nbytes: int) -> int:
    """Returns the bytes of the block for so many: an eighth more at most, so that blocks fit again.

    >>> room_of(1), room_of(4096), room_of(5000), room_of(1_000_000)
    (256, 4096, 5120, 1048576)
    """
    step = max(ALIGNMENT, 1 << max(max(nbytes, 1).bit_length() - 4, 0))
    return -(-max(nbytes, 1) // step) * step
