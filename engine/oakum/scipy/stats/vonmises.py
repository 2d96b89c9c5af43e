"""The von Mises distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import Operands, declare, exp_of
from oakum.typing import ArrayLike


def _signature(x: ArrayLike, kappa: ArrayLike) -> Operands:
    return x, kappa


@declare(_signature)
def logpdf(x: Array, kappa: Array) -> Array:
    """Computes the logarithm of the density of the von Mises distribution."""
    norm = lax.log(2 * math.pi * lax.bessel_i0e(kappa))
    return jnp.where(kappa > 0, kappa * (jnp.cos(x) - 1) - norm, math.nan)


pdf = exp_of(logpdf)
