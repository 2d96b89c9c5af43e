"""The truncated normal distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats import norm
from oakum.scipy.stats.distributions import between, declare, exp_of


@declare(between)
def logcdf(x: Array, a: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the distribution function of the truncated normal distribution."""
    return _log_cdf((x - loc) / scale, a, b)


@declare(between)
def logpdf(x: Array, a: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the truncated normal distribution."""
    y = (x - loc) / scale
    logs = norm.logpdf(x, loc, scale) - _log_mass(a, b)
    logs = jnp.where((y < a) | (y > b), -math.inf, logs)
    return jnp.where(a >= b, math.nan, logs)


@declare(between)
def logsf(x: Array, a: Array, b: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the survival function of the truncated normal distribution."""
    return logcdf(-x, -b, -a, -loc, scale)


cdf = exp_of(logcdf)
pdf = exp_of(logpdf)
sf = exp_of(logsf)


def _log_mass(a: Array, b: Array) -> Array:
    """Returns the logarithm of the chance of a standard normal variable between two bounds."""
    a, b = jnp.broadcast_arrays(a, b)
    # On the right the masses are close to one; so they are taken on the other side.
    is_right = a > 0
    low, high = jnp.where(is_right, -b, a), jnp.where(is_right, -a, b)
    upper, lower = special.log_ndtr(high), special.log_ndtr(low)
    signs = jnp.stack([jnp.ones_like(upper), -jnp.ones_like(lower)])
    one_sided = special.logsumexp(jnp.stack([upper, lower]), b=signs, axis=0)
    around = lax.log1p(-special.ndtr(a) - special.ndtr(-b))
    return jnp.where(is_right | (b <= 0), one_sided, around)


def _log_cdf(x: Array, a: Array, b: Array) -> Array:
    """Returns the logarithm of the distribution function of a variable between two bounds."""
    x, a, b = jnp.broadcast_arrays(x, a, b)
    whole = _log_mass(a, b)
    below, above = _log_mass(a, x) - whole, _log_mass(x, b) - whole
    logs = jnp.where(below > -0.1, lax.log1p(-lax.exp(above)), below)
    logs = jnp.where(x >= b, 0.0, jnp.where(x <= a, -math.inf, logs))
    return jnp.where(a >= b, math.nan, logs)
