"""The geometric distribution."""

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import chance, declare, exp_of


@declare(chance)
def logpmf(k: Array, p: Array, loc: Array) -> Array:
    """Computes the logarithm of the probability of the geometric distribution."""
    x = k - loc
    logs = special.xlog1py(x - 1, -p) + lax.log(p)
    return jnp.where(x <= 0, -math.inf, logs)


pmf = exp_of(logpmf)
