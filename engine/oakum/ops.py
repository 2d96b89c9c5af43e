"""Reductions of segments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from oakum import numpy as jnp
from oakum.abstract import reduction, reshaping
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.lax.options import GatherScatterMode
from oakum.numpy import arguments
from oakum.primitives.rules import numpy_evaluation
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, Placement
from oakum.values import host
from oakum.values.declarations import named_as, public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use


def _reduced(
    name: str,
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None,
    indices_are_sorted: bool,
    unique_indices: bool,
    bucket_size: int | None,
    mode: str | GatherScatterMode | None,
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


_WAYS: Final[dict[str, tuple[str, Callable[[DType], Any]]]] = {
    "sum": ("add", lambda dtype: 0),
    "prod": ("multiply", lambda dtype: 1),
    "max": ("max", lambda dtype: _extreme(dtype, False)),
    "min": ("min", lambda dtype: _extreme(dtype, True)),
}
"""The update of `x.at` that does each reduction, and the element that it begins with."""


def _extreme(dtype: DType, greatest: bool) -> Any:
    if dtype.kind is Kind.FLOAT:
        return math.inf if greatest else -math.inf
    return numpy_evaluation.greatest(dtype) if greatest else numpy_evaluation.least(dtype)


def _count(function: str, ids: Array, num_segments: int | None) -> int:
    if num_segments is None:
        data = arguments.demand(ids, f"jax.ops.{function}() without num_segments")
        return int(data.max()) + 1 if data.size else 0
    count = arguments.static_integer(
        num_segments, f"num_segments of jax.ops.{function}()", Use.SIZE
    )
    if count < 0:
        raise ValueError("num_segments must be non-negative.")
    return count


def _segments(stated: Callable[[], None]):
    """Declares a reduction of segments, which is named after that of all; its signature is
    inferred.
    """
    name = stated.__name__

    def segments(
        data: ArrayLike,
        segment_ids: ArrayLike,
        num_segments: int | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        bucket_size: int | None = None,
        mode: str | GatherScatterMode | None = None,
        out_sharding: Placement | None = None,
    ) -> Array:
        ignored_placement.require(f"ops.{name}(out_sharding=...)", out_sharding)
        options = (indices_are_sorted, unique_indices, bucket_size, mode)
        return _reduced(name.removeprefix("segment_"), data, segment_ids, num_segments, *options)

    declared = public(
        f"ops.{name}",
        reduction.segments,
        static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
        dynamic_size=DynamicSize("num_segments", ("segment_ids",)),
    )
    return declared(named_as(stated, segments))


@_segments
def segment_sum() -> None:
    """Sums the elements of each segment."""


@_segments
def segment_prod() -> None:
    """Multiplies the elements of each segment."""


@_segments
def segment_max() -> None:
    """Returns the greatest element of each segment."""


@_segments
def segment_min() -> None:
    """Returns the least element of each segment."""


@public("ops.index_update", reshaping.keeps)
def index_update(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Returns an array with values written at an index; now `x.at[index].set`."""
    return jnp.asarray(x).at[idx].set(y)


@public("ops.index_add", reshaping.keeps)
def index_add(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Returns an array with values added at an index; now `x.at[index].add`."""
    return jnp.asarray(x).at[idx].add(y)


@public("ops.index_mul", reshaping.keeps)
def index_mul(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Returns an array with values multiplied at an index; now `x.at[index].multiply`."""
    return jnp.asarray(x).at[idx].multiply(y)


@public("ops.index_min", reshaping.keeps)
def index_min(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Returns an array with lesser values at an index; now `x.at[index].min`."""
    return jnp.asarray(x).at[idx].min(y)


@public("ops.index_max", reshaping.keeps)
def index_max(x: ArrayLike, idx: object, y: ArrayLike) -> Array:
    """Returns an array with greater values at an index; now `x.at[index].max`."""
    return jnp.asarray(x).at[idx].max(y)


class _Index:
    """Makes an index for the functions above.

    >>> index[1:3, 0]
    (slice(1, 3, None), 0)
    """

    def __getitem__(self, key: object) -> Any:
        return key


index: Final = _Index()
