"""Exponentials, logarithms, roots."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.lax.options import AccuracyMode
from oakum.primitives.rules import (
    batching,
    complex_numbers,
    declared,
    lowering,
    numpy_evaluation,
)
from oakum.primitives.rules.constants import number_like
from oakum.tracing.trace import Primitive, Rule
from oakum.typing import ArrayLike
from oakum.values import host

Derivative = Callable[[Any, Any, Any, Any], Any]
"""From a tangent, the result, the operand, and the accuracy."""


def _unary(name: str, evaluate: Rule, derivative: Derivative) -> Primitive:
    return Primitive(
        name,
        abstract=declared.elementwise(name),
        evaluate=evaluate,
        derivatives=(derivative,),
        batch=batching.elementwise,
        lower=lowering.elementwise(name),
    )


def _plus_one(x: ArrayLike) -> Any:
    return lax.add(x, number_like(x, 1))


exp_p = _unary("exp", numpy_evaluation.by("exp"), lambda g, out, x, accuracy: lax.mul(g, out))


def _exp2(xp: ModuleType, x: host.Array) -> Any:
    return xp.exp(x * xp.array(xp.log(2.0), x.dtype))


exp2_p = _unary(
    "exp2",
    numpy_evaluation.by_kind("exp2", _exp2),
    lambda g, out, x, accuracy: lax.mul(lax.log(number_like(x, 2)), lax.mul(g, out)),
)

log_p = _unary("log", numpy_evaluation.by("log"), lambda g, out, x, accuracy: lax.div(g, x))


def _expm1_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    if accuracy is AccuracyMode.HIGHEST:
        return lax.mul(g, lax.exp(x, accuracy=accuracy))
    return lax.mul(g, _plus_one(out))


expm1_p = _unary(
    "expm1", numpy_evaluation.by_kind("expm1", complex_numbers.expm1), _expm1_derivative
)


def _log1p_complex(xp: ModuleType, x: host.Array) -> Any:
    """Returns the logarithm of 1 + x, whose modulus is near 1 for small x."""
    a, b = x.real, x.imag
    near = (xp.abs(a) < 0.5) & (xp.abs(b) < 0.5)
    excess = xp.where(near, a * (2 + a) + b * b, 0)
    far = xp.log(xp.hypot(1 + a, b))
    modulus = xp.where(near, 0.5 * xp.log1p(excess), far)
    return complex_numbers.joined(xp, modulus, xp.arctan2(b, 1 + a), x.dtype)


log1p_p = _unary(
    "log1p",
    numpy_evaluation.by_kind("log1p", _log1p_complex),
    lambda g, out, x, accuracy: lax.div(g, _plus_one(x)),
)


def _tanh_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    if accuracy is AccuracyMode.HIGHEST:
        up = lax.logistic(lax.mul(number_like(x, 2), x), accuracy=accuracy)
        down = lax.logistic(lax.mul(number_like(x, -2), x), accuracy=accuracy)
        return lax.mul(g, lax.mul(number_like(x, 4), lax.mul(up, down)))
    return lax.mul(lax.add(g, lax.mul(g, out)), lax.sub(number_like(x, 1), out))


tanh_p = _unary("tanh", numpy_evaluation.by("tanh"), _tanh_derivative)


def _reciprocal(xp: ModuleType, x: host.Array) -> Any:
    one = xp.ones_like(x)
    return complex_numbers.divide(xp, one, x) if x.dtype.kind == "c" else one / x


def _logistic(xp: ModuleType, x: host.Array, **params: object) -> Any:
    if x.dtype.kind == "c":
        return _reciprocal(xp, xp.array(1, x.dtype) + xp.exp(-x))
    # The exponential does not overflow, where the result is small but not zero.
    wide = x.astype(xp.float32) if x.dtype == xp.float16 else x
    small = xp.exp(-xp.abs(wide))
    return (xp.where(wide < 0, small, 1) / (1 + small)).astype(x.dtype)


def _logistic_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    if accuracy is AccuracyMode.HIGHEST:
        return lax.mul(g, lax.mul(out, lax.logistic(lax.neg(x))))
    return lax.mul(g, lax.mul(out, lax.sub(number_like(out, 1), out)))


logistic_p = _unary("logistic", numpy_evaluation.widened(_logistic), _logistic_derivative)

sqrt_p = _unary(
    "sqrt",
    numpy_evaluation.by("sqrt"),
    lambda g, out, x, accuracy: lax.mul(g, lax.div(number_like(x, 0.5), out)),
)


def _rsqrt(xp: ModuleType, x: host.Array, **params: object) -> Any:
    return _reciprocal(xp, xp.sqrt(x))


rsqrt_p = _unary(
    "rsqrt",
    numpy_evaluation.widened(_rsqrt),
    lambda g, out, x, accuracy: lax.mul(g, lax.mul(number_like(x, -0.5), lax.div(out, x))),
)

cbrt_p = _unary(
    "cbrt",
    numpy_evaluation.by("cbrt"),
    lambda g, out, x, accuracy: lax.mul(
        g, lax.mul(number_like(x, 1 / 3), lax.integer_pow(out, -2))
    ),
)
