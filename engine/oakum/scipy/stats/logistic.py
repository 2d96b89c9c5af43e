"""The logistic distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.logistic.cdf", particular.loosely("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the logistic distribution."""
    ...


@public("scipy.stats.logistic.isf", particular.loosely("x", "loc", "scale"))
def isf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the inverse of the survival function of the logistic distribution."""
    ...


@public("scipy.stats.logistic.logpdf", particular.loosely("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the logistic distribution."""
    ...


@public("scipy.stats.logistic.pdf", particular.loosely("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the logistic distribution."""
    ...


@public("scipy.stats.logistic.ppf", particular.loosely("x", "loc", "scale"))
def ppf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the logistic distribution."""
    ...


@public("scipy.stats.logistic.sf", particular.loosely("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the logistic distribution."""
    ...
