"""Arithmetic and rounding, element by element."""

from __future__ import annotations

from typing import Any

from oakum.abstract import elementwise, pairs, particular, selection
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("numpy.add", elementwise.same)
def add(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Adds elements."""
    ...


@public("numpy.subtract", elementwise.same)
def subtract(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Subtracts the elements of the second array from those of the first."""
    ...


@public("numpy.multiply", elementwise.same)
def multiply(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Multiplies elements."""
    ...


@public("numpy.divide", elementwise.inexact)
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements; integers give floats."""
    ...


@public("numpy.true_divide", elementwise.inexact)
def true_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements; integers give floats."""
    ...


@public("numpy.floor_divide", elementwise.arithmetic)
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements and rounds down."""
    ...


@public("numpy.remainder", elementwise.arithmetic)
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of division, with the sign of the divisor."""
    ...


@public("numpy.mod", elementwise.arithmetic)
def mod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of division, with the sign of the divisor."""
    ...


@public("numpy.fmod", elementwise.arithmetic)
def fmod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of division, with the sign of the dividend."""
    ...


@public("numpy.divmod", pairs.twice("same", "x1", "x2"))
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """Computes the quotient rounded down, and the remainder."""
    ...


@public("numpy.power", elementwise.powers)
def power(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Raises elements to powers."""
    ...


@public("numpy.pow", elementwise.powers)
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Raises elements to powers."""
    ...


@public("numpy.float_power", elementwise.inexact)
def float_power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Raises elements to powers in floating point."""
    ...


@public("numpy.negative", elementwise.same)
def negative(x: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Negates elements."""
    ...


@public("numpy.positive", elementwise.same)
def positive(x: ArrayLike, /) -> Array:
    """Gives the elements as they are."""
    ...


@public("numpy.abs", elementwise.real)
def abs(x: ArrayLike, /) -> Array:
    """Computes absolute values; those of complex numbers are real."""
    ...


@public("numpy.absolute", elementwise.real)
def absolute(x: ArrayLike, /) -> Array:
    """Computes absolute values; those of complex numbers are real."""
    ...


@public("numpy.fabs", elementwise.inexact)
def fabs(x: ArrayLike, /) -> Array:
    """Computes absolute values of real numbers as floats."""
    ...


@public("numpy.sign", elementwise.same)
def sign(x: ArrayLike, /) -> Array:
    """Gives -1, 0 or 1 by the sign of each element."""
    ...


@public("numpy.reciprocal", elementwise.inexact)
def reciprocal(x: ArrayLike, /) -> Array:
    """Computes the reciprocals of elements."""
    ...


@public("numpy.square", elementwise.arithmetic)
def square(x: ArrayLike, /) -> Array:
    """Squares elements."""
    ...


@public("numpy.sqrt", elementwise.inexact)
def sqrt(x: ArrayLike, /) -> Array:
    """Computes square roots."""
    ...


@public("numpy.cbrt", elementwise.inexact)
def cbrt(x: ArrayLike, /) -> Array:
    """Computes cube roots."""
    ...


@public("numpy.hypot", elementwise.loose_inexact)
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the hypotenuses of right triangles with these legs."""
    ...


@public("numpy.maximum", elementwise.same)
def maximum(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Gives the greater of two elements; NaN wins."""
    ...


@public("numpy.minimum", elementwise.same)
def minimum(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Gives the lesser of two elements; NaN wins."""
    ...


@public("numpy.fmax", elementwise.same)
def fmax(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Gives the greater of two elements; NaN loses."""
    ...


@public("numpy.fmin", elementwise.same)
def fmin(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Gives the lesser of two elements; NaN loses."""
    ...


@public("numpy.floor", elementwise.same)
def floor(x: ArrayLike, /) -> Array:
    """Rounds down."""
    ...


@public("numpy.ceil", elementwise.same)
def ceil(x: ArrayLike, /) -> Array:
    """Rounds up."""
    ...


@public("numpy.trunc", elementwise.same)
def trunc(x: ArrayLike) -> Array:
    """Rounds toward zero."""
    ...


@public("numpy.rint", elementwise.loose_inexact)
def rint(x: ArrayLike, /) -> Array:
    """Rounds to the nearest integer, ties to even."""
    ...


@public("numpy.round", elementwise.keep.over("a"), static=("decimals",))
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals."""
    ...


@public("numpy.around", elementwise.keep.over("a"), static=("decimals",))
def around(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals."""
    ...


@public("numpy.clip", selection.clip)
def clip(
    arr: ArrayLike | None = None, /, min: ArrayLike | None = None, max: ArrayLike | None = None
) -> Array:
    """Limits elements to an interval."""
    ...


@public("numpy.nan_to_num", elementwise.keep.over("x"))
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Array:
    """Replaces NaN and infinities by finite numbers."""
    ...


@public("numpy.modf", pairs.twice("inexact", "x"))
def modf(x: ArrayLike, /, out: Any = None) -> tuple[Array, Array]:
    """Splits elements into the fractional and the whole part."""
    ...


@public("numpy.frexp", pairs.mantissa)
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Splits elements into a mantissa and a power of two."""
    ...


@public("numpy.ldexp", particular.scaled)
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies elements by powers of two."""
    ...


@public("numpy.copysign", elementwise.inexact)
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Gives the first elements the signs of the second."""
    ...


@public("numpy.nextafter", elementwise.inexact)
def nextafter(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Gives the next number that floating point has after each element, toward another."""
    ...


@public("numpy.spacing", elementwise.strong_inexact)
def spacing(x: ArrayLike, /) -> Array:
    """Gives the distance to the next number that floating point has."""
    ...


@public("numpy.gcd", elementwise.loose_integer)
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Computes greatest common divisors."""
    ...


@public("numpy.lcm", elementwise.loose_integer)
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Computes least common multiples."""
    ...


@public("numpy.heaviside", elementwise.inexact)
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the unit step; the second array gives its value at zero."""
    ...


@public("numpy.real", elementwise.real)
def real(val: ArrayLike, /) -> Array:
    """Gives the real part."""
    ...


@public("numpy.imag", elementwise.real)
def imag(val: ArrayLike, /) -> Array:
    """Gives the imaginary part."""
    ...


@public("numpy.conj", elementwise.same)
def conj(x: ArrayLike, /) -> Array:
    """Computes complex conjugates."""
    ...


@public("numpy.conjugate", elementwise.same)
def conjugate(x: ArrayLike, /) -> Array:
    """Computes complex conjugates."""
    ...


@public("numpy.angle", elementwise.real_inexact.over("z"), static=("deg",))
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """Computes the angles of complex numbers."""
    ...


@public("numpy.unwrap", elementwise.inexact.over("p"), static=("axis",))
def unwrap(
    p: ArrayLike,
    discont: ArrayLike | None = None,
    axis: int = -1,
    period: ArrayLike = 6.283185307179586,
) -> Array:
    """Removes jumps of whole periods from a signal of angles."""
    ...


@public("numpy.interp", particular.interpolated)
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | str | None = None,
    right: ArrayLike | str | None = None,
    period: ArrayLike | None = None,
) -> Array:
    """Interpolates linearly between given points."""
    ...
