"""The beta-binomial distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.betabinom.logpmf", particular.loosely("k", "n", "a", "b", "loc"))
def logpmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the beta-binomial distribution."""
    ...


@public("scipy.stats.betabinom.pmf", particular.loosely("k", "n", "a", "b", "loc"))
def pmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the beta-binomial distribution."""
    ...
