"""The Pareto distribution."""

from __future__ import annotations

from oakum.abstract import elementwise
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.pareto.cdf", elementwise.inexact.over("x", "b", "loc", "scale"))
def cdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.logcdf", elementwise.inexact.over("x", "b", "loc", "scale"))
def logcdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the distribution function of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.logpdf", elementwise.inexact.over("x", "b", "loc", "scale"))
def logpdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.logsf", elementwise.inexact.over("x", "b", "loc", "scale"))
def logsf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the survival function of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.pdf", elementwise.inexact.over("x", "b", "loc", "scale"))
def pdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.ppf", elementwise.inexact.over("q", "b", "loc", "scale"))
def ppf(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the Pareto distribution."""
    ...


@public("scipy.stats.pareto.sf", elementwise.inexact.over("x", "b", "loc", "scale"))
def sf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the survival function of the Pareto distribution."""
    ...
