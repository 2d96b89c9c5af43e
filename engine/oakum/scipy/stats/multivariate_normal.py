"""The multivariate normal distribution."""

from __future__ import annotations

import math

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.multivariate_normal.logpdf", results.array, static=("allow_singular",))
def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> ArrayLike:
    """Computes the logarithm of the density of the multivariate normal distribution."""
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    return _log_density(*arguments.promote_inexact(x, mean, cov))


def _log_density(x: Array, mean: Array, cov: Array) -> Array:
    log_two_pi = math.log(2 * math.pi)
    if not mean.ndim:
        return -0.5 * jnp.square(x - mean) / cov - 0.5 * (log_two_pi + jnp.log(cov))
    size = mean.shape[-1]
    y = x - mean
    if not cov.ndim:
        squares = jnp.sum(y * y, axis=-1)
        return -0.5 * squares / cov - size / 2 * (log_two_pi + jnp.log(cov))
    if cov.ndim < 2 or cov.shape[-2:] != (size, size):
        raise errors.ShapeError(
            f"multivariate_normal.logpdf got incompatible shapes: mean {mean.aval}, cov {cov.aval}"
        )
    factor = jnp.linalg.cholesky(cov)
    batch = arguments.broadcast_shapes(factor.shape[:-2], y.shape[:-1])
    factors = arguments.broadcast_to(factor, (*batch, size, size))
    column = arguments.broadcast_to(y, (*batch, size))[..., None]
    solved = lax.linalg.triangular_solve(factors, column, left_side=True, lower=True)[..., 0]
    logs = jnp.sum(jnp.log(jnp.diagonal(factor, axis1=-1, axis2=-2)), axis=-1)
    return -0.5 * jnp.sum(solved * solved, axis=-1) - size / 2 * log_two_pi - logs


@public("scipy.stats.multivariate_normal.pdf", results.array)
def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """Computes the density of the multivariate normal distribution."""
    return lax.exp(logpdf(x, mean, cov))
