"""The beta-binomial distribution."""

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


@public("scipy.stats.betabinom.logpmf", elementwise.loose_inexact.over("k", "n", "a", "b", "loc"))
def logpmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the beta-binomial distribution."""
    count, trials, first, second, shift = promoting.promote_inexact(
        "betabinom.logpmf", k, n, a, b, loc
    )
    y = lax.floor(count) - shift
    choices = -(lax.log1p(trials) + special.betaln(trials - y + 1, y + 1))
    logs = choices + special.betaln(y + first, trials - y + second) - special.betaln(first, second)
    logs = jnp.where((y == 0) & (trials == 0), 0.0, logs)
    logs = jnp.where((y < -shift) | (y > trials) | (y + first <= 0), -math.inf, logs)
    return jnp.where((trials < 0) | (first <= 0) | (second <= 0), math.nan, logs)


@public("scipy.stats.betabinom.pmf", elementwise.loose_inexact.over("k", "n", "a", "b", "loc"))
def pmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the beta-binomial distribution."""
    return lax.exp(logpmf(k, n, a, b, loc))
