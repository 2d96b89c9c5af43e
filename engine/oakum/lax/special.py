"""Special functions, element by element."""

from __future__ import annotations

from oakum.abstract import strict
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike


@public("lax.bessel_i0e", strict.inexact)
def bessel_i0e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero, scaled."""
    ...


@public("lax.bessel_i1e", strict.inexact)
def bessel_i1e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one, scaled."""
    ...


@public("lax.betainc", strict.inexact)
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized incomplete beta function."""
    ...


@public("lax.digamma", strict.inexact)
def digamma(x: ArrayLike) -> Array:
    """Computes the derivative of the logarithm of the gamma function."""
    ...


@public("lax.erf", strict.inexact)
def erf(x: ArrayLike) -> Array:
    """Computes the error function."""
    ...


@public("lax.erf_inv", strict.inexact)
def erf_inv(x: ArrayLike) -> Array:
    """Computes the inverse of the error function."""
    ...


@public("lax.erfc", strict.inexact)
def erfc(x: ArrayLike) -> Array:
    """Computes one minus the error function."""
    ...


@public("lax.igamma", strict.inexact)
def igamma(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized lower incomplete gamma function."""
    ...


@public("lax.igamma_grad_a", strict.inexact)
def igamma_grad_a(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the derivative of the incomplete gamma function by its first argument."""
    ...


@public("lax.igammac", strict.inexact)
def igammac(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized upper incomplete gamma function."""
    ...


@public("lax.lgamma", strict.inexact)
def lgamma(x: ArrayLike) -> Array:
    """Computes the logarithm of the absolute value of the gamma function."""
    ...


@public("lax.polygamma", strict.inexact)
def polygamma(m: ArrayLike, x: ArrayLike) -> Array:
    """Computes derivatives of the digamma function."""
    ...


@public("lax.random_gamma_grad", strict.inexact)
def random_gamma_grad(a: ArrayLike, x: ArrayLike, *, dtype: DTypeLike | None = None) -> Array:
    """Computes the derivative of a gamma sample by its shape parameter."""
    ...


@public("lax.zeta", strict.inexact)
def zeta(x: ArrayLike, q: ArrayLike) -> Array:
    """Computes the Hurwitz zeta function."""
    ...
