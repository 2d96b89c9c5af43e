"""The Poisson distribution."""

from __future__ import annotations

from oakum.abstract import particular, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.poisson.cdf", particular.loosely("k", "mu", "loc"))
def cdf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the distribution function of the Poisson distribution."""
    ...


@public("scipy.stats.poisson.entropy", results.array)
def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the entropy of the Poisson distribution."""
    ...


@public("scipy.stats.poisson.logpmf", particular.loosely("k", "mu", "loc"))
def logpmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the Poisson distribution."""
    ...


@public("scipy.stats.poisson.pmf", particular.loosely("k", "mu", "loc"))
def pmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the Poisson distribution."""
    ...
