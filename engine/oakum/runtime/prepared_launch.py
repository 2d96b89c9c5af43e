"""Launches that are prepared: a run writes the addresses of its memory into one table, from which
each launch takes its own; and what native code reads of devices and programs to make them.
"""

from __future__ import annotations

import abc
import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.runtime.arrays import ArrayImpl
    from oakum.runtime.device_storage import DeviceStorage

Addresses = ctypes.Array[ctypes.c_uint64]


class Launched(abc.ABC):
    """What is launched on addresses, which are looked up when it is."""

    handle: int = 0
    """What the driver calls the kernel; zero where native code cannot launch it."""

    @abc.abstractmethod
    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Runs `grid` blocks of so many threads on these addresses."""

    def prepare(
        self, grid: int, threads: int, table: Addresses, places: Sequence[int]
    ) -> Callable[[], None]:
        """Returns what launches it on the addresses that are at these places of a table then."""
        return lambda: self.launch(grid, threads, [table[place] for place in places])


_NAMED: Final = 8
"""The programs that an error names: the last ones. Native code knows the number as well."""

POOL_WORDS: Final = "live peak kept reclaim"
"""The bytes of a device's memory that arrays and programs have, the most that they had, those that
are free and kept, and the function of native code that has arrays of a bucket give their memory up,
once it keeps some.
"""

BUCKET_WORDS: Final = "first room pool"
"""What native code keeps for the results of one size: arrays that nobody holds, with their memory,
the lowest address first; the bytes of their blocks; the words of the pool.
"""

DEVICE_WORDS: Final = "object enter context launch graph stream queued"
"""What native code reads of a device: the object of Python's, functions of the driver with what
they take, and the words of `QueuedPrograms`. Functions that are zero are not called.
"""

PROGRAM_WORDS: Final = (
    "number arguments constants n_constants offsets n_offsets slots most launches n_launches "
    "recordings n_recordings arena_bytes arena_bucket"
)
"""What native code reads of a program: its number in `QueuedPrograms`, how many arguments and
results it has, the addresses of constants and the offsets of temporary buffers, which make the
`slots` that launches take theirs from, `most` of them one. A launch is the handle of a kernel, the
number of blocks and of threads, and the places of its addresses, with their number before. A
recording is its handle, and the addresses of the arguments and results that it is for.
"""

MOVED_WORDS: Final = "source to bytes is_number"
"""What is copied: from where to where, how many bytes, and whether they are those of a number."""


class QueuedPrograms:
    """The names of the programs that were queued last, by number, as native code adds them too."""

    def __init__(self) -> None:
        self._words = (ctypes.c_int64 * (1 + _NAMED))()
        """How many were queued, and the numbers of the last."""
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}

    @property
    def address(self) -> int:
        """Where native code finds the words."""
        return ctypes.addressof(self._words)

    def number(self, name: str) -> int:
        """Returns the number of a name."""
        found = self._numbers.get(name)
        if found is None:
            self._names.append(name)
            found = self._numbers[name] = len(self._names)
        return found

    def add(self, name: str) -> None:
        """Notes a program; one after itself is noted once."""
        words, number = self._words, self.number(name)
        if words[1 + words[0] % _NAMED] != number:
            words[0] += 1
            words[1 + words[0] % _NAMED] = number

    def clear(self) -> None:
        """Forgets all."""
        self._words[1:] = [0] * _NAMED

    def names(self) -> list[str]:
        """Lists them, the last one last."""
        last = self._words[0]
        numbers = [self._words[1 + n % _NAMED] for n in range(last + 1, last + 1 + _NAMED)]
        return [self._names[number - 1] for number in numbers if number]


@dataclass(frozen=True, slots=True)
class DeviceCalls:
    """How native code runs a program on a device: by what it reads of both, and through Python
    where launches and recordings are not there.
    """

    device: int
    program: int
    """The addresses of their words."""
    allot: Callable[[int], ArrayImpl]
    """Makes an array for a result of so many bytes."""
    bucket: Callable[[int], int]
    """Where native code keeps arrays of so many bytes; zero where it keeps none."""
    put: Callable[[int], DeviceStorage]
    """Copies bytes of the host, whose `MOVED_WORDS` are at a place, to memory of the device."""
    copy: Callable[[int], object]
    """Copies bytes on the device, whose `MOVED_WORDS` are at a place."""
    run: Callable[[int], object]
    """Runs the program on the addresses that are in memory from a place on."""
    fail: Callable[[int], object]
    """Raises what the status of a driver's function means."""
