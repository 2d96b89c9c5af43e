"""The Dirichlet distribution."""

from __future__ import annotations

import math

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.scipy import special
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.dirichlet.logpdf", results.array)
def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Computes the logarithm of the density of the Dirichlet distribution."""
    value, weights = arguments.promote_inexact(x, alpha)
    if weights.ndim != 1:
        raise ValueError(f"`alpha` must be one-dimensional; got alpha.shape={weights.shape}")
    if value.shape[0] not in (weights.shape[0], weights.shape[0] - 1):
        raise ValueError(
            "`x` must have either the same number of entries as `alpha` or one entry fewer; got "
            f"x.shape={value.shape}, alpha.shape={weights.shape}"
        )
    if value.shape[0] != weights.shape[0]:
        value = jnp.concatenate([value, 1 - value.sum(0, keepdims=True)], axis=0)
    norm = jnp.sum(special.gammaln(weights)) - special.gammaln(jnp.sum(weights))
    column = weights.reshape((-1,) + (1,) * (value.ndim - 1))
    logs = jnp.sum(special.xlogy(column - 1, value), axis=0) - norm
    within = jnp.all(value > 0, axis=0) & (jnp.abs(jnp.sum(value, axis=0) - 1) < 1e-6)
    return jnp.where(within, logs, -math.inf)


@public("scipy.stats.dirichlet.pdf", results.array)
def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Computes the density of the Dirichlet distribution."""
    return lax.exp(logpdf(x, alpha))
