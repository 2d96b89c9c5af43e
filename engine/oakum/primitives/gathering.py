"""`gather`: windows of one size taken from an array at many positions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.dtypes import DType, Kind, bool_
from oakum.errors import DTypeError
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers
from oakum.primitives import windows
from oakum.primitives.rules import arguments, lowering
from oakum.primitives.rules.arguments import Sizes, dtype_of, shape_of
from oakum.primitives.rules.batching import move
from oakum.primitives.rules.derivatives import zeros
from oakum.primitives.rules.dimension_numbers import check_gather
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def check_indices(indices: ShapedArray) -> None:
    """Raises an error for indices that are no integers."""
    if dtype_of(indices).kind not in (Kind.UINT, Kind.INT):
        raise DTypeError(
            f"indices must have an integer type, got {indices}",
            hint="Convert the indices with astype(int).",
        )


def _gather_abstract(
    operand: ShapedArray,
    indices: ShapedArray,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sizes,
    **_: object,
) -> ShapedArray:
    check_indices(indices)
    check_gather(shape_of(operand), shape_of(indices), dimension_numbers, slice_sizes)
    batch = shape_of(indices)[:-1]
    return operand.update(shape=_result_shape(batch, dimension_numbers, slice_sizes))


def _window_axes(rank: int, numbers: GatherDimensionNumbers) -> list[int]:
    """Returns the axes of the operand that the windows in the result have."""
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    return [axis for axis in range(rank) if axis not in dropped]


def _result_shape(batch: Sizes, numbers: GatherDimensionNumbers, sizes: Sizes) -> Sizes:
    window = (sizes[axis] for axis in _window_axes(len(sizes), numbers))
    rest = iter(batch)
    rank = len(batch) + len(numbers.offset_dims)
    return tuple(next(window if d in numbers.offset_dims else rest) for d in range(rank))


def _gather(
    xp: ModuleType,
    x: host.Array,
    indices: host.Array,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sizes,
    mode: GatherScatterMode,
    fill_value: complex | None,
    **_: object,
) -> Any:
    where, window, order = _plan(x.shape, indices.shape[:-1], dimension_numbers, slice_sizes)
    at = windows.positions(indices)
    result = windows.take(x, where, where.moved_inside(at), window)
    if mode is GatherScatterMode.FILL_OR_DROP:
        inside = where.inside(at)
        if not inside.all():
            mask = inside.reshape(inside.shape + (1,) * len(window))
            result = xp.where(mask, result, _filler(xp, fill_value, x.dtype))
    return result.transpose(order)


@functools.lru_cache(maxsize=512)
def _plan(
    shape: Sizes, batch: Sizes, numbers: GatherDimensionNumbers, sizes: Sizes
) -> tuple[windows.Layout, Sizes, Sizes]:
    """Returns the layout of the windows, the shape of one, and where the axes of a batch of windows
    come to stand in the result.
    """
    batching = tuple(
        zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    )
    where = windows.layout(shape, sizes, numbers.start_index_map, batching, batch)
    window = tuple(sizes[axis] for axis in _window_axes(len(shape), numbers))
    first, then = iter(range(len(batch))), iter(range(len(batch), len(batch) + len(window)))
    rank = len(batch) + len(window)
    order = tuple(next(then if d in numbers.offset_dims else first) for d in range(rank))
    return where, window, order


def _filler(xp: ModuleType, value: complex | None, dtype: host.ArrayDType) -> Any:
    if dtype.kind == "V" and dtype.isbuiltin != 2:
        return xp.full(dtype.itemsize, 0xFF, xp.uint8).view(dtype)[0]
    return xp.asarray(value).astype(dtype)


def _gather_derivative(
    tangent: ArrayLike, result: object, operand: ArrayLike, indices: ArrayLike, **params: object
) -> Any:
    fill = None if params["fill_value"] is None else 0
    return gather_p.bind(tangent, indices, **{**params, "fill_value": fill})


def scatter_numbers(numbers: GatherDimensionNumbers) -> ScatterDimensionNumbers:
    """Returns the numbers of the scatter that puts back what a gather takes."""
    return ScatterDimensionNumbers(*numbers)


def _gather_transpose(
    cotangent: ArrayLike,
    operand: object,
    indices: ArrayLike,
    *,
    dimension_numbers: GatherDimensionNumbers,
    unique_indices: bool,
    indices_are_sorted: bool,
    mode: GatherScatterMode,
    **_: object,
) -> list[Any]:
    nothing = zeros(ShapedArray(shape_of(operand), dtype_of(cotangent)))
    total = lax.scatter_add(
        nothing,
        indices,
        cotangent,
        scatter_numbers(dimension_numbers),
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
        mode=mode,
    )
    return [total, None]


def _plus_one(dims: Sequence[int]) -> Sizes:
    return tuple(d + 1 for d in dims)


def _gather_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], **params: object
) -> tuple[Any, int]:
    operand, indices = operands
    if dims[0] is not None:
        operand = move(operand, dims[0], 0)
    if dims[1] is None:
        params = _batched_operand(axis.size, params)
    else:
        indices = move(indices, dims[1], 0)
        batched = _batched_indices if dims[0] is None else _batched_both
        params = batched(axis.size, params)
    return gather_p.bind(operand, indices, **params), 0


def _batched_operand(size: int, params: dict[str, Any]) -> dict[str, Any]:
    """Returns the mapped axis of the operand belongs to the windows, which take all of it."""
    numbers: GatherDimensionNumbers = params["dimension_numbers"]
    new = GatherDimensionNumbers(
        (0, *_plus_one(numbers.offset_dims)),
        _plus_one(numbers.collapsed_slice_dims),
        _plus_one(numbers.start_index_map),
        _plus_one(numbers.operand_batching_dims),
        numbers.start_indices_batching_dims,
    )
    return {**params, "dimension_numbers": new, "slice_sizes": (size, *params["slice_sizes"])}


def _batched_indices(size: int, params: dict[str, Any]) -> dict[str, Any]:
    """Batches the indices: their mapped axis is one more axis of the batch."""
    numbers: GatherDimensionNumbers = params["dimension_numbers"]
    new = numbers._replace(
        offset_dims=_plus_one(numbers.offset_dims),
        start_indices_batching_dims=_plus_one(numbers.start_indices_batching_dims),
    )
    loose = {"unique_indices": False, "indices_are_sorted": False}
    return {**params, **loose, "dimension_numbers": new}


def _batched_both(size: int, params: dict[str, Any]) -> dict[str, Any]:
    """Batches both: the mapped axes of operand and indices go together."""
    numbers: GatherDimensionNumbers = params["dimension_numbers"]
    new = GatherDimensionNumbers(
        _plus_one(numbers.offset_dims),
        _plus_one(numbers.collapsed_slice_dims),
        _plus_one(numbers.start_index_map),
        (0, *_plus_one(numbers.operand_batching_dims)),
        (0, *_plus_one(numbers.start_indices_batching_dims)),
    )
    sizes = (min(size, 1), *params["slice_sizes"])
    return {**params, "dimension_numbers": new, "slice_sizes": sizes}


def _gather_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    operand: lowering.Element,
    indices: lowering.Element,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sizes,
    mode: GatherScatterMode,
    fill_value: complex | None,
    **_: object,
) -> Any:
    numbers, rank = dimension_numbers, len(operand.shape)
    if 0 not in shape_of(result) and any(map(operator.gt, slice_sizes, operand.shape)):
        # Only windows without a position may be too large, as in JAX; the host refuses them too.
        raise IndexError(f"gather takes windows of {slice_sizes} from shape {operand.shape}")
    batch = tuple(at for d, at in enumerate(position) if d not in numbers.offset_dims)
    fixed: list[Any] = [0] * rank
    for axis, d in zip(_window_axes(rank, numbers), numbers.offset_dims, strict=True):
        fixed[axis] = position[d]
    for axis, place in zip(
        numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True
    ):
        fixed[axis] = batch[place]
    fills = mode is GatherScatterMode.FILL_OR_DROP
    dynamic: list[Any] = [None] * rank
    there: Any = None
    for column, axis in enumerate(numbers.start_index_map):
        room = operand.shape[axis] - slice_sizes[axis]
        if not (room or fills):
            continue
        index = indices((*batch, column))
        at = arguments.position(builder, index, indices.dtype)
        if fills:
            inside = arguments.inside(builder, at, room)
            there = inside if there is None else builder.operation("and", bool_, there, inside)
        if room:
            dynamic[axis] = arguments.moved_inside(builder, at, room)
    found = operand.read(tuple(fixed), tuple(dynamic))
    if there is None:
        return found
    filler = builder.constant(_filler_number(fill_value, operand.dtype), operand.dtype)
    return builder.operation("select", dtype_of(result), there, found, filler)


def _filler_number(value: complex | None, dtype: DType) -> Any:
    """Returns the element for windows out of bounds as a number; of keys, that of their bits."""
    filler = _filler(host.np, value, host.dtype(dtype))
    match dtype.kind:
        case Kind.COMPLEX:
            return complex(filler)
        case Kind.FLOAT:
            return float(filler)
        case Kind.KEY:
            return int.from_bytes(filler.tobytes(), "little")
        case _:
            return int(filler)


gather_p = Primitive(
    "gather",
    abstract=_gather_abstract,
    evaluate=_gather,
    derivatives=(_gather_derivative, None),
    transpose=_gather_transpose,
    batch=_gather_batch,
    lower=lowering.Computed(_gather_lower, whole=(0,)),
    exact=True,
)
