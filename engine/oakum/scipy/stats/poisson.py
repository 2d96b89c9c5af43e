"""The Poisson distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise, results
from oakum.array import Array
from oakum.numpy.operands import arguments, promoting
from oakum.scipy import special
from oakum.scipy.stats import entropies
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.poisson.cdf", elementwise.loose_inexact.over("k", "mu", "loc"))
def cdf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the distribution function of the Poisson distribution."""
    count, rate, shift = promoting.promote_inexact("poisson.cdf", k, mu, loc)
    x = count - shift
    return jnp.where(x < 0, 0.0, special.gammaincc(jnp.floor(1 + x), rate))


@public("scipy.stats.poisson.entropy", results.array)
def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the entropy of the Poisson distribution."""
    return entropies.poisson(*arguments.arrays("poisson.entropy", mu, loc))


@public("scipy.stats.poisson.logpmf", elementwise.loose_inexact.over("k", "mu", "loc"))
def logpmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the Poisson distribution."""
    count, rate, shift = promoting.promote_inexact("poisson.logpmf", k, mu, loc)
    x = count - shift
    logs = special.xlogy(x, rate) - special.gammaln(x + 1) - rate
    return jnp.where((x < 0) | (jnp.round(count) != count), -math.inf, logs)


@public("scipy.stats.poisson.pmf", elementwise.loose_inexact.over("k", "mu", "loc"))
def pmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the Poisson distribution."""
    return lax.exp(logpmf(k, mu, loc))
