"""Masses of normal distributions, of one variable between bounds and of several variables."""

from __future__ import annotations

import math
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.scipy import special
from oakum.typing import ArrayLike


def log_mass(a: ArrayLike, b: ArrayLike) -> Any:
    """The logarithm of the chance of a standard normal variable between two bounds."""
    a, b = jnp.broadcast_arrays(a, b)
    # On the right the masses are close to one; so they are taken on the other side.
    is_right = a > 0
    low, high = jnp.where(is_right, -b, a), jnp.where(is_right, -a, b)
    upper, lower = special.log_ndtr(high), special.log_ndtr(low)
    signs = jnp.stack([jnp.ones_like(upper), -jnp.ones_like(lower)])
    one_sided = special.logsumexp(jnp.stack([upper, lower]), b=signs, axis=0)
    around = lax.log1p(-special.ndtr(a) - special.ndtr(-b))
    return jnp.where(is_right | (b <= 0), one_sided, around)


def truncated_log_cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike) -> Any:
    """The logarithm of the distribution function of a normal variable between two bounds."""
    x, a, b = jnp.broadcast_arrays(x, a, b)
    whole = log_mass(a, b)
    below, above = log_mass(a, x) - whole, log_mass(x, b) - whole
    logs = jnp.where(below > -0.1, lax.log1p(-lax.exp(above)), below)
    logs = jnp.where(x >= b, 0.0, jnp.where(x <= a, -math.inf, logs))
    return jnp.where(a >= b, math.nan, logs)


def multivariate_normal(x: Array, mean: Array, cov: Array) -> Any:
    """The logarithm of the density of a multivariate normal distribution."""
    log_two_pi = math.log(2 * math.pi)
    if not arguments.rank_of(mean):
        return -0.5 * jnp.square(x - mean) / cov - 0.5 * (log_two_pi + jnp.log(cov))
    size = mean.shape[-1]
    y = x - mean
    if not arguments.rank_of(cov):
        squares = jnp.sum(y * y, axis=-1)
        return -0.5 * squares / cov - size / 2 * (log_two_pi + jnp.log(cov))
    if arguments.rank_of(cov) < 2 or cov.shape[-2:] != (size, size):
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
