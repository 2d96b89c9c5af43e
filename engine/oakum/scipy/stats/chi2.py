"""The chi-squared distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import declare, degrees, exp_of, log_of


@declare(degrees)
def cdf(x: Array, df: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the chi-squared distribution."""
    return special.gammainc(df / 2, jnp.maximum((x - loc) / (2 * scale), 0))


@declare(degrees)
def logpdf(x: Array, df: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the chi-squared distribution."""
    y, half = (x - loc) / scale, df / 2
    logs = (half - 1) * lax.log(y) - y / 2
    logs = logs - lax.lgamma(half) - math.log(2) * half - lax.log(scale)
    return jnp.where(x < loc, -math.inf, logs)


@declare(degrees)
def sf(x: Array, df: Array, loc: Array, scale: Array) -> Array:
    """Computes the survival function of the chi-squared distribution."""
    return special.gammaincc(df / 2, jnp.maximum((x - loc) / (2 * scale), 0))


logcdf = log_of(cdf)
logsf = log_of(sf)
pdf = exp_of(logpdf)
