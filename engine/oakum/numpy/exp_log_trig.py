"""Exponentials, logarithms and trigonometric functions, element by element."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.lax.elementary import FUNCTIONS
from oakum.numpy import arguments, coercion
from oakum.typing import ArrayLike
from oakum.values.declarations import PublicFunction, public


def _promoted(name: str, function: PublicFunction[..., Array]):
    """Declares an elementary function of `lax`, of numbers that become inexact ones."""
    row = FUNCTIONS[function.__name__]

    def promoted(x: ArrayLike, /) -> Array:
        return function(*coercion.promote_inexact(name, x))

    promoted.__name__ = promoted.__qualname__ = name
    promoted.__doc__ = function.summary
    declare = public(f"numpy.{name}", elementwise.inexact, edge=row.edge, poles=row.poles)
    return declare(promoted)


exp = _promoted("exp", lax.exp)
exp2 = _promoted("exp2", lax.exp2)
expm1 = _promoted("expm1", lax.expm1)
log = _promoted("log", lax.log)
log1p = _promoted("log1p", lax.log1p)
sin = _promoted("sin", lax.sin)
cos = _promoted("cos", lax.cos)
tan = _promoted("tan", lax.tan)
arcsin = _promoted("arcsin", lax.asin)
arccos = _promoted("arccos", lax.acos)
arctan = _promoted("arctan", lax.atan)
sinh = _promoted("sinh", lax.sinh)
cosh = _promoted("cosh", lax.cosh)
tanh = _promoted("tanh", lax.tanh)
arcsinh = _promoted("arcsinh", lax.asinh)
arctanh = _promoted("arctanh", lax.atanh)
asin = _promoted("asin", lax.asin)
acos = _promoted("acos", lax.acos)
atan = _promoted("atan", lax.atan)
asinh = _promoted("asinh", lax.asinh)
atanh = _promoted("atanh", lax.atanh)


@public("numpy.log2", elementwise.strong_inexact, edge="singular", poles=(0.0,))
def log2(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base two."""
    (x,) = coercion.promote_inexact("log2", x)
    return _on_parts(x, lambda logs: lax.div(logs, _strong(logs, math.log(2))))


def _strong(like: object, number: float) -> Any:
    return coercion.constant(number, arguments.dtype_of(like))


def _on_parts(x: ArrayLike, scale: Callable[[Any], Any]) -> Any:
    """Scales the logarithms of elements, of complex numbers in both parts."""
    logs = lax.log(x)
    if not arguments.is_complex(x):
        return scale(logs)
    return lax.complex(scale(lax.real(logs)), scale(lax.imag(logs)))


@public("numpy.log10", elementwise.strong_inexact, edge="singular", poles=(0.0,))
def log10(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base ten."""
    (x,) = coercion.promote_inexact("log10", x)
    return _on_parts(x, lambda logs: lax.mul(logs, _strong(logs, 1 / math.log(10))))


@public("numpy.arctan2", elementwise.inexact, edge="corner")
def arctan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the angles of points, in the right quadrant."""
    return lax.atan2(*coercion.promote_inexact("arctan2", x1, x2))


@public("numpy.arccosh", elementwise.inexact, edge="singular", poles=(1.0,))
def arccosh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic cosines."""
    return _arccosh(*coercion.promote_inexact("arccosh", x))


def _arccosh(x: ArrayLike) -> Any:
    """Inverse hyperbolic cosines, whose real parts are not negative."""
    result = lax.acosh(x)
    if not arguments.is_complex(result):
        return result
    negative = lax.lt(lax.real(result), 0.0)
    return lax.select(negative, lax.neg(result), result)


@public("numpy.atan2", elementwise.inexact, edge="corner")
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the angles of points, in the right quadrant."""
    return lax.atan2(*coercion.promote_inexact("atan2", x1, x2))


@public("numpy.acosh", elementwise.inexact, edge="singular", poles=(1.0,))
def acosh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic cosines."""
    return _arccosh(*coercion.promote_inexact("acosh", x))


@public("numpy.deg2rad", elementwise.loose_inexact)
def deg2rad(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    return _scaled("deg2rad", x, math.pi / 180)


def _scaled(function: str, x: Any, factor: float) -> Any:
    """Multiples by a constant."""
    (x,) = coercion.promote_inexact(function, x)
    return lax.mul(x, coercion.like(x, factor))


@public("numpy.radians", elementwise.loose_inexact)
def radians(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    return _scaled("radians", x, math.pi / 180)


@public("numpy.rad2deg", elementwise.loose_inexact)
def rad2deg(x: ArrayLike, /) -> Array:
    """Converts radians to degrees."""
    return _scaled("rad2deg", x, 180 / math.pi)


@public("numpy.degrees", elementwise.loose_inexact)
def degrees(x: ArrayLike, /) -> Array:
    """Converts radians to degrees."""
    return _scaled("degrees", x, 180 / math.pi)


@public("numpy.sinc", elementwise.loose_inexact)
def sinc(x: ArrayLike, /) -> Array:
    """Computes sin(pi x) / (pi x), which is one at zero."""
    (x,) = coercion.promote_inexact("sinc", x)
    at_zero = lax.eq(x, coercion.like(x, 0))
    scaled_x = lax.mul(x, coercion.like(x, math.pi))
    safe = lax.select(at_zero, lax.full_like(x, 1), scaled_x)
    result = lax.select(at_zero, _sinc_series(0)(scaled_x), lax.div(lax.sin(safe), safe))
    return arguments.strong_above_scalars(result)


@functools.cache
def _sinc_series(order: int) -> Any:
    """The derivative of sin(x) / x of an order at zero, as a function that knows its own."""
    from oakum import custom_jvp

    coefficient = 0.0 if order % 2 else (-1) ** (order // 2) / (order + 1)

    @custom_jvp
    def series(x: ArrayLike) -> Any:
        return lax.full_like(x, coefficient)

    @series.defjvp
    def _derivative(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        (x,), (tangent,) = primals, tangents
        return series(x), lax.mul(_sinc_series(order + 1)(x), tangent)

    return series


@public("numpy.i0", elementwise.inexact)
def i0(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of the first kind and order zero."""
    (x,) = coercion.promote_inexact("i0", x)
    if not arguments.is_kind(x, Kind.FLOAT):
        raise DTypeError(
            f"Unsupported input type to jax.numpy.i0: {arguments.dtype_of(x)}",
            hint="Give real numbers.",
        )
    return _i0()(x)


@functools.cache
def _i0() -> Any:
    from oakum import custom_jvp

    @custom_jvp
    def bessel(x: ArrayLike) -> Any:
        size = lax.abs(x)
        return lax.mul(lax.exp(size), lax.bessel_i0e(size))

    @bessel.defjvp
    def _derivative(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        (x,), (tangent,) = primals, tangents
        slope = lax.mul(lax.exp(lax.abs(x)), lax.bessel_i1e(x))
        return bessel(x), lax.mul(slope, tangent)

    return bessel
