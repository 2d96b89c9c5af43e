"""Samples of vectors and matrices."""

from __future__ import annotations

from typing import Any

from oakum import config, errors
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.primitives.random import checks
from oakum.primitives.rules.arguments import Sizes, integer
from oakum.random import draws
from oakum.tracing import dtype_requests
from oakum.typing import DTypeLike

_METHODS = ("svd", "eigh", "cholesky")


def multivariate_normal(
    key: Array, mean: Any, cov: Any, shape: Any, dtype: DTypeLike | None, method: str
) -> Any:
    """Samples of multivariate normal distributions."""
    mean, cov = arguments.promote_inexact(mean, cov)
    if method not in _METHODS:
        raise ValueError(f"method must be one of {set(_METHODS)}")
    kind = arguments.dtype_of(mean) if dtype is None else dtype_requests.requested(dtype)
    if kind.kind is not Kind.FLOAT:
        raise errors.DTypeError(
            f"dtype argument to `multivariate_normal` must be a float dtype, got {kind}"
        )
    if not mean.ndim or cov.ndim < 2 or cov.shape[-2:] != (mean.shape[-1],) * 2:
        raise errors.ShapeError(
            "multivariate_normal requires mean.ndim >= 1, cov.ndim >= 2 and "
            f"cov.shape == (..., n, n) for mean.shape == (..., n), but got mean {mean.aval} and "
            f"cov {cov.aval}."
        )
    sizes = checks.sample_shape("normal", shape, mean.shape[:-1], cov.shape[:-2])
    samples = draws.normal(key, (*sizes, mean.shape[-1]), kind)
    with config.numpy_rank_promotion("allow"):
        return mean + jnp.einsum("...ij,...j->...i", _factor(cov, method), samples)


def _factor(cov: Array, method: str) -> Any:
    """Returns a matrix whose product with its own transpose is the covariance."""
    if method == "cholesky":
        return jnp.linalg.cholesky(cov)
    if method == "svd":
        vectors, scales, _ = jnp.linalg.svd(cov)
    else:
        scales, vectors = jnp.linalg.eigh(cov)
    return vectors * jnp.sqrt(scales[..., None, :])


def orthogonal(key: Array, n: object, sizes: Sizes, dtype: DType, m: object) -> Any:
    """Returns orthogonal matrices, uniformly: those of a decomposition, with signs that make it
    unique.
    """
    rows = integer(n)
    columns = rows if m is None else integer(m)
    shape = (*sizes, max(rows, columns), min(rows, columns))
    q, r = jnp.linalg.qr(draws.normal(key, shape, dtype))
    result = q * jnp.expand_dims(jnp.sign(jnp.linalg.diagonal(r)), -2)
    return jnp.swapaxes(result, -1, -2) if rows < columns else result
