"""Reductions over windows: sums, maxima and minima, or any program of two scalars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, Unpack

from oakum import lax
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.primitives.conv_windows import (
    WindowParams,
    Windows,
    combine_along,
    combine_slices,
    shown,
    shown_by_slices,
)
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import constant, dtype_of, shape_of
from oakum.primitives.rules.batching import broadcast, move_to_front
from oakum.primitives.rules.conv_geometry import lhs_cotangent_padding
from oakum.primitives.rules.derivatives import UndefinedPrimal, Zero, instantiate, zeros
from oakum.primitives.rules.numpy_evaluation import compute_dtype, greatest, in_compute_dtype, least
from oakum.primitives.rules.reducer_jaxprs import (
    check_computation,
    combination,
    dual_combination,
    reduce_raw,
    reduce_stacks,
)
from oakum.primitives.window_selection import select_and_gather_add_p
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.trace import AxisData, Primitive, aval_of, shared
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.host import read_dtype


def window_shape(operand: ShapedArray, windows: Windows) -> Any:
    """Returns the shape of a reduction over windows; a `ShapeError` where they do not fit."""
    if operand.ndim != len(windows.window_dimensions):
        raise ShapeError(
            "reduce_window got the wrong number of window_dimensions for operand: got operand "
            f"shape {operand.shape} with window_dimensions {windows.window_dimensions}.",
            hint="Give an entry for each axis.",
        )
    windows.check()
    shape: Any = operand.shape
    return windows.shape(shape)


def _abstract(
    primitive: Primitive, operand: ShapedArray, **params: Unpack[WindowParams]
) -> ShapedArray:
    assert operand.dtype is not None
    if operand.dtype.kind in (Kind.KEY, Kind.FLOAT0) or (
        primitive is reduce_window_sum_p and operand.dtype.kind is Kind.BOOL
    ):
        raise DTypeError(
            f"operand to {primitive.name} must have a number dtype, got {operand.dtype}",
            hint="Convert the operand with astype.",
        )
    return operand.update(shape=window_shape(operand, Windows(**params)))


def _batch(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    **params: Unpack[WindowParams],
) -> tuple[Any, int]:
    (operand,), (dim,) = operands, dims
    return primitive.bind(operand, **Windows(**params).within(dim).params()), dim


def _evaluate_sum(np: ModuleType, operand: host.Array, **params: Unpack[WindowParams]) -> Any:
    wide = in_compute_dtype(operand)
    result = combine_along(np, np.add, wide, np.zeros((), wide.dtype), Windows(**params))
    return result.astype(operand.dtype, copy=False)


def _extreme(ufunc: str, identity: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate(np: ModuleType, operand: host.Array, **params: Unpack[WindowParams]) -> Any:
        wide = in_compute_dtype(operand)
        fill = identity(read_dtype(operand.dtype)).astype(wide.dtype)
        result = combine_along(np, getattr(np, ufunc), wide, fill, Windows(**params))
        return result.astype(operand.dtype, copy=False)

    return evaluate


_UNROLLED: Final = 32
"""Windows of up to this many elements are combined element by element."""


def _are_short(*avals: ShapedArray, **params: Unpack[WindowParams]) -> bool:
    return lowering.are_native(*avals) and all(
        size <= _UNROLLED for size in params["window_dimensions"]
    )


def _are_small(*avals: ShapedArray, **params: Unpack[WindowParams]) -> bool:
    return lowering.are_native(*avals) and math.prod(params["window_dimensions"]) <= _UNROLLED


def _by_slices(
    combine: Callable[[Any, Any], Any], identity: Callable[[DType], Any]
) -> lowering.Decomposed:
    def lower(operand: ArrayLike, **params: Unpack[WindowParams]) -> Any:
        dtype, windows = dtype_of(operand), Windows(**params)
        shape = windows.shape(shape_of(operand))
        if 0 in shape:
            return lax.full(shape, 0, dtype)
        wide = compute_dtype(dtype)
        fill = constant(identity(dtype), wide)
        in_compute_dtype = lax.convert_element_type(operand, wide)
        result = combine_slices(combine, in_compute_dtype, fill, windows)
        return lax.convert_element_type(result, dtype)

    return lowering.Decomposed(lower, _are_short)


def _transpose_sum(
    cotangent: ArrayLike, operand: UndefinedPrimal, **params: Unpack[WindowParams]
) -> list[Any]:
    windows, shape = Windows(**params), shape_of(operand.aval)
    pads = lhs_cotangent_padding(
        shape,
        windows.window_dimensions,
        windows.window_strides,
        shape_of(cotangent),
        windows.padding,
        windows.base_dilation,
        windows.window_dilation,
    )
    config = [
        (low, high, stride - 1)
        for (low, high), stride in zip(pads, windows.window_strides, strict=True)
    ]
    padded = lax.pad(cotangent, zeros(aval_of(cotangent).update(shape=())), config)
    back = Windows(
        windows.window_dimensions,
        windows.base_dilation,
        ((0, 0),) * len(shape),
        (1,) * len(shape),
        windows.window_dilation,
    )
    return [reduce_window_sum_p.bind(padded, **back.params())]


def _chosen(which: str) -> Callable[..., Any]:
    def derive(tangent: ArrayLike, out: ArrayLike, operand: ArrayLike, **params: object) -> Any:
        return select_and_gather_add_p.bind(tangent, operand, select=which, **params)

    return derive


reduce_window_sum_p = Primitive(
    "reduce_window_sum",
    abstract=shared(_abstract),
    evaluate=_evaluate_sum,
    linear=True,
    transpose=_transpose_sum,
    batch=shared(_batch),
    lower=_by_slices(lambda x, y: lax.add(x, y), lambda dtype: 0),
)
reduce_window_max_p = Primitive(
    "reduce_window_max",
    abstract=shared(_abstract),
    evaluate=_extreme("maximum", least),
    derivatives=(_chosen("ge"),),
    batch=shared(_batch),
    lower=_by_slices(lambda x, y: lax.max(x, y), least),
)
reduce_window_min_p = Primitive(
    "reduce_window_min",
    abstract=shared(_abstract),
    evaluate=_extreme("minimum", greatest),
    derivatives=(_chosen("le"),),
    batch=shared(_batch),
    lower=_by_slices(lambda x, y: lax.min(x, y), greatest),
)


def _abstract_general(
    *avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Unpack[WindowParams]
) -> list[ShapedArray]:
    count = len(avals) // 2
    operands, inits = avals[:count], avals[count:]
    shapes = [aval.shape for aval in inits]
    if any(shapes):
        raise ShapeError(
            "reduce_window expected init_values to be scalars but init_values have shapes "
            f"{shapes}.",
            hint="Give scalars to begin with.",
        )
    check_computation("reduce_window", operands, inits, jaxpr)
    shape = window_shape(operands[0], Windows(**params))
    return [aval.update(shape=shape, weak_type=False) for aval in operands]


def _evaluate_general(
    np: ModuleType, *operands: host.Array, jaxpr: ClosedJaxpr, **params: Unpack[WindowParams]
) -> list[Any]:
    count = len(operands) // 2
    pairs = zip(operands[:count], operands[count:], strict=True)
    windows = Windows(**params)
    stacks = [np.stack(list(shown(np, x, init, windows))) for x, init in pairs]
    return reduce_raw(np, jaxpr, operands[count:], stacks)


def _jvp_general(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    **params: Unpack[WindowParams],
) -> tuple[list[Any], list[Any]]:
    count = len(primals) // 2
    if not all(isinstance(t, Zero) for t in tangents[count:]):
        raise NotImplementedError(
            "Gradient of general lax.reduce_window with non-zero tangents for initial values is "
            "not implemented"
        )
    results = reduce_window_p.bind(*primals, jaxpr=jaxpr, **params)
    shape = shape_of(results[0])
    if 0 in shape:
        return results, [Zero(aval_of(x)) for x in results]
    windows = Windows(**params)
    inits, changes = primals[count:], [instantiate(t) for t in tangents]
    fills = [*inits, *changes[count:]]
    stacks = [
        lax.concatenate([broadcast(part, 1, 0) for part in shown_by_slices(x, fill, windows)], 0)
        for x, fill in zip((*primals[:count], *changes[:count]), fills, strict=True)
    ]
    starts = [lax.broadcast(x, shape) for x in fills]
    return results, reduce_stacks(dual_combination(jaxpr), starts, stacks)[count:]


def _batch_general(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    **params: Unpack[WindowParams],
) -> tuple[Any, Any]:
    count = len(operands) // 2
    if any(dim is not None for dim in dims[count:]):
        raise NotImplementedError("reduce_window batching is not implemented for initial values")
    pairs = zip(operands[:count], dims[:count], strict=True)
    moved = [move_to_front(x, dim, axis.size) for x, dim in pairs]
    further = Windows(**params).within(0).params()
    results = reduce_window_p.bind(*moved, *operands[count:], jaxpr=jaxpr, **further)
    return results, [0] * count


def _lower_general(
    *operands: ArrayLike, jaxpr: ClosedJaxpr, **params: Unpack[WindowParams]
) -> list[Any]:
    count = len(operands) // 2
    arrays, inits = operands[:count], operands[count:]
    windows = Windows(**params)
    shape = windows.shape(shape_of(arrays[0]))
    state = [lax.broadcast(x, shape) for x in inits]
    if 0 in shape:
        return state
    combine = combination(jaxpr)
    pairs = zip(arrays, inits, strict=True)
    for items in zip(*(shown_by_slices(x, init, windows) for x, init in pairs), strict=True):
        state = combine(state, [*items])
    return state


reduce_window_p = Primitive(
    "reduce_window",
    abstract=_abstract_general,
    evaluate=_evaluate_general,
    jvp=_jvp_general,
    batch=_batch_general,
    multiple_results=True,
    lower=lowering.Decomposed(_lower_general, _are_small),
)
