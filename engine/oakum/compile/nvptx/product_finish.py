"""What becomes of the elements of a product, as nests: they are stored, or go through an epilogue.

Elements come from slot 0 where the kernel of the product goes on with them, from scratch memory
where another kernel does: one that adds the parts of sums, or that of a product by a nest.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
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
from oakum.compile.plan.steps import ContractionStep
from oakum.compile.problems.contraction import Contraction, row_major
from oakum.compile.problems.problem import Epilogue
from oakum.dtypes import DType
from oakum.values.records import dataclass, replace

Roles = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The axes that products of a batch, rows and columns are numbered through."""

_SUM, _ELEMENT = 0, 1
"""The slots of the nest that adds parts."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The nest of a product: its last sweep takes each element from slot 0."""

    nest: Nest
    roles: Roles
    part: int | None
    """The axis of the parts of sums; None where they are whole."""
    dtype: DType
    """That of the elements."""

    @property
    def sweep(self) -> Sweep:
        """What is done with each element."""
        return self.nest.sweeps[-1]


@dataclass(frozen=True, slots=True)
class _Element:
    """What is done with one element, which slot 0 holds."""

    extents: tuple[int, ...]
    roles: Roles
    place: Affine
    """Where the element is in the result."""
    number: Affine
    """The number of the element among those of the product."""
    code: tuple[Instruction, ...]
    stores: tuple[Store, ...]

    def coming_from(self, source: Instruction) -> Sweep:
        """Returns the sweep in which the element is what an instruction gives."""
        code = [source if isinstance(each, Slot) else each for each in self.code]
        return Sweep((), tuple(code), self.stores)


def whole(step: ContractionStep, problem: Contraction) -> Finish:
    """Returns the finish of elements that are summed by one block."""
    element = _element(step, problem)
    last = element.coming_from(Slot(0, problem.result))
    return _finish(element.extents, element.roles, last, problem.result, None)


def parts(
    step: ContractionStep, problem: Contraction, count: int, first_byte: int = 0
) -> tuple[Finish, Nest]:
    """Returns the finish of elements of which each block has a part, which it leaves in scratch
    memory from some byte on, and the nest that adds the parts and goes on with them.
    """
    element, dtype = _element(step, problem), problem.accumulator
    size = problem.b * problem.m * problem.n
    first = first_byte // dtype.itemsize
    scratch = Buffer(step.scratch.number, dtype, first + count * size, "temporary")
    axis = len(element.extents)
    extents = (*element.extents, count)
    place = element.number + Affine.axis(axis) * size + first
    stored = Sweep((), (Slot(0, dtype),), (Store(scratch, place, 0),))
    finish = _finish(extents, element.roles, stored, dtype, axis)
    added = Sweep((axis,), (Load(scratch, place),), (), (Reduce(_SUM, "add", 0),))
    converted: list[Instruction] = [Slot(_SUM, dtype)]
    if dtype is not problem.result:
        converted.append(Operation("convert_element_type", (0,), problem.result))
    kept = Sweep((), tuple(converted), keeps=(Keep(_ELEMENT, len(converted) - 1),))
    last = element.coming_from(Slot(_ELEMENT, problem.result))
    return finish, Nest(extents, tuple(range(axis)), (added, kept, last))


def after(step: ContractionStep, problem: Contraction) -> tuple[Buffer, Nest]:
    """Returns the scratch memory of a product, and the nest that goes on with its elements."""
    element = _element(step, problem)
    product = Buffer(step.scratch.number, problem.result, step.result.size, "temporary")
    last = element.coming_from(Load(product, element.place))
    return product, Nest(element.extents, tuple(range(len(element.extents))), (last,))


def _finish(
    extents: tuple[int, ...],
    roles: Roles,
    last: Sweep,
    dtype: DType,
    part: int | None,
) -> Finish:
    # What the tiles compute stands for the first sweep, which keeps it.
    first = Sweep((), (Constant(0, dtype),), keeps=(Keep(0, 0),))
    nest = Nest(extents, tuple(range(len(extents))), (first, last))
    return Finish(nest, roles, part, dtype)


def _element(step: ContractionStep, problem: Contraction) -> _Element:
    roles = (problem.batch, problem.rows, problem.columns)
    epilogue = step.epilogue
    extents: list[int] = []
    numbered: list[tuple[int, ...]] = []
    place = Affine()
    dimensions: dict[int, Affine] = {}
    for number, role in enumerate(roles):
        given = () if epilogue is None else epilogue.roles[number]
        known = () if epilogue is None else tuple(epilogue.extents[d] for d in given)
        found = _refine(tuple(axis.extent for axis in role), known, len(extents))
        numbered.append(tuple(range(len(extents), len(extents) + len(found.extents))))
        extents += found.extents
        for axis, position in zip(role, found.first, strict=True):
            place += position * axis.result
        dimensions.update(zip(given, found.second, strict=True))
    order = row_major(extents)
    row_major_number = Affine(tuple((axis, step) for axis, step in enumerate(order)))
    code: tuple[Instruction, ...] = (Slot(0, problem.result),)
    written, registers = (step.result, *step.others), (0,)
    if epilogue is not None:
        code = tuple(
            _moved(each, step, epilogue, place, dimensions) for each in epilogue.instructions
        )
        registers = epilogue.registers
    pairs = zip(written, registers, strict=True)
    stores = tuple(Store(buffer, place, register) for buffer, register in pairs)
    by_role = numbered[0], numbered[1], numbered[2]
    return _Element(tuple(extents), by_role, place, row_major_number, code, stores)


def _moved(
    each: Instruction,
    step: ContractionStep,
    epilogue: Epilogue,
    place: Affine,
    dimensions: Mapping[int, Affine],
) -> Instruction:
    """Returns an instruction of an epilogue on the axes of the finish."""

    def moved(value: Affine) -> Affine:
        found = Affine((), value.constant)
        for dimension, coefficient in value.terms:
            found += dimensions[dimension] * coefficient
        return found

    match each:
        case Load(buffer, offset):
            at = place if offset == epilogue.everywhere else moved(offset)
            return replace(each, buffer=step.reads[buffer.number], offset=at)
        case Position(value):
            return replace(each, value=moved(value))
        case _:
            return each


@dataclass(frozen=True, slots=True)
class _Refined:
    """Axes that two ways to number the same positions have in common."""

    extents: tuple[int, ...]
    first: tuple[Affine, ...]
    """The position along each axis of the first way."""
    second: tuple[Affine, ...]


def _refine(first: Sequence[int], second: Sequence[int], begin: int) -> _Refined:
    """Returns the axes that two row-major numberings have in common, numbered from `begin` on: of
    extents 2 and 100, and of 200, they are 2 and 100.
    """
    total = math.prod(first)
    assert not second or math.prod(second) == total, f"{first} and {second} are not as many"
    cuts = sorted({total, 1, *row_major(first), *row_major(second)}, reverse=True)
    pairs = list(itertools.pairwise(cuts))
    assert all(outer % inner == 0 for outer, inner in pairs), f"{first} cuts {second}"

    def along(extents: Sequence[int]) -> tuple[Affine, ...]:
        found: list[Affine] = []
        for extent, step in zip(extents, row_major(extents), strict=True):
            position = Affine()
            for number, (_, inner) in enumerate(pairs, begin):
                if step <= inner < step * extent:
                    position += Affine.axis(number) * (inner // step)
            found.append(position)
        return tuple(found)

    return _Refined(tuple(outer // inner for outer, inner in pairs), along(first), along(second))
