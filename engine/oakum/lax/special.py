"""Special functions, element by element."""

from __future__ import annotations

from oakum import primitives
from oakum.abstract.elementwise import FLOATS, exact
from oakum.array import Array
from oakum.lax import operands
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("lax.bessel_i0e", exact(FLOATS))
def bessel_i0e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order zero, scaled."""
    return primitives.special.bessel_i0e_p.bind(x)


@public("lax.bessel_i1e", exact(FLOATS))
def bessel_i1e(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of order one, scaled."""
    return primitives.special.bessel_i1e_p.bind(x)


@public("lax.betainc", exact(FLOATS))
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized incomplete beta function."""
    agreed = operands.agreed("regularized_incomplete_beta", a, b, x)
    return primitives.special.regularized_incomplete_beta_p.bind(*agreed)


@public("lax.digamma", exact(FLOATS))
def digamma(x: ArrayLike) -> Array:
    """Computes the derivative of the logarithm of the gamma function."""
    return primitives.special.digamma_p.bind(x)


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


@public("lax.igamma", exact(FLOATS))
def igamma(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized lower incomplete gamma function."""
    return primitives.special.igamma_p.bind(*operands.agreed("igamma", a, x))


@public("lax.igamma_grad_a", exact(FLOATS))
def igamma_grad_a(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the derivative of the incomplete gamma function by its first argument."""
    return primitives.special.igamma_grad_a_p.bind(*operands.agreed("igamma_grad_a", a, x))


@public("lax.igammac", exact(FLOATS))
def igammac(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized upper incomplete gamma function."""
    return primitives.special.igammac_p.bind(*operands.agreed("igammac", a, x))


@public("lax.lgamma", exact(FLOATS))
def lgamma(x: ArrayLike) -> Array:
    """Computes the logarithm of the absolute value of the gamma function."""
    return primitives.special.lgamma_p.bind(x)


@public("lax.polygamma", exact(FLOATS))
def polygamma(m: ArrayLike, x: ArrayLike) -> Array:
    """Computes derivatives of the digamma function."""
    return primitives.special.polygamma_p.bind(*operands.agreed("polygamma", m, x))


@public("lax.random_gamma_grad", exact(FLOATS))
def random_gamma_grad(a: ArrayLike, x: ArrayLike, *, dtype: DTypeLike | None = None) -> Array:
    """Computes the derivative of a gamma sample by its shape parameter."""
    return primitives.special.random_gamma_grad_p.bind(*operands.agreed("random_gamma_grad", a, x))


@public("lax.zeta", exact(FLOATS))
def zeta(x: ArrayLike, q: ArrayLike) -> Array:
    """Computes the Hurwitz zeta function."""
    return primitives.special.zeta_p.bind(*operands.agreed("zeta", x, q))
