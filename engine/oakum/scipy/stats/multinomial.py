"""The multinomial distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments, coercion
from oakum.scipy import special
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.multinomial.logpmf", results.array)
def logpmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Computes the logarithm of the probability of the multinomial distribution."""
    (chance,) = coercion.promote_inexact("multinomial.logpmf", p)
    value, trials = coercion.promote_numeric("multinomial.logpmf", x, n)
    if arguments.is_inexact(value):
        raise ValueError(
            f"x and n must be of integer type; got x.dtype={value.dtype}, n.dtype={trials.dtype}"
        )
    value, trials = value.astype(chance.dtype), trials.astype(chance.dtype)
    terms = special.xlogy(value, chance) - special.gammaln(value + 1)
    logs = special.gammaln(trials + 1) + jnp.sum(terms, axis=-1)
    return jnp.where(jnp.sum(value) == trials, logs, -math.inf)


@public("scipy.stats.multinomial.pmf", results.array)
def pmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Computes the probability of the multinomial distribution."""
    return lax.exp(logpmf(x, n, p))
