"""The Bernoulli distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.bernoulli.cdf", particular.loosely("k", "p"))
def cdf(k: ArrayLike, p: ArrayLike) -> Array:
    """Computes the distribution function of the Bernoulli distribution."""
    ...


@public("scipy.stats.bernoulli.logpmf", particular.loosely("k", "p", "loc"))
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the Bernoulli distribution."""
    ...


@public("scipy.stats.bernoulli.pmf", particular.loosely("k", "p", "loc"))
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the Bernoulli distribution."""
    ...


@public("scipy.stats.bernoulli.ppf", particular.loosely("q", "p"))
def ppf(q: ArrayLike, p: ArrayLike) -> Array:
    """Computes quantiles of the Bernoulli distribution."""
    ...
