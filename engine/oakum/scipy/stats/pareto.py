"""The Pareto distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.pareto.cdf", particular.loosely("x", "b", "loc", "scale"))
def cdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.logcdf", particular.loosely("x", "b", "loc", "scale"))
def logcdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.logpdf", particular.loosely("x", "b", "loc", "scale"))
def logpdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.logsf", particular.loosely("x", "b", "loc", "scale"))
def logsf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.pdf", particular.loosely("x", "b", "loc", "scale"))
def pdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.ppf", particular.loosely("q", "b", "loc", "scale"))
def ppf(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.sf", particular.loosely("x", "b", "loc", "scale"))
def sf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the Pareto distribution."""
    ...
