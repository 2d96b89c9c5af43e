"""The Bernoulli distribution."""

from __future__ import annotations

import math

from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import Operands, chance, declare, exp_of
from oakum.typing import ArrayLike


def _place(k: ArrayLike, p: ArrayLike) -> Operands:
    return k, p


def _level(q: ArrayLike, p: ArrayLike) -> Operands:
    return q, p


@declare(_place)
def cdf(k: Array, p: Array) -> Array:
    """Computes the distribution function of the Bernoulli distribution."""
    undefined = jnp.isnan(k) | jnp.isnan(p) | (p < 0) | (p > 1)
    inside = jnp.where(k < 0, 0.0, jnp.where(k < 1, 1 - p, 1.0))
    return jnp.where(undefined, math.nan, inside)


@declare(chance)
def logpmf(k: Array, p: Array, loc: Array) -> Array:
    """Computes the logarithm of the probability of the Bernoulli distribution."""
    x = k - loc
    logs = special.xlogy(x, p) + special.xlog1py(1 - x, -p)
    return jnp.where((x < 0) | (x > 1), -math.inf, logs)


@declare(_level)
def ppf(q: Array, p: Array) -> Array:
    """Computes quantiles of the Bernoulli distribution."""
    defined = (p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)
    return jnp.where(defined, jnp.where(q <= 1 - p, 0.0, jnp.ones_like(q)), math.nan)


pmf = exp_of(logpmf)
