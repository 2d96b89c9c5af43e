"""The exponential distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import declare, exp_of, location_scale, quantile


@declare(location_scale)
def cdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the exponential distribution."""
    y = (loc - x) / scale
    return jnp.where(x < loc, jnp.zeros_like(y), -lax.expm1(y))


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the exponential distribution."""
    logs = -((x - loc) / scale + lax.log(scale))
    return jnp.where(x < loc, -math.inf, logs)


@declare(location_scale)
def logsf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the survival function of the exponential distribution."""
    y = (loc - x) / scale
    return jnp.where(x < loc, jnp.zeros_like(y), y)


@declare(quantile)
def ppf(q: Array, loc: Array, scale: Array) -> Array:
    """Computes quantiles of the exponential distribution."""
    return jnp.where((q >= 0) & (q <= 1), loc - scale * lax.log1p(-q), math.nan)


pdf = exp_of(logpdf)
sf = exp_of(logsf)


@declare(location_scale)
def logcdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the distribution function of the exponential distribution."""
    return lax.log1p(-sf(x, loc, scale))
