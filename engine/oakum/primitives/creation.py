"""`iota` and `empty`: arrays made from nothing."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum.abstract import creation
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import Sizes, dtype_of
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray


def _iota_abstract(
    *, dtype: DType, shape: Sizes, dimension: int, sharding: object = None
) -> ShapedArray:
    given = {"dtype": dtype, "shape": shape, "dimension": dimension}
    return creation.broadcasted_iota(given).update(dtype=dtype)  # of 64 bits without x64, too


def _iota(
    xp: ModuleType, *, dtype: DType, shape: Sizes, dimension: int, sharding: object = None
) -> Any:
    size = shape[dimension]
    counted = xp.arange(size).astype(host.dtype(dtype))
    if len(shape) == 1:
        return counted
    sizes = [1] * len(shape)
    sizes[dimension] = size
    return xp.broadcast_to(counted.reshape(sizes), shape)


def _iota_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    *,
    dtype: DType,
    shape: Sizes,
    dimension: int,
    sharding: object = None,
) -> Any:
    return builder.index(position[dimension], dtype)


iota_p = Primitive(
    "iota",
    abstract=_iota_abstract,
    evaluate=_iota,
    linear=True,
    lower=lowering.Computed(_iota_lower, free=True),
    exact=True,
)


def _empty_abstract(*, shape: Sizes, dtype: DType, out_sharding: object = None) -> ShapedArray:
    if any(size < 0 for size in shape):
        raise ShapeError(
            f"empty takes sizes from zero on, got shape {shape}", hint="Give sizes from zero on."
        )
    return ShapedArray(shape, dtype)


def _empty(xp: ModuleType, *, shape: Sizes, dtype: DType, out_sharding: object = None) -> Any:
    return xp.zeros(shape, host.dtype(dtype))


def _empty_lower(
    builder: lowering.Builder, position: lowering.Position, result: ShapedArray, **params: object
) -> Any:
    return builder.constant(0, dtype_of(result))


empty_p = Primitive(
    "empty",
    abstract=_empty_abstract,
    evaluate=_empty,
    linear=True,
    lower=lowering.Computed(_empty_lower, free=True),
    exact=True,
)
