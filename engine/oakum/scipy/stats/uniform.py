"""The uniform distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.uniform.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the uniform distribution."""
    value, shift, width = promoting.promote_inexact("uniform.cdf", x, loc, scale)
    y = jnp.clip((value - shift) / width, 0, 1)
    return jnp.where(value < shift, 0.0, jnp.where(value > shift + width, 1.0, y))


@public("scipy.stats.uniform.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the uniform distribution."""
    value, shift, width = promoting.promote_inexact("uniform.logpdf", x, loc, scale)
    return jnp.where((value > shift + width) | (value < shift), -math.inf, -lax.log(width))


@public("scipy.stats.uniform.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the uniform distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.uniform.ppf", elementwise.loose_inexact.over("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the uniform distribution."""
    level, shift, width = promoting.promote_inexact("uniform.ppf", q, loc, scale)
    return jnp.where((level >= 0) & (level <= 1), shift + width * level, math.nan)
