"""The binomial distribution."""

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


@public("scipy.stats.binom.logpmf", elementwise.loose_inexact.over("k", "n", "p", "loc"))
def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the binomial distribution."""
    count, trials, chance, shift = promoting.promote_inexact("binom.logpmf", k, n, p, loc)
    y = count - shift
    choices = special.gammaln(trials + 1) - special.gammaln(y + 1) - special.gammaln(trials - y + 1)
    chances = special.xlogy(y, chance) + special.xlog1py(trials - y, -chance)
    certain = ((y == 0) & (trials == 0)) | (chances == 0)
    logs = jnp.where(certain, 0.0, choices + chances)
    return jnp.where((count >= shift) & (count < shift + trials + 1), logs, -math.inf)


@public("scipy.stats.binom.pmf", elementwise.loose_inexact.over("k", "n", "p", "loc"))
def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the binomial distribution."""
    return lax.exp(logpmf(k, n, p, loc))
