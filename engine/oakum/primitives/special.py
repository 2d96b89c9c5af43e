"""Special functions: the error function, those of the gamma and beta functions, Bessel's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.errors import NoDerivativeError
from oakum.primitives.host.special import bessel, beta, error, gamma, incomplete
from oakum.primitives.rules.arguments import number_like
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.primitives.rules.derivatives import Of1, binary, ternary
from oakum.primitives.rules.numpy_evaluation import in_doubles
from oakum.tracing.trace import Primitive, Rule
from oakum.typing import ArrayLike


def _compiled(name: str, function: Callable[..., Any], derivative: Of1) -> Primitive:
    """Makes the primitive of a function that the compiler has too."""
    return elementwise_primitive(name, in_doubles(function), (derivative,))


def _on_host(
    name: str,
    function: Callable[..., Any],
    derivatives: Sequence[Rule | None] | None = None,
    declared_as: str = "",
) -> Primitive:
    return elementwise_primitive(
        name, in_doubles(function), derivatives, function=declared_as, on_host=True
    )


def _refused(function: str, operand: str) -> Rule:
    """Returns the derivative by an operand by which there is none."""

    def refuse(*_: ArrayLike) -> Any:
        raise NoDerivativeError(
            f"{function} gradient with respect to {operand} not supported",
            hint="Stop the gradient with jax.lax.stop_gradient, or use a numerical derivative.",
        )

    return refuse


def _bell(x: ArrayLike, factor: float) -> Any:
    return lax.mul(number_like(x, factor), lax.exp(lax.neg(lax.square(x))))


_SLOPE = 2.0 / math.sqrt(math.pi)

erf_p = _compiled("erf", error.erf, lambda g, out, x: lax.mul(g, _bell(x, _SLOPE)))
erfc_p = _compiled("erfc", error.erfc, lambda g, out, x: lax.mul(g, _bell(x, -_SLOPE)))
erf_inv_p = _compiled(
    "erf_inv",
    error.erf_inv,
    lambda g, out, x: lax.mul(number_like(x, 1.0 / _SLOPE), lax.mul(g, lax.exp(lax.square(out)))),
)

lgamma_p = _compiled("lgamma", gamma.lgamma, lambda g, out, x: lax.mul(g, lax.digamma(x)))
digamma_p = _compiled(
    "digamma",
    gamma.digamma,
    lambda g, out, x: lax.mul(g, lax.polygamma(lax.full_like(x, 1), x)),
)
polygamma_p = _on_host(
    "polygamma",
    gamma.polygamma,
    binary(
        _refused("polygamma", "m is"),
        lambda g, out, m, x: lax.mul(g, lax.polygamma(lax.add(m, number_like(m, 1)), x)),
    ),
)
zeta_p = _on_host("zeta", gamma.zeta)


def _gamma_density(a: ArrayLike, x: ArrayLike) -> Any:
    less = lax.sub(a, number_like(a, 1))
    return lax.exp(lax.sub(lax.sub(lax.mul(less, lax.log(x)), x), lax.lgamma(a)))


igamma_p = _on_host(
    "igamma",
    incomplete.igamma,
    binary(
        lambda g, out, a, x: lax.mul(g, lax.igamma_grad_a(a, x)),
        lambda g, out, a, x: lax.mul(g, _gamma_density(a, x)),
    ),
)
igammac_p = _on_host(
    "igammac",
    incomplete.igammac,
    binary(
        lambda g, out, a, x: lax.neg(lax.mul(g, lax.igamma_grad_a(a, x))),
        lambda g, out, a, x: lax.neg(lax.mul(g, _gamma_density(a, x))),
    ),
)
igamma_grad_a_p = _on_host("igamma_grad_a", incomplete.igamma_grad_a)
random_gamma_grad_p = _on_host("random_gamma_grad", incomplete.random_gamma_grad)


def _beta_density(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Any:
    one = number_like(a, 1)
    log_beta = lax.sub(lax.add(lax.lgamma(a), lax.lgamma(b)), lax.lgamma(lax.add(a, b)))
    right = lax.mul(lax.sub(b, one), lax.log1p(lax.neg(x)))
    left = lax.mul(lax.sub(a, one), lax.log(x))
    return lax.exp(lax.sub(lax.add(right, left), log_beta))


regularized_incomplete_beta_p = _on_host(
    "regularized_incomplete_beta",
    beta.betainc,
    ternary(
        _refused("Betainc", "a and b"),
        _refused("Betainc", "a and b"),
        lambda g, out, a, b, x: lax.mul(g, _beta_density(a, b, x)),
    ),
    "betainc",
)

bessel_i0e_p = _compiled(
    "bessel_i0e",
    bessel.i0e,
    lambda g, out, x: lax.mul(g, lax.sub(lax.bessel_i1e(x), lax.mul(lax.sign(x), out))),
)


def _i1e_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    """At zero, where the general form divides by it, the derivative is one half."""
    tiny = lax.le(lax.abs(x), number_like(x, 1e-7))
    safe = lax.select(tiny, lax.full_like(x, 1), x)
    factor = lax.add(lax.sign(safe), lax.integer_pow(safe, -1))
    slope = lax.sub(lax.bessel_i0e(safe), lax.mul(out, factor))
    return lax.mul(g, lax.select(tiny, lax.full_like(x, 0.5), slope))


bessel_i1e_p = _compiled("bessel_i1e", bessel.i1e, _i1e_derivative)
