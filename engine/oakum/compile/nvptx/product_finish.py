"""What becomes of the elements of a product, as nests: they are stored, or go through an epilogue.

Elements come from slot 0 where the kernel of the product goes on with them, from scratch memory
where another kernel does: one that adds the parts of sums, or that of a product by a nest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Instruction,
    Keep,
    Load,
    Nest,
    Operation,
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.plan.steps import ContractionStep
from oakum.compile.problems.contraction import Axis, Contraction, row_major
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
    number: Affine
    """The number of the element, for scratch memory."""
    code: tuple[Instruction, ...]
    stores: tuple[Store, ...]

    def coming_from(self, source: Instruction) -> Sweep:
        """Returns the sweep in which the element is what an instruction gives."""
        code = [source if isinstance(each, Slot) else each for each in self.code]
        return Sweep((), tuple(code), self.stores)


def finished_extents(epilogue: Epilogue) -> tuple[int, ...]:
    """Returns the extents of the dimensions that elements are numbered through; there may be more,
    of which nothing is numbered.
    """
    numbered = {dimension for role in epilogue.roles for dimension in role}
    return tuple(n if axis in numbered else 1 for axis, n in enumerate(epilogue.extents))


def whole(step: ContractionStep, problem: Contraction) -> Finish:
    """Returns the finish of elements that are summed by one block."""
    element = _element(step, problem)
    last = element.coming_from(Slot(0, problem.result))
    return _finish(element.extents, element.roles, last, problem.result, None)


def parts(step: ContractionStep, problem: Contraction, count: int) -> tuple[Finish, Nest]:
    """Returns the finish of elements of which each block has a part, which it leaves in scratch
    memory, and the nest that adds the parts and goes on with them.
    """
    element, dtype = _element(step, problem), problem.accumulator
    size = math.prod(element.extents)
    scratch = Buffer(step.scratch.number, dtype, count * size, "temporary")
    axis = len(element.extents)
    extents = (*element.extents, count)
    place = element.number + Affine.axis(axis) * size
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
    last = element.coming_from(Load(product, element.number))
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
    epilogue = step.epilogue
    if epilogue is None:
        return _stored(step.result, problem)
    code: list[Instruction] = []
    for each in epilogue.instructions:
        if isinstance(each, Load):
            each = replace(each, buffer=step.reads[each.buffer.number])
        code.append(each)
    stores = tuple(
        Store(buffer, epilogue.everywhere, register)
        for buffer, register in zip((step.result, *step.others), epilogue.registers, strict=True)
    )
    extents = finished_extents(epilogue)
    return _Element(extents, epilogue.roles, epilogue.everywhere, tuple(code), stores)


def _stored(result: Buffer, problem: Contraction) -> _Element:
    """Returns what stores an element."""
    axes: list[Axis] = [*problem.batch, *problem.rows, *problem.columns]
    numbers = range(len(axes))
    first, second = len(problem.batch), len(problem.batch) + len(problem.rows)
    roles = tuple(numbers[:first]), tuple(numbers[first:second]), tuple(numbers[second:])
    extents = tuple(axis.extent for axis in axes)
    place = _affine(extents, [axis.result for axis in axes])
    number = _affine(extents, row_major(extents))
    code = (Slot(0, problem.result),)
    return _Element(extents, roles, number, code, (Store(result, place, 0),))


def _affine(extents: Sequence[int], steps: Sequence[int]) -> Affine:
    """Returns the sum of steps along axes of more than one position."""
    pairs = [(n, step) for n, step in enumerate(steps) if step and extents[n] > 1]
    return Affine(tuple(pairs))
