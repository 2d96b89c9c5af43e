"""The multivariate normal distribution."""

from __future__ import annotations

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.multivariate_normal.logpdf", results.array, static=("allow_singular",))
def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> ArrayLike:
    """Computes the logarithm of the density of the multivariate normal distribution."""
    ...


@public("scipy.stats.multivariate_normal.pdf", results.array)
def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """Computes the density of the multivariate normal distribution."""
    ...
