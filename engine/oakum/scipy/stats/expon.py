"""The exponential distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.expon.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the exponential distribution."""
    value, shift, width = promoting.promote_inexact("expon.cdf", x, loc, scale)
    y = (shift - value) / width
    return jnp.where(value < shift, jnp.zeros_like(y), -lax.expm1(y))


@public("scipy.stats.expon.logcdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the exponential distribution."""
    return lax.log1p(-sf(x, loc, scale))


@public("scipy.stats.expon.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the exponential distribution."""
    value, shift, width = promoting.promote_inexact("expon.logpdf", x, loc, scale)
    logs = -((value - shift) / width + lax.log(width))
    return jnp.where(value < shift, -math.inf, logs)


@public("scipy.stats.expon.logsf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the exponential distribution."""
    value, shift, width = promoting.promote_inexact("expon.sf", x, loc, scale)
    y = (shift - value) / width
    return jnp.where(value < shift, jnp.zeros_like(y), y)


@public("scipy.stats.expon.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the exponential distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.expon.ppf", elementwise.loose_inexact.over("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the exponential distribution."""
    level, shift, width = promoting.promote_inexact("expon.ppf", q, loc, scale)
    return jnp.where((level >= 0) & (level <= 1), shift - width * lax.log1p(-level), math.nan)


@public("scipy.stats.expon.sf", elementwise.loose_inexact.over("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the exponential distribution."""
    return lax.exp(logsf(x, loc, scale))
