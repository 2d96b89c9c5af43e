"""The uniform distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import declare, exp_of, location_scale, quantile


@declare(location_scale)
def cdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the uniform distribution."""
    y = jnp.clip((x - loc) / scale, 0, 1)
    return jnp.where(x < loc, 0.0, jnp.where(x > loc + scale, 1.0, y))


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the uniform distribution."""
    return jnp.where((x > loc + scale) | (x < loc), -math.inf, -lax.log(scale))


@declare(quantile)
def ppf(q: Array, loc: Array, scale: Array) -> Array:
    """Computes quantiles of the uniform distribution."""
    return jnp.where((q >= 0) & (q <= 1), loc + scale * q, math.nan)


pdf = exp_of(logpdf)
