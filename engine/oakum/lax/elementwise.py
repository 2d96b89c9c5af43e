"""Elementwise operations, on operands of equal shape and dtype."""

from __future__ import annotations

from typing import Any

from oakum.abstract import particular, strict
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike


@public("lax.abs", strict.real)
def abs(x: ArrayLike) -> Array:
    """Computes absolute values."""
    ...


@public("lax.acos", strict.inexact)
def acos(x: ArrayLike) -> Array:
    """Computes inverse cosines."""
    ...


@public("lax.acosh", strict.inexact)
def acosh(x: ArrayLike) -> Array:
    """Computes inverse hyperbolic cosines."""
    ...


@public("lax.add", strict.same)
def add(x: ArrayLike, y: ArrayLike) -> Array:
    """Adds elements."""
    ...


@public("lax.asin", strict.inexact)
def asin(x: ArrayLike) -> Array:
    """Computes inverse sines."""
    ...


@public("lax.asinh", strict.inexact)
def asinh(x: ArrayLike) -> Array:
    """Computes inverse hyperbolic sines."""
    ...


@public("lax.atan", strict.inexact)
def atan(x: ArrayLike) -> Array:
    """Computes inverse tangents."""
    ...


@public("lax.atan2", strict.same)
def atan2(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the angles of points, in the right quadrant."""
    ...


@public("lax.atanh", strict.inexact)
def atanh(x: ArrayLike) -> Array:
    """Computes inverse hyperbolic tangents."""
    ...


@public("lax.bitwise_and", strict.integer)
def bitwise_and(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the conjunction of bits."""
    ...


@public("lax.bitwise_not", strict.integer)
def bitwise_not(x: ArrayLike) -> Array:
    """Inverts bits."""
    ...


@public("lax.bitwise_or", strict.integer)
def bitwise_or(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the disjunction of bits."""
    ...


@public("lax.bitwise_xor", strict.integer)
def bitwise_xor(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the exclusive disjunction of bits."""
    ...


@public("lax.cbrt", strict.inexact)
def cbrt(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes cube roots."""
    ...


@public("lax.ceil", strict.same)
def ceil(x: ArrayLike) -> Array:
    """Rounds up."""
    ...


@public("lax.clamp", strict.clamp)
def clamp(min: ArrayLike, x: ArrayLike, max: ArrayLike) -> Array:
    """Limits elements to an interval."""
    ...


@public("lax.clz", strict.integer)
def clz(x: ArrayLike) -> Array:
    """Counts the leading zero bits."""
    ...


@public("lax.complex", particular.complex_of)
def complex(x: ArrayLike, y: ArrayLike) -> Array:
    """Makes complex numbers of real and imaginary parts."""
    ...


@public("lax.conj", particular.complex_of)
def conj(x: ArrayLike) -> Array:
    """Computes complex conjugates."""
    ...


@public("lax.cos", strict.inexact)
def cos(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes cosines."""
    ...


@public("lax.cosh", strict.inexact)
def cosh(x: ArrayLike) -> Array:
    """Computes hyperbolic cosines."""
    ...


@public("lax.div", strict.same)
def div(x: ArrayLike, y: ArrayLike) -> Array:
    """Divides elements; integers round toward zero."""
    ...


@public("lax.eq", strict.boolean)
def eq(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where elements are equal."""
    ...


@public("lax.exp", strict.inexact)
def exp(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes exponentials."""
    ...


@public("lax.exp2", strict.inexact)
def exp2(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes powers of two."""
    ...


@public("lax.expm1", strict.inexact)
def expm1(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes exponentials minus one, accurately near zero."""
    ...


@public("lax.floor", strict.same)
def floor(x: ArrayLike) -> Array:
    """Rounds down."""
    ...


@public("lax.ge", strict.ordered)
def ge(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is greater or equal."""
    ...


@public("lax.gt", strict.ordered)
def gt(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is greater."""
    ...


@public("lax.imag", strict.real)
def imag(x: ArrayLike) -> Array:
    """Gives the imaginary part."""
    ...


@public("lax.integer_pow", strict.same, static=("y",))
def integer_pow(x: ArrayLike, y: int) -> Array:
    """Raises elements to a static integer power."""
    ...


@public("lax.is_finite", strict.boolean)
def is_finite(x: ArrayLike) -> Array:
    """Tells where elements are neither infinite nor NaN."""
    ...


@public("lax.le", strict.ordered)
def le(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is less or equal."""
    ...


@public("lax.log", strict.inexact)
def log(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes natural logarithms."""
    ...


@public("lax.log1p", strict.inexact)
def log1p(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes logarithms of one plus each element, accurately near zero."""
    ...


@public("lax.logistic", strict.inexact)
def logistic(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes the logistic function."""
    ...


@public("lax.lt", strict.ordered)
def lt(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is less."""
    ...


@public("lax.max", strict.any_type)
def max(x: ArrayLike, y: ArrayLike) -> Array:
    """Gives the greater of two elements."""
    ...


@public("lax.min", strict.any_type)
def min(x: ArrayLike, y: ArrayLike) -> Array:
    """Gives the lesser of two elements."""
    ...


@public("lax.mul", strict.same)
def mul(x: ArrayLike, y: ArrayLike, *, out_dtype: DTypeLike | None = None) -> Array:
    """Multiplies elements."""
    ...


@public("lax.mulhi", strict.integer)
def mulhi(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Gives the high half of the product of integers."""
    ...


@public("lax.ne", strict.boolean)
def ne(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where elements differ."""
    ...


@public("lax.neg", strict.same)
def neg(x: ArrayLike) -> Array:
    """Negates elements."""
    ...


@public("lax.nextafter", strict.same)
def nextafter(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Gives the next number that floating point has after each element, toward another."""
    ...


@public("lax.population_count", strict.integer)
def population_count(x: ArrayLike) -> Array:
    """Counts the bits that are set."""
    ...


@public("lax.pow", particular.power)
def pow(x: ArrayLike, y: ArrayLike) -> Array:
    """Raises elements to powers."""
    ...


@public("lax.real", strict.real)
def real(x: ArrayLike) -> Array:
    """Gives the real part."""
    ...


@public("lax.reciprocal", strict.inexact)
def reciprocal(x: ArrayLike) -> Array:
    """Computes reciprocals."""
    ...


@public("lax.reduce_precision", strict.same, static=("exponent_bits", "mantissa_bits"))
def reduce_precision(operand: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Array:
    """Rounds elements to a smaller floating-point format."""
    ...


@public("lax.rem", strict.same)
def rem(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the remainder of division, with the sign of the dividend."""
    ...


@public("lax.round", strict.same)
def round(x: ArrayLike, rounding_method: Any = 0) -> Array:
    """Rounds to the nearest integer."""
    ...


@public("lax.rsqrt", strict.inexact)
def rsqrt(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes reciprocals of square roots."""
    ...


@public("lax.select", strict.select)
def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Array:
    """Picks elements from two arrays by a condition."""
    ...


@public("lax.select_n", strict.select_n)
def select_n(which: ArrayLike, *cases: ArrayLike) -> Array:
    """Picks elements from several arrays by an index."""
    ...


@public("lax.shift_left", strict.integer)
def shift_left(x: ArrayLike, y: ArrayLike) -> Array:
    """Shifts bits to the left."""
    ...


@public("lax.shift_right_arithmetic", strict.integer)
def shift_right_arithmetic(x: ArrayLike, y: ArrayLike) -> Array:
    """Shifts bits to the right and keeps the sign."""
    ...


@public("lax.shift_right_logical", strict.integer)
def shift_right_logical(x: ArrayLike, y: ArrayLike) -> Array:
    """Shifts bits to the right and fills with zeros."""
    ...


@public("lax.sign", strict.same)
def sign(x: ArrayLike) -> Array:
    """Gives -1, 0 or 1 by the sign of each element."""
    ...


@public("lax.sin", strict.inexact)
def sin(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes sines."""
    ...


@public("lax.sinh", strict.inexact)
def sinh(x: ArrayLike) -> Array:
    """Computes hyperbolic sines."""
    ...


@public("lax.sqrt", strict.inexact)
def sqrt(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes square roots."""
    ...


@public("lax.square", strict.same)
def square(x: ArrayLike) -> Array:
    """Squares elements."""
    ...


@public("lax.sub", strict.same)
def sub(x: ArrayLike, y: ArrayLike) -> Array:
    """Subtracts the elements of the second array from those of the first."""
    ...


@public("lax.tan", strict.inexact)
def tan(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes tangents."""
    ...


@public("lax.tanh", strict.inexact)
def tanh(x: ArrayLike, *, accuracy: Any = None) -> Array:
    """Computes hyperbolic tangents."""
    ...
