"""The left-skewed Gumbel distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import Operands, declare, exp_of, location_scale
from oakum.typing import ArrayLike


def _chance(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    return p, loc, scale


@declare(location_scale)
def logcdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the distribution function of the left-skewed Gumbel
    distribution.
    """
    logs = lax.log(-lax.expm1(-lax.exp((x - loc) / scale)))
    return jnp.where(scale > 0, logs, math.nan)


@declare(location_scale)
def logpdf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the density of the left-skewed Gumbel distribution."""
    z = (x - loc) / scale
    return jnp.where(scale > 0, z - lax.exp(z) - lax.log(scale), math.nan)


@declare(location_scale)
def logsf(x: Array, loc: Array, scale: Array) -> Array:
    """Computes the logarithm of the survival function of the left-skewed Gumbel distribution."""
    return jnp.where(scale > 0, -lax.exp((x - loc) / scale), math.nan)


@declare(_chance)
def ppf(p: Array, loc: Array, scale: Array) -> Array:
    """Computes quantiles of the left-skewed Gumbel distribution."""
    return jnp.where((p > 0) & (p < 1), loc + scale * lax.log(-lax.log1p(-p)), math.nan)


cdf = exp_of(logcdf)
pdf = exp_of(logpdf)
sf = exp_of(logsf)
