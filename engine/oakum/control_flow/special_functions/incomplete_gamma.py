"""The regularised incomplete gamma functions, and their derivatives by the first argument."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum.control_flow.special_functions.gamma import kernel_primitive, lgamma_p
from oakum.primitives.host.special import incomplete
from oakum.primitives.rules.arguments import number_like
from oakum.primitives.rules.derivatives import binary
from oakum.typing import ArrayLike


def _gamma_density(a: ArrayLike, x: ArrayLike) -> Any:
    less = lax.sub(a, number_like(a, 1))
    return lax.exp(lax.sub(lax.sub(lax.mul(less, lax.log(x)), x), lgamma_p.bind(a)))


igamma_p = kernel_primitive(
    "igamma",
    incomplete.igamma,
    binary(
        lambda g, out, a, x: lax.mul(g, igamma_grad_a_p.bind(a, x)),
        lambda g, out, a, x: lax.mul(g, _gamma_density(a, x)),
    ),
)
igammac_p = kernel_primitive(
    "igammac",
    incomplete.igammac,
    binary(
        lambda g, out, a, x: lax.neg(lax.mul(g, igamma_grad_a_p.bind(a, x))),
        lambda g, out, a, x: lax.neg(lax.mul(g, _gamma_density(a, x))),
    ),
)
igamma_grad_a_p = kernel_primitive("igamma_grad_a", incomplete.igamma_grad_a)
random_gamma_grad_p = kernel_primitive("random_gamma_grad", incomplete.random_gamma_grad)
