"""Special functions: the error function and its inverse, and Bessel's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import lax
from oakum.primitives.host.special import bessel, error
from oakum.primitives.rules.arguments import number_like
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.primitives.rules.derivatives import Of1
from oakum.primitives.rules.numpy_evaluation import in_doubles
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike


def _compiled(name: str, function: Callable[..., Any], derivative: Of1) -> Primitive:
    """Makes the primitive of a function that the compiler has too."""
    return elementwise_primitive(name, in_doubles(function), (derivative,))


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
