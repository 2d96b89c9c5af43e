"""The Dirichlet distribution."""

from __future__ import annotations

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.dirichlet.logpdf", results.array)
def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Computes the logarithm of the density of the Dirichlet distribution."""
    ...


@public("scipy.stats.dirichlet.pdf", results.array)
def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Computes the density of the Dirichlet distribution."""
    ...
