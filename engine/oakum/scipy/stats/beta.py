"""The beta distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import between, declare, exp_of, log_of


@declare(between)
def cdf(x: Array, a: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the beta distribution."""
    return special.betainc(a, b, jnp.clip((x - loc) / scale, 0, 1))


@declare(between)
def logpdf(x: Array, a: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the beta distribution."""
    y = (x - loc) / scale
    logs = special.xlogy(a - 1, y) + special.xlog1py(b - 1, -y)
    logs = logs - special.betaln(a, b) - lax.log(scale)
    logs = jnp.where((x > loc + scale) | (x < loc), -math.inf, logs)
    return jnp.where((a <= 0) | (b <= 0) | (scale <= 0), math.nan, logs)


@declare(between)
def sf(x: Array, a: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the survival function of the beta distribution."""
    return special.betainc(b, a, 1 - jnp.clip((x - loc) / scale, 0, 1))


logcdf = log_of(cdf)
logsf = log_of(sf)
pdf = exp_of(logpdf)
