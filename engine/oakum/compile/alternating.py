"""Every second element: two arrays that lie in memory by turns, as parts of complex numbers do.

Both are loaded as one vector of twice the lanes that is taken apart, and stored as one that both
are put into.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum.compile.loops import Load, Nest, Store, Sweep
from oakum.records import replace

STEP = 2


class Alternation:
    """The loads and the stores of a sweep that go along an axis in steps of two."""

    def __init__(self, nest: Nest, sweep: Sweep, axis: int | None) -> None:
        self.turns: dict[Load, int] = {}
        """Which of two neighbours a load takes, where both may be read."""
        self.pairs: dict[Store, Store] = {}
        """For a store that of the neighbours behind its elements."""
        if axis is None:
            return
        loads = {
            each
            for each in sweep.instructions
            if isinstance(each, Load) and each.offset.coefficient(axis) == STEP
        }
        for load in loads:
            turn = _turn(load, loads, nest.extents)
            if turn is not None:
                self.turns[load] = turn
        stores = {
            (store.buffer, store.offset, store.dynamic): store
            for store in sweep.stores
            if store.offset.coefficient(axis) == STEP
        }
        second: set[Store] = set()
        for store in sweep.stores:
            behind = stores.get((store.buffer, store.offset + 1, store.dynamic))
            if behind is not None and store not in second:
                self.pairs[store] = behind
                second.add(behind)

    @property
    def followers(self) -> frozenset[Store]:
        """The stores that are done together with those before them."""
        return frozenset(self.pairs.values())


def _turn(load: Load, loads: set[Load], extents: Sequence[int]) -> int | None:
    """Whether an element is the first or the second of two neighbours that may both be read; those
    that are read together with others are to find the same two.
    """
    odd = load.offset.constant % STEP
    for turn in (odd, 1 - odd):
        if replace(load, offset=load.offset + (1 - 2 * turn)) in loads:
            return turn
    if load.dynamic is None:
        last = load.offset.greatest(extents) + 1 < load.buffer.size
        first = load.offset.least(extents) > 0
        for turn in (odd, 1 - odd):
            if first if turn else last:
                return turn
    return None
