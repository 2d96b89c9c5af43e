"""The dimensions of a contraction's result: which are batch items, rows and columns, how they are
split and merged, and whether an epilogue's operands are aligned with them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from oakum.compile.loops.affine import Affine
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Instruction, Load, Position
from oakum.compile.problems.problem import Epilogue
from oakum.primitives.rules.lowering import Contracted
from oakum.tracing.ir import Equation
from oakum.values.records import replace

Roles = tuple[tuple[int, ...], ...]


def roles_of(eqn: Equation) -> Roles | None:
    """Returns the dimensions of a result that are batch items, rows and columns."""
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
    """Returns the dimensions that vectors go along: rows if there is one column, else columns."""
    _, rows, columns = roles
    return columns if math.prod(shape[d] for d in columns) > 1 else rows


def parts_of(shape: Sequence[int], other: Sequence[int]) -> tuple[tuple[int, ...], list[list[int]]]:
    """Splits the dimensions of two shapes into common extents; returns these, and which of them
    make up each dimension of the first shape. If there are none, returns the first shape as it is.
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
    """Returns the number of elements behind each dimension, starting with all of them.

    >>> _marks((2, 3, 4))
    [24, 12, 4, 1]
    """
    return [math.prod(shape[n:]) for n in range(len(shape) + 1)]


def _offsets(epilogue: Epilogue) -> list[Affine]:
    """Returns the offsets and positions that do not follow the element's number."""
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


def merge_dimensions(epilogue: Epilogue) -> Epilogue:
    """Merges dimensions of one role if every offset allows it."""
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
    """Returns whether two dimensions can be merged: stepping along the outer one continues the
    inner one in every offset.
    """
    return all(o.coefficient(outer) == o.coefficient(inner) * extent for o in offsets)


def is_aligned(epilogue: Epilogue, *, both: bool) -> bool:
    """Returns whether the lanes of each vector read contiguous elements, or all the same one. With
    `both`, vectors may go along rows as well as along columns.
    """
    _, rows, columns = epilogue.roles
    offsets = _offsets(epilogue)
    for role in (rows, columns) if both else ((columns,) if columns else (rows,)):
        steps = {o.coefficient(d) for o in offsets for d in role}
        if steps - {0} and (len(role) > 1 or steps - {0, 1}):
            return False
    return True
