"""The generalized normal distribution."""

from __future__ import annotations

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.scipy import special
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.gennorm.cdf", elementwise.loose_inexact.over("x", "beta"))
def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the distribution function of the generalized normal distribution."""
    value, power = promoting.promote_inexact("gennorm.cdf", x, beta)
    powers = jnp.abs(value) ** power
    return 0.5 * (1 + lax.sign(value) * special.gammainc(1 / power, powers))


@public("scipy.stats.gennorm.logpdf", elementwise.loose_inexact.over("x", "beta"))
def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the logarithm of the density of the generalized normal distribution."""
    value, power = promoting.promote_inexact("gennorm.logpdf", x, beta)
    return lax.log(0.5 * power) - lax.lgamma(1 / power) - jnp.abs(value) ** power


@public("scipy.stats.gennorm.pdf", elementwise.loose_inexact.over("x", "beta"))
def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the density of the generalized normal distribution."""
    return lax.exp(logpdf(x, beta))
