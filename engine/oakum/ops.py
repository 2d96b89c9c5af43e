"""Reductions of segments."""

from __future__ import annotations

from typing import Any

from oakum.abstract import segments, sizes
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Placement


@public(
    "ops.segment_sum",
    segments.reduced,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=sizes.without("num_segments"),
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
    ...


@public(
    "ops.segment_prod",
    segments.reduced,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=sizes.without("num_segments"),
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
    ...


@public(
    "ops.segment_max",
    segments.reduced,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=sizes.without("num_segments"),
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
    ...


@public(
    "ops.segment_min",
    segments.reduced,
    static=("num_segments", "indices_are_sorted", "unique_indices", "bucket_size", "mode"),
    dynamic_size=sizes.without("num_segments"),
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
    ...
