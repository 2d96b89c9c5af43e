"""Exponentials, logarithms, trigonometric and other functions, element by element."""

from __future__ import annotations

import math

from oakum import lax
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy import arguments, arithmetic, log_sums, promoting, universal
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
    return arithmetic.log2(*promoting.promote_inexact("log2", x))


@public("numpy.log10", elementwise.strong_inexact, edge="singular", poles=(0.0,))
def log10(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base ten."""
    return arithmetic.log10(*promoting.promote_inexact("log10", x))


@public("numpy.log1p", elementwise.inexact, edge="singular", poles=(-1.0,))
def log1p(x: ArrayLike, /) -> Array:
    """Computes logarithms of one plus each element, accurately near zero."""
    return lax.log1p(*promoting.promote_inexact("log1p", x))


@universal.universal(2, identity=-math.inf, reduce=universal.log_reduction("logaddexp", 1))
@public("numpy.logaddexp", elementwise.loose_inexact)
def logaddexp(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the logarithm of a sum of exponentials, without overflow."""
    return log_sums.log_add(*promoting.promote_inexact("logaddexp", x, y), base=log_sums.NATURAL)


@universal.universal(
    2, identity=-math.inf, reduce=universal.log_reduction("logaddexp2", math.log(2))
)
@public("numpy.logaddexp2", elementwise.loose_inexact)
def logaddexp2(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the logarithm to the base two of a sum of powers of two."""
    given = promoting.promote_inexact("logaddexp2", x, y)
    return arguments.strong_above_scalars(log_sums.log_add(*given, base=log_sums.TWO))


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
    return arithmetic.arccosh(*promoting.promote_inexact("arccosh", x))


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
    return arithmetic.arccosh(*promoting.promote_inexact("acosh", x))


@public("numpy.atanh", elementwise.inexact, edge="singular", poles=(-1.0, 1.0))
def atanh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic tangents."""
    return lax.atanh(*promoting.promote_inexact("atanh", x))


@public("numpy.deg2rad", elementwise.loose_inexact)
def deg2rad(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    return arithmetic.scaled("deg2rad", x, math.pi / 180)


@public("numpy.radians", elementwise.loose_inexact)
def radians(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    return arithmetic.scaled("radians", x, math.pi / 180)


@public("numpy.rad2deg", elementwise.loose_inexact)
def rad2deg(x: ArrayLike, /) -> Array:
    """Converts radians to degrees."""
    return arithmetic.scaled("rad2deg", x, 180 / math.pi)


@public("numpy.degrees", elementwise.loose_inexact)
def degrees(x: ArrayLike, /) -> Array:
    """Converts radians to degrees."""
    return arithmetic.scaled("degrees", x, 180 / math.pi)


@public("numpy.sinc", elementwise.loose_inexact)
def sinc(x: ArrayLike, /) -> Array:
    """Computes sin(pi x) / (pi x), which is one at zero."""
    return arithmetic.sinc(*promoting.promote_inexact("sinc", x))


@public("numpy.i0", elementwise.inexact)
def i0(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of the first kind and order zero."""
    return arithmetic.i0(*promoting.promote_inexact("i0", x))
