"""The left-skewed Gumbel distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.gumbel_l.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the left-skewed Gumbel distribution."""
    return lax.exp(logcdf(x, loc, scale))


@public("scipy.stats.gumbel_l.logcdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the left-skewed Gumbel
    distribution.
    """
    value, shift, width = promoting.promote_inexact("gumbel_l.logcdf", x, loc, scale)
    logs = lax.log(-lax.expm1(-lax.exp((value - shift) / width)))
    return jnp.where(width > 0, logs, math.nan)


@public("scipy.stats.gumbel_l.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the left-skewed Gumbel distribution."""
    value, shift, width = promoting.promote_inexact("gumbel_l.logpdf", x, loc, scale)
    z = (value - shift) / width
    return jnp.where(width > 0, z - lax.exp(z) - lax.log(width), math.nan)


@public("scipy.stats.gumbel_l.logsf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the left-skewed Gumbel distribution."""
    value, shift, width = promoting.promote_inexact("gumbel_l.logsf", x, loc, scale)
    return jnp.where(width > 0, -lax.exp((value - shift) / width), math.nan)


@public("scipy.stats.gumbel_l.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the left-skewed Gumbel distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.gumbel_l.ppf", elementwise.loose_inexact.over("p", "loc", "scale"))
def ppf(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the left-skewed Gumbel distribution."""
    chance, shift, width = promoting.promote_inexact("gumbel_l.ppf", p, loc, scale)
    quantile = shift + width * lax.log(-lax.log1p(-chance))
    return jnp.where((chance > 0) & (chance < 1), quantile, math.nan)


@public("scipy.stats.gumbel_l.sf", elementwise.loose_inexact.over("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the left-skewed Gumbel distribution."""
    return lax.exp(logsf(x, loc, scale))
