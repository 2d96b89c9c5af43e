"""The Pareto distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.pareto.cdf", elementwise.loose_inexact.over("x", "b", "loc", "scale"))
def cdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Pareto distribution."""
    value, second, shift, width = promoting.promote_inexact("pareto.cdf", x, b, loc, scale)
    y = (value - shift) / width
    return jnp.where(value < shift + width, 0.0, 1 - y**-second)


@public("scipy.stats.pareto.logcdf", elementwise.loose_inexact.over("x", "b", "loc", "scale"))
def logcdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the Pareto distribution."""
    value, second, shift, width = promoting.promote_inexact("pareto.logcdf", x, b, loc, scale)
    y = (value - shift) / width
    return jnp.where(value < shift + width, -math.inf, lax.log1p(-(y**-second)))


@public("scipy.stats.pareto.logpdf", elementwise.loose_inexact.over("x", "b", "loc", "scale"))
def logpdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Pareto distribution."""
    value, second, shift, width = promoting.promote_inexact("pareto.logpdf", x, b, loc, scale)
    y = (value - shift) / width
    logs = -(lax.log(width / second) + (second + 1) * lax.log(y))
    return jnp.where(value < shift + width, -math.inf, logs)


@public("scipy.stats.pareto.logsf", elementwise.loose_inexact.over("x", "b", "loc", "scale"))
def logsf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the Pareto distribution."""
    value, second, shift, width = promoting.promote_inexact("pareto.logsf", x, b, loc, scale)
    y = (value - shift) / width
    return jnp.where(value < shift + width, 0.0, -second * lax.log(y))


@public("scipy.stats.pareto.pdf", elementwise.loose_inexact.over("x", "b", "loc", "scale"))
def pdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Pareto distribution."""
    return lax.exp(logpdf(x, b, loc, scale))


@public("scipy.stats.pareto.ppf", elementwise.loose_inexact.over("q", "b", "loc", "scale"))
def ppf(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the Pareto distribution."""
    level, second, shift, width = promoting.promote_inexact("pareto.ppf", q, b, loc, scale)
    return jnp.where(
        (level >= 0) & (level <= 1), shift + width * (1 - level) ** (-1 / second), math.nan
    )


@public("scipy.stats.pareto.sf", elementwise.loose_inexact.over("x", "b", "loc", "scale"))
def sf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the Pareto distribution."""
    return lax.exp(logsf(x, b, loc, scale))
