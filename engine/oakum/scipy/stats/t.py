"""The Student's t distribution."""

import math

from oakum import lax
from oakum.array import Array
from oakum.scipy.stats.distributions import declare, degrees, exp_of


@declare(degrees)
def logpdf(x: Array, df: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the Student's t distribution."""
    y, half = (x - loc) / scale, df / 2
    norm = lax.lgamma(half) + lax.log(scale * scale * math.pi * df) / 2 - lax.lgamma(half + 0.5)
    return -(norm + (half + 0.5) * lax.log1p(y * y / df))


pdf = exp_of(logpdf)
