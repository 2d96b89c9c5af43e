"""Medians, quantiles and percentiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import reduction
from oakum.array import Array
from oakum.dtypes import DType
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, coercion, logic, selection
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, Axis, Placement
from oakum.values import host
from oakum.values.declarations import named_as, public


def _quantile(
    function: str,
    a: object,
    q: object,
    axis: Axis,
    method: str,
    keepdims: bool,
    *,
    ignore_nan: bool,
    weights: object = None,
) -> Any:
    """Returns quantiles along axes; the axis of several comes first."""
    if method not in _METHODS:
        raise ValueError(
            "method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' or "
            f"'inverted_cdf', not {method!r}"
        )
    x, at = arguments.arrays(function, a, q)
    x, w = _weighted(function, x, weights, axis, method)
    if arguments.is_complex(x):
        raise DTypeError(
            f"{function} does not support complex input, as the operation is poorly defined.",
            hint="Take the quantile of real parts, imaginary parts or absolute values.",
        )
    if at.ndim > 1:
        raise ShapeError(
            f"q must be have rank <= 1, got shape {at.shape}", hint="Flatten the quantiles."
        )
    rank, dtype = x.ndim, arguments.dtype_of(x)
    axes = arguments.axes(arguments.static_axes(function, axis), rank)
    x = _joined(x, axes)
    if not ignore_nan:
        x = selection.select_where(jnp.any(logic.is_nan(x), -1, keepdims=True), math.nan, x)
    if method == "inverted_cdf":
        w = lax.full_like(x, 1) if w is None else _joined(w, axes)
        result = _by_weight(x, at, w, ignore_nan)
    else:
        result = _between(*_neighbors(x, at, ignore_nan), method)
    result = arguments.convert(result, dtype)
    return _with_axes(result, at.ndim, axes) if keepdims else result


def _with_axes(result: ArrayLike, leading: int, axes: tuple[int, ...]) -> Any:
    return lax.expand_dims(result, tuple(leading + axis for axis in sorted(axes)))


def _neighbors(x: Array, q: Array, ignore_nan: bool) -> tuple[Any, Any, Any]:
    """Returns the elements below and above each quantile, and how far it is from the lower one."""
    if not arguments.is_inexact(q):
        raise DTypeError(
            f"The quantiles that are asked for must be floats, got {arguments.dtype_of(q)}",
            hint="Give floats from 0 to 1.",
        )
    if x.shape[-1] == 0:
        raise ShapeError(
            "Elements without any have no quantiles: the axes of the array are empty",
            hint="Give an array with elements along the axes.",
        )
    dtype = arguments.dtype_of(q)
    q = arguments.strong(q)
    ordered = lax.sort(x, dimension=x.ndim - 1)
    last = lax.sub(_count(x, dtype, ignore_nan), coercion.constant(1, dtype))
    position = _outer(lax.mul, q, last)
    low, high = lax.floor(position), lax.ceil(position)
    part = lax.sub(position, low)
    bound = lax.max(coercion.constant(0, dtype), last)
    zero = lax.full_like(position, 0)
    bounds = arguments.broadcast_to(bound, position.shape)
    below, above = (lax.clamp(zero, each, bounds) for each in (low, high))
    return _taken(ordered, below, q.ndim), _taken(ordered, above, q.ndim), part


def _taken(ordered: Any, position: Any, leading: int) -> Any:
    """Returns the elements at positions along the last axis; the axis of quantiles comes first."""
    index = jnp.astype(position, int)
    if not leading:
        picked = jnp.take_along_axis(ordered, lax.expand_dims(index, (index.ndim,)), -1)
        return lax.squeeze(picked, (picked.ndim - 1,))
    return jnp.moveaxis(jnp.take_along_axis(ordered, jnp.moveaxis(index, 0, -1), -1), -1, 0)


def _outer(operation: Any, q: Array, x: Array) -> Any:
    """Returns an operation on each quantile and each element."""
    shape = (*q.shape, *x.shape)
    spread = lax.broadcast_in_dim(q, shape, tuple(range(q.ndim)))
    return operation(spread, lax.broadcast_in_dim(x, shape, tuple(range(q.ndim, len(shape)))))


def _count(x: Array, dtype: DType, ignore_nan: bool) -> Any:
    """Returns how many elements each quantile is taken of."""
    if ignore_nan:
        return jnp.sum(lax.bitwise_not(logic.is_nan(x)), -1, host.dtype(dtype))
    return lax.full(x.shape[:-1], x.shape[-1], host.dtype(dtype))


def _between(low: ArrayLike, high: ArrayLike, part: ArrayLike, method: str) -> Any:
    dtype = arguments.dtype_of(part)
    match method:
        case "lower":
            return low
        case "higher":
            return high
        case "nearest":
            return lax.select(lax.le(part, coercion.constant(0.5, dtype)), low, high)
        case "midpoint":
            half = coercion.constant(0.5, arguments.dtype_of(low))
            return lax.mul(lax.add(low, high), half)
        case _:
            rest = lax.sub(lax.full_like(part, 1), part)
            lower = lax.mul(arguments.convert(low, dtype), rest)
            return lax.add(lower, lax.mul(arguments.convert(high, dtype), part))


def _by_weight(x: Array, q: Array, weights: Array, ignore_nan: bool) -> Any:
    """Returns the first element at which the sum of weights reaches its part of the whole."""
    (q,) = coercion.promote_inexact("quantile", q)
    q = arguments.strong(q)
    axis = x.ndim - 1
    ordered, weights = lax.sort_key_val(x, weights, dimension=axis)
    wrong = jnp.logical_or(jnp.less(weights, 0), logic.is_nan(weights))
    gone = logic.is_nan(ordered)
    usable = selection.select_where(lax.bitwise_or(wrong, gone), 0, weights)
    sums = lax.cumsum(usable, axis)
    total = lax.index_in_dim(sums, -1, axis, keepdims=False)
    target = _outer(jnp.multiply, q, total)
    reached = jnp.less(lax.expand_dims(sums, tuple(range(q.ndim))), target[..., None])
    index = jnp.sum(reached, -1)
    valid = jnp.sum(lax.bitwise_not(gone), -1) if ignore_nan else x.shape[-1]
    last = jnp.maximum(jnp.subtract(valid, 1), 0)
    index = jnp.clip(index, 0, jnp.broadcast_to(last, index.shape))
    picked = _taken(ordered, index, q.ndim)
    unusable = jnp.any(wrong, -1)
    no_number = jnp.equal(valid, 0) if ignore_nan else jnp.any(gone, -1)
    return selection.select_where(jnp.logical_or(unusable, no_number), math.nan, picked)


def _joined(x: Array, axes: tuple[int, ...]) -> Any:
    """Returns the array with axes joined to one, which comes last."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    moved = lax.transpose(x, (*kept, *sorted(axes)))
    joined = math.prod(x.shape[axis] for axis in axes)
    return lax.reshape(moved, (*(x.shape[axis] for axis in kept), joined))


def _weighted(function: str, x: Array, weights: object, axis: Axis, method: str) -> tuple[Any, Any]:
    """Returns the array, and weights of its shape, as floats."""
    if weights is None:
        return coercion.promote_inexact(function, x)[0], None
    (w,) = arguments.arrays(function, weights)
    if arguments.is_complex(w):
        raise DTypeError("Weights cannot be complex types.", hint="Give real weights.")
    if method != "inverted_cdf":
        raise NotImplementedError(
            f"{method} doesn't support weights. Only method 'inverted_cdf' supports weights."
        )
    x, w = coercion.promote_dtypes([x, w], coercion.to_inexact)
    if w.shape == x.shape:
        return x, w
    if axis is None:
        raise ShapeError(
            "Weights shape must match 'a' shape when axis is None.", hint="Give the axis."
        )
    axes = arguments.axes(arguments.static_axes(function, axis), x.ndim)
    along = tuple(x.shape[each] for each in axes)
    if w.shape != along:
        raise ShapeError(
            f"Weights shape {w.shape} must match reduction axes {along}",
            hint="Give one weight for each element along the axes.",
        )
    return x, lax.broadcast_in_dim(w, x.shape, axes)


_METHODS: Final = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")


def _refuse_overwriting(function: str, overwrite_input: bool, out: object) -> None:
    if overwrite_input or out is not None:
        raise ValueError(
            f"jax.numpy.{function} does not support overwrite_input=True or out != None"
        )


def _medians(*, ignore_nan: bool):
    """Declares medians; their signature is inferred."""

    def declare(stated: Callable[[], None]):
        name = stated.__name__

        def medians(
            a: ArrayLike,
            axis: int | tuple[int, ...] | None = None,
            out: None = None,
            overwrite_input: bool = False,
            keepdims: bool = False,
        ) -> Array:
            _refuse_overwriting(name, overwrite_input, out)
            return _quantile(name, a, 0.5, axis, "midpoint", keepdims, ignore_nan=ignore_nan)

        static = ("axis", "overwrite_input", "keepdims")
        declared = public(f"numpy.{name}", reduction.medians, static=static)
        return declared(named_as(stated, medians))

    return declare


@_medians(ignore_nan=False)
def median() -> None:
    """Computes medians along axes."""


@_medians(ignore_nan=True)
def nanmedian() -> None:
    """Computes medians along axes, leaving out NaN."""


_STATIC: Final = ("axis", "overwrite_input", "method", "keepdims")


def _quantiles(*, ignore_nan: bool):
    """Declares quantiles by the part of the elements that an argument is; their signature is
    inferred.
    """

    def declare(part: Callable[[ArrayLike], Any]):
        name = part.__name__

        def quantiles(
            a: ArrayLike,
            q: ArrayLike,
            axis: int | tuple[int, ...] | None = None,
            out: None = None,
            overwrite_input: bool = False,
            method: str = "linear",
            keepdims: bool = False,
            *,
            weights: ArrayLike | None = None,
        ) -> Array:
            _refuse_overwriting(name, overwrite_input, out)
            return _quantile(
                name, a, part(q), axis, method, keepdims, ignore_nan=ignore_nan, weights=weights
            )

        declared = public(f"numpy.{name}", reduction.quantiles, static=_STATIC)
        return declared(named_as(part, quantiles))

    return declare


@_quantiles(ignore_nan=False)
def quantile(q: ArrayLike) -> ArrayLike:
    """Computes quantiles along axes."""
    return q


@_quantiles(ignore_nan=True)
def nanquantile(q: ArrayLike) -> ArrayLike:
    """Computes quantiles along axes, leaving out NaN."""
    return q


@_quantiles(ignore_nan=True)
def nanpercentile(q: ArrayLike) -> Any:
    """Computes percentiles along axes, leaving out NaN."""
    return coercion.promote_inexact("nanpercentile", q)[0] / 100


@public("numpy.percentile", reduction.quantiles, static=_STATIC)
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Computes percentiles along axes."""
    ignored_placement.require("numpy.percentile(out_sharding=...)", out_sharding)
    _refuse_overwriting("percentile", overwrite_input, out)
    (share,) = coercion.promote_inexact("percentile", q)
    return _quantile(
        "percentile", a, share / 100, axis, method, keepdims, ignore_nan=False, weights=weights
    )
