"""The Pareto distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import Operands, declare, exp_of
from oakum.typing import ArrayLike


def _signature(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    return x, b, loc, scale


def _quantile(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    return q, b, loc, scale


@declare(_signature)
def cdf(x: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the Pareto distribution."""
    return jnp.where(x < loc + scale, 0.0, 1 - ((x - loc) / scale) ** -b)


@declare(_signature)
def logcdf(x: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the distribution function of the Pareto distribution."""
    y = (x - loc) / scale
    return jnp.where(x < loc + scale, -math.inf, lax.log1p(-(y**-b)))


@declare(_signature)
def logpdf(x: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the Pareto distribution."""
    logs = -(lax.log(scale / b) + (b + 1) * lax.log((x - loc) / scale))
    return jnp.where(x < loc + scale, -math.inf, logs)


@declare(_signature)
def logsf(x: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the survival function of the Pareto distribution."""
    return jnp.where(x < loc + scale, 0.0, -b * lax.log((x - loc) / scale))


@declare(_quantile)
def ppf(q: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes quantiles of the Pareto distribution."""
    return jnp.where((q >= 0) & (q <= 1), loc + scale * (1 - q) ** (-1 / b), math.nan)


pdf = exp_of(logpdf)
sf = exp_of(logsf)
