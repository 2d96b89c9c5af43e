"""Means, variances, standard deviations, covariances and correlations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.abstract import reduction, results
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, coercion, reductions, selection
from oakum.numpy.reductions import SUM
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, Axis, DTypeLike
from oakum.values import host
from oakum.values.declarations import named_as, public
from oakum.values.facts import EdgeRole


@public("numpy.mean", reduction.means, static=("axis", "keepdims"), edge="linear")
def mean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Averages the elements along axes."""
    return compute_mean(a, axis, dtype, out, keepdims, where)


def compute_mean(
    a: object,
    axis: object,
    dtype: object,
    out: object,
    keepdims: bool,
    where: object,
    *,
    function: str = "mean",
) -> Any:
    """Returns means of axes."""
    (x,) = arguments.arrays(function, a)
    mask = reductions.mask_of(function, where)
    arguments.refuse_out(f"jnp.{function}", out)
    axes = arguments.static_axes(function, axis)
    own = coercion.to_inexact(arguments.dtype_of(x))
    result = own if dtype is None else requested(dtype, function)
    working = reductions.wide_float(result) if dtype is None else result
    total = reductions.reduce("sum", SUM, x, axes, dtype=working, keepdims=keepdims, where=mask)
    count = _count(x, axes, keepdims, mask, working)
    return arguments.convert(lax.div(*arguments.broadcast(total, count)), result)


def _count(a: Any, axes: object, keepdims: bool, mask: Any, dtype: DType) -> Any:
    """Returns how many elements are reduced to one."""
    if mask is None:
        given = arguments.axes(axes, arguments.rank_of(a))
        return coercion.constant(math.prod(a.shape[axis] for axis in given), dtype)
    full = arguments.broadcast_to(mask, a.shape)
    counted = reductions.reduce(
        "sum", SUM, full, axes, dtype=dtypes.int32, keepdims=keepdims, promote_integers=True
    )
    return arguments.convert(counted, dtype)


def _variance(
    function: str,
    a: object,
    axis: object,
    dtype: object,
    out: object,
    ddof: object,
    keepdims: bool,
    where: object,
    given_mean: object,
    correction: object,
) -> Any:
    """Returns variances along axes."""
    if correction is not None and not (isinstance(ddof, int) and ddof == 0):
        raise ValueError("ddof and correction can't be provided simultaneously.")
    less = ddof if correction is None else correction
    (x,) = arguments.arrays(function, a)
    mask = reductions.mask_of(function, where)
    asked = None if dtype is None else requested(dtype, function)
    arguments.refuse_out(f"jnp.{function}", out)
    axes = arguments.static_axes(function, axis)
    working, result = variance_dtypes(function, arguments.dtype_of(x), asked)
    x = arguments.convert(x, working)
    if given_mean is None:
        center = compute_mean(x, axes, working, None, True, mask)
    else:
        center = arguments.convert(given_mean, working)
    squared = squares(lax.sub(*arguments.broadcast(x, center)))
    real = arguments.dtype_of(squared)
    count = lax.sub(
        *arguments.broadcast(_count(x, axes, keepdims, mask, real), coercion.convert(less, real))
    )
    total = reductions.reduce("sum", SUM, squared, axes, dtype=real, keepdims=keepdims, where=mask)
    total, count = arguments.broadcast(total, count)
    quotient = arguments.convert(lax.div(total, count), result)
    enough = lax.gt(count, coercion.like(count, 0))
    return selection.select_where(enough, quotient, math.nan)


def squares(x: ArrayLike) -> Any:
    if arguments.is_complex(x):
        return lax.real(lax.mul(x, lax.conj(x)))
    return lax.square(x)


def variance_dtypes(function: str, own: DType, dtype: DType | None) -> tuple[DType, DType]:
    """Returns the dtype in which a variance is computed, and that of the result."""
    if dtype is not None:
        if own.kind is Kind.COMPLEX and dtype.kind is not Kind.COMPLEX:
            raise DTypeError(
                f"jax.numpy.{function} does not yet support real dtype parameters when computing "
                "the variance of an array of complex values",
                hint="Leave the dtype out, and convert the result.",
            )
        return reductions.wide_float(dtype), dtype
    working = coercion.to_inexact(own)
    real = dtypes.to_real(working)
    assert real is not None
    return reductions.wide_float(working), real


def deviation_dtype(function: str, dtype: object) -> Any:
    """Returns the dtype argument of a standard deviation, which is inexact."""
    if dtype is None:
        return None
    asked = requested(dtype, function)
    if asked.kind not in (Kind.FLOAT, Kind.COMPLEX):
        raise DTypeError(
            f"dtype argument to jnp.{function} must be inexact; got {asked}",
            hint="Ask for a floating point dtype.",
        )
    return asked


def _deviations(edge: EdgeRole):
    """Declares deviations by how they are computed; their signature is inferred."""

    def declare(compute: Callable[..., Array]):
        def deviation(
            a: ArrayLike,
            axis: Axis = None,
            dtype: DTypeLike | None = None,
            out: None = None,
            ddof: float = 0,
            keepdims: bool = False,
            *,
            where: ArrayLike | None = None,
            mean: ArrayLike | None = None,
            correction: int | float | None = None,
        ) -> Array:
            return compute(a, axis, dtype, out, ddof, keepdims, where, mean, correction)

        name, static = f"numpy.{compute.__name__}", ("axis", "keepdims")
        declared = public(name, reduction.deviations, static=static, edge=edge)
        return declared(named_as(compute, deviation))

    return declare


@_deviations("deviation")
def std(a: object, axis: object, dtype: object, *options: Any) -> Array:
    """Computes standard deviations along axes."""
    return lax.sqrt(_variance("std", a, axis, deviation_dtype("std", dtype), *options))


@_deviations("variance")
def var(*given: Any) -> Array:
    """Computes variances along axes."""
    return _variance("var", *given)


@public("numpy.average", reduction.average, static=("axis", "returned", "keepdims"), edge="linear")
def average(
    a: ArrayLike,
    axis: Axis = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    keepdims: bool = False,
) -> Array | tuple[Array, Array]:
    """Averages elements along axes with weights."""
    axes = arguments.static_axes("average", axis)
    (x,) = arguments.arrays("average", a)
    if weights is None:
        (x,) = coercion.promote_inexact("average", x)
        result = compute_mean(x, axes, None, None, keepdims, None)
        total = _count(x, axes, False, None, arguments.dtype_of(result))
    else:
        (w,) = arguments.arrays("average", weights)
        x, w = coercion.promote_dtypes([x, w], coercion.to_inexact)
        w = _aligned(x, w, axes)
        total = jnp.sum(w, axes, keepdims=keepdims)
        result = jnp.sum(jnp.multiply(x, w), axes, keepdims=keepdims) / total
    return (result, arguments.broadcast_to(total, result.shape)) if returned else result


def _aligned(x: Array, weights: Array, axes: Any) -> Any:
    """Returns weights in the rank of the array that they weigh."""
    if x.shape == weights.shape:
        return weights
    if axes is None:
        raise ShapeError(
            "Axis must be specified when shapes of a and weights differ.", hint="Give the axis."
        )
    along = arguments.axes(axes, x.ndim)
    if weights.shape != tuple(x.shape[axis] for axis in along):
        raise ShapeError(
            "Shape of weights must be consistent with shape of a along specified axis.",
            hint="Give one weight for each element along the axis.",
        )
    order = sorted(range(len(along)), key=lambda at: along[at])
    sizes = tuple(size if at in along else 1 for at, size in enumerate(x.shape))
    return lax.reshape(lax.transpose(weights, tuple(order)), sizes)


@public("numpy.cov", results.array, static=("rowvar", "bias", "ddof"))
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: float | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Estimates a covariance matrix from observations."""
    return _cov(m, y, rowvar, bias, ddof, fweights, aweights, dtype)


def _cov(
    m: Any,
    y: Any,
    rowvar: bool,
    bias: bool,
    ddof: float | None,
    fweights: Any,
    aweights: Any,
    dtype: object,
) -> Any:
    """Returns the covariances of variables."""
    wanted = _inexact_dtype("cov", dtype)
    x = _variables(m, y, rowvar)
    if x.shape[0] == 0:
        return jnp.zeros((0, 0))
    count = x.shape[1]
    if count == 0:
        return jnp.full((x.shape[0],) * 2, host.np.nan, x.dtype).squeeze()
    less = (0 if bias else 1) if ddof is None else ddof
    frequencies = None if fweights is None else _weights("fweights", fweights, count)
    importances = None if aweights is None else _weights("aweights", aweights, count)
    given = [w for w in (frequencies, importances) if w is not None]
    w = None if not given else given[0] if len(given) == 1 else given[0] * given[1]
    if wanted is not None:
        x = arguments.convert(x, wanted)
        w = None if w is None else arguments.convert(w, wanted)
    center, total = jnp.average(x, axis=1, weights=_spread(w, x), returned=True)
    x = x - center[:, None]
    factor = _factor(w, importances, total[0], less, count)
    weighted = x if w is None else x * w
    return jnp.true_divide(jnp.dot(x, jnp.conj(weighted.T)), factor).squeeze()


def _factor(weights: object, importances: Any, total: Any, less: float, count: int) -> Any:
    """Returns what sums of products are divided by."""
    if weights is None:
        return count - less
    if less == 0:
        return total
    if importances is None:
        return total - less
    return total - less * jnp.sum(weights * importances) / total


def _spread(weights: Any, x: Array) -> Any:
    return None if weights is None else jnp.broadcast_to(weights, x.shape)


def _weights(name: str, weights: Array, count: int) -> Any:
    (w,) = arguments.arrays("cov", weights)
    if w.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if w.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if name == "fweights" and not arguments.is_kind(w, Kind.INT, Kind.UINT):
        raise DTypeError("fweights must be integer.", hint="Convert them with astype(int).")
    return jnp.abs(w)


def _variables(m: Any, y: Any, rowvar: bool) -> Any:
    if y is None:
        (m,) = coercion.promote_inexact("cov", m)
        return _rows("m", m, rowvar)
    arguments.check_arrays("cov", m, y)
    m, y = coercion.promote_dtypes(coercion.check("cov", m, y), coercion.to_inexact)
    rows: Any = _rows("m", m, rowvar)
    more: Any = jnp.atleast_2d(y)
    if y.ndim > 2:
        raise ShapeError("y has more than 2 dimensions", hint="Give a matrix.")
    if not rowvar and more.shape[0] != 1:
        more = more.T
    return jnp.concatenate((rows, more), axis=0)


def _rows(name: str, x: Array, rowvar: bool) -> Any:
    """Returns the variables of an array as rows."""
    if x.ndim > 2:
        raise ShapeError(f"{name} has more than 2 dimensions", hint="Give a matrix.")
    if x.ndim < 2:
        return jnp.atleast_2d(x)
    return x if rowvar else x.T


def _inexact_dtype(function: str, dtype: object) -> Any:
    if dtype is None:
        return None
    found = requested(dtype, function)
    if found.kind not in (Kind.FLOAT, Kind.COMPLEX):
        raise DTypeError(
            f"{function}: dtype must be a subclass of float or complex; got dtype={dtype!r}",
            hint="Ask for a floating point dtype.",
        )
    return found


@public("numpy.corrcoef", results.array, static=("rowvar",))
def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: DTypeLike | None = None
) -> Array:
    """Computes the matrix of correlation coefficients."""
    arguments.check_arrays("corrcoef", x)
    _inexact_dtype("corrcoef", dtype)
    c = _cov(x, y, rowvar, False, None, None, None, dtype)
    if c.ndim == 0:
        return jnp.divide(c, c)
    deviations = arguments.convert(jnp.sqrt(jnp.real(jnp.diagonal(c))), arguments.dtype_of(c))
    c = c / deviations[:, None] / deviations[None, :]
    real = jnp.clip(jnp.real(c), -1, 1)
    return lax.complex(real, jnp.clip(jnp.imag(c), -1, 1)) if arguments.is_complex(c) else real
