"""Axes of nests: neighbours that are contiguous in all accesses are merged, short ones unrolled.

Axes of extent 1 are dropped. The work at each position along an unrolled axis becomes instructions.
If a short axis is innermost in memory and a longer one steps over it (repeated elements, colours
moved to the last axis), vectors go along the longer axis, and the positions of the short one are
interleaved.
"""

from __future__ import annotations

from typing import Final

from oakum.compile.loops.elements import Body
from oakum.compile.loops.interleaved_access import MOST
from oakum.compile.loops.loop_ir import (
    Affine,
    Instruction,
    Load,
    Nest,
    Operation,
    Position,
    Store,
    Sweep,
)
from oakum.compile.loops.operations import is_heavy
from oakum.values.records import replace


def merge_axes(nest: Nest) -> Nest:
    """Returns the nest with as few axes as possible."""
    extents = list(nest.extents)
    offsets = [offset for sweep in nest.sweeps for offset in _offsets(sweep)]
    joined: dict[int, int] = {}
    """For each merged axis the neighbour that it became part of."""
    for axes in dict.fromkeys([nest.outer, *[sweep.axes for sweep in nest.sweeps]]):
        kept = [a for a in axes if extents[a] != 1]
        for outer, inner in zip(reversed(kept[:-1]), reversed(kept[1:]), strict=True):
            size = extents[inner]
            if all(o.coefficient(outer) == o.coefficient(inner) * size for o in offsets):
                # The inner one is gone; positions along the outer one count for both.
                extents[outer] *= size
                joined[inner] = outer
                offsets = [_drop(o, outer, inner) for o in offsets]
    gone = set(joined) | {a for a, n in enumerate(extents) if n == 1}
    numbers = {a: n for n, a in enumerate(a for a in range(len(extents)) if a not in gone)}

    def renamed(value: Affine) -> Affine:
        for inner, outer in joined.items():
            value = _drop(value, outer, inner)
        return value.renamed(numbers)

    def axes_of(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(numbers[a] for a in axes if a in numbers)

    sweeps = [
        Sweep(
            axes_of(sweep.axes),
            tuple(_rename(each, renamed) for each in sweep.instructions),
            tuple(replace(store, offset=renamed(store.offset)) for store in sweep.stores),
            sweep.reduces,
            sweep.keeps,
        )
        for sweep in nest.sweeps
    ]
    return Nest(tuple(extents[a] for a in numbers), axes_of(nest.outer), tuple(sweeps))


def _drop(value: Affine, outer: int, inner: int) -> Affine:
    """Returns the sum with the outer axis stepping as the merged inner one did."""
    step = value.coefficient(inner)
    terms = [(a, c) for a, c in value.terms if a not in (outer, inner)]
    if step:
        terms.append((outer, step))
    return Affine(tuple(sorted(terms)), value.constant)


def _offsets(sweep: Sweep) -> list[Affine]:
    found = [store.offset for store in sweep.stores]
    for each in sweep.instructions:
        match each:
            case Load():
                found.append(each.offset)
            case Position():
                found.append(each.value)
            case _:
                pass
    return found


def _rename(instruction: Instruction, renamed: object) -> Instruction:
    assert callable(renamed)
    match instruction:
        case Load():
            return replace(instruction, offset=renamed(instruction.offset))
        case Position():
            return replace(instruction, value=renamed(instruction.value))
        case _:
            return instruction


_LONG: Final = 16
"""The shortest longer axis, in elements: one AVX-512 vector of f32."""

_PAIRS: Final = 4
"""Short axes of this extent fill a vector of four f32 on their own, if all accesses are contiguous.
"""


def unroll(nest: Nest, most_instructions: int) -> Nest:
    """Returns the nest with a short axis unrolled if that makes better vectors and at most so many
    instructions.
    """
    if len(nest.sweeps) != 1:
        return nest
    (sweep,) = nest.sweeps
    most = most_instructions // max(len(sweep.instructions), 1)
    if sweep.axes or sweep.reduces or sweep.keeps:
        return nest
    if any(store.dynamic is not None for store in sweep.stores) or _reads_its_own(sweep):
        return nest
    for short in reversed(nest.outer):
        if (
            1 < nest.extents[short] < MOST
            and nest.extents[short] <= most
            and any(_suits(nest, sweep, short, long) for long in nest.outer)
        ):
            return merge_axes(_unroll_axis(nest, sweep, short))
    return nest


def _reads_its_own(sweep: Sweep) -> bool:
    """Returns whether a sweep loads from a buffer that it stores to. Unrolled, all loads would
    precede all stores, but a position may have to see the store of an earlier one.
    """
    written = {store.buffer for store in sweep.stores}
    return any(isinstance(x, Load) and x.buffer in written for x in sweep.instructions)


def _suits(nest: Nest, sweep: Sweep, short: int, long: int) -> bool:
    """Returns whether all accesses become vectors along one axis once another is unrolled."""
    extent = nest.extents[short]
    if long == short or nest.extents[long] < _LONG:
        return False
    if any(is_heavy(each) for each in sweep.instructions):
        return False
    loads = [x for x in sweep.instructions if isinstance(x, Load) and x.dynamic is None]
    steps = [
        (each.offset.coefficient(short), each.offset.coefficient(long))
        for each in (*loads, *sweep.stores)
    ]
    others = [step for step in steps if step != (1, extent)]
    if len(others) == len(steps) or any(abs(step) > 1 for _, step in others):
        return False
    return extent < _PAIRS or any(abs(step) == 1 for _, step in others)


def _unroll_axis(nest: Nest, sweep: Sweep, axis: int) -> Nest:
    body = Body()
    stores: list[Store] = []
    for position in range(nest.extents[axis]):
        numbers: list[int] = []
        for each in sweep.instructions:
            numbers.append(body.add(_at(each, axis, position, numbers)))
        for store in sweep.stores:
            offset = _place(store.offset, axis, position)
            stores.append(replace(store, offset=offset, register=numbers[store.register]))
    extents = (*nest.extents[:axis], 1, *nest.extents[axis + 1 :])
    written = replace(sweep, instructions=tuple(body.instructions), stores=tuple(stores))
    return Nest(extents, nest.outer, (written,))


def _at(each: Instruction, axis: int, position: int, numbers: list[int]) -> Instruction:
    """Returns an instruction at one position of an axis, with the registers of that position."""
    match each:
        case Load(_, offset, dynamic):
            moved = None if dynamic is None else numbers[dynamic]
            return replace(each, offset=_place(offset, axis, position), dynamic=moved)
        case Position(value, _):
            return replace(each, value=_place(value, axis, position))
        case Operation(_, operands):
            return replace(each, operands=tuple(numbers[n] for n in operands))
        case _:
            return each


def _place(value: Affine, axis: int, position: int) -> Affine:
    """Returns a sum at one position of an axis."""
    terms = tuple(term for term in value.terms if term[0] != axis)
    return Affine(terms, value.constant + value.coefficient(axis) * position)
