"""The generalized normal distribution."""

from __future__ import annotations

from oakum.abstract import elementwise
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.gennorm.cdf", elementwise.inexact.over("x", "beta"))
def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the distribution function of the generalized normal distribution."""
    ...


@public("scipy.stats.gennorm.logpdf", elementwise.inexact.over("x", "beta"))
def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the logarithm of the density of the generalized normal distribution."""
    ...


@public("scipy.stats.gennorm.pdf", elementwise.inexact.over("x", "beta"))
def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Computes the density of the generalized normal distribution."""
    ...
