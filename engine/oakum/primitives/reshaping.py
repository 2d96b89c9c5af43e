"""`reshape` and `squeeze`: another shape of the same elements."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import lax_rules, reshaping
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import Sizes, shape_of
from oakum.primitives.rules.batching import move
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _reshape_abstract(
    operand: ShapedArray, *, new_sizes: Sizes, dimensions: Sizes | None, sharding: object = None
) -> ShapedArray:
    sizes = {"new_sizes": new_sizes, "dimensions": dimensions}
    return lax_rules.lax_reshape({"operand": operand, **sizes})


def _reshape(
    xp: ModuleType,
    x: host.Array,
    *,
    new_sizes: Sizes,
    dimensions: Sizes | None,
    sharding: object = None,
) -> Any:
    return (x if dimensions is None else x.transpose(dimensions)).reshape(new_sizes)


def _reshape_transpose(
    cotangent: ArrayLike,
    operand: object,
    *,
    new_sizes: Sizes,
    dimensions: Sizes | None,
    sharding: object = None,
) -> list[Any]:
    shape = shape_of(operand)
    if dimensions is None:
        return [lax.reshape(cotangent, shape)]
    permuted = lax.reshape(cotangent, tuple(shape[d] for d in dimensions))
    return [lax.transpose(permuted, inverse(dimensions))]


def inverse(permutation: Sequence[int]) -> Sizes:
    """Returns the permutation that undoes another.

    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def _reshape_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    new_sizes: Sizes,
    dimensions: Sizes | None,
    sharding: object = None,
) -> tuple[Any, int]:
    operand = move(operands[0], dims[0], 0)
    order = None if dimensions is None else (0, *(d + 1 for d in dimensions))
    return lax.reshape(operand, (axis.size, *new_sizes), order), 0


def _keeps_order(*, new_sizes: Sizes, dimensions: Sizes | None, sharding: object = None) -> bool:
    return dimensions is None


reshape_p = Primitive(
    "reshape",
    abstract=_reshape_abstract,
    evaluate=_reshape,
    linear=True,
    transpose=_reshape_transpose,
    batch=_reshape_batch,
    lower=lowering.Reshaped(_keeps_order),
    exact=True,
)


def _squeeze_abstract(operand: ShapedArray, *, dimensions: Sizes) -> ShapedArray:
    return reshaping.exact_squeeze(operand, dimensions)


def _squeeze(xp: ModuleType, x: host.Array, *, dimensions: Sizes) -> Any:
    return x.squeeze(dimensions)


def _squeeze_transpose(cotangent: ArrayLike, operand: object, *, dimensions: Sizes) -> list[Any]:
    return [lax.reshape(cotangent, shape_of(operand))]


def _squeeze_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int], *, dimensions: Sizes
) -> tuple[Any, int]:
    operand = move(operands[0], dims[0], 0)
    return lax.squeeze(operand, tuple(d + 1 for d in dimensions)), 0


def _squeeze_place(
    position: lowering.Position, shape: Sizes, *, dimensions: Sizes
) -> lowering.Position:
    kept = iter(position)
    return tuple(0 if d in dimensions else next(kept) for d in range(len(shape)))


squeeze_p = Primitive(
    "squeeze",
    abstract=_squeeze_abstract,
    evaluate=_squeeze,
    linear=True,
    transpose=_squeeze_transpose,
    batch=_squeeze_batch,
    lower=lowering.Moved(_squeeze_place),
    exact=True,
)
