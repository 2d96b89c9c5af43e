"""Shapes, creation, conversion and joining."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import (
    creation,
    inspection,
    joining,
    padding,
    particular,
    reshaping,
    results,
    slicing,
    strict,
)
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape


@public("lax.bitcast_convert_type", strict.bitcast)
def bitcast_convert_type(operand: ArrayLike, new_dtype: DTypeLike) -> Array:
    """Reads the bits of the elements as another dtype."""
    ...


@public("lax.broadcast", strict.broadcast, shapes=("sizes",))
def broadcast(
    operand: ArrayLike, sizes: Sequence[int], *, out_sharding: Placement | None = None
) -> Array:
    """Adds leading axes and repeats the array along them."""
    ...


@public(
    "lax.broadcast_in_dim",
    strict.broadcast_in_dim,
    static=("broadcast_dimensions",),
    shapes=("shape",),
)
def broadcast_in_dim(
    operand: ArrayLike,
    shape: Shape,
    broadcast_dimensions: Sequence[int],
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Repeats an array along new axes and axes of length one."""
    ...


@public("lax.broadcast_like", particular.broadcast_like)
def broadcast_like(arr: ArrayLike, like_arr: ArrayLike) -> Array:
    """Broadcasts an array to the shape of another."""
    ...


@public("lax.broadcast_shapes", inspection.broadcast_shapes, shapes=("shapes",), static_result=True)
def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """Gives the shape that shapes broadcast to."""
    ...


@public("lax.broadcast_to_rank", particular.to_rank, static=("rank",))
def broadcast_to_rank(x: ArrayLike, rank: int) -> Array:
    """Adds leading axes of length one until the array has a rank."""
    ...


@public("lax.broadcasted_iota", strict.broadcasted_iota, static=("dimension",), sizes=("shape",))
def broadcasted_iota(
    dtype: DTypeLike, shape: Shape, dimension: int, *, out_sharding: Placement | None = None
) -> Array:
    """Makes an array that counts along one axis."""
    ...


@public("lax.collapse", strict.collapse, static=("start_dimension", "stop_dimension"))
def collapse(operand: Array, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Joins neighbouring axes into one."""
    ...


@public("lax.concatenate", strict.joined, static=("dimension",))
def concatenate(operands: Array | Sequence[ArrayLike], dimension: int) -> Array:
    """Joins arrays along an axis."""
    ...


@public("lax.convert_element_type", creation.astype)
def convert_element_type(operand: ArrayLike, new_dtype: Any) -> Array:
    """Converts elements to a dtype."""
    ...


@public("lax.dtype", inspection.dtype, static_result=True)
def dtype(x: Any) -> DTypeLike:
    """Gives the dtype of an array."""
    ...


@public("lax.empty", creation.filled, shapes=("shape",))
def empty(shape: Shape, dtype: Any, *, out_sharding: Placement | None = None) -> Any:
    """Makes an array; its elements are zeros."""
    ...


@public("lax.expand_dims", reshaping.expand_dims, static=("dimensions",))
def expand_dims(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Inserts axes of length one."""
    ...


@public("lax.full", creation.full, shapes=("shape",))
def full(
    shape: Shape,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value."""
    ...


@public("lax.full_like", creation.full_like, shapes=("shape",))
def full_like(
    x: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Shape | None = None,
    sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value with the shape and dtype of another."""
    ...


@public("lax.iota", strict.iota, sizes=("size",))
def iota(dtype: DTypeLike, size: int) -> Array:
    """Makes an array that counts from zero."""
    ...


@public("lax.optimization_barrier", particular.staged)
def optimization_barrier(operand: Any, /) -> Any:
    """Gives its operands, and keeps the compiler from moving operations across."""
    ...


@public("lax.pad", strict.pad, static=("padding_config",))
def pad(
    operand: ArrayLike, padding_value: ArrayLike, padding_config: Sequence[tuple[int, int, int]]
) -> Array:
    """Adds elements at the ends of axes and between elements; negative amounts remove them."""
    ...


@public("lax.reshape", particular.reshaped, static=("dimensions",), shapes=("new_sizes",))
def reshape(
    operand: ArrayLike,
    new_sizes: Shape,
    dimensions: Sequence[int] | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Gives an array another shape with the same elements."""
    ...


@public("lax.rev", strict.cumulative, static=("dimensions",))
def rev(operand: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Reverses the order of elements along axes."""
    ...


@public("lax.shape_as_value", results.array)
def shape_as_value(shape: Shape) -> Any:
    """Makes an array of the sizes of a shape."""
    ...


@public("lax.slice", slicing.static_slice, static=("start_indices", "limit_indices", "strides"))
def slice(
    operand: ArrayLike,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Array:
    """Takes a rectangular part with static bounds."""
    ...


@public(
    "lax.slice_in_dim",
    slicing.slice_in_dim,
    static=("start_index", "limit_index", "stride", "axis"),
)
def slice_in_dim(
    operand: ArrayLike,
    start_index: int | None,
    limit_index: int | None,
    stride: int = 1,
    axis: int = 0,
) -> Array:
    """Takes a part with static bounds along one axis."""
    ...


@public("lax.split", joining.axis_parts, static=("axis",), shapes=("sizes",))
def split(operand: ArrayLike, sizes: Sequence[int], axis: int = 0) -> Sequence[Array]:
    """Cuts an array into pieces of given sizes."""
    ...


@public("lax.squeeze", reshaping.squeeze, static=("dimensions",))
def squeeze(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Removes axes of length one."""
    ...


@public("lax.stack", joining.stack, static=("axis",))
def stack(operands: Sequence[ArrayLike], axis: int = 0) -> Array:
    """Joins arrays along a new axis."""
    ...


@public("lax.stage", particular.staged)
def stage(x: ArrayLike, /) -> Array:
    """Makes its operand a staged value."""
    ...


@public("lax.stop_gradient", particular.staged)
def stop_gradient(x: Any) -> Any:
    """Gives its operand, and makes its derivative zero."""
    ...


@public("lax.tile", padding.tile, static=("reps",))
def tile(operand: ArrayLike, reps: Sequence[int]) -> Array:
    """Repeats a whole array along its axes."""
    ...


@public("lax.transpose", reshaping.transpose, static=("permutation",))
def transpose(operand: ArrayLike, permutation: Sequence[int] | ArrayLike) -> Array:
    """Permutes the axes of an array."""
    ...


@public("lax.unstack", joining.unstack, static=("axis",))
def unstack(x: ArrayLike, axis: int = 0) -> tuple[Array, ...]:
    """Takes an array apart along an axis."""
    ...


@public("lax.dce_sink", results.nothing, static=("prevent_mlir_dce",))
def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> Any:
    """Keeps a value from being removed as unused."""
    ...


@public("lax.after_all")
def after_all(*operands: Any) -> Any:
    """Makes a token that waits for other tokens."""
    ...


@public("lax.create_token")
def create_token(_: Any = None) -> Any:
    """Makes a token that orders side effects."""
    ...


@public("lax.with_sharding_constraint", results.first)
def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """Gives its operand, and asks the compiler for a sharding."""
    ...
