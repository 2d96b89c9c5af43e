"""The Cauchy distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import declare, exp_of, location_scale, log_of, quantile


@declare(location_scale)
def cdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the Cauchy distribution."""
    return 0.5 + jnp.arctan((x - loc) / scale) / math.pi


@declare(quantile)
def isf(q: Array, loc: Array, scale: Array) -> Array:
    """Computes the inverse of the survival function of the Cauchy distribution."""
    return lax.tan(math.pi / 2 - math.pi * q) * scale + loc


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the Cauchy distribution."""
    y = (x - loc) / scale
    return -(lax.log(math.pi * scale) + lax.log1p(y * y))


@declare(quantile)
def ppf(q: Array, loc: Array, scale: Array) -> Array:
    """Computes quantiles of the Cauchy distribution."""
    return lax.tan(math.pi * q - math.pi / 2) * scale + loc


@declare(location_scale)
def sf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the survival function of the Cauchy distribution."""
    return cdf(-x, -loc, scale)


logcdf = log_of(cdf)


@declare(location_scale)
def logsf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the survival function of the Cauchy distribution."""
    return logcdf(-x, -loc, scale)


pdf = exp_of(logpdf)
