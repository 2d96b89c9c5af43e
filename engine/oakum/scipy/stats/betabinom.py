"""The beta-binomial distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import Operands, declare, exp_of
from oakum.typing import ArrayLike


def _signature(
    k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0
) -> Operands:
    return k, n, a, b, loc


@declare(_signature)
def logpmf(k: Array, n: Array, a: Array, b: Array, loc: Array) -> Array:
    """Computes the logarithm of the probability of the beta-binomial distribution."""
    y = lax.floor(k) - loc
    choices = -(lax.log1p(n) + special.betaln(n - y + 1, y + 1))
    logs = choices + special.betaln(y + a, n - y + b) - special.betaln(a, b)
    logs = jnp.where((y == 0) & (n == 0), 0.0, logs)
    logs = jnp.where((y < -loc) | (y > n) | (y + a <= 0), -math.inf, logs)
    return jnp.where((n < 0) | (a <= 0) | (b <= 0), math.nan, logs)


pmf = exp_of(logpmf)
