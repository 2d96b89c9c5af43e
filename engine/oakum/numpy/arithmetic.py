"""Arithmetic, element by element."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, coercion, ufuncs
from oakum.tracing.trace import Tracer, full_lower
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public


@ufuncs.universal(
    2,
    identity=0,
    reduce=ufuncs.calling("sum"),
    accumulate=ufuncs.calling("cumsum"),
    at=ufuncs.updating("add"),
)
@public("numpy.add", elementwise.same)
def add(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Adds elements."""
    x_array, y_array = coercion.promote("add", x, y)
    if x_array.aval.dtype is dtypes.bool_:
        return lax.bitwise_or(*_same_shape(x_array, y_array))
    return lax.add(x_array, y_array)


def _same_shape(x: ArrayLike, y: ArrayLike) -> list[Any]:
    return arguments.broadcast(x, y)


@ufuncs.universal(2, at=ufuncs.updating("subtract"))
@public("numpy.subtract", elementwise.numbers)
def subtract(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Subtracts the elements of the second array from those of the first."""
    return lax.sub(*coercion.promote("subtract", x, y))


@ufuncs.universal(
    2,
    identity=1,
    reduce=ufuncs.calling("prod"),
    accumulate=ufuncs.calling("cumprod"),
    at=ufuncs.updating("multiply"),
)
@public("numpy.multiply", elementwise.same, edge="product")
def multiply(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Multiplies elements."""
    x_array, y_array = coercion.promote("multiply", x, y)
    if x_array.aval.dtype is dtypes.bool_:
        return lax.bitwise_and(*_same_shape(x_array, y_array))
    return lax.mul(x_array, y_array)


@public("numpy.divide", elementwise.inexact, edge="singular")
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements; integers give floats."""
    return lax.div(*coercion.promote_inexact("divide", x1, x2))


@public("numpy.true_divide", elementwise.inexact, edge="singular")
def true_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements; integers give floats."""
    return lax.div(*coercion.promote_inexact("true_divide", x1, x2))


@public("numpy.floor_divide", elementwise.quotients, zero_derivative=True)
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Divides elements and rounds down."""
    return _floor_divide(*coercion.promote_numeric("floor_divide", x1, x2))


def _floor_divide(x: ArrayLike, y: ArrayLike) -> Any:
    """Returns quotients rounded down."""
    _refuse_complex("floor_divide", x)
    x, y = arguments.broadcast(x, y)
    if arguments.is_kind(x, Kind.UINT):
        return lax.div(x, y)
    if not arguments.is_kind(x, Kind.INT):
        return _float_divmod(x, y)[0]
    quotient = lax.div(x, y)
    opposite = lax.ne(lax.sign(x), lax.sign(y))
    inexact = lax.ne(lax.rem(x, y), coercion.like(x, 0))
    below = lax.sub(quotient, coercion.like(x, 1))
    return lax.select(lax.bitwise_and(opposite, inexact), below, quotient)


def _float_divmod(x: ArrayLike, y: ArrayLike) -> tuple[Any, Any]:
    rest = lax.rem(x, y)
    whole = lax.select(lax.eq(y, 0.0), x, lax.sub(x, rest))
    quotient = lax.div(whole, y)
    opposite = lax.ne(lax.sign(y), lax.sign(rest))
    beyond = lax.bitwise_and(lax.ne(rest, 0.0), opposite)
    rest = lax.select(beyond, lax.add(rest, y), rest)
    quotient = lax.select(beyond, lax.sub(quotient, 1.0), quotient)
    return lax.round(quotient), rest


def _refuse_complex(function: str, x: ArrayLike) -> None:
    if arguments.is_complex(x):
        raise DTypeError(
            f"{function} does not support complex-valued inputs",
            hint="Complex numbers have no order to round by; take real parts first.",
        )


@public("numpy.remainder", elementwise.quotients)
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of quotients, with the sign of the divisor."""
    return _remainder(*coercion.promote_numeric("remainder", x1, x2))


def _remainder(x: ArrayLike, y: ArrayLike) -> Any:
    """Returns what remains of division that rounds down: it has the sign of the divisor."""
    x, y = arguments.broadcast(x, y)
    if arguments.is_kind(x, *_INTEGERS):
        y = _without_zeros(y)
    zero = coercion.like(x, 0)
    rest = lax.rem(x, y)
    opposite = lax.ne(lax.lt(rest, zero), lax.lt(y, zero))
    moved = lax.bitwise_and(opposite, lax.ne(rest, zero))
    return lax.select(moved, lax.add(rest, y), rest)


def _without_zeros(divisor: Any) -> Any:
    """Returns integer divisors with one in the place of zero, so that the remainder is zero."""
    zero = lax.eq(divisor, coercion.like(divisor, 0))
    return lax.select(zero, lax.full_like(divisor, 1), divisor)


_INTEGERS = (Kind.INT, Kind.UINT)


@public("numpy.mod", elementwise.quotients)
def mod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of quotients, with the sign of the divisor."""
    return _remainder(*coercion.promote_numeric("mod", x1, x2))


@public("numpy.fmod", elementwise.quotients)
def fmod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the remainder of quotients, with the sign of the dividend."""
    x, y = coercion.promote_numeric("fmod", x1, x2)
    return lax.rem(x, _without_zeros(y) if arguments.is_kind(x, *_INTEGERS) else y)


@public("numpy.divmod", elementwise.twice(elementwise.quotients.over("x1", "x2")))
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """Computes the quotient rounded down, and the remainder."""
    x, y = coercion.promote_numeric("divmod", x1, x2)
    _refuse_complex("divmod", x)
    if arguments.is_kind(x, *_INTEGERS):
        return _floor_divide(x, y), _remainder(x, y)
    return _float_divmod(*arguments.broadcast(x, y))


@public("numpy.power", elementwise.powers, edge="power")
def power(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Raises elements to powers."""
    return _power("power", x1, x2)


def _power(function: str, base: Any, exponent: Any) -> Any:
    """Returns powers; a known integer exponent gives products and quotients only."""
    base, exponent = coercion.check(function, base, exponent)
    known = _known_integer(exponent)
    if known is not None:
        return lax.integer_pow(*coercion.promote_numeric(function, base), y=known)
    x, y = coercion.promote_numeric(function, base, exponent)
    if arguments.is_kind(x, Kind.INT, Kind.UINT):
        return _of_integers(*arguments.broadcast(x, y))
    if arguments.is_inexact(base) and arguments.is_kind(exponent, Kind.INT, Kind.UINT):
        return lax.pow(x, _to_rank(exponent, y))
    return lax.pow(x, y)


def _to_rank(exponent: Any, promoted: object) -> Any:
    """Returns an integer exponent with the shape that promotion gave it."""
    return arguments.broadcast_to(exponent, arguments.shape_of(promoted))


def _of_integers(base: ArrayLike, exponent: ArrayLike) -> Any:
    """Returns powers of integers by squaring. They are not weakly typed, as JAX's are not."""
    base = arguments.strong(base)
    zero, one = coercion.like(exponent, 0), coercion.like(exponent, 1)
    vanishes = lax.bitwise_and(lax.eq(base, coercion.like(base, 0)), lax.ne(exponent, zero))
    result = lax.select(vanishes, lax.full_like(base, 0), lax.full_like(base, 1))
    for _ in range(_STEPS):
        odd = lax.ne(lax.bitwise_and(exponent, one), zero)
        result = lax.select(odd, lax.mul(result, base), result)
        base = lax.mul(base, base)
        exponent = lax.shift_right_logical(exponent, one)
    return result


_STEPS = 6
"""Higher powers of an integer other than 0, 1 and -1 do not fit into 64 bits."""


def _known_integer(value: object) -> int | None:
    found: Any = full_lower(value)
    if isinstance(found, Tracer):
        return None
    if isinstance(found, Array):
        is_integer = found.ndim == 0 and arguments.is_kind(found, Kind.INT, Kind.UINT)
        return int(host.np.asarray(found)) if is_integer else None
    try:
        return operator.index(found)
    except TypeError:
        return None


@public("numpy.pow", elementwise.powers)
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Raises elements to powers."""
    return _power("pow", x1, x2)


@public("numpy.float_power", elementwise.inexact, edge="power")
def float_power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Raises elements to powers in floating point."""
    return lax.pow(*coercion.promote_inexact("float_power", x, y))


@ufuncs.universal(1)
@public("numpy.negative", elementwise.numbers, edge="linear")
def negative(x: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Negates elements."""
    return lax.neg(*coercion.promote("negative", x))


@public("numpy.positive", elementwise.same)
def positive(x: ArrayLike, /) -> Array:
    """Returns the elements as they are."""
    return coercion.staged(*coercion.promote("positive", x))


@public("numpy.abs", elementwise.real, edge="square")
def abs(x: ArrayLike, /) -> Array:
    """Computes absolute values; those of complex numbers are real."""
    return absolute_value(*arguments.arrays("abs", x))


def absolute_value(x: ArrayLike) -> Any:
    """Returns absolute values; numbers without a sign stay as they are."""
    if arguments.is_kind(x, Kind.BOOL, Kind.UINT):
        return coercion.staged(x)
    return lax.abs(x)


@public("numpy.absolute", elementwise.real, edge="square")
def absolute(x: ArrayLike, /) -> Array:
    """Computes absolute values; those of complex numbers are real."""
    return absolute_value(*arguments.arrays("absolute", x))


@public("numpy.fabs", elementwise.inexact)
def fabs(x: ArrayLike, /) -> Array:
    """Computes absolute values of real numbers as floats."""
    return lax.abs(*coercion.promote_inexact("fabs", x))


@public("numpy.sign", elementwise.same, zero_derivative=True, edge="square")
def sign(x: ArrayLike, /) -> Array:
    """Returns -1, 0 or 1 by the sign of each element."""
    return lax.sign(*coercion.promote("sign", x))


@public("numpy.reciprocal", elementwise.inexact, edge="singular")
def reciprocal(x: ArrayLike, /) -> Array:
    """Computes the reciprocals of elements."""
    return lax.integer_pow(*coercion.promote_inexact("reciprocal", x), y=-1)


@public("numpy.square", elementwise.arithmetic, edge="square")
def square(x: ArrayLike, /) -> Array:
    """Squares elements."""
    return lax.square(*coercion.promote_numeric("square", x))


@public("numpy.sqrt", elementwise.inexact, edge="root", poles=(0.0,))
def sqrt(x: ArrayLike, /) -> Array:
    """Computes square roots."""
    return lax.sqrt(*coercion.promote_inexact("sqrt", x))


@public("numpy.cbrt", elementwise.inexact, edge="singular")
def cbrt(x: ArrayLike, /) -> Array:
    """Computes cube roots."""
    return lax.cbrt(*coercion.promote_inexact("cbrt", x))


@public("numpy.hypot", elementwise.loose_inexact)
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Computes the hypotenuses of right triangles with these legs."""
    x, y = coercion.promote_inexact("hypot", x1, x2)
    if arguments.is_complex(x):
        raise DTypeError(
            "jnp.hypot is not well defined for complex-valued inputs",
            hint="Convert to real values first, such as by jnp.abs(x).",
        )
    x, y = arguments.broadcast(lax.abs(x), lax.abs(y))
    infinite = lax.bitwise_or(lax.eq(x, math.inf), lax.eq(y, math.inf))
    longer, shorter = lax.max(x, y), lax.min(x, y)
    no_length = lax.eq(longer, 0.0)
    ratio = lax.div(shorter, lax.select(no_length, lax.full_like(longer, 1), longer))
    length = lax.mul(longer, lax.sqrt(lax.add(lax.square(ratio), 1.0)))
    finite = lax.select(no_length, longer, length)
    result = lax.select(infinite, lax.full_like(finite, math.inf), finite)
    return arguments.strong_above_scalars(result)


@public("numpy.gcd", elementwise.loose_integer)
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Computes greatest common divisors."""
    return _gcd(*coercion.promote("gcd", x1, x2))


def _gcd(x: ArrayLike, y: ArrayLike) -> Any:
    """Returns greatest common divisors, by Euclid's algorithm on all elements at once."""
    result, _ = lax.while_loop(_has_rest, _euclid, tuple(_integers("gcd", x, y)))
    return result


def _integers(function: str, *values: ArrayLike) -> list[Any]:
    if not builtins.all(arguments.is_kind(value, *_INTEGERS) for value in values):
        raise DTypeError(
            f"Arguments to jax.numpy.{function} must be integers.",
            hint="Convert the arguments with astype(int).",
        )
    given = [abs(value) for value in arguments.broadcast(*values)]
    return [arguments.strong_above_scalars(value) for value in given]


def _euclid(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    x, y = pair
    going = lax.ne(y, coercion.like(y, 0))
    rest = lax.rem(x, _without_zeros(y))
    return lax.select(going, y, x), lax.select(going, rest, y)


def _has_rest(pair: tuple[Any, Any]) -> Any:
    return jnp.any(lax.ne(pair[1], coercion.like(pair[1], 0)))


@public("numpy.lcm", elementwise.loose_integer)
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Computes least common multiples."""
    x, y = coercion.promote("lcm", x1, x2)
    x, y = _integers("lcm", x, y)
    divisor = _gcd(x, y)
    multiple = lax.mul(x, lax.div(y, _without_zeros(divisor)))
    none = lax.eq(divisor, coercion.like(divisor, 0))
    return lax.select(none, lax.full_like(multiple, 0), multiple)


@public("numpy.real", elementwise.real)
def real(val: ArrayLike, /) -> Array:
    """Returns the real part."""
    return _real(*arguments.arrays("real", val))


def _real(x: ArrayLike) -> Any:
    """Returns real parts."""
    return lax.real(x) if arguments.is_complex(x) else coercion.staged(x)


@public("numpy.imag", elementwise.real)
def imag(val: ArrayLike, /) -> Array:
    """Returns the imaginary part."""
    return _imag(*arguments.arrays("imag", val))


def _imag(x: ArrayLike) -> Any:
    """Returns imaginary parts."""
    return lax.imag(x) if arguments.is_complex(x) else lax.full_like(x, 0)


@public("numpy.conj", elementwise.same)
def conj(x: ArrayLike, /) -> Array:
    """Computes complex conjugates."""
    return _conjugate(*arguments.arrays("conj", x))


def _conjugate(x: ArrayLike) -> Any:
    """Returns complex conjugates."""
    return lax.conj(x) if arguments.is_complex(x) else coercion.staged(x)


@public("numpy.conjugate", elementwise.same)
def conjugate(x: ArrayLike, /) -> Array:
    """Computes complex conjugates."""
    return _conjugate(*arguments.arrays("conjugate", x))


@public("numpy.angle", elementwise.real_inexact.over("z"), static=("deg",))
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """Computes the angles of complex numbers."""
    (array,) = arguments.arrays("angle", z)
    x, y = _real(array), _imag(array)
    lone_float = arguments.is_kind(array, Kind.FLOAT) and not array.ndim
    if lone_float or not arguments.is_inexact(x):
        dtype = arguments.inexact(dtypes.bool_)
        x, y = arguments.convert(x, dtype), arguments.convert(y, dtype)
    result = lax.atan2(y, x)
    return lax.mul(result, coercion.like(result, 180 / math.pi)) if deg else result
