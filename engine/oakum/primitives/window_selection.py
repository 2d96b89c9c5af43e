"""Gathers values at the greatest or least element of each window, or scatters values back there.

`select` is "ge" for the greatest element, "le" for the least; of equal elements the first counts.
Elements of the padding are never chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from types import ModuleType
from typing import Any, Final, Unpack

from oakum import dtypes, lax
from oakum.dtypes import Kind
from oakum.errors import ShapeError
from oakum.primitives.conv_windows import Sizes, WindowParams, Windows, shown, shown_by_slices
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import constant, dtype_of, shape_of
from oakum.primitives.rules.batching import move_to_front
from oakum.primitives.rules.numpy_evaluation import compute_dtype, greatest, in_compute_dtype, least
from oakum.tracing.trace import AxisData, Primitive, shared
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.host import read_dtype


def _abstract_gather(
    tangents: ShapedArray, operand: ShapedArray, *, select: str, **params: Unpack[WindowParams]
) -> ShapedArray:
    if tangents.shape != operand.shape:
        raise ShapeError(
            "select_and_gather_add tangents and operand shapes must match, got "
            f"{tangents.shape} and {operand.shape}.",
            hint="Give tangents of the shape of the operand.",
        )
    windows, shape = Windows(**params), shape_of(operand)
    windows.check()
    return tangents.update(shape=windows.shape(shape))


def _choice(np: ModuleType, operand: host.Array, select: str, windows: Windows) -> tuple[Any, Any]:
    """Returns the place within its window of each chosen element, and whether one was chosen."""
    wide = in_compute_dtype(operand)
    dtype = read_dtype(operand.dtype)
    fill = (least if select == "ge" else greatest)(dtype).astype(wide.dtype)
    stack = np.stack(list(shown(np, wide, fill, windows)))
    places = np.argmax(stack, 0) if select == "ge" else np.argmin(stack, 0)
    return places, np.take_along_axis(stack, places[None], 0)[0] != fill


def _evaluate_gather(
    np: ModuleType,
    tangents: host.Array,
    operand: host.Array,
    *,
    select: str,
    **params: Unpack[WindowParams],
) -> Any:
    windows = Windows(**params)
    places, chosen = _choice(np, operand, select, windows)
    zero = np.zeros((), tangents.dtype)
    stack = np.stack(list(shown(np, tangents, zero, windows)))
    return np.where(chosen, np.take_along_axis(stack, places[None], 0)[0], zero)


def _derive_gather(
    tangent: ArrayLike, out: ArrayLike, tangents: object, operand: ArrayLike, **params: object
) -> Any:
    return select_and_gather_add_p.bind(tangent, operand, **params)


def _transpose_gather(
    cotangent: ArrayLike, tangents: object, operand: object, **params: object
) -> list[Any]:
    return [select_and_scatter_add_p.bind(cotangent, operand, **params), None]


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    select: str,
    **params: Unpack[WindowParams],
) -> tuple[Any, int]:
    moved = [move_to_front(x, dim, axis.size) for x, dim in zip(operands, dims, strict=True)]
    return primitive.bind(*moved, select=select, **Windows(**params).within(0).params()), 0


def _abstract_scatter(
    source: ShapedArray, operand: ShapedArray, *, select: str, **params: object
) -> ShapedArray:
    return source.update(shape=operand.shape)


def _evaluate_scatter(
    np: ModuleType,
    source: host.Array,
    operand: host.Array,
    *,
    select: str,
    **params: Unpack[WindowParams],
) -> Any:
    windows = Windows(**params)
    places, chosen = _choice(np, operand, select, windows)
    numbers = np.arange(operand.size).reshape(operand.shape)
    stack = np.stack(list(shown(np, numbers, np.array(operand.size), windows)))
    targets = np.take_along_axis(stack, places[None], 0)[0]
    wide = in_compute_dtype(source)
    result = np.zeros(operand.size + 1, wide.dtype)
    np.add.at(result, np.where(chosen, targets, operand.size).reshape(-1), wide.reshape(-1))
    return result[:-1].reshape(operand.shape).astype(source.dtype, copy=False)


def _derive_scatter(
    tangent: ArrayLike, out: ArrayLike, source: ArrayLike, operand: ArrayLike, **params: object
) -> Any:
    return select_and_scatter_add_p.bind(tangent, operand, **params)


def _transpose_scatter(
    cotangent: ArrayLike, source: object, operand: object, **params: object
) -> list[Any]:
    return [select_and_gather_add_p.bind(cotangent, operand, **params), None]


# As simpler operations.


_UNROLLED: Final = 32
"""Windows of up to this many elements are compared element by element."""

_LAPPED: Final = 9
"""The most windows that may have an element in common."""


def _are_small(*avals: ShapedArray, **params: Unpack[WindowParams]) -> bool:
    numbers = all(aval.dtype is not dtypes.bool_ for aval in avals)
    taps = math.prod(params["window_dimensions"])
    return numbers and lowering.are_native(*avals) and taps <= _UNROLLED


def _are_plain(*avals: ShapedArray, select: str, **params: Unpack[WindowParams]) -> bool:
    dilations = (*params["base_dilation"], *params["window_dilation"])
    lapped = math.prod(_laps(Windows(**params)))
    return set(dilations) <= {1} and lapped <= _LAPPED and _are_small(*avals, **params)


def _laps(windows: Windows) -> list[int]:
    """Returns how many windows may share an element, along each axis."""
    pairs = zip(windows.window_dimensions, windows.window_strides, strict=True)
    return [-(-size // stride) for size, stride in pairs]


def _places(operand: ArrayLike, select: str, windows: Windows) -> Any:
    """Returns the place within its window of each chosen element, -1 where none was chosen."""
    dtype = dtype_of(operand)
    fill = constant((least if select == "ge" else greatest)(dtype), dtype)
    best, *others = shown_by_slices(operand, fill, windows)
    shape = shape_of(best)
    places = lax.full(shape, 0, dtypes.int32)
    for number, other in enumerate(others, 1):
        better = lax.gt(other, best) if select == "ge" else lax.lt(other, best)
        if dtype.kind is Kind.FLOAT:
            first = lax.bitwise_and(lax.ne(other, other), lax.eq(best, best))
            better = lax.bitwise_or(better, first)
        places = lax.select(better, lax.full(shape, number, dtypes.int32), places)
        best = lax.select(better, other, best)
    chosen = lax.ne(best, lax.broadcast_in_dim(fill, shape, ()))
    return lax.select(chosen, places, lax.full(shape, -1, dtypes.int32))


def _lower_gather(
    tangents: ArrayLike, operand: ArrayLike, *, select: str, **params: Unpack[WindowParams]
) -> Any:
    windows, dtype = Windows(**params), dtype_of(tangents)
    shape = windows.shape(shape_of(operand))
    result = lax.full(shape, 0, dtype)
    if 0 in shape:
        return result
    places = _places(operand, select, windows)
    for number, part in enumerate(shown_by_slices(tangents, constant(0, dtype), windows)):
        here = lax.eq(places, lax.full(shape, number, dtypes.int32))
        result = lax.select(here, part, result)
    return result


def _lower_scatter(
    source: ArrayLike, operand: ArrayLike, *, select: str, **params: Unpack[WindowParams]
) -> Any:
    windows, shape = Windows(**params), shape_of(operand)
    dtype, wide = dtype_of(source), compute_dtype(dtype_of(source))
    if 0 in shape_of(source) or 0 in shape:
        return lax.full(shape, 0, dtype)
    places = _places(operand, select, windows)
    source = lax.convert_element_type(source, wide)
    laps = _laps(windows)
    total: Any = None
    for shift in product(*(range(count) for count in laps)):
        moved = [(by, count - 1 - by, 0) for by, count in zip(shift, laps, strict=True)]
        part = _scattered(
            lax.pad(source, constant(0, wide), moved),
            lax.pad(places, constant(-1, dtypes.int32), moved),
            shift,
            windows,
        )
        # Sums begin with zero: where nothing but -0.0 is added, they are 0.0.
        before = lax.full(shape_of(part), 0, wide) if total is None else total
        total = lax.add(before, part)
    pads = [
        (-low, size + low - have, 0)
        for (low, _), size, have in zip(windows.padding, shape, shape_of(total), strict=True)
    ]
    total = lax.pad(total, constant(0, wide), pads)
    return lax.convert_element_type(total, dtype)


def _scattered(source: ArrayLike, places: ArrayLike, shift: Sizes, windows: Windows) -> Any:
    """Returns the values that windows add to a block of their elements.

    The block starts `shift` strides behind the first element and has one stride's elements along
    each axis.
    """
    shape: list[int] = []
    kept: list[int] = []
    cells: list[int | None] = []
    for count, stride in zip(shape_of(source), windows.window_strides, strict=True):
        kept.append(len(shape))
        shape.append(count)
        cells.append(len(shape) if stride > 1 else None)
        shape += [stride] if stride > 1 else []
    number, here, step = lax.full(shape, 0, dtypes.int32), lax.full(shape, True, dtypes.bool_), 1
    for axis in reversed(range(len(kept))):
        size, stride, cell = (
            windows.window_dimensions[axis],
            windows.window_strides[axis],
            cells[axis],
        )
        at = lax.full(shape, shift[axis] * stride, dtypes.int32)
        if cell is not None:
            at = lax.add(at, lax.broadcasted_iota(dtypes.int32, shape, cell))
        if (shift[axis] + 1) * stride > size:
            within = lax.lt(at, lax.full(shape, size, dtypes.int32))
            here = lax.bitwise_and(here, within)
        number = lax.add(number, lax.mul(at, lax.full(shape, step, dtypes.int32)))
        step *= size
    here = lax.bitwise_and(here, lax.eq(lax.broadcast_in_dim(places, shape, kept), number))
    given = lax.broadcast_in_dim(source, shape, kept)
    chosen = lax.select(here, given, lax.full(shape, 0, dtype_of(source)))
    pairs = zip(shape_of(source), windows.window_strides, strict=True)
    return lax.reshape(chosen, [count * stride for count, stride in pairs])


select_and_gather_add_p = Primitive(
    "select_and_gather_add",
    abstract=_abstract_gather,
    evaluate=_evaluate_gather,
    derivatives=(_derive_gather, None),
    transpose=_transpose_gather,
    batch=shared(_batch),
    lower=lowering.Decomposed(_lower_gather, _are_small),
)
select_and_scatter_add_p = Primitive(
    "select_and_scatter_add",
    abstract=_abstract_scatter,
    evaluate=_evaluate_scatter,
    derivatives=(_derive_scatter, None),
    transpose=_transpose_scatter,
    batch=shared(_batch),
    lower=lowering.Decomposed(_lower_scatter, _are_plain),
)
