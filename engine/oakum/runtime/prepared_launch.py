"""Launches that are prepared: a run writes the addresses of its memory into one table, from which
each launch takes its own.
"""

from __future__ import annotations

import abc
import ctypes
from collections.abc import Callable, Sequence

Addresses = ctypes.Array[ctypes.c_uint64]


class Launched(abc.ABC):
    """What is launched on addresses, which are looked up when it is."""

    @abc.abstractmethod
    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Runs `grid` blocks of so many threads on these addresses."""

    def prepare(
        self, grid: int, threads: int, table: Addresses, places: Sequence[int]
    ) -> Callable[[], None]:
        """Returns what launches it on the addresses that are at these places of a table then."""
        return lambda: self.launch(grid, threads, [table[place] for place in places])
