"""The gamma distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.gamma.cdf", particular.loosely("x", "a", "loc", "scale"))
def cdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the gamma distribution."""
    ...


@public("scipy.stats.gamma.logcdf", particular.loosely("x", "a", "loc", "scale"))
def logcdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the gamma distribution."""
    ...


@public("scipy.stats.gamma.logpdf", particular.loosely("x", "a", "loc", "scale"))
def logpdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the gamma distribution."""
    ...


@public("scipy.stats.gamma.logsf", particular.loosely("x", "a", "loc", "scale"))
def logsf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the gamma distribution."""
    ...


@public("scipy.stats.gamma.pdf", particular.loosely("x", "a", "loc", "scale"))
def pdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the gamma distribution."""
    ...


@public("scipy.stats.gamma.sf", particular.loosely("x", "a", "loc", "scale"))
def sf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the gamma distribution."""
    ...
