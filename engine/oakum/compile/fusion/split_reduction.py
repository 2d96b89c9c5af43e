"""Partial sums: reductions of many elements to few, split so that they can be done in parallel.

A nest that reduces many elements to one has no outer axis to share, and one that reduces them to a
few has a short one. The reduced axis is split into parts, each with a partial result, and a small
nest combines these. The number of parts depends on extents and the back end's policy only, so the
result is the same for any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Instruction,
    Keep,
    Load,
    Nest,
    Operation,
    Position,
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.problems.problem import Policy
from oakum.dtypes import DType
from oakum.values.records import replace

_SEVERAL: Final = 32
"""So many times more elements are split where there are several positions, which are shared anyway:
a million, of which a second launch costs less than it gains. By judgement.
"""

_SHORTEST: Final = 8
"""The positions of a part at least."""


def split(nest: Nest, policy: Policy, temporary: Callable[[DType, int], Buffer]) -> list[Nest]:
    """Returns nests that together do the same; `temporary` makes the buffers between them."""
    if any(buffer.role == "stage" for buffer in nest.buffers):
        return [nest]
    parts = _parts_of(nest, policy)
    if parts < 2 or not any(_is_large(sweep, nest, parts, policy) for sweep in nest.sweeps):
        return [nest]
    return list(_Splitter(nest, policy, parts, temporary).nests())


def _parts_of(nest: Nest, policy: Policy) -> int:
    """Returns the number of parts for the reductions of a nest; 1 where its outer axes are enough
    to share.
    """
    shares = math.prod(nest.extents[axis] for axis in nest.outer)
    if _reduces_columns(nest):
        shares = -(-shares // policy.columns_together)
    if shares == 1:
        return policy.reduction_parts
    if shares >= policy.few_positions:
        return 1
    longest = max((nest.extents[a] for s in nest.sweeps if s.reduces for a in s.axes), default=1)
    most = min(policy.reduction_parts // shares, longest // _SHORTEST)
    return 1 << max(most, 1).bit_length() - 1


def _reduces_columns(nest: Nest) -> bool:
    """Returns whether memory is contiguous along an outer axis where a nest reduces."""
    return any(
        each.offset.coefficient(axis) == 1
        for sweep in nest.sweeps
        if sweep.reduces
        for each in sweep.instructions
        if isinstance(each, Load)
        for axis in nest.outer
    )


def _is_large(sweep: Sweep, nest: Nest, parts: int, policy: Policy) -> bool:
    """Returns whether a sweep is worth a nest of its own, which costs a launch: where some
    positions are done side by side anyway, that takes more elements.
    """
    size = math.prod(nest.extents[a] for a in sweep.axes) if sweep.axes else 0
    positions = math.prod(nest.extents[a] for a in nest.outer)
    least = policy.shortest_split if positions == 1 else _SEVERAL * policy.shortest_split
    if positions * size < least:
        return False
    return not sweep.reduces or max(nest.extents[a] for a in sweep.axes) >= _SHORTEST * parts


class _Splitter:
    def __init__(
        self, nest: Nest, policy: Policy, parts: int, temporary: Callable[[DType, int], Buffer]
    ) -> None:
        self._given, self._policy, self._count = nest, policy, parts
        self._positions = math.prod(nest.extents[axis] for axis in nest.outer)
        self._home, step = Affine(), self._positions
        """Where a position of the outer axes has its element of what nests leave for later ones."""
        for axis in nest.outer:
            step //= nest.extents[axis]
            self._home += Affine.axis(axis) * step
        self._sweeps = nest.sweeps
        self._extents = list(nest.extents)
        self._temporary = temporary
        self._memory: dict[int, Buffer] = {}
        """The buffers of slots that later nests read."""
        self._kinds = {
            each.slot: sweep.instructions[each.register].dtype
            for sweep in nest.sweeps
            for each in (*sweep.reduces, *sweep.keeps)
        }

    def nests(self) -> Iterator[Nest]:
        """Yields the nests in order."""
        waiting: list[Sweep] = []
        for number, sweep in enumerate(self._sweeps):
            if not _is_large(sweep, self._given, self._count, self._policy):
                waiting.append(sweep)
                continue
            yield from self._together(waiting, self._sweeps[number:])
            if sweep.reduces:
                nest, waiting = self._parts(sweep)
                yield nest
            else:
                yield self._nest(sweep.axes, [replace(sweep, axes=())])
                waiting = []
        yield from self._together(waiting, ())

    def _together(self, sweeps: Sequence[Sweep], behind: Sequence[Sweep]) -> Iterator[Nest]:
        """Yields the nest of sweeps that are not split, with stores of the slots that later nests
        read.
        """
        if not sweeps:
            return
        asked = {i.number for s in behind for i in s.instructions if isinstance(i, Slot)}
        slots = [Slot(n, self._kinds[n]) for n in sorted(asked & _made_by(sweeps))]
        self._memory |= {
            slot.number: self._temporary(slot.dtype, self._positions) for slot in slots
        }
        stores = [Store(self._memory[slot.number], self._home, n) for n, slot in enumerate(slots)]
        last = [Sweep((), tuple(slots), tuple(stores))] if slots else []
        yield self._nest((), [*sweeps, *last])

    def _parts(self, sweep: Sweep) -> tuple[Nest, list[Sweep]]:
        """Returns the nest of the parts of a sweep, and the sweeps that combine their results.

        The parts have equal lengths; the remainder of the axis is reduced separately.
        """
        parts, positions = self._count, self._positions
        axis = max(sweep.axes, key=lambda a: self._extents[a])
        length, left = divmod(self._extents[axis], parts)
        part, inner = self._axis(parts), self._axis(length)
        slots = [Slot(reduce.slot, self._kinds[reduce.slot]) for reduce in sweep.reduces]
        partial = [self._temporary(slot.dtype, parts * positions) for slot in slots]
        home = Affine.axis(part) * positions + self._home
        stores = [Store(b, home, n) for n, b in enumerate(partial)]
        place = Affine.axis(part) * length + Affine.axis(inner)
        own = _along(sweep, axis, inner, place)
        nest = self._nest((part,), [own, Sweep((), tuple(slots), tuple(stores))])
        over = self._axis(parts)
        there = Affine.axis(over) * positions + self._home
        loads = tuple(Load(buffer, there) for buffer in partial)
        if not left:
            reduces = [replace(reduce, register=n) for n, reduce in enumerate(sweep.reduces)]
            return nest, [Sweep((over,), loads, (), tuple(reduces))]
        return nest, self._with_rest(sweep, axis, left, over, loads)

    def _with_rest(
        self, sweep: Sweep, axis: int, left: int, over: int, loads: tuple[Load, ...]
    ) -> list[Sweep]:
        """Returns the sweeps that combine partial results with the remainder of an axis."""
        count = len(sweep.reduces)
        ones = range(max(self._kinds) + 1, max(self._kinds) + 1 + count)
        twos = range(ones.stop, ones.stop + count)
        instructions: list[Instruction] = []
        keeps: list[Keep] = []
        for one, two, reduce in zip(ones, twos, sweep.reduces, strict=True):
            kind = self._kinds[one] = self._kinds[two] = self._kinds[reduce.slot]
            place = len(instructions)
            instructions += [Slot(one, kind), Slot(two, kind)]
            instructions.append(Operation(reduce.monoid, (place, place + 1), kind))
            keeps.append(Keep(reduce.slot, place + 2))
        rest = self._axis(left)
        behind = Affine.axis(rest) + (self._extents[axis] - left)
        reduces = [
            Reduce(n, r.monoid, i) for i, (n, r) in enumerate(zip(ones, sweep.reduces, strict=True))
        ]
        others = [replace(r, slot=n) for n, r in zip(twos, sweep.reduces, strict=True)]
        return [
            Sweep((over,), loads, (), tuple(reduces)),
            replace(_along(sweep, axis, rest, behind), reduces=tuple(others)),
            Sweep((), tuple(instructions), (), (), tuple(keeps)),
        ]

    def _axis(self, extent: int) -> int:
        self._extents.append(extent)
        return len(self._extents) - 1

    def _nest(self, outer: tuple[int, ...], sweeps: Sequence[Sweep]) -> Nest:
        """Returns the nest of the axes in use, behind the outer axes of all; slots of other nests
        become loads.
        """
        outer = (*self._given.outer, *outer)
        used = sorted({*outer, *(axis for sweep in sweeps for axis in sweep.axes)})
        numbers = {axis: number for number, axis in enumerate(used)}
        made = _made_by(sweeps)

        def here(each: Instruction) -> Instruction:
            if isinstance(each, Slot) and each.number not in made:
                return Load(self._memory[each.number], self._home.renamed(numbers))
            return each

        done: list[Sweep] = []
        for sweep in sweeps:
            moved = _move(sweep, lambda value: value.renamed(numbers))
            axes = tuple(numbers[axis] for axis in sweep.axes)
            done.append(
                replace(moved, axes=axes, instructions=tuple(map(here, moved.instructions)))
            )
        extents = tuple(self._extents[axis] for axis in used)
        return Nest(extents, tuple(numbers[axis] for axis in outer), tuple(done))


def _made_by(sweeps: Sequence[Sweep]) -> set[int]:
    return {each.slot for sweep in sweeps for each in (*sweep.reduces, *sweep.keeps)}


def _along(sweep: Sweep, axis: int, other: int, place: Affine) -> Sweep:
    """Returns a sweep along another axis: `place` is the position along the old one."""

    def change(value: Affine) -> Affine:
        step = value.coefficient(axis)
        rest = Affine(tuple(t for t in value.terms if t[0] != axis), value.constant)
        return rest + place * step

    axes = tuple(other if a == axis else a for a in sweep.axes)
    return replace(_move(sweep, change), axes=axes)


def _move(sweep: Sweep, change: Callable[[Affine], Affine]) -> Sweep:
    """Returns a sweep with other offsets."""

    def moved(each: Instruction) -> Instruction:
        match each:
            case Load():
                return replace(each, offset=change(each.offset))
            case Position():
                return replace(each, value=change(each.value))
            case _:
                return each

    stores = tuple(replace(store, offset=change(store.offset)) for store in sweep.stores)
    return replace(sweep, instructions=tuple(map(moved, sweep.instructions)), stores=stores)
