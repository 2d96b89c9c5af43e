"""Reductions of segments."""

from __future__ import annotations

from typing import Any, Final

from oakum import numpy as jnp
from oakum.abstract import reduction, reshaping, results
from oakum.array import Array
from oakum.numpy import segment_reductions
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, Placement
from oakum.values.declarations import public


@public(
    "ops.segment_sum",
    reduction.segments,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=results.without("num_segments"),
    size_parameter="num_segments",
    size_operands=("segment_ids",),
)
def segment_sum(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: Any = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Sums the elements of each segment."""
    ignored_placement.require("ops.segment_sum(out_sharding=...)", out_sharding)
    return segment_reductions.reduced(
        "sum",
        data,
        segment_ids,
        num_segments,
        indices_are_sorted,
        unique_indices,
        bucket_size,
        mode,
    )


@public(
    "ops.segment_prod",
    reduction.segments,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=results.without("num_segments"),
    size_parameter="num_segments",
    size_operands=("segment_ids",),
)
def segment_prod(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: Any = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies the elements of each segment."""
    ignored_placement.require("ops.segment_prod(out_sharding=...)", out_sharding)
    return segment_reductions.reduced(
        "prod",
        data,
        segment_ids,
        num_segments,
        indices_are_sorted,
        unique_indices,
        bucket_size,
        mode,
    )


@public(
    "ops.segment_max",
    reduction.segments,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=results.without("num_segments"),
    size_parameter="num_segments",
    size_operands=("segment_ids",),
)
def segment_max(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: Any = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Gives the greatest element of each segment."""
    ignored_placement.require("ops.segment_max(out_sharding=...)", out_sharding)
    return segment_reductions.reduced(
        "max",
        data,
        segment_ids,
        num_segments,
        indices_are_sorted,
        unique_indices,
        bucket_size,
        mode,
    )


@public(
    "ops.segment_min",
    reduction.segments,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=results.without("num_segments"),
    size_parameter="num_segments",
    size_operands=("segment_ids",),
)
def segment_min(
    data: ArrayLike,
    segment_ids: ArrayLike,
    num_segments: int | None = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    bucket_size: int | None = None,
    mode: Any = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Gives the least element of each segment."""
    ignored_placement.require("ops.segment_min(out_sharding=...)", out_sharding)
    return segment_reductions.reduced(
        "min",
        data,
        segment_ids,
        num_segments,
        indices_are_sorted,
        unique_indices,
        bucket_size,
        mode,
    )


@public("ops.index_update", reshaping.keeps)
def index_update(x: ArrayLike, idx: Any, y: ArrayLike) -> Array:
    """Gives an array with values written at an index; now `x.at[index].set`."""
    return jnp.asarray(x).at[idx].set(y)


@public("ops.index_add", reshaping.keeps)
def index_add(x: ArrayLike, idx: Any, y: ArrayLike) -> Array:
    """Gives an array with values added at an index; now `x.at[index].add`."""
    return jnp.asarray(x).at[idx].add(y)


@public("ops.index_mul", reshaping.keeps)
def index_mul(x: ArrayLike, idx: Any, y: ArrayLike) -> Array:
    """Gives an array with values multiplied at an index; now `x.at[index].multiply`."""
    return jnp.asarray(x).at[idx].multiply(y)


@public("ops.index_min", reshaping.keeps)
def index_min(x: ArrayLike, idx: Any, y: ArrayLike) -> Array:
    """Gives an array with lesser values at an index; now `x.at[index].min`."""
    return jnp.asarray(x).at[idx].min(y)


@public("ops.index_max", reshaping.keeps)
def index_max(x: ArrayLike, idx: Any, y: ArrayLike) -> Array:
    """Gives an array with greater values at an index; now `x.at[index].max`."""
    return jnp.asarray(x).at[idx].max(y)


class _Index:
    """Makes an index for the functions above.

    >>> index[1:3, 0]
    (slice(1, 3, None), 0)
    """

    def __getitem__(self, key: Any) -> Any:
        return key


index: Final = _Index()
