"""The gamma distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.scipy import special
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.gamma.cdf", elementwise.loose_inexact.over("x", "a", "loc", "scale"))
def cdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the gamma distribution."""
    value, first, shift, width = promoting.promote_inexact("gamma.cdf", x, a, loc, scale)
    return special.gammainc(first, jnp.maximum((value - shift) / width, 0))


@public("scipy.stats.gamma.logcdf", elementwise.loose_inexact.over("x", "a", "loc", "scale"))
def logcdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the gamma distribution."""
    return lax.log(cdf(x, a, loc, scale))


@public("scipy.stats.gamma.logpdf", elementwise.loose_inexact.over("x", "a", "loc", "scale"))
def logpdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the gamma distribution."""
    value, first, shift, width = promoting.promote_inexact("gamma.logpdf", x, a, loc, scale)
    within = value >= shift
    y = jnp.where(within, (value - shift) / width, 1.0)
    logs = special.xlogy(first - 1, y) - y - (special.gammaln(first) + lax.log(width))
    return jnp.where(within, logs, -math.inf)


@public("scipy.stats.gamma.logsf", elementwise.loose_inexact.over("x", "a", "loc", "scale"))
def logsf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the gamma distribution."""
    return lax.log(sf(x, a, loc, scale))


@public("scipy.stats.gamma.pdf", elementwise.loose_inexact.over("x", "a", "loc", "scale"))
def pdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the gamma distribution."""
    return lax.exp(logpdf(x, a, loc, scale))


@public("scipy.stats.gamma.sf", elementwise.loose_inexact.over("x", "a", "loc", "scale"))
def sf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the gamma distribution."""
    value, first, shift, width = promoting.promote_inexact("gamma.sf", x, a, loc, scale)
    y = (value - shift) / width
    return jnp.where(y < 0, 1.0, special.gammaincc(first, y))
