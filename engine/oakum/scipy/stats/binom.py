"""The binomial distribution."""

import math

from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import declare, exp_of, trials


@declare(trials)
def logpmf(k: Array, n: Array, p: Array, loc: Array) -> Array:
    """Computes the logarithm of the probability of the binomial distribution."""
    y = k - loc
    choices = special.gammaln(n + 1) - special.gammaln(y + 1) - special.gammaln(n - y + 1)
    chances = special.xlogy(y, p) + special.xlog1py(n - y, -p)
    certain = ((y == 0) & (n == 0)) | (chances == 0)
    logs = jnp.where(certain, 0.0, choices + chances)
    return jnp.where((k >= loc) & (k < loc + n + 1), logs, -math.inf)


pmf = exp_of(logpmf)
