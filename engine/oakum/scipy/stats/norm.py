"""The normal distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import declare, exp_of, location_scale
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@declare(location_scale)
def cdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the normal distribution."""
    return special.ndtr((x - loc) / scale)


@declare(location_scale)
def logcdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the distribution function of the normal distribution."""
    return special.log_ndtr((x - loc) / scale)


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the normal distribution."""
    squares = lax.square(scale)
    return (lax.log(2 * math.pi * squares) + lax.square(x - loc) / squares) / -2


@declare(location_scale)
def logsf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the survival function of the normal distribution."""
    return logcdf(-x, -loc, scale)


@declare(location_scale)
def sf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the survival function of the normal distribution."""
    return cdf(-x, -loc, scale)


pdf = exp_of(logpdf)


@public("scipy.stats.norm.ppf", elementwise.loose_inexact.over("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the normal distribution."""
    # Of the default float, whatever dtype the operands have, as JAX's are.
    return jnp.asarray(jnp.add(jnp.multiply(special.ndtri(q), scale), loc), float)


@public("scipy.stats.norm.isf", elementwise.loose_inexact.over("q", "loc", "scale"))
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the inverse of the survival function of the normal distribution."""
    return ppf(jnp.subtract(1, q), loc, scale)
