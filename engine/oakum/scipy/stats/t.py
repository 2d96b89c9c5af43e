"""The Student's t distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.t.logpdf", particular.loosely("x", "df", "loc", "scale"))
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the logarithm of the density of the Student's t distribution."""
    ...


@public("scipy.stats.t.pdf", particular.loosely("x", "df", "loc", "scale"))
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Computes the density of the Student's t distribution."""
    ...
