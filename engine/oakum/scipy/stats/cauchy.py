"""The Cauchy distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.cauchy.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Cauchy distribution."""
    value, shift, width = promoting.promote_inexact("cauchy.cdf", x, loc, scale)
    return 0.5 + jnp.arctan((value - shift) / width) / math.pi


@public("scipy.stats.cauchy.isf", elementwise.loose_inexact.over("q", "loc", "scale"))
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the inverse of the survival function of the Cauchy distribution."""
    level, shift, width = promoting.promote_inexact("cauchy.isf", q, loc, scale)
    return lax.tan(math.pi / 2 - math.pi * level) * width + shift


@public("scipy.stats.cauchy.logcdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the Cauchy distribution."""
    return lax.log(cdf(x, loc, scale))


@public("scipy.stats.cauchy.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Cauchy distribution."""
    value, shift, width = promoting.promote_inexact("cauchy.logpdf", x, loc, scale)
    y = (value - shift) / width
    return -(lax.log(math.pi * width) + lax.log1p(y * y))


@public("scipy.stats.cauchy.logsf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the Cauchy distribution."""
    value, shift, width = promoting.promote_inexact("cauchy.logsf", x, loc, scale)
    return logcdf(-value, -shift, width)


@public("scipy.stats.cauchy.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Cauchy distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.cauchy.ppf", elementwise.loose_inexact.over("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the Cauchy distribution."""
    level, shift, width = promoting.promote_inexact("cauchy.ppf", q, loc, scale)
    return lax.tan(math.pi * level - math.pi / 2) * width + shift


@public("scipy.stats.cauchy.sf", elementwise.loose_inexact.over("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the Cauchy distribution."""
    value, shift, width = promoting.promote_inexact("cauchy.sf", x, loc, scale)
    return cdf(-value, -shift, width)
