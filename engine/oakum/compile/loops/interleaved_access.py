"""Interleaved accesses: arrays that lie in memory like the parts of complex numbers, or colours.

Several loads become one load of a longer vector, which is shuffled apart; several stores become one
shuffle and one store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from oakum.compile.loops.loop_ir import Load, Nest, Store, Sweep
from oakum.values.records import dataclass, replace

PAIR = 2
"""With this step a single load is also done as part of a pair: one load of two vectors and a
shuffle beat a gather, even if the other half is unused.
"""

MOST = 8
"""The most arrays that are interleaved: more would need more registers than there are for the
shuffles.
"""

T = TypeVar("T", Load, Store)


@dataclass(frozen=True, slots=True)
class InterleavedLoad:
    """The place of a load among those that are loaded with it."""

    first: Load
    place: int
    step: int


class Interleaving:
    """The interleaved loads and stores of a sweep along an axis."""

    def __init__(self, nest: Nest, sweep: Sweep, axis: int | None) -> None:
        self.turns: dict[Load, InterleavedLoad] = {}
        self.rows: dict[Store, tuple[Store, ...]] = {}
        """For the first of several interleaved stores all of them, in memory order."""
        if axis is None:
            return
        loads = [each for each in sweep.instructions if isinstance(each, Load)]
        for row in _rows(loads, axis):
            for place, load in enumerate(row):
                self.turns[load] = InterleavedLoad(row[0], place, len(row))
        for load in loads:
            if load.offset.coefficient(axis) == PAIR and load not in self.turns:
                place = _place_in_pair(load, nest.extents)
                if place is not None:
                    first = replace(load, offset=load.offset + -place)
                    self.turns[load] = InterleavedLoad(first, place, PAIR)
        for row in _rows(sweep.stores, axis):
            self.rows[row[0]] = row

    @property
    def followers(self) -> frozenset[Store]:
        """The stores that are done together with an earlier one."""
        return frozenset(store for row in self.rows.values() for store in row[1:])


def interleaved_accesses(sweeps: Sequence[Sweep], axis: int) -> set[Load | Store]:
    """Returns the loads and stores that together cover all elements along an axis."""
    found: set[Load | Store] = set()
    for sweep in sweeps:
        loads = [each for each in sweep.instructions if isinstance(each, Load)]
        found.update(each for row in _rows(loads, axis) for each in row)
        found.update(each for row in _rows(sweep.stores, axis) for each in row)
    return found


def _rows(accesses: Iterable[T], axis: int) -> Iterator[tuple[T, ...]]:
    """Yields loads, or stores, that together cover all elements along an axis, in memory order."""
    known = {
        replace(each, register=0) if isinstance(each, Store) else each: each
        for each in accesses
        if PAIR <= each.offset.coefficient(axis) <= MOST
    }
    taken: set[T] = set()
    for key in sorted(known, key=lambda each: each.offset.constant):
        step = key.offset.coefficient(axis)
        row = [replace(key, offset=key.offset + n) for n in range(step)]
        if all(each in known and each not in taken for each in row):
            taken.update(row)
            yield tuple(known[each] for each in row)


def _place_in_pair(load: Load, extents: Sequence[int]) -> int | None:
    """Returns whether an element is the first or second of a pair that lies within the buffer; None
    if there is no such pair.
    """
    if load.dynamic is not None:
        return None
    odd = load.offset.constant % PAIR
    last = load.offset.greatest(extents) + 1 < load.buffer.size
    first = load.offset.least(extents) > 0
    for place in (odd, 1 - odd):
        if first if place else last:
            return place
    return None
