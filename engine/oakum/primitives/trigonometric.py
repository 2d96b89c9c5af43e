"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum import lax
from oakum.primitives.rules import batching, declared, lowering, numpy_evaluation
from oakum.primitives.rules.constants import number_like
from oakum.primitives.rules.derivatives import Of1, Of2, binary
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike
from oakum.values import host


def _unary(name: str, function: str, derivative: Of1 | Of2) -> Primitive:
    return Primitive(
        name,
        abstract=declared.elementwise(name),
        evaluate=numpy_evaluation.by(function),
        derivatives=(derivative,),
        batch=batching.elementwise,
        lower=lowering.elementwise(name),
    )


def _one(x: ArrayLike) -> Any:
    return number_like(x, 1)


sin_p = _unary("sin", "sin", lambda g, out, x, accuracy: lax.mul(g, lax.cos(x, accuracy=accuracy)))
cos_p = _unary(
    "cos", "cos", lambda g, out, x, accuracy: lax.neg(lax.mul(g, lax.sin(x, accuracy=accuracy)))
)
tan_p = _unary(
    "tan", "tan", lambda g, out, x, accuracy: lax.mul(g, lax.add(_one(x), lax.square(out)))
)
asin_p = _unary(
    "asin",
    "arcsin",
    lambda g, out, x: lax.mul(g, lax.rsqrt(lax.sub(_one(x), lax.square(x)))),
)
acos_p = _unary(
    "acos",
    "arccos",
    lambda g, out, x: lax.mul(g, lax.neg(lax.rsqrt(lax.sub(_one(x), lax.square(x))))),
)
atan_p = _unary("atan", "arctan", lambda g, out, x: lax.div(g, lax.add(_one(x), lax.square(x))))
sinh_p = _unary("sinh", "sinh", lambda g, out, x: lax.mul(g, lax.cosh(x)))
cosh_p = _unary("cosh", "cosh", lambda g, out, x: lax.mul(g, lax.sinh(x)))
asinh_p = _unary(
    "asinh",
    "arcsinh",
    lambda g, out, x: lax.mul(g, lax.rsqrt(lax.add(lax.square(x), _one(x)))),
)
acosh_p = _unary(
    "acosh",
    "arccosh",
    lambda g, out, x: lax.mul(g, lax.rsqrt(lax.sub(lax.square(x), _one(x)))),
)
atanh_p = _unary(
    "atanh",
    "arctanh",
    lambda g, out, x: lax.mul(
        lax.integer_pow(lax.add(_one(x), x), -1), lax.div(g, lax.sub(_one(x), x))
    ),
)


def _atan2(xp: ModuleType, y: host.Array, x: host.Array) -> Any:
    if y.dtype.kind == "c":
        return -1j * xp.log((x + 1j * y) / xp.sqrt(x * x + y * y))
    return xp.arctan2(y, x)


def _squares(x: ArrayLike, y: ArrayLike) -> Any:
    return lax.add(lax.square(x), lax.square(y))


atan2_p = Primitive(
    "atan2",
    abstract=declared.elementwise("atan2"),
    evaluate=numpy_evaluation.widened(_atan2),
    derivatives=binary(
        lambda g, out, x, y: lax.mul(g, lax.div(y, _squares(x, y))),
        lambda g, out, x, y: lax.mul(g, lax.div(lax.neg(x), _squares(x, y))),
    ),
    batch=batching.elementwise,
    lower=lowering.elementwise("atan2"),
)
