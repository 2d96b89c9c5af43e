"""The dimensions of a contraction's result: which of them are batch items, rows and columns, how
they are cut and put together, and whether what is read beside the result lies along them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from oakum.compile.loops.affine import Affine
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Instruction, Load, Position
from oakum.compile.problems.epilogue import Epilogue
from oakum.primitives.rules.lowering import Contracted
from oakum.tracing.ir import Equation
from oakum.values.records import replace

Roles = tuple[tuple[int, ...], ...]


def roles_of(eqn: Equation) -> Roles | None:
    """The dimensions of a result that are batch items, rows and columns."""
    lower: Any = eqn.primitive.lower
    rank = len(shape_of(eqn.outputs[0].aval))
    numbers = eqn.params["dimension_numbers"]
    if isinstance(lower, Contracted):
        (summed, _), (batch, _) = numbers
        first = len(batch)
        last = len(shape_of(eqn.inputs[0].aval)) - len(summed)
        return tuple(range(first)), tuple(range(first, last)), tuple(range(last, rank))
    if eqn.params["feature_group_count"] != 1 or eqn.params["batch_group_count"] != 1:
        return None
    item, feature, *places = numbers.out_spec
    return (), (item, *places), (feature,)


def lanes_of(shape: Sequence[int], roles: Roles) -> tuple[int, ...]:
    """The dimensions of the elements of a vector: rows where there is one column."""
    _, rows, columns = roles
    return columns if math.prod(shape[d] for d in columns) > 1 else rows


def parts_of(shape: Sequence[int], other: Sequence[int]) -> tuple[tuple[int, ...], list[list[int]]]:
    """Extents into which the dimensions of both shapes can be cut, if there are such, and which of
    them make up each dimension of the first.
    """
    marks = _marks(shape)
    cuts = sorted({*marks, *_marks(other)}, reverse=True)
    if any(a % b for a, b in itertools.pairwise(cuts)):
        return tuple(shape), [[d] for d in range(len(shape))]
    extents = [a // b for a, b in itertools.pairwise(cuts)]
    parts: list[list[int]] = []
    for outer, inner in itertools.pairwise(marks):
        parts.append([n for n, cut in enumerate(cuts[:-1]) if outer >= cut > inner])
    return tuple(extents), parts


def _marks(shape: Sequence[int]) -> list[int]:
    """The sizes of what lies behind each dimension, the whole first.

    >>> _marks((2, 3, 4))
    [24, 12, 4, 1]
    """
    return [math.prod(shape[n:]) for n in range(len(shape) + 1)]


def _offsets(epilogue: Epilogue) -> list[Affine]:
    """What depends on positions other than the element's number."""
    found: list[Affine] = []
    for each in epilogue.instructions:
        match each:
            case Load(_, offset) if offset != epilogue.everywhere:
                found.append(offset)
            case Position(value, _):
                found.append(value)
            case _:
                pass
    return found


def merged(epilogue: Epilogue) -> Epilogue:
    """The same with dimensions of one role made one where all positions allow it."""
    extents = list(epilogue.extents)
    offsets = _offsets(epilogue)
    roles: list[tuple[int, ...]] = []
    for role in epilogue.roles:
        kept: list[int] = []
        for dim in reversed([d for d in role if extents[d] > 1]):
            if kept and _is_one(offsets, dim, kept[-1], extents[kept[-1]]):
                extents[kept[-1]] *= extents[dim]
            else:
                kept.append(dim)
        roles.append(tuple(reversed(kept)))

    left = {dim for role in roles for dim in role}

    def renamed(value: Affine) -> Affine:
        return Affine(tuple(t for t in value.terms if t[0] in left), value.constant)

    instructions: list[Instruction] = []
    for each in epilogue.instructions:
        match each:
            case Load(_, offset) if offset != epilogue.everywhere:
                instructions.append(replace(each, offset=renamed(offset)))
            case Position(value, _):
                instructions.append(replace(each, value=renamed(value)))
            case _:
                instructions.append(each)
    return replace(
        epilogue,
        extents=tuple(extents),
        roles=(roles[0], roles[1], roles[2]),
        instructions=tuple(instructions),
    )


def _is_one(offsets: Sequence[Affine], outer: int, inner: int, extent: int) -> bool:
    """Whether all go from one row to the next as within a row."""
    return all(o.coefficient(outer) == o.coefficient(inner) * extent for o in offsets)


def is_aligned(epilogue: Epilogue, *, both: bool) -> bool:
    """Whether the elements of a vector are read side by side, or are one; `both` if vectors may be
    of rows and of columns.
    """
    _, rows, columns = epilogue.roles
    offsets = _offsets(epilogue)
    for role in (rows, columns) if both else ((columns,) if columns else (rows,)):
        steps = {o.coefficient(d) for o in offsets for d in role}
        if steps - {0} and (len(role) > 1 or steps - {0, 1}):
            return False
    return True
