"""The binomial distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.binom.logpmf", particular.loosely("k", "n", "p", "loc"))
def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the binomial distribution."""
    ...


@public("scipy.stats.binom.pmf", particular.loosely("k", "n", "p", "loc"))
def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the binomial distribution."""
    ...
