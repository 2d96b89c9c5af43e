"""Special functions of SciPy that `jax.lax` does not have: integrals and hypergeometric series."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.abstract.elementwise import COMPLEX, FLOATS, exact
from oakum.control_flow.special_functions.gamma import kernel_primitive
from oakum.primitives.host.special import faddeeva, hypergeometric, integrals
from oakum.primitives.host.special.pieces import Functions
from oakum.primitives.rules.arguments import number_like
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.primitives.rules.derivatives import ternary, unary
from oakum.primitives.rules.numpy_evaluation import in_doubles
from oakum.tracing.trace import Primitive, Rule
from oakum.typing import ArrayLike
from oakum.values import host


def _floats(
    name: str, function: Callable[..., Any], derivatives: Sequence[Rule | None] | None = None
) -> Primitive:
    return elementwise_primitive(
        name,
        in_doubles(function),
        derivatives,
        abstract=exact(FLOATS).named(name).exact,
        on_host=True,
    )


def _kernel(
    name: str, function: Callable[..., Any], derivatives: Sequence[Rule | None] | None = None
) -> Primitive:
    return kernel_primitive(name, function, derivatives, abstract=exact(FLOATS).named(name).exact)


def _part(function: Callable[..., Any], position: int) -> Callable[..., Any]:
    """Returns a function of one result of a function that returns several."""

    def part(xp: Functions, x: host.Array) -> Any:
        return function(xp, x)[position]

    return part


def _quotient(function: Callable[[Any], Any]) -> tuple[Rule]:
    """Returns the derivative of an integral of a function that is divided by its argument."""
    return unary(lambda g, out, x: lax.mul(g, lax.div(function(x), x)))


def _sinc(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    quotient = lax.div(x, number_like(x, math.pi))
    return lax.mul(g, quotient.__array_namespace__().sinc(quotient))


def _of_quarter(function: Callable[[Any], Any]) -> tuple[Rule]:
    """Returns the derivative of a Fresnel integral."""
    return unary(
        lambda g, out, x: lax.mul(g, function(lax.mul(number_like(x, math.pi / 2), lax.square(x))))
    )


def _shifted(x: ArrayLike, step: float) -> Any:
    return lax.add(x, number_like(x, step))


def _expn_slope(g: ArrayLike, out: ArrayLike, n: ArrayLike, x: ArrayLike) -> Any:
    # Of order 0 it is exp(-x) / x, whose derivative is no integral of an order that there is.
    first = lax.eq(n, lax.full_like(n, 0))
    lower = expn_p.bind(_shifted(lax.select(first, lax.full_like(n, 1), n), -1), x)
    slope = lax.mul(out, lax.add(number_like(x, 1), lax.div(number_like(x, 1), x)))
    return lax.neg(lax.mul(g, lax.select(first, slope, lower)))


expn_p = _kernel("expn", integrals.expn, (None, _expn_slope))
expi_p = _kernel("expi", integrals.expi, _quotient(lax.exp))
si_p = _kernel("sine_integral", _part(integrals.sici, 0), (_sinc,))
ci_p = _kernel("cosine_integral", _part(integrals.sici, 1), _quotient(lax.cos))
fresnel_s_p = _floats("fresnel_s", _part(faddeeva.fresnel, 0), _of_quarter(lax.sin))
fresnel_c_p = _floats("fresnel_c", _part(faddeeva.fresnel, 1), _of_quarter(lax.cos))


def _spence_slope(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    one = number_like(x, 1)
    # At one the quotient is 0 / 0, and the derivative is -1.
    at_one = lax.eq(x, lax.full_like(x, 1))
    safe = lax.select(at_one, lax.full_like(x, 2), x)
    slope = lax.div(lax.log(safe), lax.sub(one, safe))
    return lax.mul(g, lax.select(at_one, lax.full_like(x, -1), slope))


spence_p = _kernel("spence", integrals.spence, (_spence_slope,))


def _dawsn_slope(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    twice = lax.mul(number_like(x, 2), lax.mul(x, out))
    return lax.mul(g, lax.sub(number_like(x, 1), twice))


dawsn_p = _kernel("dawsn", faddeeva.dawsn, (_dawsn_slope,))


def _scaled_slope(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    twice = lax.mul(number_like(x, 2), lax.mul(x, out))
    return lax.mul(g, lax.sub(twice, number_like(x, 2 / math.sqrt(math.pi))))


erfcx_p = _kernel("erfcx", faddeeva.erfcx, (_scaled_slope,))


def _wofz_slope(g: ArrayLike, out: ArrayLike, z: ArrayLike) -> Any:
    twice = lax.mul(number_like(z, -2), lax.mul(z, out))
    return lax.mul(g, lax.add(twice, number_like(z, 2j / math.sqrt(math.pi))))


wofz_p = elementwise_primitive(
    "wofz",
    in_doubles(faddeeva.wofz, "complex128"),
    (_wofz_slope,),
    abstract=exact(COMPLEX).named("wofz").exact,
    on_host=True,
)

hyp1f1_slope_a_p = _floats("hyp1f1_slope_a", functools.partial(hypergeometric.hyp1f1_slope, by="a"))
hyp1f1_slope_b_p = _floats("hyp1f1_slope_b", functools.partial(hypergeometric.hyp1f1_slope, by="b"))


def _hyp1f1_slope(g: ArrayLike, out: ArrayLike, a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Any:
    raised = hyp1f1_p.bind(_shifted(a, 1), _shifted(b, 1), x)
    return lax.mul(g, lax.mul(lax.div(a, b), raised))


hyp1f1_p = _floats(
    "hyp1f1",
    hypergeometric.hyp1f1,
    ternary(
        lambda g, out, a, b, x: lax.mul(g, hyp1f1_slope_a_p.bind(a, b, x)),
        lambda g, out, a, b, x: lax.mul(g, hyp1f1_slope_b_p.bind(a, b, x)),
        _hyp1f1_slope,
    ),
)


def _hyp2f1_slope(
    g: ArrayLike, out: ArrayLike, a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike
) -> Any:
    raised = hyp2f1_p.bind(_shifted(a, 1), _shifted(b, 1), _shifted(c, 1), x)
    return lax.mul(g, lax.mul(lax.div(lax.mul(a, b), c), raised))


def _hyp2f1_parameter_slope(by: str) -> Rule:
    """Returns the derivative by a parameter."""
    slope_p = _floats(f"hyp2f1_slope_{by}", functools.partial(hypergeometric.hyp2f1_slope, by=by))

    def slope(g: ArrayLike, out: ArrayLike, *operands: ArrayLike) -> Any:
        return lax.mul(g, slope_p.bind(*operands))

    return slope


hyp2f1_p = _floats(
    "hyp2f1",
    hypergeometric.hyp2f1,
    (*map(_hyp2f1_parameter_slope, "abc"), _hyp2f1_slope),
)
