"""The multinomial distribution."""

from __future__ import annotations

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.multinomial.logpmf", results.array)
def logpmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Computes the logarithm of the probability of the multinomial distribution."""
    ...


@public("scipy.stats.multinomial.pmf", results.array)
def pmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Computes the probability of the multinomial distribution."""
    ...
