"""The multivariate normal distribution."""

from __future__ import annotations

from oakum import lax
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.scipy.stats import tails
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.multivariate_normal.logpdf", results.array, static=("allow_singular",))
def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> ArrayLike:
    """Computes the logarithm of the density of the multivariate normal distribution."""
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    return tails.multivariate_normal(*arguments.promote_inexact(x, mean, cov))


@public("scipy.stats.multivariate_normal.pdf", results.array)
def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """Computes the density of the multivariate normal distribution."""
    return lax.exp(logpdf(x, mean, cov))
