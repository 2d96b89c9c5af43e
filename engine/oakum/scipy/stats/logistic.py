"""The logistic distribution."""

from __future__ import annotations

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.scipy import special
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.logistic.cdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the logistic distribution."""
    value, shift, width = promoting.promote_inexact("logistic.cdf", x, loc, scale)
    return lax.logistic((value - shift) / width)


@public("scipy.stats.logistic.isf", elementwise.loose_inexact.over("x", "loc", "scale"))
def isf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the inverse of the survival function of the logistic distribution."""
    value, shift, width = promoting.promote_inexact("logistic.isf", x, loc, scale)
    return shift - special.logit(value) * width


@public("scipy.stats.logistic.logpdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the logistic distribution."""
    value, shift, width = promoting.promote_inexact("logistic.logpdf", x, loc, scale)
    half = (value - shift) / width / 2
    return -2 * jnp.logaddexp(half, -half) - lax.log(width)


@public("scipy.stats.logistic.pdf", elementwise.loose_inexact.over("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the logistic distribution."""
    return lax.exp(logpdf(x, loc, scale))


@public("scipy.stats.logistic.ppf", elementwise.loose_inexact.over("x", "loc", "scale"))
def ppf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the logistic distribution."""
    value, shift, width = promoting.promote_inexact("logistic.ppf", x, loc, scale)
    return special.logit(value) * width + shift


@public("scipy.stats.logistic.sf", elementwise.loose_inexact.over("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the logistic distribution."""
    value, shift, width = promoting.promote_inexact("logistic.sf", x, loc, scale)
    return lax.logistic((shift - value) / width)
