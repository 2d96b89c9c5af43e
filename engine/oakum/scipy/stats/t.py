"""The Student's t distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.t.logpdf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Student's t distribution."""
    value, degrees, shift, width = promoting.promote_inexact("t.logpdf", x, df, loc, scale)
    y, half = (value - shift) / width, degrees / 2
    norm = (
        lax.lgamma(half) + lax.log(width * width * math.pi * degrees) / 2 - lax.lgamma(half + 0.5)
    )
    return -(norm + (half + 0.5) * lax.log1p(y * y / degrees))


@public("scipy.stats.t.pdf", elementwise.loose_inexact.over("x", "df", "loc", "scale"))
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Student's t distribution."""
    return lax.exp(logpdf(x, df, loc, scale))
