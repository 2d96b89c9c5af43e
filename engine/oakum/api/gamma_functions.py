"""The gamma and beta functions, element by element, and what is derived of them."""

from __future__ import annotations

from oakum.abstract.elementwise import FLOATS, exact
from oakum.array import Array
from oakum.control_flow import special_functions
from oakum.lax import operands
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("lax.betainc", exact(FLOATS))
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized incomplete beta function."""
    agreed = operands.agreed("regularized_incomplete_beta", a, b, x)
    return special_functions.incomplete_beta.regularized_incomplete_beta_p.bind(*agreed)


@public("lax.digamma", exact(FLOATS))
def digamma(x: ArrayLike) -> Array:
    """Computes the derivative of the logarithm of the gamma function."""
    return special_functions.gamma.digamma_p.bind(x)


@public("lax.igamma", exact(FLOATS))
def igamma(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized lower incomplete gamma function."""
    return special_functions.incomplete_gamma.igamma_p.bind(*operands.agreed("igamma", a, x))


@public("lax.igamma_grad_a", exact(FLOATS))
def igamma_grad_a(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the derivative of the incomplete gamma function by its first argument."""
    return special_functions.incomplete_gamma.igamma_grad_a_p.bind(
        *operands.agreed("igamma_grad_a", a, x)
    )


@public("lax.igammac", exact(FLOATS))
def igammac(a: ArrayLike, x: ArrayLike) -> Array:
    """Computes the regularized upper incomplete gamma function."""
    return special_functions.incomplete_gamma.igammac_p.bind(*operands.agreed("igammac", a, x))


@public("lax.lgamma", exact(FLOATS))
def lgamma(x: ArrayLike) -> Array:
    """Computes the logarithm of the absolute value of the gamma function."""
    return special_functions.gamma.lgamma_p.bind(x)


@public("lax.polygamma", exact(FLOATS))
def polygamma(m: ArrayLike, x: ArrayLike) -> Array:
    """Computes derivatives of the digamma function."""
    return special_functions.gamma.polygamma_p.bind(*operands.agreed("polygamma", m, x))


@public("lax.random_gamma_grad", exact(FLOATS))
def random_gamma_grad(a: ArrayLike, x: ArrayLike, *, dtype: DTypeLike | None = None) -> Array:
    """Computes the derivative of a gamma sample by its shape parameter."""
    return special_functions.incomplete_gamma.random_gamma_grad_p.bind(
        *operands.agreed("random_gamma_grad", a, x)
    )


@public("lax.zeta", exact(FLOATS))
def zeta(x: ArrayLike, q: ArrayLike) -> Array:
    """Computes the Hurwitz zeta function."""
    return special_functions.gamma.zeta_p.bind(*operands.agreed("zeta", x, q))
