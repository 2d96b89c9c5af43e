"""The gamma distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import Operands, declare, exp_of, log_of
from oakum.typing import ArrayLike


def _signature(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    return x, a, loc, scale


@declare(_signature)
def cdf(x: Array, a: Array, loc: Array, scale: Array) -> Array:
    """Computes the distribution function of the gamma distribution."""
    return special.gammainc(a, jnp.maximum((x - loc) / scale, 0))


@declare(_signature)
def logpdf(x: Array, a: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the gamma distribution."""
    within = x >= loc
    y = jnp.where(within, (x - loc) / scale, 1.0)
    logs = special.xlogy(a - 1, y) - y - (special.gammaln(a) + lax.log(scale))
    return jnp.where(within, logs, -math.inf)


@declare(_signature)
def sf(x: Array, a: Array, loc: Array, scale: Array) -> Array:
    """Computes the survival function of the gamma distribution."""
    y = (x - loc) / scale
    return jnp.where(y < 0, 1.0, special.gammaincc(a, y))


logcdf = log_of(cdf)
logsf = log_of(sf)
pdf = exp_of(logpdf)
