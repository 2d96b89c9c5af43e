"""The Laplace distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.laplace.cdf", particular.loosely("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Laplace distribution."""
    ...


@public("scipy.stats.laplace.logpdf", particular.loosely("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Laplace distribution."""
    ...


@public("scipy.stats.laplace.pdf", particular.loosely("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Laplace distribution."""
    ...
