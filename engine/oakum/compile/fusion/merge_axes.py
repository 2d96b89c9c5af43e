"""Merges neighbouring axes that are contiguous in all accesses, and drops axes of extent 1."""

from __future__ import annotations

from oakum.compile.loops.affine import Affine
from oakum.compile.loops.loop_ir import Instruction, Load, Nest, Position, Sweep
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
