"""The von Mises distribution."""

from __future__ import annotations

from oakum.abstract import particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.vonmises.logpdf", particular.loosely("x", "kappa"))
def logpdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Computes the logarithm of the density of the von Mises distribution."""
    ...


@public("scipy.stats.vonmises.pdf", particular.loosely("x", "kappa"))
def pdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Computes the density of the von Mises distribution."""
    ...
