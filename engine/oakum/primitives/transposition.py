"""`transpose` and `rev`: axes in another order, and axes run backwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum.abstract import reshaping
from oakum.errors import ShapeError
from oakum.primitives.reshaping import inverse
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import Sizes, rank_of
from oakum.tracing.trace import AxisData, Primitive
from oakum.values.avals import ShapedArray


def _transpose_abstract(operand: ShapedArray, *, permutation: Sizes) -> ShapedArray:
    if sorted(permutation) != list(range(rank_of(operand))):
        raise ShapeError(
            "transpose permutation isn't a permutation of operand dimensions, "
            f"got permutation {permutation} for {operand}",
            hint="Name each axis of the operand once, counted from 0.",
        )
    return reshaping.transpose({"operand": operand, "permutation": permutation})


def _transpose(xp: Any, x: Any, *, permutation: Sizes) -> Any:
    return x.transpose(permutation)


def _transpose_transpose(cotangent: Any, operand: Any, *, permutation: Sizes) -> list[Any]:
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
)


def _rev_abstract(operand: ShapedArray, *, dimensions: Sizes) -> ShapedArray:
    rank = rank_of(operand)
    if len(set(dimensions)) != len(dimensions):
        raise ShapeError(
            f"rev dimensions must be unique, got {dimensions}", hint="Name each axis once."
        )
    if any(d < 0 for d in dimensions):
        raise ShapeError(
            f"rev dimensions must have every element be nonnegative, got {dimensions}",
            hint="Count axes from 0, or use jnp.flip.",
        )
    if any(d >= rank for d in dimensions):
        raise ShapeError(
            f"rev dimensions must all be less than operand ndim, got {dimensions} for {operand}",
            hint="Name axes that the operand has.",
        )
    return operand.update()


def _rev(xp: Any, x: Any, *, dimensions: Sizes) -> Any:
    return xp.flip(x, dimensions)


def _rev_transpose(cotangent: Any, operand: Any, *, dimensions: Sizes) -> list[Any]:
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
)
