"""The negative binomial distribution."""

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


@public("scipy.stats.nbinom.logpmf", elementwise.loose_inexact.over("k", "n", "p", "loc"))
def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the negative binomial distribution."""
    count, trials, chance, shift = promoting.promote_inexact("nbinom.logpmf", k, n, p, loc)
    y = count - shift
    choices = special.gammaln(y + trials) - special.gammaln(trials) - special.gammaln(y + 1)
    logs = choices + special.xlogy(trials, chance) + special.xlogy(y, 1 - chance)
    return jnp.where(count < shift, -math.inf, logs)


@public("scipy.stats.nbinom.pmf", elementwise.loose_inexact.over("k", "n", "p", "loc"))
def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the negative binomial distribution."""
    return lax.exp(logpmf(k, n, p, loc))
