"""The Laplace distribution."""

from __future__ import annotations

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.laplace.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Laplace distribution."""
    value, shift, width = promoting.promote_inexact("laplace.cdf", x, loc, scale)
    y = (value - shift) / width
    return jnp.where(y <= 0, 0.5 * lax.exp(y), 1 - 0.5 * lax.exp(-y))


@public("scipy.stats.laplace.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Laplace distribution."""
    value, shift, width = promoting.promote_inexact("laplace.logpdf", x, loc, scale)
    return -(jnp.abs(value - shift) / width + lax.log(2 * width))


@public("scipy.stats.laplace.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Laplace distribution."""
    return lax.exp(logpdf(x, loc, scale))
