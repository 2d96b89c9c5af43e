"""The Cauchy distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.cauchy.cdf", particular.loosely("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.isf", particular.loosely("q", "loc", "scale"))
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the inverse of the survival function of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.logcdf", particular.loosely("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.logpdf", particular.loosely("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.logsf", particular.loosely("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.pdf", particular.loosely("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.ppf", particular.loosely("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the Cauchy distribution."""
    ...


@public("scipy.stats.cauchy.sf", particular.loosely("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the Cauchy distribution."""
    ...
