"""The Poisson distribution."""

from __future__ import annotations

import math

from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.scipy import special
from oakum.scipy.stats.distributions import Operands, declare, exp_of
from oakum.typing import ArrayLike
from oakum.values.declarations import public


def _signature(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Operands:
    return k, mu, loc


@declare(_signature)
def cdf(k: Array, mu: Array, loc: Array) -> Array:
    """Computes the distribution function of the Poisson distribution."""
    x = k - loc
    return jnp.where(x < 0, 0.0, special.gammaincc(jnp.floor(1 + x), mu))


@declare(_signature)
def logpmf(k: Array, mu: Array, loc: Array) -> Array:
    """Computes the logarithm of the probability of the Poisson distribution."""
    x = k - loc
    logs = special.xlogy(x, mu) - special.gammaln(x + 1) - mu
    return jnp.where((x < 0) | (jnp.round(k) != k), -math.inf, logs)


pmf = exp_of(logpmf)


@public("scipy.stats.poisson.entropy", results.array)
def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the entropy of the Poisson distribution."""
    rate, shift = arguments.promote_inexact(*arguments.arrays("poisson.entropy", mu, loc))
    shape = arguments.broadcast_shapes(rate.shape, shift.shape)
    small, middle = (
        _summed(rate, 35, rate + 20),
        _summed(rate, 250, rate + 10 * jnp.sqrt(rate) + 20),
    )
    large = 0.5 * jnp.log(2 * math.pi * math.e * rate) - 1 / (12 * rate)
    result = jnp.where(rate < 10, small, jnp.where(rate < 100, middle, large))
    return arguments.broadcast_to(jnp.where(rate == 0, jnp.zeros_like(rate), result), shape)


def _summed(mu: Array, terms: int, bound: Array) -> Array:
    """Sums the first terms of the entropy, those below a bound."""
    counts = jnp.arange(terms, dtype=mu.dtype).reshape((terms,) + (1,) * mu.ndim)
    logs = special.xlogy(counts, mu) - special.gammaln(counts + 1) - mu
    chances = jnp.where(counts < jnp.ceil(bound), jnp.exp(logs), 0.0)
    return jnp.sum(special.entr(chances), axis=0)
