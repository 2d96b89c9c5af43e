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
from oakum.numpy.operands import arguments, promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.exp", elementwise.inexact)
def exp(x: ArrayLike, /) -> Array:
    """Computes exponentials."""
    return lax.exp(*promoting.promote_inexact("exp", x))


@public("numpy.exp2", elementwise.inexact)
def exp2(x: ArrayLike, /) -> Array:
    """Computes powers of two."""
    return lax.exp2(*promoting.promote_inexact("exp2", x))


@public("numpy.expm1", elementwise.inexact)
def expm1(x: ArrayLike, /) -> Array:
    """Computes exponentials minus one, accurately near zero."""
    return lax.expm1(*promoting.promote_inexact("expm1", x))


@public("numpy.log", elementwise.inexact, edge="singular", poles=(0.0,))
def log(x: ArrayLike, /) -> Array:
    """Computes natural logarithms."""
    return lax.log(*promoting.promote_inexact("log", x))


@public("numpy.log2", elementwise.strong_inexact, edge="singular", poles=(0.0,))
def log2(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base two."""
    (x,) = promoting.promote_inexact("log2", x)
    return _on_parts(x, lambda logs: lax.div(logs, _strong(logs, math.log(2))))


def _strong(like: object, number: float) -> Any:
    return promoting.constant(number, arguments.dtype_of(like))


def _on_parts(x: ArrayLike, scale: Callable[[Any], Any]) -> Any:
    """Scales the logarithms of elements, of complex numbers in both parts."""
    logs = lax.log(x)
    if not arguments.is_complex(x):
        return scale(logs)
    return lax.complex(scale(lax.real(logs)), scale(lax.imag(logs)))


@public("numpy.log10", elementwise.strong_inexact, edge="singular", poles=(0.0,))
def log10(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base ten."""
    (x,) = promoting.promote_inexact("log10", x)
    return _on_parts(x, lambda logs: lax.mul(logs, _strong(logs, 1 / math.log(10))))


@public("numpy.log1p", elementwise.inexact, edge="singular", poles=(-1.0,))
def log1p(x: ArrayLike, /) -> Array:
    """Computes logarithms of one plus each element, accurately near zero."""
    return lax.log1p(*promoting.promote_inexact("log1p", x))


@public("numpy.sin", elementwise.inexact)
def sin(x: ArrayLike, /) -> Array:
    """Computes sines."""
    return lax.sin(*promoting.promote_inexact("sin", x))


@public("numpy.cos", elementwise.inexact)
def cos(x: ArrayLike, /) -> Array:
    """Computes cosines."""
    return lax.cos(*promoting.promote_inexact("cos", x))


@public("numpy.tan", elementwise.inexact)
def tan(x: ArrayLike, /) -> Array:
    """Computes tangents."""
    return lax.tan(*promoting.promote_inexact("tan", x))


@public("numpy.arcsin", elementwise.inexact, edge="arc", poles=(-1.0, 1.0))
def arcsin(x: ArrayLike, /) -> Array:
    """Computes inverse sines."""
    return lax.asin(*promoting.promote_inexact("arcsin", x))


@public("numpy.arccos", elementwise.inexact, edge="arc", poles=(-1.0, 1.0))
def arccos(x: ArrayLike, /) -> Array:
    """Computes inverse cosines."""
    return lax.acos(*promoting.promote_inexact("arccos", x))


@public("numpy.arctan", elementwise.inexact)
def arctan(x: ArrayLike, /) -> Array:
    """Computes inverse tangents."""
    return lax.atan(*promoting.promote_inexact("arctan", x))


@public("numpy.arctan2", elementwise.inexact, edge="corner")
def arctan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the angles of points, in the right quadrant."""
    return lax.atan2(*promoting.promote_inexact("arctan2", x1, x2))


@public("numpy.sinh", elementwise.inexact)
def sinh(x: ArrayLike, /) -> Array:
    """Computes hyperbolic sines."""
    return lax.sinh(*promoting.promote_inexact("sinh", x))


@public("numpy.cosh", elementwise.inexact)
def cosh(x: ArrayLike, /) -> Array:
    """Computes hyperbolic cosines."""
    return lax.cosh(*promoting.promote_inexact("cosh", x))


@public("numpy.tanh", elementwise.inexact)
def tanh(x: ArrayLike, /) -> Array:
    """Computes hyperbolic tangents."""
    return lax.tanh(*promoting.promote_inexact("tanh", x))


@public("numpy.arcsinh", elementwise.inexact)
def arcsinh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic sines."""
    return lax.asinh(*promoting.promote_inexact("arcsinh", x))


@public("numpy.arccosh", elementwise.inexact, edge="singular", poles=(1.0,))
def arccosh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic cosines."""
    return _arccosh(*promoting.promote_inexact("arccosh", x))


def _arccosh(x: ArrayLike) -> Any:
    """Inverse hyperbolic cosines, whose real parts are not negative."""
    result = lax.acosh(x)
    if not arguments.is_complex(result):
        return result
    negative = lax.lt(lax.real(result), 0.0)
    return lax.select(negative, lax.neg(result), result)


@public("numpy.arctanh", elementwise.inexact, edge="singular", poles=(-1.0, 1.0))
def arctanh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic tangents."""
    return lax.atanh(*promoting.promote_inexact("arctanh", x))


@public("numpy.asin", elementwise.inexact, edge="arc", poles=(-1.0, 1.0))
def asin(x: ArrayLike, /) -> Array:
    """Computes inverse sines."""
    return lax.asin(*promoting.promote_inexact("asin", x))


@public("numpy.acos", elementwise.inexact, edge="arc", poles=(-1.0, 1.0))
def acos(x: ArrayLike, /) -> Array:
    """Computes inverse cosines."""
    return lax.acos(*promoting.promote_inexact("acos", x))


@public("numpy.atan", elementwise.inexact)
def atan(x: ArrayLike, /) -> Array:
    """Computes inverse tangents."""
    return lax.atan(*promoting.promote_inexact("atan", x))


@public("numpy.atan2", elementwise.inexact, edge="corner")
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the angles of points, in the right quadrant."""
    return lax.atan2(*promoting.promote_inexact("atan2", x1, x2))


@public("numpy.asinh", elementwise.inexact)
def asinh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic sines."""
    return lax.asinh(*promoting.promote_inexact("asinh", x))


@public("numpy.acosh", elementwise.inexact, edge="singular", poles=(1.0,))
def acosh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic cosines."""
    return _arccosh(*promoting.promote_inexact("acosh", x))


@public("numpy.atanh", elementwise.inexact, edge="singular", poles=(-1.0, 1.0))
def atanh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic tangents."""
    return lax.atanh(*promoting.promote_inexact("atanh", x))


@public("numpy.deg2rad", elementwise.loose_inexact)
def deg2rad(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    return _scaled("deg2rad", x, math.pi / 180)


def _scaled(function: str, x: Any, factor: float) -> Any:
    """Multiples by a constant."""
    (x,) = promoting.promote_inexact(function, x)
    return lax.mul(x, promoting.like(x, factor))


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
    (x,) = promoting.promote_inexact("sinc", x)
    at_zero = lax.eq(x, promoting.like(x, 0))
    scaled_x = lax.mul(x, promoting.like(x, math.pi))
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
    (x,) = promoting.promote_inexact("i0", x)
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
