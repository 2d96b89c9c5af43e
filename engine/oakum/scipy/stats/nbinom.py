"""The negative binomial distribution."""

import math

from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import declare, exp_of, trials


@declare(trials)
def logpmf(k: Array, n: Array, p: Array, loc: Array) -> Array:
    """Computes the logarithm of the probability of the negative binomial distribution."""
    y = k - loc
    choices = special.gammaln(y + n) - special.gammaln(n) - special.gammaln(y + 1)
    logs = choices + special.xlogy(n, p) + special.xlogy(y, 1 - p)
    return jnp.where(k < loc, -math.inf, logs)


pmf = exp_of(logpmf)
