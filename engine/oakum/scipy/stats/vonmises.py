"""The von Mises distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.vonmises.logpdf", elementwise.loose_inexact.over("x", "kappa"))
def logpdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Computes the logarithm of the density of the von Mises distribution."""
    value, focus = promoting.promote_inexact("vonmises.logpdf", x, kappa)
    norm = lax.log(2 * math.pi * lax.bessel_i0e(focus))
    return jnp.where(focus > 0, focus * (jnp.cos(value) - 1) - norm, math.nan)


@public("scipy.stats.vonmises.pdf", elementwise.loose_inexact.over("x", "kappa"))
def pdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Computes the density of the von Mises distribution."""
    return lax.exp(logpdf(x, kappa))
