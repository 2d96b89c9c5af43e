"""The wrapped Cauchy distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.wrapcauchy.logpdf", particular.loosely("x", "c"))
def logpdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Computes the logarithm of the density of the wrapped Cauchy distribution."""
    ...


@public("scipy.stats.wrapcauchy.pdf", particular.loosely("x", "c"))
def pdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Computes the density of the wrapped Cauchy distribution."""
    ...
