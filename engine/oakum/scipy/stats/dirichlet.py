"""The Dirichlet distribution."""

from __future__ import annotations

import math
from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.deferred import Namespace
from oakum.facts import public
from oakum.typing import ArrayLike

arguments: Any = Namespace("oakum.numpy.arguments")
jnp: Any = Namespace("oakum.numpy")
lax: Any = Namespace("oakum.lax")
special: Any = Namespace("oakum.scipy.special")


@public("scipy.stats.dirichlet.logpdf", results.array)
def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Computes the logarithm of the density of the Dirichlet distribution."""
    x, alpha = arguments.promote_inexact(x, alpha)
    if alpha.ndim != 1:
        raise ValueError(f"`alpha` must be one-dimensional; got alpha.shape={alpha.shape}")
    if x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
        raise ValueError(
            "`x` must have either the same number of entries as `alpha` or one entry fewer; got "
            f"x.shape={x.shape}, alpha.shape={alpha.shape}"
        )
    if x.shape[0] != alpha.shape[0]:
        x = jnp.concatenate([x, 1 - x.sum(0, keepdims=True)], axis=0)
    norm = jnp.sum(special.gammaln(alpha)) - special.gammaln(jnp.sum(alpha))
    column = alpha.reshape((-1,) + (1,) * (x.ndim - 1))
    logs = jnp.sum(special.xlogy(column - 1, x), axis=0) - norm
    within = jnp.all(x > 0, axis=0) & (jnp.abs(jnp.sum(x, axis=0) - 1) < 1e-6)
    return jnp.where(within, logs, -math.inf)


@public("scipy.stats.dirichlet.pdf", results.array)
def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Computes the density of the Dirichlet distribution."""
    return lax.exp(logpdf(x, alpha))
