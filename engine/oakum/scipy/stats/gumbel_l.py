"""The left-skewed Gumbel distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.gumbel_l.cdf", particular.loosely("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the left-skewed Gumbel distribution."""
    ...


@public("scipy.stats.gumbel_l.logcdf", particular.loosely("x", "loc", "scale"))
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the left-skewed Gumbel
    distribution.
    """
    ...


@public("scipy.stats.gumbel_l.logpdf", particular.loosely("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the left-skewed Gumbel distribution."""
    ...


@public("scipy.stats.gumbel_l.logsf", particular.loosely("x", "loc", "scale"))
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the left-skewed Gumbel distribution."""
    ...


@public("scipy.stats.gumbel_l.pdf", particular.loosely("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the left-skewed Gumbel distribution."""
    ...


@public("scipy.stats.gumbel_l.ppf", particular.loosely("p", "loc", "scale"))
def ppf(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the left-skewed Gumbel distribution."""
    ...


@public("scipy.stats.gumbel_l.sf", particular.loosely("x", "loc", "scale"))
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the left-skewed Gumbel distribution."""
    ...
