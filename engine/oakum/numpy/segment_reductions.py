"""Reductions of the segments of an array, which numbers tell apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, Literal

from oakum import numpy as jnp
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments, statics
from oakum.primitives.rules import accumulation_dtype
from oakum.values import host
from oakum.values.uses import Use


def _extreme(dtype: DType, greatest: bool) -> Any:
    if dtype.kind is Kind.FLOAT:
        return math.inf if greatest else -math.inf
    return accumulation_dtype.greatest(dtype) if greatest else accumulation_dtype.least(dtype)


_WAYS: Final[dict[str, tuple[str, Callable[[DType], Any]]]] = {
    "sum": ("add", lambda dtype: 0),
    "prod": ("multiply", lambda dtype: 1),
    "max": ("max", lambda dtype: _extreme(dtype, False)),
    "min": ("min", lambda dtype: _extreme(dtype, True)),
}
"""The update of `x.at` that does each reduction, and the element that it begins with."""


Reduction = Literal["sum", "prod", "max", "min"]


def reduced(
    name: Reduction,
    data: Any,
    segment_ids: Any,
    num_segments: Any,
    indices_are_sorted: bool,
    unique_indices: bool,
    bucket_size: int | None,
    mode: Any,
) -> Any:
    """Reduces the elements of each segment; elements of segments beyond the count are dropped."""
    function = f"segment_{name}"
    x, ids = arguments.arrays(function, data, segment_ids)
    count = _count(function, ids, num_segments)
    method, start = _WAYS[name]
    dtype = arguments.dtype_of(x)
    options: dict[str, Any] = {
        "indices_are_sorted": indices_are_sorted,
        "unique_indices": unique_indices,
        "mode": "drop" if mode is None else mode,
        "wrap_negative_indices": False,
    }
    shape: tuple[int, ...] = (count, *x.shape[1:])
    index: Any = ids
    if bucket_size is not None:
        buckets = -(-ids.size // bucket_size)
        shape, index = (buckets, *shape), (jnp.arange(ids.shape[0]) // bucket_size, ids)
    segments = jnp.full(shape, start(dtype), host.dtype(dtype))
    result = getattr(segments.at[index], method)(x, **options)
    if bucket_size is None:
        return result
    return jnp.astype(getattr(jnp, name)(result, 0), host.dtype(dtype))


def _count(function: str, ids: Any, num_segments: Any) -> int:
    if num_segments is None:
        data = arguments.demand(ids, f"jax.ops.{function}() without num_segments")
        return int(data.max()) + 1 if data.size else 0
    count = statics.integer(num_segments, f"num_segments of jax.ops.{function}()", Use.SIZE)
    if count < 0:
        raise ValueError("num_segments must be non-negative.")
    return count
