"""The logistic distribution."""

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import declare, exp_of, location_scale


@declare(location_scale)
def cdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the logistic distribution."""
    return lax.logistic((x - loc) / scale)


@declare(location_scale)
def isf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the inverse of the survival function of the logistic distribution."""
    return loc - special.logit(x) * scale


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the logistic distribution."""
    half = (x - loc) / scale / 2
    return -2 * jnp.logaddexp(half, -half) - lax.log(scale)


@declare(location_scale)
def ppf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes quantiles of the logistic distribution."""
    return special.logit(x) * scale + loc


@declare(location_scale)
def sf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the survival function of the logistic distribution."""
    return lax.logistic((loc - x) / scale)


pdf = exp_of(logpdf)
