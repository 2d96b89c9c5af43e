"""`transpose` and `rev`: axes in another order, and axes run backwards."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import lax_rules
from oakum.primitives.reshaping import inverse
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import Sizes
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _transpose_abstract(operand: ShapedArray, *, permutation: Sizes) -> ShapedArray:
    return lax_rules.lax_transpose({"operand": operand, "permutation": permutation})


def _transpose(xp: ModuleType, x: host.Array, *, permutation: Sizes) -> Any:
    return x.transpose(permutation)


def _transpose_transpose(cotangent: ArrayLike, operand: object, *, permutation: Sizes) -> list[Any]:
    return [lax.transpose(cotangent, inverse(permutation))]


def _transpose_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int], *, permutation: Sizes
) -> tuple[Any, int]:
    mapped = dims[0]
    order = (mapped, *(d + (d >= mapped) for d in permutation))
    return lax.transpose(operands[0], order), 0


def _transpose_place(
    position: lowering.Position, shape: Sizes, *, permutation: Sizes
) -> lowering.Position:
    return tuple(position[d] for d in inverse(permutation))


transpose_p = Primitive(
    "transpose",
    abstract=_transpose_abstract,
    evaluate=_transpose,
    linear=True,
    transpose=_transpose_transpose,
    batch=_transpose_batch,
    lower=lowering.Moved(_transpose_place),
    exact=True,
)


def _rev_abstract(operand: ShapedArray, *, dimensions: Sizes) -> ShapedArray:
    return lax_rules.reversed_along({"operand": operand, "dimensions": dimensions})


def _rev(xp: ModuleType, x: host.Array, *, dimensions: Sizes) -> Any:
    return xp.flip(x, dimensions)


def _rev_transpose(cotangent: ArrayLike, operand: object, *, dimensions: Sizes) -> list[Any]:
    return [lax.rev(cotangent, dimensions)]


def _rev_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int], *, dimensions: Sizes
) -> tuple[Any, int]:
    mapped = dims[0]
    return lax.rev(operands[0], tuple(d + (d >= mapped) for d in dimensions)), mapped


def _rev_place(
    position: lowering.Position, shape: Sizes, *, dimensions: Sizes
) -> lowering.Position:
    return tuple(
        place * -1 + (size - 1) if d in dimensions else place
        for d, (place, size) in enumerate(zip(position, shape, strict=True))
    )


rev_p = Primitive(
    "rev",
    abstract=_rev_abstract,
    evaluate=_rev,
    linear=True,
    transpose=_rev_transpose,
    batch=_rev_batch,
    lower=lowering.Moved(_rev_place),
    exact=True,
)
