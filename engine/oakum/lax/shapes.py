"""Shapes, creation, conversion and joining."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any, cast

from oakum import dtypes, primitives
from oakum.abstract import (
    creation,
    inspection,
    joining,
    lax_rules,
    padding,
    reshaping,
    results,
    slicing,
)
from oakum.abstract.operands import broadcast_shapes as broadcast_sizes
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.lax import conversion
from oakum.primitives.rules import arguments
from oakum.pytrees import pytree
from oakum.runtime.topology import ignored_placement
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.declarations import public


@public("lax.bitcast_convert_type", creation.bitcast)
def bitcast_convert_type(operand: ArrayLike, new_dtype: DTypeLike) -> Array:
    """Reads the bits of the elements as another dtype."""
    return primitives.reinterpreting.bitcast_convert_type_p.bind(
        operand, new_dtype=requested(new_dtype, "bitcast_convert_type")
    )


@public("lax.broadcast", lax_rules.broadcast, shapes=("sizes",))
def broadcast(
    operand: ArrayLike, sizes: Sequence[int], *, out_sharding: Placement | None = None
) -> Array:
    """Adds leading axes and repeats the array along them."""
    if out_sharding is not None:
        ignored_placement.require("lax.broadcast(out_sharding=...)", out_sharding)
    given, new = arguments.shape_of(operand), arguments.sizes(sizes)
    if not new:
        array = arguments.array(operand)
        return array if array is operand else conversion.staged(array)
    kept = tuple(range(len(new), len(new) + len(given)))
    return broadcast_in_dim(operand, (*new, *given), kept)


@public(
    "lax.broadcast_in_dim",
    lax_rules.broadcast_in_dim,
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
    sizes, dimensions = arguments.sizes(shape), arguments.sizes(broadcast_dimensions)
    if isinstance(operand, Array) and not dimensions and arguments.rank_of(operand) == len(sizes):
        return operand
    return primitives.broadcasting.broadcast_in_dim_p.bind(
        operand, shape=sizes, broadcast_dimensions=dimensions, sharding=out_sharding
    )


@public("lax.broadcast_like", lax_rules.broadcast_like)
def broadcast_like(arr: ArrayLike, like_arr: ArrayLike) -> Array:
    """Broadcasts an array to the shape of another."""
    given, shape = arguments.shape_of(arr), arguments.shape_of(like_arr)
    if given == shape:
        return arguments.array(arr)
    if len(shape) < len(given):
        raise ShapeError(
            f"Cannot broadcast to shape with fewer dimensions: {given} to {shape}",
            hint="Reshape the array, or broadcast the other one.",
        )
    return broadcast_in_dim(arr, shape, tuple(range(len(shape) - len(given), len(shape))))


@public("lax.broadcast_shapes", inspection.broadcast_shapes, shapes=("shapes",), static_result=True)
def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """Returns the shape that shapes broadcast to."""
    given = [arguments.sizes(shape) for shape in shapes]
    if any(size < 0 for shape in given for size in shape):
        raise ShapeError(
            f"Only non-negative indices are allowed in shapes, got {given}",
            hint="Give sizes from zero on.",
        )
    arrays = [ShapedArray(shape, None) for shape in given]
    try:
        return cast("tuple[int, ...]", broadcast_sizes(arrays))
    except ShapeError:
        raise ShapeError(
            f"Incompatible shapes for broadcasting: shapes={given}",
            hint="Make the sizes of each axis equal, or 1.",
        ) from None


@public("lax.broadcast_to_rank", lax_rules.to_rank, static=("rank",))
def broadcast_to_rank(x: ArrayLike, rank: int) -> Array:
    """Adds leading axes of length one until the array has a rank."""
    return broadcast(x, (1,) * (rank - arguments.rank_of(x)))


@public(
    "lax.broadcasted_iota",
    creation.broadcasted_iota,
    static=("dimension",),
    sizes=("shape",),
)
def broadcasted_iota(
    dtype: DTypeLike, shape: Shape, dimension: int, *, out_sharding: Placement | None = None
) -> Array:
    """Makes an array that counts along one axis."""
    return primitives.creation.iota_p.bind(
        dtype=requested(dtype, "broadcasted_iota"),
        shape=arguments.sizes(shape),
        dimension=arguments.integer(dimension),
        sharding=out_sharding,
    )


@public("lax.collapse", lax_rules.collapse, static=("start_dimension", "stop_dimension"))
def collapse(operand: Array, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Joins neighbouring axes into one."""
    shape = arguments.shape_of(operand)
    low, high, _ = builtins.slice(start_dimension, stop_dimension).indices(len(shape))
    if high < low:
        raise ShapeError(
            f"Invalid dimension range passed to collapse: {shape}"
            f"[{start_dimension}:{stop_dimension}]",
            hint="Give a range of axes that does not run backwards.",
        )
    return reshape(operand, (*shape[:low], math.prod(shape[low:high]), *shape[high:]))


@public("lax.concatenate", joining.lax_concatenate, static=("dimension",))
def concatenate(operands: Array | Sequence[ArrayLike], dimension: int) -> Array:
    """Joins arrays along an axis."""
    parts: Sequence[Any] = arguments.parts(operands, "concatenate")
    if len(parts) == 1 and isinstance(parts[0], Array):
        return parts[0]
    return primitives.joining.concatenate_p.bind(*parts, dimension=arguments.integer(dimension))


@public("lax.convert_element_type", creation.astype, hands_through="all")
def convert_element_type(operand: ArrayLike, new_dtype: object) -> Array:
    """Converts elements to a dtype."""
    asked = requested(new_dtype, "convert_element_type")
    converted = conversion.converted(operand, asked)
    if converted is operand:
        return converted
    stage = conversion.staged if isinstance(operand, Array) else conversion.staged_number
    return stage(converted)


@public("lax.dtype", inspection.dtype, static_result=True)
def dtype(x: Any) -> DTypeLike:
    """Returns the dtype of an array."""
    if isinstance(x, (type, host.np.dtype)):
        return host.visible_dtype(dtypes.canonicalize(host.read_dtype(x)))
    return host.visible_dtype(arguments.dtype_of(x))


@public("lax.empty", creation.filled, shapes=("shape",))
def empty(shape: Shape, dtype: object, *, out_sharding: Placement | None = None) -> Any:
    """Makes an array; its elements are zeros."""
    return primitives.creation.empty_p.bind(
        shape=arguments.sizes(shape),
        dtype=dtypes.canonicalize(host.read_dtype(dtype)),
        out_sharding=out_sharding,
    )


@public("lax.expand_dims", reshaping.expand_dims, static=("dimensions",))
def expand_dims(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Inserts axes of length one."""
    shape = arguments.shape_of(array)
    rank = len(shape) + len(dimensions)
    new = arguments.axes(tuple(dimensions), rank)
    sizes = iter(shape)
    result = tuple(1 if at in new else next(sizes) for at in range(rank))
    kept = tuple(at for at in range(rank) if at not in new)
    return broadcast_in_dim(array, result, kept)


@public("lax.full", creation.full, shapes=("shape",))
def full(
    shape: Shape,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value."""
    if sharding is not None:
        ignored_placement.require("lax.full(sharding=...)", sharding)
    return conversion.full(shape, fill_value, dtype)


@public("lax.full_like", creation.full_like, shapes=("shape",))
def full_like(
    x: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Shape | None = None,
    sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value with the shape and dtype of another."""
    if sharding is not None:
        ignored_placement.require("lax.full_like(sharding=...)", sharding)
    return conversion.full_like(x, fill_value, dtype, shape)


@public("lax.iota", creation.iota, sizes=("size",))
def iota(dtype: DTypeLike, size: int) -> Array:
    """Makes an array that counts from zero."""
    return broadcasted_iota(dtype, (size,), 0)


@public("lax.optimization_barrier", results.staged, leafwise=True)
def optimization_barrier(operand: Any, /) -> Any:
    """Returns its operands, and keeps the compiler from moving operations across."""
    leaves, structure = pytree.flatten(operand)
    results = primitives.barriers.optimization_barrier_p.bind(*leaves)
    return pytree.unflatten(structure, results)


@public("lax.pad", padding.lax_pad, static=("padding_config",))
def pad(
    operand: ArrayLike, padding_value: ArrayLike, padding_config: Sequence[tuple[int, int, int]]
) -> Array:
    """Adds elements at the ends of axes and between elements; negative amounts remove them."""
    config = tuple(
        (
            arguments.integer(low),
            arguments.integer(high),
            arguments.integer(between),
        )
        for low, high, between in padding_config
    )
    return primitives.padding.pad_p.bind(operand, padding_value, padding_config=config)


@public(
    "lax.reshape",
    lax_rules.lax_reshape,
    static=("dimensions",),
    shapes=("new_sizes",),
    hands_through="all",
)
def reshape(
    operand: ArrayLike,
    new_sizes: Shape,
    dimensions: Sequence[int] | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Returns an array another shape with the same elements."""
    given, sizes = arguments.shape_of(operand), arguments.sizes(new_sizes)
    order = None if dimensions is None else arguments.sizes(dimensions)
    if order == tuple(range(len(given))):
        order = None
    if given and given == sizes and order is None and isinstance(operand, Array):
        return operand
    return primitives.reshaping.reshape_p.bind(
        operand, new_sizes=sizes, dimensions=order, sharding=out_sharding
    )


@public("lax.rev", lax_rules.reversed_along, static=("dimensions",))
def rev(operand: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Reverses the order of elements along axes."""
    return primitives.transposition.rev_p.bind(operand, dimensions=arguments.sizes(dimensions))


@public("lax.shape_as_value", results.array)
def shape_as_value(shape: Shape) -> Any:
    """Makes an array of the sizes of a shape."""
    return arguments.array(host.np.asarray(arguments.sizes(shape), "int32"))


@public("lax.slice", slicing.static_slice, static=("start_indices", "limit_indices", "strides"))
def slice(
    operand: ArrayLike,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Array:
    """Takes a rectangular part with static bounds."""
    return primitives.slicing.slice_p.bind(
        operand,
        start_indices=arguments.sizes(start_indices),
        limit_indices=arguments.sizes(limit_indices),
        strides=None if strides is None else arguments.sizes(strides),
    )


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
    shape = arguments.shape_of(operand)
    along = arguments.axis(axis, len(shape))
    size = shape[along]
    start = 0 if start_index is None else arguments.integer(start_index)
    limit = size if limit_index is None else arguments.integer(limit_index)
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[along] = start + size if start < 0 else start
    limits[along] = limit + size if limit < 0 else limit
    strides[along] = arguments.integer(stride)
    return slice(operand, starts, limits, strides)


@public("lax.split", joining.axis_parts, static=("axis",), shapes=("sizes",))
def split(operand: ArrayLike, sizes: Sequence[int], axis: int = 0) -> Sequence[Array]:
    """Cuts an array into pieces of given sizes."""
    given = arguments.array(operand)
    return primitives.joining.split_p.bind(
        given, sizes=arguments.sizes(sizes), axis=arguments.axis(axis, given.ndim)
    )


@public("lax.squeeze", reshaping.squeeze, static=("dimensions",))
def squeeze(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Removes axes of length one."""
    rank = arguments.rank_of(array)
    gone = tuple(sorted(arguments.axis(each, rank) for each in dimensions))
    if not gone and isinstance(array, Array):
        return array
    return primitives.reshaping.squeeze_p.bind(array, dimensions=gone)


@public("lax.stack", joining.stack, static=("axis",))
def stack(operands: Sequence[ArrayLike], axis: int = 0) -> Array:
    """Joins arrays along a new axis."""
    arrays = [arguments.array(each) for each in arguments.parts(operands, "stack")]
    at = arguments.axis(axis, arguments.rank_of(arrays[0]) + 1)
    return concatenate([expand_dims(each, (at,)) for each in arrays], at)


@public("lax.stage", results.staged)
def stage(x: ArrayLike, /) -> Array:
    """Makes its operand a staged value."""
    return arguments.array(x)


@public("lax.stop_gradient", results.staged, zero_derivative=True, leafwise=True)
def stop_gradient(x: Any) -> Any:
    """Returns its operand, and makes its derivative zero."""
    return conversion.stop_gradient(x)


@public("lax.tile", padding.tile, static=("reps",))
def tile(operand: ArrayLike, reps: Sequence[int]) -> Array:
    """Repeats a whole array along its axes."""
    return primitives.broadcasting.tile_p.bind(operand, reps=arguments.sizes(reps))


@public("lax.transpose", lax_rules.lax_transpose, static=("permutation",))
def transpose(operand: ArrayLike, permutation: Sequence[int] | ArrayLike) -> Array:
    """Permutes the axes of an array."""
    order = arguments.sizes(permutation)
    if isinstance(operand, Array) and order == tuple(range(operand.ndim)):
        return operand
    return primitives.transposition.transpose_p.bind(operand, permutation=order)


@public("lax.unstack", joining.unstack, static=("axis",))
def unstack(x: ArrayLike, axis: int = 0) -> tuple[Array, ...]:
    """Takes an array apart along an axis."""
    given = arguments.array(x)
    at = arguments.axis(axis, given.ndim)
    parts = split(given, (1,) * given.shape[at], at)
    return tuple(squeeze(part, (at,)) for part in parts)


@public("lax.dce_sink", results.nothing, static=("prevent_mlir_dce",))
def dce_sink(val: object, *, prevent_mlir_dce: bool = False) -> Any:
    """Keeps a value from being removed as unused."""
    for leaf in pytree.leaves(val):
        arguments.array(leaf)


@public("lax.after_all")
def after_all(*operands: Any) -> Any:
    """Makes a token that waits for other tokens."""
    return empty((0,), bool)


@public("lax.create_token")
def create_token(_: object = None) -> Any:
    """Makes a token that orders side effects."""
    return empty((0,), bool)


@public("lax.with_sharding_constraint", results.first, leafwise=True)
def with_sharding_constraint(x: Any, shardings: object) -> Any:
    """Returns its operand, and asks the compiler for a sharding."""
    if any(each is None for each in pytree.leaves(shardings, is_leaf=_is_none)):
        raise ShapeError(
            "One of with_sharding_constraint arguments got sharding None which is not allowed",
            hint="Give a sharding for each array, or leave the constraint out.",
        )
    ignored_placement.require("with_sharding_constraint(x, ...)", shardings)
    return pytree.map(arguments.array, x)


def _is_none(value: object) -> bool:
    return value is None
