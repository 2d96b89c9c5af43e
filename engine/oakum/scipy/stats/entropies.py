"""Entropies of distributions of counts."""

from __future__ import annotations

import math
from typing import Any

from oakum import numpy as jnp
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.scipy import special


def poisson(mu: Any, loc: Any) -> Any:
    """The entropy of Poisson distributions: sums of terms, and for large means a series."""
    mu, loc = arguments.promote_inexact(mu, loc)
    shape = arguments.broadcast_shapes(mu.shape, loc.shape)
    small, middle = _summed(mu, 35, mu + 20), _summed(mu, 250, mu + 10 * jnp.sqrt(mu) + 20)
    large = 0.5 * jnp.log(2 * math.pi * math.e * mu) - 1 / (12 * mu)
    result = jnp.where(mu < 10, small, jnp.where(mu < 100, middle, large))
    return arguments.broadcast_to(jnp.where(mu == 0, jnp.zeros_like(mu), result), shape)


def _summed(mu: Array, terms: int, bound: Any) -> Any:
    counts = jnp.arange(terms, dtype=mu.dtype).reshape((terms,) + (1,) * mu.ndim)
    logs = special.xlogy(counts, mu) - special.gammaln(counts + 1) - mu
    chances = jnp.where(counts < jnp.ceil(bound), jnp.exp(logs), 0.0)
    return jnp.sum(special.entr(chances), axis=0)
