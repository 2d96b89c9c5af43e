"""Convolution of images with filters, with strides, padding, dilations and groups.

Axes are brought into the order batch, feature, spatial axes; windows of the padded images become
the rows of a matrix, and filters the columns of another. In each feature group the filters see only
their part of the features, in each batch group only their part of the images.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any, TypedDict, Unpack

from oakum import lax
from oakum.abstract import convolution
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.lax.options import ConvDimensionNumbers
from oakum.primitives.padding import pad_p
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import broadcast
from oakum.primitives.rules.conv_geometry import (
    even_padding,
    inverse,
    lhs_cotangent_padding,
    result_shape,
    rhs_cotangent_padding,
    spread_all,
    taken,
)
from oakum.primitives.rules.derivatives import Operand, UndefinedPrimal, Zero, is_undefined
from oakum.primitives.rules.lowering import Convolved, Decomposed
from oakum.primitives.rules.numpy_dot_general import working_dtype
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.host import dtype as host_dtype
from oakum.values.host import read_dtype

_LARGE = 1 << 24
"""Matrices of windows with more elements than this are not made; filters are gone through."""


class _Geometry(TypedDict):
    """The parameters that the shape of a result follows from."""

    window_strides: Sequence[int]
    padding: Sequence[tuple[int, int]]
    lhs_dilation: Sequence[int]
    rhs_dilation: Sequence[int]
    dimension_numbers: ConvDimensionNumbers
    feature_group_count: int
    batch_group_count: int
    precision: object


class ConvParams(_Geometry):
    """The parameters of a convolution."""

    preferred_element_type: DType | None


def _abstract(
    lhs: ShapedArray,
    rhs: ShapedArray,
    *,
    preferred_element_type: DType | None,
    **params: Unpack[_Geometry],
) -> ShapedArray:
    dtype = _product_dtype(lhs, rhs, preferred_element_type)
    shape = _shape(lhs, rhs, **params)
    return ShapedArray(shape, dtype, bool(lhs.weak_type and rhs.weak_type))


def _product_dtype(lhs: ShapedArray, rhs: ShapedArray, preferred: DType | None) -> DType:
    dtype = lhs.dtype
    assert dtype is not None
    if rhs.dtype is not dtype:
        raise convolution.IMAGES.different_dtypes((lhs, rhs))
    if preferred is None:
        return dtype
    integers = (Kind.INT, Kind.UINT)
    floated = dtype.kind in integers and preferred.kind is Kind.FLOAT
    if not floated and (dtype.kind in integers) != (preferred.kind in integers):
        raise _unfit_preference("Input type is incompatible with `preferred_element_type`", dtype)
    if not floated and dtype.kind not in integers and dtype.kind is not preferred.kind:
        raise _unfit_preference("Input type is incompatible with `preferred_element_type`", dtype)
    if dtype.kind is Kind.INT and preferred.kind is Kind.UINT:
        raise _unfit_preference("`preferred_element_type` must have the same signedness", dtype)
    if preferred.bits < dtype.bits:
        raise _unfit_preference("`preferred_element_type` must not be narrower", dtype)
    return preferred


def _unfit_preference(reason: str, dtype: DType) -> DTypeError:
    return DTypeError(
        f"{reason} as the original type, {dtype}",
        hint="Ask for a wider type of the same kind, and convert the result.",
    )


def _shape(
    lhs: ShapedArray,
    rhs: ShapedArray,
    *,
    window_strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    **rest: object,
) -> tuple[int, ...]:
    images, filters = shape_of(lhs), shape_of(rhs)
    if len(images) != len(filters):
        raise _unfit(
            f"lhs and rhs must have the same number of dimensions, but got {images} and {filters}."
        )
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    images, filters = taken(images, lhs_spec), taken(filters, rhs_spec)
    _check_groups(images, filters, feature_group_count, batch_group_count)
    if len(filters) - 2 != len(window_strides):
        raise _unfit(
            "window and window_strides must have the same number of dimensions, but got "
            f"{len(filters) - 2} and {len(window_strides)}"
        )
    ones = (1, 1)
    result = result_shape(
        spread_all(images, (*ones, *lhs_dilation)),
        spread_all(filters, (*ones, *rhs_dilation)),
        window_strides,
        padding,
        batch_group_count,
    )
    return taken(result, inverse(out_spec))


def _unfit(reason: str) -> ShapeError:
    return ShapeError(
        f"conv_general_dilated {reason}", hint="See the axes that dimension_numbers names."
    )


def _check_groups(images: Sequence[int], filters: Sequence[int], features: int, batch: int) -> None:
    for name, count in (("feature_group_count", features), ("batch_group_count", batch)):
        if count < 1:
            raise _unfit(f"{name} must be a positive integer, got {count}.")
        if filters[0] % count:
            raise _unfit(
                f"rhs output feature dimension size must be a multiple of {name}, but "
                f"{filters[0]} is not a multiple of {count}."
            )
    if images[1] % features:
        raise _unfit(
            "feature_group_count must divide lhs feature dimension size, but "
            f"{features} does not divide {images[1]}."
        )
    if images[1] // features != filters[1]:
        raise _unfit(
            "lhs feature dimension size divided by feature_group_count must equal the rhs input "
            f"feature dimension size, but {images[1]} // {features} != {filters[1]}."
        )
    if images[0] % batch:
        raise _unfit(
            "batch_group_count must divide lhs batch dimension size, but "
            f"{batch} does not divide {images[0]}."
        )
    if batch > 1 and features > 1:
        raise ShapeError(
            "At most one of batch_group_count and feature_group_count may be > 1, got "
            f"batch_group_count={batch} and feature_group_count={features}"
        )


def _evaluate(
    np: ModuleType, lhs: host.Array, rhs: host.Array, **params: Unpack[ConvParams]
) -> Any:
    left, right = (ShapedArray(x.shape, read_dtype(x.dtype)) for x in (lhs, rhs))
    dtype = _product_dtype(left, right, params["preferred_element_type"])
    shape = _shape(left, right, **params)
    lhs_spec, rhs_spec, out_spec = params["dimension_numbers"]
    working = working_dtype(np, lhs, rhs, dtype)
    out = taken(shape, out_spec)
    if 0 in shape or not lhs.size or not rhs.size:
        return np.zeros(shape, host_dtype(dtype))
    filters = rhs.transpose(rhs_spec).astype(working, copy=False)
    config = [
        (low, high, dilation - 1)
        for (low, high), dilation in zip(params["padding"], params["lhs_dilation"], strict=True)
    ]
    images = lhs.transpose(lhs_spec).astype(working, copy=False)
    images = pad_p.evaluate(
        np, images, np.zeros((), working), padding_config=((0, 0, 0), (0, 0, 0), *config)
    )
    features, batch = params["feature_group_count"], params["batch_group_count"]
    steps = params["window_strides"], params["rhs_dilation"]
    result = _convolve(np, images, filters, out, features, batch, *steps)
    return result.transpose(inverse(out_spec)).astype(host_dtype(dtype), copy=False)


def _convolve(
    np: ModuleType,
    images: host.Array,
    filters: host.Array,
    out: Sequence[int],
    features: int,
    batch: int,
    strides: Sequence[int],
    dilation: Sequence[int],
) -> Any:
    """Convolves padded images: windows are (group, image, feature, place..., offset...)."""
    groups, count = features * batch, out[0]
    places, offsets = tuple(out[2:]), filters.shape[2:]
    shape = (batch, count, features, images.shape[1] // features, *images.shape[2:])
    images = images.reshape(shape)
    images = images.transpose((0, 2, 1, 3, *range(4, len(shape))))
    images = images.reshape((groups, count, shape[3], *shape[4:]))
    kernels = filters.reshape((groups, filters.shape[0] // groups, *filters.shape[1:]))
    rank = len(places)
    steps = images.strides[3:]
    windows = np.lib.stride_tricks.as_strided(
        images,
        (*images.shape[:3], *places, *offsets),
        (
            *images.strides[:3],
            *(n * step for n, step in zip(strides, steps, strict=True)),
            *(n * step for n, step in zip(dilation, steps, strict=True)),
        ),
        writeable=False,
    )
    windows = windows.transpose((0, 1, *range(3, 3 + rank), 2, *range(3 + rank, 3 + 2 * rank)))
    if windows.size <= _LARGE:
        result = _by_matrix(np, windows, kernels, rank)
    else:
        result = _by_offset(np, windows, kernels, rank)
    # The result is (group, image, place..., filter of the group).
    result = result.reshape((groups, count, *places, kernels.shape[1]))
    result = result.transpose((1, 0, 2 + rank, *range(2, 2 + rank)))
    return result.reshape((count, filters.shape[0], *places))


def _by_matrix(np: ModuleType, windows: host.Array, kernels: host.Array, rank: int) -> Any:
    groups, rows = windows.shape[0], math.prod(windows.shape[1 : 2 + rank])
    left = windows.reshape((groups, rows, -1))
    right = kernels.reshape((groups, kernels.shape[1], -1)).transpose((0, 2, 1))
    return np.matmul(left, right)


def _by_offset(np: ModuleType, windows: host.Array, kernels: host.Array, rank: int) -> Any:
    groups, rows = windows.shape[0], math.prod(windows.shape[1 : 2 + rank])
    total: Any = 0
    for offset in np.ndindex(*kernels.shape[3:]):
        left = windows[(..., *offset)].reshape((groups, rows, -1))
        total = total + np.matmul(left, kernels[(..., *offset)].transpose((0, 2, 1)))
    return total


def _derive_lhs(
    tangent: ArrayLike, out: ArrayLike, lhs: ArrayLike, rhs: ArrayLike, **params: object
) -> Any:
    return conv_general_dilated_p.bind(tangent, rhs, **params)


def _derive_rhs(
    tangent: ArrayLike, out: ArrayLike, lhs: ArrayLike, rhs: ArrayLike, **params: object
) -> Any:
    return conv_general_dilated_p.bind(lhs, tangent, **params)


def _transpose(
    cotangent: Array, lhs: Operand, rhs: Operand, **params: Unpack[ConvParams]
) -> list[Any]:
    if is_undefined(lhs):
        return [_lhs_cotangent(cotangent, lhs, rhs, **params), None]
    assert is_undefined(rhs)
    return [None, _rhs_cotangent(cotangent, lhs, rhs, **params)]


def _geometry(
    lhs: ArrayLike | ShapedArray,
    rhs: ArrayLike | ShapedArray,
    cotangent: ArrayLike,
    params: ConvParams,
) -> tuple[Any, ...]:
    pairs = zip((lhs, rhs, cotangent), params["dimension_numbers"], strict=True)
    images, filters, out = (taken(shape_of(x), spec[2:]) for x, spec in pairs)
    dilations = params["lhs_dilation"], params["rhs_dilation"]
    return images, filters, params["window_strides"], out, params["padding"], *dilations


def _swapped(spec: Sequence[int]) -> tuple[int, ...]:
    return (spec[1], spec[0], *spec[2:])


def _lhs_cotangent(
    cotangent: Array, lhs: UndefinedPrimal, rhs: ArrayLike, **params: Unpack[ConvParams]
) -> Any:
    lhs_spec, rhs_spec, out_spec = params["dimension_numbers"]
    padding = lhs_cotangent_padding(*_geometry(lhs.aval, rhs, cotangent, params))
    batch = params["batch_group_count"]
    groups = params["feature_group_count"] * batch
    if groups > 1:
        rhs = _axis_into(rhs_spec[0], rhs_spec[1], _axis_out_of(rhs_spec[0], groups, rhs))
    rhs = lax.rev(rhs, rhs_spec[2:])
    changed = {
        "window_strides": params["lhs_dilation"],
        "lhs_dilation": params["window_strides"],
        "padding": tuple(padding),
        "dimension_numbers": ConvDimensionNumbers(out_spec, _swapped(rhs_spec), lhs_spec),
        "feature_group_count": groups,
        "batch_group_count": 1,
    }
    dtype = aval_of(cotangent).dtype
    out = conv_general_dilated_p.bind(cotangent, _as(rhs, dtype), **{**params, **changed})
    if batch > 1:
        out = _axis_into(lhs_spec[1], lhs_spec[0], _axis_out_of(lhs_spec[1], batch, out))
    return _as(out, lhs.aval.dtype)


def _rhs_cotangent(
    cotangent: Array, lhs: ArrayLike, rhs: UndefinedPrimal, **params: Unpack[ConvParams]
) -> Any:
    if 0 in shape_of(cotangent):
        return Zero(rhs.aval)
    lhs_spec, rhs_spec, out_spec = map(_swapped, params["dimension_numbers"])
    changed = {
        "window_strides": params["rhs_dilation"],
        "rhs_dilation": params["window_strides"],
        "padding": tuple(rhs_cotangent_padding(*_geometry(lhs, rhs.aval, cotangent, params))),
        "dimension_numbers": ConvDimensionNumbers(lhs_spec, out_spec, rhs_spec),
        "feature_group_count": params["batch_group_count"],
        "batch_group_count": params["feature_group_count"],
    }
    images = _as(lhs, aval_of(cotangent).dtype)
    out = conv_general_dilated_p.bind(images, cotangent, **{**params, **changed})
    return _as(out, rhs.aval.dtype)


def _as(operand: ArrayLike, dtype: object) -> Any:
    same = aval_of(operand).dtype is dtype
    return operand if same else lax.convert_element_type(operand, dtype)


def _axis_into(source: int, target: int, operand: ArrayLike) -> Any:
    """Moves an axis before another, counted without it, and makes one of them."""
    shape = shape_of(operand)
    order = [axis for axis in range(len(shape)) if axis != source]
    sizes = [shape[axis] for axis in order]
    order.insert(target, source)
    sizes[target] *= shape[source]
    return lax.reshape(lax.transpose(operand, order), sizes)


def _axis_out_of(axis: int, count: int, operand: ArrayLike) -> Any:
    """Makes of an axis one of a size given, followed by the rest of it."""
    shape = shape_of(operand)
    return lax.reshape(operand, (*shape[:axis], count, shape[axis] // count, *shape[axis + 1 :]))


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    **params: Unpack[ConvParams],
) -> tuple[Any, int]:
    (lhs, rhs), (mine, theirs) = operands, dims
    lhs_spec, rhs_spec, out_spec = params["dimension_numbers"]
    features, batch = params["feature_group_count"], params["batch_group_count"]
    if theirs is None and mine is not None and batch == 1 and axis.size:
        out = conv_general_dilated_p.bind(_axis_into(mine, lhs_spec[0], lhs), rhs, **params)
        return _axis_out_of(out_spec[0], axis.size, out), out_spec[0]
    if mine is None and theirs is not None and features == batch == 1 and axis.size:
        out = conv_general_dilated_p.bind(lhs, _axis_into(theirs, rhs_spec[0], rhs), **params)
        return _axis_out_of(out_spec[1], axis.size, out), out_spec[1]
    lhs = broadcast(lhs, axis.size, mine := 0) if mine is None else lhs
    rhs = broadcast(rhs, axis.size, theirs := 0) if theirs is None else rhs
    if not axis.size:
        return _empty(lhs, rhs, mine, theirs, params), 0
    groups = "batch_group_count" if batch > 1 else "feature_group_count"
    images = _axis_into(mine, lhs_spec[0 if batch > 1 else 1], lhs)
    changed = {groups: params[groups] * axis.size}
    filters = _axis_into(theirs, rhs_spec[0], rhs)
    out = conv_general_dilated_p.bind(images, filters, **{**params, **changed})
    return _axis_out_of(out_spec[1], axis.size, out), out_spec[1]


def _empty(lhs: ArrayLike, rhs: ArrayLike, mine: int, theirs: int, params: ConvParams) -> Any:
    avals: list[ShapedArray] = []
    for operand, dim in ((lhs, mine), (rhs, theirs)):
        shape = shape_of(operand)
        avals.append(aval_of(operand).update(shape=shape[:dim] + shape[dim + 1 :]))
    out = _abstract(*avals, **params)
    return lax.full((0, *shape_of(out)), 0, out.dtype)


def _is_uneven(lhs: ShapedArray, rhs: ShapedArray, **params: Unpack[ConvParams]) -> bool:
    """Whether phases of images that are spread have different numbers of places."""
    return even_padding(shape_of(lhs), shape_of(rhs), **params) != tuple(params["padding"])


def _evened(lhs: ArrayLike, rhs: ArrayLike, **params: Unpack[ConvParams]) -> Any:
    """Returns the first places of a convolution whose phases have the same number of places."""
    shape = _shape(aval_of(lhs), aval_of(rhs), **params)
    padding = even_padding(shape_of(lhs), shape_of(rhs), **params)
    found = conv_general_dilated_p.bind(lhs, rhs, **{**params, "padding": padding})
    return lax.slice(found, [0] * len(shape), shape)


conv_general_dilated_p = Primitive(
    "conv_general_dilated",
    lower=Decomposed(_evened, _is_uneven, Convolved()),
    abstract=_abstract,
    evaluate=_evaluate,
    derivatives=(_derive_lhs, _derive_rhs),
    transpose=_transpose,
    batch=_batch,
)
