"""The Laplace distribution."""

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import declare, exp_of, location_scale


@declare(location_scale)
def cdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the Laplace distribution."""
    y = (x - loc) / scale
    return jnp.where(y <= 0, 0.5 * lax.exp(y), 1 - 0.5 * lax.exp(-y))


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the Laplace distribution."""
    return -(jnp.abs(x - loc) / scale + lax.log(2 * scale))


pdf = exp_of(logpdf)
