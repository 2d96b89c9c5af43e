"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.scipy import special
from oakum.typing import ArrayLike
from oakum.values.declarations import public
from oakum.values.lazy_modules import Namespace

norm: Any = Namespace("oakum.scipy.stats.norm")


@public("scipy.stats.norm.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the normal distribution."""
    value, shift, width = promoting.promote_inexact("norm.cdf", x, loc, scale)
    return special.ndtr((value - shift) / width)


@public("scipy.stats.norm.isf", elementwise.loose_inexact.over("q", "loc", "scale"))
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the inverse of the survival function of the normal distribution."""
    return ppf(jnp.subtract(1, q), loc, scale)


@public("scipy.stats.norm.logcdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the normal distribution."""
    value, shift, width = promoting.promote_inexact("norm.logcdf", x, loc, scale)
    return special.log_ndtr((value - shift) / width)


@public("scipy.stats.norm.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the normal distribution."""
    value, shift, width = promoting.promote_inexact("norm.logpdf", x, loc, scale)
    squares = lax.square(width)
    return (lax.log(2 * math.pi * squares) + lax.square(value - shift) / squares) / -2


@public("scipy.stats.norm.logsf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the normal distribution."""
    value, shift, width = promoting.promote_inexact("norm.logsf", x, loc, scale)
    return logcdf(-value, -shift, width)


@public("scipy.stats.norm.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the normal distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.norm.ppf", elementwise.loose_inexact.over("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the normal distribution."""
    return jnp.asarray(jnp.add(jnp.multiply(special.ndtri(q), scale), loc), float)


@public("scipy.stats.norm.sf", elementwise.loose_inexact.over("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the normal distribution."""
    value, shift, width = promoting.promote_inexact("norm.sf", x, loc, scale)
    return cdf(-value, -shift, width)
