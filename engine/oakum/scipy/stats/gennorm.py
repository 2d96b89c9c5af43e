"""The generalized normal distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.gennorm.cdf", particular.loosely("x", "beta"))
def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the distribution function of the generalized normal distribution."""
    ...


@public("scipy.stats.gennorm.logpdf", particular.loosely("x", "beta"))
def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the logarithm of the density of the generalized normal distribution."""
    ...


@public("scipy.stats.gennorm.pdf", particular.loosely("x", "beta"))
def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the density of the generalized normal distribution."""
    ...
