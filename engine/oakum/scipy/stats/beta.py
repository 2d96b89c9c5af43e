"""The beta distribution."""

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


@public("scipy.stats.beta.cdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def cdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the distribution function of the beta distribution."""
    value, first, second, shift, width = promoting.promote_inexact("beta.cdf", x, a, b, loc, scale)
    return special.betainc(first, second, jnp.clip((value - shift) / width, 0, 1))


@public("scipy.stats.beta.logcdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def logcdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the logarithm of the distribution function of the beta distribution."""
    return lax.log(cdf(x, a, b, loc, scale))


@public("scipy.stats.beta.logpdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def logpdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the logarithm of the density of the beta distribution."""
    value, first, second, shift, width = promoting.promote_inexact(
        "beta.logpdf", x, a, b, loc, scale
    )
    y = (value - shift) / width
    logs = special.xlogy(first - 1, y) + special.xlog1py(second - 1, -y)
    logs = logs - special.betaln(first, second) - lax.log(width)
    logs = jnp.where((value > shift + width) | (value < shift), -math.inf, logs)
    return jnp.where((first <= 0) | (second <= 0) | (width <= 0), math.nan, logs)


@public("scipy.stats.beta.logsf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def logsf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the logarithm of the survival function of the beta distribution."""
    return lax.log(sf(x, a, b, loc, scale))


@public("scipy.stats.beta.pdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def pdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the density of the beta distribution."""
    return lax.exp(logpdf(x, a, b, loc, scale))


@public("scipy.stats.beta.sf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the beta distribution."""
    value, first, second, shift, width = promoting.promote_inexact("beta.sf", x, a, b, loc, scale)
    return special.betainc(second, first, 1 - jnp.clip((value - shift) / width, 0, 1))
