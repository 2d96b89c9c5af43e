"""The uniform distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.uniform.cdf", particular.loosely("x", "loc", "scale"))
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the distribution function of the uniform distribution."""
    ...


@public("scipy.stats.uniform.logpdf", particular.loosely("x", "loc", "scale"))
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the uniform distribution."""
    ...


@public("scipy.stats.uniform.pdf", particular.loosely("x", "loc", "scale"))
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the uniform distribution."""
    ...


@public("scipy.stats.uniform.ppf", particular.loosely("q", "loc", "scale"))
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes quantiles of the uniform distribution."""
    ...
