"""Slices and updates at positions that may be traced, gathers and scatters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import results, slicing
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Shape


@public(
    "lax.dynamic_index_in_dim",
    slicing.index_in_dim,
    static=("axis", "keepdims", "allow_negative_indices"),
)
def dynamic_index_in_dim(
    operand: ArrayLike,
    index: ArrayLike,
    axis: int = 0,
    keepdims: bool = True,
    *,
    allow_negative_indices: bool = True,
) -> Array:
    """Takes one slice along an axis, at an index that may be traced."""
    ...


@public(
    "lax.dynamic_slice",
    slicing.dynamic_slice,
    static=("allow_negative_indices",),
    shapes=("slice_sizes",),
)
def dynamic_slice(
    operand: ArrayLike,
    start_indices: ArrayLike | Sequence[ArrayLike],
    slice_sizes: Shape,
    *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Array:
    """Takes a part of static size, at a position that may be traced."""
    ...


@public(
    "lax.dynamic_slice_in_dim",
    slicing.dynamic_slice_in_dim,
    static=("axis", "allow_negative_indices"),
    sizes=("slice_size",),
)
def dynamic_slice_in_dim(
    operand: ArrayLike,
    start_index: ArrayLike,
    slice_size: int,
    axis: int = 0,
    *,
    allow_negative_indices: bool = True,
) -> Array:
    """Takes a part of static size along one axis, at a position that may be traced."""
    ...


@public("lax.dynamic_update_index_in_dim", results.first, static=("axis", "allow_negative_indices"))
def dynamic_update_index_in_dim(
    operand: ArrayLike,
    update: ArrayLike,
    index: ArrayLike,
    axis: int,
    *,
    allow_negative_indices: bool = True,
) -> Array:
    """Writes one slice along an axis, at an index that may be traced."""
    ...


@public("lax.dynamic_update_slice", results.first, static=("allow_negative_indices",))
def dynamic_update_slice(
    operand: ArrayLike,
    update: ArrayLike,
    start_indices: Array | Sequence[ArrayLike],
    *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Array:
    """Writes a part, at a position that may be traced."""
    ...


@public("lax.dynamic_update_slice_in_dim", results.first, static=("axis", "allow_negative_indices"))
def dynamic_update_slice_in_dim(
    operand: ArrayLike,
    update: ArrayLike,
    start_index: ArrayLike,
    axis: int,
    *,
    allow_negative_indices: bool = True,
) -> Array:
    """Writes a part along one axis, at a position that may be traced."""
    ...


@public(
    "lax.gather",
    results.array,
    static=("dimension_numbers", "unique_indices", "indices_are_sorted", "mode"),
    shapes=("slice_sizes",),
)
def gather(
    operand: ArrayLike,
    start_indices: ArrayLike,
    dimension_numbers: Any,
    slice_sizes: Shape,
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    mode: Any = None,
    fill_value: Any = None,
) -> Array:
    """Takes slices at many positions."""
    ...


@public("lax.index_in_dim", slicing.index_in_dim, static=("index", "axis", "keepdims"))
def index_in_dim(operand: ArrayLike, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """Takes one slice along an axis, at a static index."""
    ...


@public("lax.index_take", results.array, static=("axes",))
def index_take(src: Array, idxs: Array, axes: Sequence[int]) -> Array:
    """Takes elements at index arrays for several axes."""
    ...


@public(
    "lax.scatter",
    results.first,
    static=("dimension_numbers", "indices_are_sorted", "unique_indices", "mode"),
)
def scatter(
    operand: ArrayLike,
    scatter_indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: Any,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Writes slices at many positions."""
    ...


@public(
    "lax.scatter_add",
    results.first,
    static=("dimension_numbers", "indices_are_sorted", "unique_indices", "mode"),
)
def scatter_add(
    operand: ArrayLike,
    scatter_indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: Any,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Adds slices at many positions."""
    ...


@public("lax.scatter_apply", results.first, static=("mode",))
def scatter_apply(
    operand: Array,
    scatter_indices: Array,
    func: Callable[[Array], Array],
    dimension_numbers: Any,
    *,
    update_shape: Shape = (),
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Applies a function at many positions."""
    ...


@public(
    "lax.scatter_max",
    results.first,
    static=("dimension_numbers", "indices_are_sorted", "unique_indices", "mode"),
)
def scatter_max(
    operand: ArrayLike,
    scatter_indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: Any,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Takes the greater of an array and slices at many positions."""
    ...


@public(
    "lax.scatter_min",
    results.first,
    static=("dimension_numbers", "indices_are_sorted", "unique_indices", "mode"),
)
def scatter_min(
    operand: ArrayLike,
    scatter_indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: Any,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Takes the lesser of an array and slices at many positions."""
    ...


@public(
    "lax.scatter_mul",
    results.first,
    static=("dimension_numbers", "indices_are_sorted", "unique_indices", "mode"),
)
def scatter_mul(
    operand: ArrayLike,
    scatter_indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: Any,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Multiplies by slices at many positions."""
    ...


@public(
    "lax.scatter_sub",
    results.first,
    static=("dimension_numbers", "indices_are_sorted", "unique_indices", "mode"),
)
def scatter_sub(
    operand: ArrayLike,
    scatter_indices: ArrayLike,
    updates: ArrayLike,
    dimension_numbers: Any,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Subtracts slices at many positions."""
    ...
