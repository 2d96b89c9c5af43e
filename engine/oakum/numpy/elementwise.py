"""Arithmetic and rounding, element by element."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum.abstract import elementwise, selection
from oakum.array import Array
from oakum.numpy import (
    arguments,
    arithmetic,
    binary_parts,
    powers,
    promoting,
    quotients,
    reducing,
    rounding,
    selecting,
    signals,
    universal,
)
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@universal.universal(
    2,
    identity=0,
    reduce=universal.calling("sum"),
    accumulate=universal.calling("cumsum"),
    at=universal.updating("add"),
)
@public("numpy.add", elementwise.same)
def add(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Adds elements."""
    return arithmetic.add(*promoting.promote("add", x, y))


@universal.universal(2, at=universal.updating("subtract"))
@public("numpy.subtract", elementwise.numbers)
def subtract(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Subtracts the elements of the second array from those of the first."""
    return lax.sub(*promoting.promote("subtract", x, y))


@universal.universal(
    2,
    identity=1,
    reduce=universal.calling("prod"),
    accumulate=universal.calling("cumprod"),
    at=universal.updating("multiply"),
)
@public("numpy.multiply", elementwise.same, edge="product")
def multiply(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Multiplies elements."""
    return arithmetic.multiply(*promoting.promote("multiply", x, y))


@public("numpy.divide", elementwise.inexact, edge="singular")
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements; integers give floats."""
    return lax.div(*promoting.promote_inexact("divide", x1, x2))


@public("numpy.true_divide", elementwise.inexact, edge="singular")
def true_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements; integers give floats."""
    return lax.div(*promoting.promote_inexact("true_divide", x1, x2))


@public("numpy.floor_divide", elementwise.quotients, zero_derivative=True)
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements and rounds down."""
    return quotients.floor_divide(*promoting.promote_numeric("floor_divide", x1, x2))


@public("numpy.remainder", elementwise.quotients)
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of quotients, with the sign of the divisor."""
    return quotients.remainder(*promoting.promote_numeric("remainder", x1, x2))


@public("numpy.mod", elementwise.quotients)
def mod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of quotients, with the sign of the divisor."""
    return quotients.remainder(*promoting.promote_numeric("mod", x1, x2))


@public("numpy.fmod", elementwise.quotients)
def fmod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of quotients, with the sign of the dividend."""
    return quotients.fmod(*promoting.promote_numeric("fmod", x1, x2))


@public("numpy.divmod", elementwise.twice(elementwise.quotients.over("x1", "x2")))
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """Computes the quotient rounded down, and the remainder."""
    return quotients.divmod(*promoting.promote_numeric("divmod", x1, x2))


@public("numpy.power", elementwise.powers, edge="power")
def power(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Raises elements to powers."""
    return powers.power("power", x1, x2)


@public("numpy.pow", elementwise.powers)
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Raises elements to powers."""
    return powers.power("pow", x1, x2)


@public("numpy.float_power", elementwise.inexact, edge="power")
def float_power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Raises elements to powers in floating point."""
    return lax.pow(*promoting.promote_inexact("float_power", x, y))


@universal.universal(1)
@public("numpy.negative", elementwise.numbers, edge="linear")
def negative(x: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Negates elements."""
    return lax.neg(*promoting.promote("negative", x))


@public("numpy.positive", elementwise.same)
def positive(x: ArrayLike, /) -> Array:
    """Gives the elements as they are."""
    return promoting.staged(*promoting.promote("positive", x))


@public("numpy.abs", elementwise.real, edge="square")
def abs(x: ArrayLike, /) -> Array:
    """Computes absolute values; those of complex numbers are real."""
    return arithmetic.absolute(*arguments.arrays("abs", x))


@public("numpy.absolute", elementwise.real, edge="square")
def absolute(x: ArrayLike, /) -> Array:
    """Computes absolute values; those of complex numbers are real."""
    return arithmetic.absolute(*arguments.arrays("absolute", x))


@public("numpy.fabs", elementwise.inexact)
def fabs(x: ArrayLike, /) -> Array:
    """Computes absolute values of real numbers as floats."""
    return lax.abs(*promoting.promote_inexact("fabs", x))


@public("numpy.sign", elementwise.same, zero_derivative=True, edge="square")
def sign(x: ArrayLike, /) -> Array:
    """Gives -1, 0 or 1 by the sign of each element."""
    return lax.sign(*promoting.promote("sign", x))


@public("numpy.reciprocal", elementwise.inexact, edge="singular")
def reciprocal(x: ArrayLike, /) -> Array:
    """Computes the reciprocals of elements."""
    return lax.integer_pow(*promoting.promote_inexact("reciprocal", x), y=-1)


@public("numpy.square", elementwise.arithmetic, edge="square")
def square(x: ArrayLike, /) -> Array:
    """Squares elements."""
    return lax.square(*promoting.promote_numeric("square", x))


@public("numpy.sqrt", elementwise.inexact, edge="root", poles=(0.0,))
def sqrt(x: ArrayLike, /) -> Array:
    """Computes square roots."""
    return lax.sqrt(*promoting.promote_inexact("sqrt", x))


@public("numpy.cbrt", elementwise.inexact, edge="singular")
def cbrt(x: ArrayLike, /) -> Array:
    """Computes cube roots."""
    return lax.cbrt(*promoting.promote_inexact("cbrt", x))


@public("numpy.hypot", elementwise.loose_inexact)
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the hypotenuses of right triangles with these legs."""
    return arithmetic.hypot(*promoting.promote_inexact("hypot", x1, x2))


@universal.universal(2, reduce=universal.reduction("max", lambda: reducing.MAXIMUM))
@public("numpy.maximum", elementwise.same, edge="bounds")
def maximum(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Gives the greater of two elements; NaN wins."""
    return lax.max(*promoting.promote("maximum", x, y))


@universal.universal(2, reduce=universal.reduction("min", lambda: reducing.MINIMUM))
@public("numpy.minimum", elementwise.same, edge="bounds")
def minimum(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Gives the lesser of two elements; NaN wins."""
    return lax.min(*promoting.promote("minimum", x, y))


@public("numpy.fmax", elementwise.same)
def fmax(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Gives the greater of two elements; NaN loses."""
    return selecting.fmax(*promoting.promote("fmax", x1, x2))


@public("numpy.fmin", elementwise.same)
def fmin(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Gives the lesser of two elements; NaN loses."""
    return selecting.fmin(*promoting.promote("fmin", x1, x2))


@public("numpy.floor", elementwise.rounded, zero_derivative=True, edge="square")
def floor(x: ArrayLike, /) -> Array:
    """Rounds down."""
    return rounding.to_whole("floor", x, lax.floor)


@public("numpy.ceil", elementwise.rounded, zero_derivative=True, edge="square")
def ceil(x: ArrayLike, /) -> Array:
    """Rounds up."""
    return rounding.to_whole("ceil", x, lax.ceil)


@public("numpy.trunc", elementwise.rounded, zero_derivative=True, edge="square")
def trunc(x: ArrayLike) -> Array:
    """Rounds toward zero."""
    return rounding.to_whole("trunc", x, rounding.toward_zero)


@public("numpy.rint", elementwise.loose_inexact, zero_derivative=True, edge="square")
def rint(x: ArrayLike, /) -> Array:
    """Rounds to the nearest integer, ties to even."""
    return rounding.rint(*arguments.arrays("rint", x))


@public(
    "numpy.round",
    elementwise.keep.over("a"),
    static=("decimals",),
    zero_derivative=True,
    edge="square",
)
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals."""
    return rounding.round_to("round", a, decimals, out)


@public("numpy.around", elementwise.keep.over("a"), static=("decimals",), zero_derivative=True)
def around(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals."""
    return rounding.round_to("around", a, decimals, out)


@public("numpy.clip", selection.clip, edge="bounds")
def clip(
    arr: ArrayLike | None = None, /, min: ArrayLike | None = None, max: ArrayLike | None = None
) -> Array:
    """Limits elements to an interval."""
    return selecting.clip(arr, min, max)


@public("numpy.nan_to_num", elementwise.keep.over("x"), edge="cleans")
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Array:
    """Replaces NaN and infinities by finite numbers."""
    return selecting.nan_to_num(
        *arguments.arrays("nan_to_num", x), nan=nan, posinf=posinf, neginf=neginf
    )


@public("numpy.modf", elementwise.twice(elementwise.inexact.over("x")))
def modf(x: ArrayLike, /, out: Any = None) -> tuple[Array, Array]:
    """Splits elements into the fractional and the whole part."""
    arguments.refuse_out("jnp.modf", out)
    return rounding.modf(*promoting.promote_inexact("modf", x))


@public("numpy.frexp", elementwise.mantissa)
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Splits elements into a mantissa and a power of two."""
    return binary_parts.frexp(*promoting.promote_inexact("frexp", x))


@public("numpy.ldexp", elementwise.scaled)
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies elements by powers of two."""
    return binary_parts.ldexp(*arguments.arrays("ldexp", x1, x2))


@public("numpy.copysign", elementwise.inexact)
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Gives the first elements the signs of the second."""
    return binary_parts.copysign(*promoting.promote_inexact("copysign", x1, x2))


@public("numpy.nextafter", elementwise.inexact)
def nextafter(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Gives the next number that floating point has after each element, toward another."""
    return lax.nextafter(*promoting.promote_inexact("nextafter", x, y))


@public("numpy.spacing", elementwise.strong_inexact)
def spacing(x: ArrayLike, /) -> Array:
    """Gives the distance to the next number that floating point has."""
    return binary_parts.spacing(*promoting.promote_inexact("spacing", x))


@public("numpy.gcd", elementwise.loose_integer)
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Computes greatest common divisors."""
    return quotients.gcd(*promoting.promote("gcd", x1, x2))


@public("numpy.lcm", elementwise.loose_integer)
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Computes least common multiples."""
    return quotients.lcm(*promoting.promote("lcm", x1, x2))


@public("numpy.heaviside", elementwise.loose_inexact, zero_derivative=True)
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the unit step; the second array gives its value at zero."""
    return selecting.heaviside(*promoting.promote_inexact("heaviside", x1, x2))


@public("numpy.real", elementwise.real)
def real(val: ArrayLike, /) -> Array:
    """Gives the real part."""
    return arithmetic.real(*arguments.arrays("real", val))


@public("numpy.imag", elementwise.real)
def imag(val: ArrayLike, /) -> Array:
    """Gives the imaginary part."""
    return arithmetic.imag(*arguments.arrays("imag", val))


@public("numpy.conj", elementwise.same)
def conj(x: ArrayLike, /) -> Array:
    """Computes complex conjugates."""
    return arithmetic.conjugate(*arguments.arrays("conj", x))


@public("numpy.conjugate", elementwise.same)
def conjugate(x: ArrayLike, /) -> Array:
    """Computes complex conjugates."""
    return arithmetic.conjugate(*arguments.arrays("conjugate", x))


@public("numpy.angle", elementwise.real_inexact.over("z"), static=("deg",))
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """Computes the angles of complex numbers."""
    return arithmetic.angle(*arguments.arrays("angle", z), deg=deg)


@public("numpy.unwrap", elementwise.inexact.over("p"), static=("axis",))
def unwrap(
    p: ArrayLike,
    discont: ArrayLike | None = None,
    axis: int = -1,
    period: ArrayLike = 6.283185307179586,
) -> Array:
    """Removes jumps of whole periods from a signal of angles."""
    return signals.unwrap(p, discont, axis, period)


@public("numpy.interp", elementwise.interpolated)
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | str | None = None,
    right: ArrayLike | str | None = None,
    period: ArrayLike | None = None,
) -> Array:
    """Interpolates linearly between given points."""
    return signals.interp(x, xp, fp, left, right, period)
