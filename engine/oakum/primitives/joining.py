"""`concatenate` and `split`: arrays put together along an axis, and cut apart."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import joining
from oakum.primitives.rules.arguments import Sizes, shape_of
from oakum.primitives.rules.batching import move_to_front
from oakum.primitives.rules.derivatives import Zero, instantiate, is_undefined
from oakum.primitives.rules.lowering import Decomposed, Joined, Part, Position
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _concatenate_abstract(*operands: ShapedArray, dimension: int) -> ShapedArray:
    if len({each.dtype for each in operands}) > 1:
        raise joining.JOINED.different_dtypes(operands)
    weak = all(each.weak_type for each in operands)
    given = {"operands": operands, "dimension": dimension}
    return joining.lax_concatenate(given).update(weak_type=weak)


def _concatenate(xp: ModuleType, *operands: host.Array, dimension: int) -> Any:
    return xp.concatenate(operands, axis=dimension)


def _concatenate_transpose(cotangent: ArrayLike, *operands: object, dimension: int) -> list[Any]:
    lengths = [shape_of(each)[dimension] for each in operands]
    ends = list(itertools.accumulate(lengths))
    return [
        lax.slice_in_dim(cotangent, end - length, end, axis=dimension)
        if is_undefined(operand)
        else None
        for operand, length, end in zip(operands, lengths, ends, strict=True)
    ]


def _concatenate_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], *, dimension: int
) -> tuple[Any, int]:
    pairs = zip(operands, dims, strict=True)
    fronted = [move_to_front(x, d, axis.size) for x, d in pairs]
    return lax.concatenate(fronted, dimension + 1), 0


def _parts(shape: Sizes, operands: Sequence[Sizes], *, dimension: int) -> list[Part]:
    """Returns the parts of a concatenation: each operand follows those before it."""
    parts: list[Part] = []
    start = 0
    for number, sizes in enumerate(operands):

        def target(position: Position, start: int = start) -> Position:
            return tuple(p + start if d == dimension else p for d, p in enumerate(position))

        parts.append(Part(number, sizes, lambda position: position, target))
        start += sizes[dimension]
    return parts


concatenate_p = Primitive(
    "concatenate",
    lower=Joined(_parts),
    abstract=_concatenate_abstract,
    evaluate=_concatenate,
    linear=True,
    transpose=_concatenate_transpose,
    batch=_concatenate_batch,
    exact=True,
)


def _split_abstract(operand: ShapedArray, *, sizes: Sizes, axis: int) -> list[ShapedArray]:
    parts: list[ShapedArray] = joining.axis_parts(
        {"operand": operand, "sizes": sizes, "axis": axis}
    )
    return parts


def _split(xp: ModuleType, x: host.Array, *, sizes: Sizes, axis: int) -> list[Any]:
    ends = itertools.accumulate(sizes)
    before = (slice(None),) * axis
    return [x[(*before, slice(end - n, end))] for n, end in zip(sizes, ends, strict=True)]


def _split_transpose(
    cotangents: Sequence[Any], operand: object, *, sizes: Sizes, axis: int
) -> list[Any]:
    if all(isinstance(each, Zero) for each in cotangents):
        return [Zero(aval_of(operand))]
    return [lax.concatenate([instantiate(each) for each in cotangents], axis)]


def _split_batch(
    data: AxisData, operands: Sequence[Any], dims: Sequence[int], *, sizes: Sizes, axis: int
) -> tuple[Sequence[Any], list[int]]:
    mapped = dims[0]
    parts = lax.split(operands[0], sizes, axis + (axis >= mapped))
    return parts, [mapped] * len(sizes)


def _split_lower(operand: ArrayLike, *, sizes: Sizes, axis: int) -> list[Any]:
    ends = itertools.accumulate(sizes)
    return [
        lax.slice_in_dim(operand, end - n, end, axis=axis)
        for n, end in zip(sizes, ends, strict=True)
    ]


split_p = Primitive(
    "split",
    lower=Decomposed(_split_lower),
    abstract=_split_abstract,
    evaluate=_split,
    linear=True,
    transpose=_split_transpose,
    batch=_split_batch,
    multiple_results=True,
    exact=True,
)
