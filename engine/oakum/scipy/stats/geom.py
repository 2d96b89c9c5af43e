"""The geometric distribution."""

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


@public("scipy.stats.geom.logpmf", elementwise.loose_inexact.over("k", "p", "loc"))
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the geometric distribution."""
    count, chance, shift = promoting.promote_inexact("geom.logpmf", k, p, loc)
    x = count - shift
    logs = special.xlog1py(x - 1, -chance) + lax.log(chance)
    return jnp.where(x <= 0, -math.inf, logs)


@public("scipy.stats.geom.pmf", elementwise.loose_inexact.over("k", "p", "loc"))
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the geometric distribution."""
    return lax.exp(logpmf(k, p, loc))
