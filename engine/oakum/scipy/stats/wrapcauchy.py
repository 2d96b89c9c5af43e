"""The wrapped Cauchy distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.stats.distributions import Operands, declare, exp_of
from oakum.typing import ArrayLike


def _signature(x: ArrayLike, c: ArrayLike) -> Operands:
    return x, c


@declare(_signature)
def logpdf(x: Array, c: Array) -> Array:
    """Computes the logarithm of the density of the wrapped Cauchy distribution."""
    logs = lax.log(1 - c * c) - math.log(2 * math.pi) - lax.log(1 + c * c - 2 * c * jnp.cos(x))
    logs = jnp.where((x >= 0) & (x <= 2 * math.pi), logs, -math.inf)
    return jnp.where((c > 0) & (c < 1), logs, math.nan)


pdf = exp_of(logpdf)
