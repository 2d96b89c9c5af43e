"""The wrapped Cauchy distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy.operands import promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.wrapcauchy.logpdf", elementwise.loose_inexact.over("x", "c"))
def logpdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Computes the logarithm of the density of the wrapped Cauchy distribution."""
    value, third = promoting.promote_inexact("wrapcauchy.logpdf", x, c)
    logs = (
        lax.log(1 - third * third)
        - math.log(2 * math.pi)
        - lax.log(1 + third * third - 2 * third * jnp.cos(value))
    )
    logs = jnp.where((value >= 0) & (value <= 2 * math.pi), logs, -math.inf)
    return jnp.where((third > 0) & (third < 1), logs, math.nan)


@public("scipy.stats.wrapcauchy.pdf", elementwise.loose_inexact.over("x", "c"))
def pdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Computes the density of the wrapped Cauchy distribution."""
    return lax.exp(logpdf(x, c))
