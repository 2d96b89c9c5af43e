"""The generalized normal distribution."""

from __future__ import annotations

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy import special
from oakum.scipy.stats.distributions import Operands, declare, exp_of
from oakum.typing import ArrayLike


def _signature(x: ArrayLike, beta: ArrayLike) -> Operands:
    return x, beta


@declare(_signature)
def cdf(x: Array, beta: Array) -> Array:
    """Computes the distribution function of the generalized normal distribution."""
    powers = jnp.abs(x) ** beta
    return 0.5 * (1 + lax.sign(x) * special.gammainc(1 / beta, powers))


@declare(_signature)
def logpdf(x: Array, beta: Array) -> Array:
    """Computes the logarithm of the density of the generalized normal distribution."""
    return lax.log(0.5 * beta) - lax.lgamma(1 / beta) - jnp.abs(x) ** beta


pdf = exp_of(logpdf)
