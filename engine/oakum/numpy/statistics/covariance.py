"""Covariances and coefficients of correlation."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.numpy.operands import arguments, promoting
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import host
from oakum.values.declarations import public


@public("numpy.cov", results.array, static=("rowvar", "bias", "ddof"))
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
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
    ddof: int | None,
    fweights: Any,
    aweights: Any,
    dtype: object,
) -> Any:
    """The covariances of variables."""
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


def _factor(weights: object, importances: Any, total: Any, less: int, count: int) -> Any:
    """What sums of products are divided by."""
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
        (m,) = promoting.promote_inexact("cov", m)
        return _rows("m", m, rowvar)
    arguments.check_arrays("cov", m, y)
    m, y = promoting.promote_dtypes(promoting.check("cov", m, y), promoting.to_inexact)
    rows: Any = _rows("m", m, rowvar)
    more: Any = jnp.atleast_2d(y)
    if y.ndim > 2:
        raise ShapeError("y has more than 2 dimensions", hint="Give a matrix.")
    if not rowvar and more.shape[0] != 1:
        more = more.T
    return jnp.concatenate((rows, more), axis=0)


def _rows(name: str, x: Array, rowvar: bool) -> Any:
    """The variables of an array as rows."""
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
