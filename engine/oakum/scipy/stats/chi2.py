"""The chi-squared distribution."""

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


@public("scipy.stats.chi2.cdf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def cdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the chi-squared distribution."""
    value, degrees, shift, width = promoting.promote_inexact("chi2.cdf", x, df, loc, scale)
    return special.gammainc(degrees / 2, jnp.maximum((value - shift) / (2 * width), 0))


@public("scipy.stats.chi2.logcdf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def logcdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the chi-squared distribution."""
    return lax.log(cdf(x, df, loc, scale))


@public("scipy.stats.chi2.logpdf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the chi-squared distribution."""
    value, degrees, shift, width = promoting.promote_inexact("chi2.logpdf", x, df, loc, scale)
    y, half = (value - shift) / width, degrees / 2
    logs = (half - 1) * lax.log(y) - y / 2
    logs = logs - lax.lgamma(half) - math.log(2) * half - lax.log(width)
    return jnp.where(value < shift, -math.inf, logs)


@public("scipy.stats.chi2.logsf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def logsf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the chi-squared distribution."""
    return lax.log(sf(x, df, loc, scale))


@public("scipy.stats.chi2.pdf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the chi-squared distribution."""
    return lax.exp(logpdf(x, df, loc, scale))


@public("scipy.stats.chi2.sf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def sf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the chi-squared distribution."""
    value, degrees, shift, width = promoting.promote_inexact("chi2.sf", x, df, loc, scale)
    return special.gammaincc(degrees / 2, jnp.maximum((value - shift) / (2 * width), 0))
