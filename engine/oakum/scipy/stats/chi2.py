"""The chi-squared distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.chi2.cdf", particular.loosely("x", "df", "loc", "scale"))
def cdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the chi-squared distribution."""
    ...


@public("scipy.stats.chi2.logcdf", particular.loosely("x", "df", "loc", "scale"))
def logcdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the chi-squared distribution."""
    ...


@public("scipy.stats.chi2.logpdf", particular.loosely("x", "df", "loc", "scale"))
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the chi-squared distribution."""
    ...


@public("scipy.stats.chi2.logsf", particular.loosely("x", "df", "loc", "scale"))
def logsf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the chi-squared distribution."""
    ...


@public("scipy.stats.chi2.pdf", particular.loosely("x", "df", "loc", "scale"))
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the chi-squared distribution."""
    ...


@public("scipy.stats.chi2.sf", particular.loosely("x", "df", "loc", "scale"))
def sf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the chi-squared distribution."""
    ...
