"""The regularised incomplete beta function."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum.control_flow.special_functions.gamma import kernel_primitive, lgamma_p, refused
from oakum.primitives.host.special import beta
from oakum.primitives.rules.arguments import number_like
from oakum.primitives.rules.derivatives import ternary
from oakum.typing import ArrayLike


def _beta_density(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Any:
    one = number_like(a, 1)
    log_beta = lax.sub(lax.add(lgamma_p.bind(a), lgamma_p.bind(b)), lgamma_p.bind(lax.add(a, b)))
    right = lax.mul(lax.sub(b, one), lax.log1p(lax.neg(x)))
    left = lax.mul(lax.sub(a, one), lax.log(x))
    return lax.exp(lax.sub(lax.add(right, left), log_beta))


regularized_incomplete_beta_p = kernel_primitive(
    "regularized_incomplete_beta",
    beta.betainc,
    ternary(
        refused("Betainc", "a and b"),
        refused("Betainc", "a and b"),
        lambda g, out, a, b, x: lax.mul(g, _beta_density(a, b, x)),
    ),
    "betainc",
)
