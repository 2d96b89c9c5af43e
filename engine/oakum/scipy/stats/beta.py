"""The beta distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.beta.cdf", particular.loosely("x", "a", "b", "loc", "scale"))
def cdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the distribution function of the beta distribution."""
    ...


@public("scipy.stats.beta.logcdf", particular.loosely("x", "a", "b", "loc", "scale"))
def logcdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the logarithm of the distribution function of the beta distribution."""
    ...


@public("scipy.stats.beta.logpdf", particular.loosely("x", "a", "b", "loc", "scale"))
def logpdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the logarithm of the density of the beta distribution."""
    ...


@public("scipy.stats.beta.logsf", particular.loosely("x", "a", "b", "loc", "scale"))
def logsf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the logarithm of the survival function of the beta distribution."""
    ...


@public("scipy.stats.beta.pdf", particular.loosely("x", "a", "b", "loc", "scale"))
def pdf(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Array:
    """Computes the density of the beta distribution."""
    ...


@public("scipy.stats.beta.sf", particular.loosely("x", "a", "b", "loc", "scale"))
def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the beta distribution."""
    ...
