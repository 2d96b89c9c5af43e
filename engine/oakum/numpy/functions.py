"""Exponentials, logarithms, trigonometric and other functions, element by element."""

from __future__ import annotations

from oakum.abstract import elementwise
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("numpy.exp", elementwise.inexact)
def exp(x: ArrayLike, /) -> Array:
    """Computes exponentials."""
    ...


@public("numpy.exp2", elementwise.inexact)
def exp2(x: ArrayLike, /) -> Array:
    """Computes powers of two."""
    ...


@public("numpy.expm1", elementwise.inexact)
def expm1(x: ArrayLike, /) -> Array:
    """Computes exponentials minus one, accurately near zero."""
    ...


@public("numpy.log", elementwise.inexact)
def log(x: ArrayLike, /) -> Array:
    """Computes natural logarithms."""
    ...


@public("numpy.log2", elementwise.strong_inexact)
def log2(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base two."""
    ...


@public("numpy.log10", elementwise.strong_inexact)
def log10(x: ArrayLike, /) -> Array:
    """Computes logarithms to the base ten."""
    ...


@public("numpy.log1p", elementwise.inexact)
def log1p(x: ArrayLike, /) -> Array:
    """Computes logarithms of one plus each element, accurately near zero."""
    ...


@public("numpy.logaddexp", elementwise.loose_inexact)
def logaddexp(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the logarithm of a sum of exponentials, without overflow."""
    ...


@public("numpy.logaddexp2", elementwise.loose_inexact)
def logaddexp2(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the logarithm to the base two of a sum of powers of two."""
    ...


@public("numpy.sin", elementwise.inexact)
def sin(x: ArrayLike, /) -> Array:
    """Computes sines."""
    ...


@public("numpy.cos", elementwise.inexact)
def cos(x: ArrayLike, /) -> Array:
    """Computes cosines."""
    ...


@public("numpy.tan", elementwise.inexact)
def tan(x: ArrayLike, /) -> Array:
    """Computes tangents."""
    ...


@public("numpy.arcsin", elementwise.inexact)
def arcsin(x: ArrayLike, /) -> Array:
    """Computes inverse sines."""
    ...


@public("numpy.arccos", elementwise.inexact)
def arccos(x: ArrayLike, /) -> Array:
    """Computes inverse cosines."""
    ...


@public("numpy.arctan", elementwise.inexact)
def arctan(x: ArrayLike, /) -> Array:
    """Computes inverse tangents."""
    ...


@public("numpy.arctan2", elementwise.inexact)
def arctan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the angles of points, in the right quadrant."""
    ...


@public("numpy.sinh", elementwise.inexact)
def sinh(x: ArrayLike, /) -> Array:
    """Computes hyperbolic sines."""
    ...


@public("numpy.cosh", elementwise.inexact)
def cosh(x: ArrayLike, /) -> Array:
    """Computes hyperbolic cosines."""
    ...


@public("numpy.tanh", elementwise.inexact)
def tanh(x: ArrayLike, /) -> Array:
    """Computes hyperbolic tangents."""
    ...


@public("numpy.arcsinh", elementwise.inexact)
def arcsinh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic sines."""
    ...


@public("numpy.arccosh", elementwise.inexact)
def arccosh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic cosines."""
    ...


@public("numpy.arctanh", elementwise.inexact)
def arctanh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic tangents."""
    ...


@public("numpy.asin", elementwise.inexact)
def asin(x: ArrayLike, /) -> Array:
    """Computes inverse sines."""
    ...


@public("numpy.acos", elementwise.inexact)
def acos(x: ArrayLike, /) -> Array:
    """Computes inverse cosines."""
    ...


@public("numpy.atan", elementwise.inexact)
def atan(x: ArrayLike, /) -> Array:
    """Computes inverse tangents."""
    ...


@public("numpy.atan2", elementwise.inexact)
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the angles of points, in the right quadrant."""
    ...


@public("numpy.asinh", elementwise.inexact)
def asinh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic sines."""
    ...


@public("numpy.acosh", elementwise.inexact)
def acosh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic cosines."""
    ...


@public("numpy.atanh", elementwise.inexact)
def atanh(x: ArrayLike, /) -> Array:
    """Computes inverse hyperbolic tangents."""
    ...


@public("numpy.deg2rad", elementwise.loose_inexact)
def deg2rad(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    ...


@public("numpy.radians", elementwise.loose_inexact)
def radians(x: ArrayLike, /) -> Array:
    """Converts degrees to radians."""
    ...


@public("numpy.rad2deg", elementwise.loose_inexact)
def rad2deg(x: ArrayLike, /) -> Array:
    """Converts radians to degrees."""
    ...


@public("numpy.degrees", elementwise.loose_inexact)
def degrees(x: ArrayLike, /) -> Array:
    """Converts radians to degrees."""
    ...


@public("numpy.sinc", elementwise.loose_inexact)
def sinc(x: ArrayLike, /) -> Array:
    """Computes sin(pi x) / (pi x), which is one at zero."""
    ...


@public("numpy.i0", elementwise.inexact)
def i0(x: ArrayLike) -> Array:
    """Computes the modified Bessel function of the first kind and order zero."""
    ...
