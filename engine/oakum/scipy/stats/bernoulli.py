"""The Bernoulli distribution."""

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


@public("scipy.stats.bernoulli.cdf", elementwise.loose_inexact.over("k", "p"))
def cdf(k: ArrayLike, p: ArrayLike) -> Array:
    """Computes the distribution function of the Bernoulli distribution."""
    count, chance = promoting.promote_inexact("bernoulli.cdf", k, p)
    undefined = jnp.isnan(count) | jnp.isnan(chance) | (chance < 0) | (chance > 1)
    inside = jnp.where(count < 0, 0.0, jnp.where(count < 1, 1 - chance, 1.0))
    return jnp.where(undefined, math.nan, inside)


@public("scipy.stats.bernoulli.logpmf", elementwise.loose_inexact.over("k", "p", "loc"))
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the Bernoulli distribution."""
    count, chance, shift = promoting.promote_inexact("bernoulli.logpmf", k, p, loc)
    x = count - shift
    logs = special.xlogy(x, chance) + special.xlog1py(1 - x, -chance)
    return jnp.where((x < 0) | (x > 1), -math.inf, logs)


@public("scipy.stats.bernoulli.pmf", elementwise.loose_inexact.over("k", "p", "loc"))
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the Bernoulli distribution."""
    return lax.exp(logpmf(k, p, loc))


@public("scipy.stats.bernoulli.ppf", elementwise.loose_inexact.over("q", "p"))
def ppf(q: ArrayLike, p: ArrayLike) -> Array:
    """Computes quantiles of the Bernoulli distribution."""
    level, chance = promoting.promote_inexact("bernoulli.ppf", q, p)
    defined = (chance >= 0) & (chance <= 1) & (level >= 0) & (level <= 1)
    return jnp.where(defined, jnp.where(level <= 1 - chance, 0.0, jnp.ones_like(level)), math.nan)
