"""The geometric distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.geom.logpmf", particular.loosely("k", "p", "loc"))
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the logarithm of the probability of the geometric distribution."""
    ...


@public("scipy.stats.geom.pmf", particular.loosely("k", "p", "loc"))
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Computes the probability of the geometric distribution."""
    ...
