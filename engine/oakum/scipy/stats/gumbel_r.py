"""The right-skewed Gumbel distribution."""

from __future__ import annotations

import math

from oakum import lax, nn
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.gumbel_r.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the right-skewed Gumbel distribution."""
    return lax.exp(logcdf(x, loc, scale))


@public("scipy.stats.gumbel_r.logcdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the right-skewed Gumbel
    distribution.
    """
    value, shift, width = promoting.promote_inexact("gumbel_r.logcdf", x, loc, scale)
    return jnp.where(width > 0, -lax.exp((shift - value) / width), math.nan)


@public("scipy.stats.gumbel_r.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the right-skewed Gumbel distribution."""
    value, shift, width = promoting.promote_inexact("gumbel_r.logpdf", x, loc, scale)
    z = (shift - value) / width
    return jnp.where(width > 0, z - lax.exp(z) - lax.log(width), math.nan)


@public("scipy.stats.gumbel_r.logsf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the right-skewed Gumbel distribution."""
    value, shift, width = promoting.promote_inexact("gumbel_r.logsf", x, loc, scale)
    return jnp.where(width > 0, nn.log1mexp(lax.exp((shift - value) / width)), math.nan)


@public("scipy.stats.gumbel_r.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the right-skewed Gumbel distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.gumbel_r.ppf", elementwise.loose_inexact.over("p", "loc", "scale"))
def ppf(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the right-skewed Gumbel distribution."""
    chance, shift, width = promoting.promote_inexact("gumbel_r.ppf", p, loc, scale)
    quantile = shift - width * lax.log(-lax.log(chance))
    return jnp.where((chance > 0) & (chance < 1), quantile, math.nan)


@public("scipy.stats.gumbel_r.sf", elementwise.loose_inexact.over("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the right-skewed Gumbel distribution."""
    value, shift, width = promoting.promote_inexact("gumbel_r.sf", x, loc, scale)
    chances = 1 - lax.exp(-lax.exp((shift - value) / width))
    return jnp.where(width > 0, chances, math.nan)
