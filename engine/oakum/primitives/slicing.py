"""`slice`, `dynamic_slice` and `dynamic_update_slice`: blocks of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import slicing
from oakum.array import Array
from oakum.errors import DTypeError
from oakum.primitives.rules import arguments, lowering
from oakum.primitives.rules.arguments import Sizes, dtype_of, inserted, shape_of
from oakum.primitives.rules.derivatives import Zero, instantiate, is_undefined, zero_of, zeros
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _slice_abstract(
    operand: ShapedArray, *, start_indices: Sizes, limit_indices: Sizes, strides: Sizes | None
) -> ShapedArray:
    return slicing.exact_slice(operand, start_indices, limit_indices, strides)


def _slice(
    xp: ModuleType,
    x: host.Array,
    *,
    start_indices: Sizes,
    limit_indices: Sizes,
    strides: Sizes | None,
) -> Any:
    return x[tuple(map(slice, start_indices, limit_indices, strides or (1,) * x.ndim))]


def _slice_transpose(
    cotangent: ArrayLike,
    operand: object,
    *,
    start_indices: Sizes,
    limit_indices: Sizes,
    strides: Sizes | None,
) -> list[Any]:
    whole, part = shape_of(operand), shape_of(cotangent)
    steps = strides or (1,) * len(whole)
    config: list[tuple[int, int, int]] = []
    for size, length, start, step in zip(whole, part, start_indices, steps, strict=True):
        end = start + (length - 1) * step + 1 if length else start
        config.append((start, size - end, step - 1))
    zero = zeros(ShapedArray((), dtype_of(cotangent)))
    return [lax.pad(cotangent, zero, config)]


def _slice_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    start_indices: Sizes,
    limit_indices: Sizes,
    strides: Sizes | None,
) -> tuple[Any, int]:
    d = dims[0]
    starts, limits = inserted(start_indices, d, 0), inserted(limit_indices, d, axis.size)
    steps = None if strides is None else inserted(strides, d, 1)
    return lax.slice(operands[0], starts, limits, steps), d


def _slice_place(
    position: lowering.Position,
    shape: Sizes,
    *,
    start_indices: Sizes,
    limit_indices: Sizes,
    strides: Sizes | None,
) -> lowering.Position:
    steps = strides or (1,) * len(shape)
    triples = zip(position, start_indices, steps, strict=True)
    return tuple(place * step + start for place, start, step in triples)


slice_p = Primitive(
    "slice",
    abstract=_slice_abstract,
    evaluate=_slice,
    linear=True,
    transpose=_slice_transpose,
    batch=_slice_batch,
    lower=lowering.Moved(_slice_place),
    exact=True,
)


def _check_starts(name: str, starts: Sequence[ShapedArray]) -> None:
    if len({each.dtype for each in starts}) > 1:
        names = ", ".join(map(str, starts))
        raise DTypeError(
            f"index arguments to {name} must be integers of the same type, got {names}",
            hint="Convert the starts to one integer dtype.",
        )


def _dynamic_slice_abstract(
    operand: ShapedArray, *starts: ShapedArray, slice_sizes: Sizes
) -> ShapedArray:
    _check_starts("dynamic_slice", starts)
    given = {"operand": operand, "start_indices": starts, "slice_sizes": slice_sizes}
    return slicing.dynamic_slice(given)


def _block(shape: Sizes, starts: Sequence[Any], sizes: Sizes) -> tuple[slice, ...]:
    """Returns the part at a position, which is moved so that it lies within the array."""
    triples = zip(shape, starts, sizes, strict=True)
    first = [min(max(int(start), 0), whole - size) for whole, start, size in triples]
    return tuple(slice(at, at + size) for at, size in zip(first, sizes, strict=True))


def _dynamic_slice(xp: ModuleType, x: host.Array, *starts: object, slice_sizes: Sizes) -> Any:
    return x[_block(x.shape, starts, slice_sizes)]


def _dynamic_slice_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, slice_sizes: Sizes
) -> tuple[Any, Any]:
    operand, *starts = primals
    result = dynamic_slice_p.bind(operand, *starts, slice_sizes=slice_sizes)
    if isinstance(tangents[0], Zero):
        return result, zero_of(result)
    return result, dynamic_slice_p.bind(tangents[0], *starts, slice_sizes=slice_sizes)


def _dynamic_slice_transpose(
    cotangent: ArrayLike, operand: object, *starts: object, slice_sizes: Sizes
) -> list[Any]:
    if not is_undefined(operand):
        return [None] * (1 + len(starts))
    whole = zeros(aval_of(operand).update(dtype=dtype_of(cotangent)))
    updated = dynamic_update_slice_p.bind(whole, cotangent, *starts)
    return [updated, *[None] * len(starts)]


def _dynamic_slice_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], *, slice_sizes: Sizes
) -> tuple[Any, Any]:
    operand, *starts = operands
    mapped = dims[0]
    if mapped is not None and all(d is None for d in dims[1:]):
        zero = zeros(ShapedArray((), dtype_of(starts[0]))) if starts else 0
        moved = inserted(starts, mapped, zero)
        sizes = inserted(slice_sizes, mapped, axis.size)
        return dynamic_slice_p.bind(operand, *moved, slice_sizes=sizes), mapped
    window = tuple(range(len(slice_sizes)))
    numbers = lax.GatherDimensionNumbers(window, (), window)
    return _gather_batch()(
        axis,
        [operand, _stacked_starts(axis, starts, dims[1:])],
        [mapped, 0],
        dimension_numbers=numbers,
        slice_sizes=slice_sizes,
        unique_indices=True,
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.CLIP,
        fill_value=None,
    )


def _gather_batch() -> Any:
    from oakum.primitives.gathering import gather_p

    return gather_p.batch


def _stacked_starts(axis: AxisData, starts: Sequence[Any], dims: Sequence[int | None]) -> Any:
    """Returns the starts of all blocks: an array of one row for each mapped position."""
    columns = [
        lax.broadcast_in_dim(start, (axis.size, 1), () if d is None else (0,))
        for start, d in zip(starts, dims, strict=True)
    ]
    return lax.concatenate(columns, 1)


def _dynamic_slice_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    operand: lowering.Element,
    *starts: lowering.Element,
    slice_sizes: Sizes,
) -> Any:
    return operand.read(position, _places(builder, starts, operand.shape, slice_sizes))


def _places(
    builder: lowering.Builder, starts: Sequence[lowering.Element], shape: Sizes, sizes: Sizes
) -> tuple[int | None, ...]:
    """Returns the registers of a block's position, moved into the array; None where it fills it."""
    found: list[int | None] = []
    for start, whole, size in zip(starts, shape, sizes, strict=True):
        if whole == size:
            found.append(None)
            continue
        at = arguments.position(builder, start(()), start.dtype)
        found.append(arguments.moved_inside(builder, at, whole - size))
    return tuple(found)


dynamic_slice_p = Primitive(
    "dynamic_slice",
    abstract=_dynamic_slice_abstract,
    evaluate=_dynamic_slice,
    jvp=_dynamic_slice_jvp,
    transpose=_dynamic_slice_transpose,
    batch=_dynamic_slice_batch,
    lower=lowering.Computed(_dynamic_slice_lower, whole=(0,)),
    exact=True,
)


def _update_abstract(
    operand: ShapedArray, update: ShapedArray, *starts: ShapedArray
) -> ShapedArray:
    _check_starts("dynamic_update_slice", starts)
    if operand.dtype is not update.dtype:  # Weakly typed ones too: they are converted before.
        operand, update = (each.update(weak_type=False) for each in (operand, update))
    slicing.dynamic_update_slice({"operand": operand, "update": update, "start_indices": starts})
    weak = all(each.weak_type for each in (operand, update, *starts))
    return operand.update(weak_type=weak)


def _update(xp: ModuleType, x: host.Array, update: host.Array, *starts: host.Array) -> Any:
    result = xp.array(x)
    result[_block(x.shape, starts, update.shape)] = update
    return result


def _update_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    starts = primals[2:]
    result = dynamic_update_slice_p.bind(*primals)
    if all(isinstance(tangent, Zero) for tangent in tangents[:2]):
        return result, zero_of(result)
    whole, part = map(instantiate, tangents[:2])
    return result, dynamic_update_slice_p.bind(whole, part, *starts)


def _update_transpose(
    cotangent: ArrayLike, operand: object, update: object, *starts: object
) -> list[Any]:
    whole = part = None
    shape = shape_of(update)
    if is_undefined(operand):
        nothing = zeros(ShapedArray(shape, dtype_of(cotangent)))
        whole = dynamic_update_slice_p.bind(cotangent, nothing, *starts)
    if is_undefined(update):
        part = dynamic_slice_p.bind(cotangent, *starts, slice_sizes=shape)
    return [whole, part, *[None] * len(starts)]


def _update_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None]
) -> tuple[Any, Any]:
    operand, update, *starts = operands
    rank = len(starts)
    if all(d is None for d in dims[2:]):
        return _update_batch_at_one_place(axis, operands, dims)
    window = tuple(range(rank))
    numbers = lax.ScatterDimensionNumbers(window, (), window)
    return _scatter_batch()(
        axis,
        [operand, _stacked_starts(axis, starts, dims[2:]), update],
        [dims[0], 0, dims[1]],
        dimension_numbers=numbers,
        indices_are_sorted=True,
        unique_indices=True,
        mode=lax.GatherScatterMode.CLIP,
        update_jaxpr=None,
        update_consts=(),
    )


def _update_batch_at_one_place(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None]
) -> tuple[Any, int]:
    from oakum.primitives.rules.batching import move_to_front

    operand, update, *starts = operands
    zero = [zeros(ShapedArray((), dtype_of(starts[0])))] if starts else [0]
    whole = move_to_front(operand, dims[0], axis.size)
    part = move_to_front(update, dims[1], axis.size)
    return dynamic_update_slice_p.bind(whole, part, *zero, *starts), 0


def _update_parts(shape: Sizes, operands: Sequence[Sizes]) -> list[lowering.Part]:
    """Lowers an update: the operand goes everywhere, then the update to its place."""
    part = operands[1]

    def same(position: lowering.Position) -> lowering.Position:
        return position

    def place(
        builder: lowering.Builder,
        position: lowering.Position,
        operand: Array,
        update: lowering.Element,
        *starts: lowering.Element,
    ) -> tuple[Any, ...]:
        return _places(builder, starts, shape, part)

    whole = lowering.Part(0, shape, same, same)
    return [whole, lowering.Part(1, part, same, same, place, over=True)]


def _scatter_batch() -> Any:
    from oakum.primitives.scattering import scatter_p

    return scatter_p.batch


dynamic_update_slice_p = Primitive(
    "dynamic_update_slice",
    abstract=_update_abstract,
    evaluate=_update,
    jvp=_update_jvp,
    transpose=_update_transpose,
    batch=_update_batch,
    lower=lowering.Joined(_update_parts),
    exact=True,
)
