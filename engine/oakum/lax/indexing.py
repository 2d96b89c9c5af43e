"""Slices and updates at positions that may be traced, gathers and scatters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax, primitives
from oakum.abstract import results, slicing
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.lax import positions
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.primitives.rules import arguments
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike, Shape
from oakum.values import host
from oakum.values.declarations import named_as, public


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
    result = dynamic_slice_in_dim(
        operand, index, 1, axis, allow_negative_indices=allow_negative_indices
    )
    return result if keepdims else lax.squeeze(result, (axis,))


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
    starts = positions.starts_of(operand, start_indices, allow_negative_indices)
    return primitives.slicing.dynamic_slice_p.bind(
        operand, *starts, slice_sizes=arguments.sizes(slice_sizes)
    )


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
    sizes = list(arguments.shape_of(operand))
    along = arguments.axis(axis, len(sizes))
    sizes[along] = arguments.integer(slice_size)
    starts, negative = positions.along_axis(start_index, along, len(sizes), allow_negative_indices)
    return dynamic_slice(operand, starts, sizes, allow_negative_indices=negative)


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
    rank = arguments.rank_of(operand)
    if arguments.rank_of(update) != rank:
        update = lax.expand_dims(update, (arguments.axis(axis, rank),))
    return dynamic_update_slice_in_dim(
        operand, update, index, axis, allow_negative_indices=allow_negative_indices
    )


@public(
    "lax.dynamic_update_slice", slicing.dynamic_update_slice, static=("allow_negative_indices",)
)
def dynamic_update_slice(
    operand: ArrayLike,
    update: ArrayLike,
    start_indices: Array | Sequence[ArrayLike],
    *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Array:
    """Writes a part, at a position that may be traced."""
    starts = positions.starts_of(operand, start_indices, allow_negative_indices)
    return primitives.slicing.dynamic_update_slice_p.bind(operand, update, *starts)


@public(
    "lax.dynamic_update_slice_in_dim",
    slicing.dynamic_update_slice_in_dim,
    static=("axis", "allow_negative_indices"),
)
def dynamic_update_slice_in_dim(
    operand: ArrayLike,
    update: ArrayLike,
    start_index: ArrayLike,
    axis: int,
    *,
    allow_negative_indices: bool = True,
) -> Array:
    """Writes a part along one axis, at a position that may be traced."""
    rank = arguments.rank_of(operand)
    along = arguments.axis(axis, rank)
    starts, negative = positions.along_axis(start_index, along, rank, allow_negative_indices)
    return dynamic_update_slice(operand, update, starts, allow_negative_indices=negative)


@public(
    "lax.gather",
    results.array,
    static=("dimension_numbers", "unique_indices", "indices_are_sorted", "mode"),
    shapes=("slice_sizes",),
)
def gather(
    operand: ArrayLike,
    start_indices: ArrayLike,
    dimension_numbers: object,
    slice_sizes: Shape,
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    mode: Any = None,
    fill_value: Any = None,
) -> Array:
    """Takes slices at many positions."""
    if mode is None:
        mode = GatherScatterMode.PROMISE_IN_BOUNDS
    how = GatherScatterMode.from_any(mode)
    fills = how is GatherScatterMode.FILL_OR_DROP
    return primitives.gathering.gather_p.bind(
        operand,
        start_indices,
        dimension_numbers=positions.numbers_of(GatherDimensionNumbers, dimension_numbers),
        fill_value=positions.filler(fill_value, operand) if fills else None,
        indices_are_sorted=bool(indices_are_sorted),
        mode=how,
        slice_sizes=arguments.sizes(slice_sizes),
        unique_indices=bool(unique_indices),
    )


@public("lax.index_in_dim", slicing.index_in_dim, static=("index", "axis", "keepdims"))
def index_in_dim(operand: ArrayLike, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """Takes one slice along an axis, at a static index."""
    shape = arguments.shape_of(operand)
    at, along = arguments.integer(index), arguments.axis(axis, len(shape))
    size = shape[along]
    if not -size <= at < size:
        raise ShapeError(
            f"index {at} is out of bounds for axis {along} with size {size}",
            hint="Give an index within the axis.",
        )
    result = lax.slice_in_dim(operand, at % size, at % size + 1, 1, along)
    return result if keepdims else lax.squeeze(result, (along,))


@public("lax.index_take", results.array, static=("axes",))
def index_take(src: Array, idxs: Sequence[Array], axes: Sequence[int]) -> Array:
    """Takes elements at index arrays for several axes."""
    shape = arguments.shape_of(src)
    columns = [lax.expand_dims(each, (1,)) for each in idxs]
    indices = lax.concatenate(columns, 1)
    bounds = host.np.asarray([shape[axis] for axis in axes]).astype(indices.dtype)
    sizes = lax.broadcast_in_dim(bounds, arguments.shape_of(indices), (1,))
    past = lax.rem(indices, sizes)
    wrapped = lax.select(lax.lt(past, lax.full_like(past, 0)), lax.add(past, sizes), past)
    window = tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    offsets = tuple(range(1, len(shape) - len(columns) + 1))
    numbers = GatherDimensionNumbers(offsets, tuple(axes), tuple(axes))
    return gather(src, wrapped, numbers, window)


def _scatter(primitive: Callable[[], Primitive]):
    """Declares a scatter by its primitive, which has its name; its signature is inferred."""

    def scatter(
        operand: ArrayLike,
        scatter_indices: ArrayLike,
        updates: ArrayLike,
        dimension_numbers: object,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: GatherScatterMode | str | None = None,
    ) -> Array:
        return positions.scattered(
            primitive(),
            operand,
            scatter_indices,
            updates,
            dimension_numbers,
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=mode,
        )

    static = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
    declared = public(f"lax.{primitive.__name__}", results.first, static=static)
    return declared(named_as(primitive, scatter))


@_scatter
def scatter() -> Primitive:
    """Writes slices at many positions."""
    return primitives.scattering.scatter_p


@_scatter
def scatter_add() -> Primitive:
    """Adds slices at many positions."""
    return primitives.scattering.scatter_add_p


@_scatter
def scatter_max() -> Primitive:
    """Takes the greater of an array and slices at many positions."""
    return primitives.scattering.scatter_max_p


@_scatter
def scatter_min() -> Primitive:
    """Takes the lesser of an array and slices at many positions."""
    return primitives.scattering.scatter_min_p


@_scatter
def scatter_mul() -> Primitive:
    """Multiplies by slices at many positions."""
    return primitives.scattering.scatter_mul_p


@_scatter
def scatter_sub() -> Primitive:
    """Subtracts slices at many positions."""
    return primitives.scattering.scatter_sub_p


@public("lax.scatter_apply", results.first, static=("mode",))
def scatter_apply(
    operand: Array,
    scatter_indices: Array,
    func: Callable[[Array], Array],
    dimension_numbers: object,
    *,
    update_shape: Shape = (),
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: object = None,
) -> Array:
    """Applies a function at many positions."""
    aval = arguments.aval(operand)
    closed = positions.elementwise_jaxpr(func, aval)
    placeholder = lax.full(update_shape, 0, aval.dtype)
    return positions.scattered(
        primitives.scattering.scatter_p,
        operand,
        scatter_indices,
        placeholder,
        dimension_numbers,
        update_jaxpr=closed,
        indices_are_sorted=indices_are_sorted,
        unique_indices=unique_indices,
        mode=mode,
    )
