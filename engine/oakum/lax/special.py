"""The error function and its inverse, and Bessel's functions."""

from __future__ import annotations

from oakum import primitives
from oakum.abstract.elementwise import FLOATS, exact
from oakum.array import Array
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("lax.bessel_i0e", exact(FLOATS))
def bessel_i0e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero, scaled."""
    return primitives.special.bessel_i0e_p.bind(x)


@public("lax.bessel_i1e", exact(FLOATS))
def bessel_i1e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one, scaled."""
    return primitives.special.bessel_i1e_p.bind(x)


@public("lax.erf", exact(FLOATS))
def erf(x: ArrayLike) -> Array:
    """Computes the error function."""
    return primitives.special.erf_p.bind(x)


@public("lax.erf_inv", exact(FLOATS))
def erf_inv(x: ArrayLike) -> Array:
    """Computes the inverse of the error function."""
    return primitives.special.erf_inv_p.bind(x)


@public("lax.erfc", exact(FLOATS))
def erfc(x: ArrayLike) -> Array:
    """Computes one minus the error function."""
    return primitives.special.erfc_p.bind(x)
