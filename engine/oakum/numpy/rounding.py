"""Rounding, and the parts of floating-point numbers."""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, coercion, logic
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public


@public("numpy.floor", elementwise.rounded, zero_derivative=True, edge="square")
def floor(x: ArrayLike, /) -> Array:
    """Rounds down."""
    return _to_whole("floor", x, lax.floor)


def _to_whole(function: str, x: object, rounded: Callable[[Any], Any]) -> Any:
    """Returns whole numbers by a way of rounding; integers stay as they are."""
    (x,) = arguments.arrays(function, x)
    if arguments.is_kind(x, Kind.BOOL, Kind.INT, Kind.UINT):
        return coercion.staged(x)
    return rounded(x)


@public("numpy.ceil", elementwise.rounded, zero_derivative=True, edge="square")
def ceil(x: ArrayLike, /) -> Array:
    """Rounds up."""
    return _to_whole("ceil", x, lax.ceil)


@public("numpy.trunc", elementwise.rounded, zero_derivative=True, edge="square")
def trunc(x: ArrayLike) -> Array:
    """Rounds toward zero."""
    return _to_whole("trunc", x, _toward_zero)


def _toward_zero(x: ArrayLike) -> Any:
    """Returns floats rounded toward zero."""
    return lax.select(lax.lt(x, coercion.like(x, 0)), lax.ceil(x), lax.floor(x))


@public("numpy.rint", elementwise.loose_inexact, zero_derivative=True, edge="square")
def rint(x: ArrayLike, /) -> Array:
    """Rounds to the nearest integer, ties to even."""
    (x,) = arguments.arrays("rint", x)
    if arguments.is_complex(x):
        return lax.complex(_nearest(lax.real(x)), _nearest(lax.imag(x)))
    if not arguments.is_inexact(x):
        return arguments.convert(x, arguments.inexact(dtypes.bool_))
    return _nearest(x)


def _nearest(x: ArrayLike) -> Any:
    """Returns floats rounded to the nearest whole number, ties to even."""
    return lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


@public(
    "numpy.round",
    elementwise.keep.over("a"),
    static=("decimals",),
    zero_derivative=True,
    edge="square",
)
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals."""
    return _round_to("round", a, decimals, out)


def _round_to(function: str, a: object, decimals: object, out: object) -> Any:
    """Returns numbers rounded to a number of decimals."""
    (x,) = arguments.arrays(function, a)
    places = arguments.static_integer(decimals, "'decimals' argument of jnp.round")
    arguments.refuse_out("jnp.round", out)
    if arguments.is_kind(x, Kind.INT, Kind.UINT):
        if places < 0:
            raise NotImplementedError("integer np.round not implemented for decimals < 0")
        return coercion.staged(x)
    if arguments.is_complex(x):
        return lax.complex(_to_places(lax.real(x), places), _to_places(lax.imag(x), places))
    return _to_places(x, places)


def _to_places(x: Array, places: int) -> Any:
    if places == 0:
        return _nearest(x)
    dtype = arguments.dtype_of(x)
    if places > math.log10(builtins.float(host.ml_dtypes.finfo(host.dtype(dtype)).max)):
        return coercion.staged(x)
    wide = arguments.convert(x, dtypes.float32) if dtype is dtypes.float16 else x
    factor = coercion.like(wide, 10.0**places)
    rounded = lax.div(_nearest(lax.mul(wide, factor)), factor)
    return arguments.convert(rounded, dtype, bool(x.aval.weak_type))


@public("numpy.around", elementwise.keep.over("a"), static=("decimals",), zero_derivative=True)
def around(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Rounds to a number of decimals."""
    return _round_to("around", a, decimals, out)


@public("numpy.modf", elementwise.twice(elementwise.inexact.over("x")))
def modf(x: ArrayLike, /, out: Any = None) -> tuple[Array, Array]:
    """Splits elements into the fractional and the whole part."""
    arguments.refuse_out("jnp.modf", out)
    (x,) = coercion.promote_inexact("modf", x)
    whole = _toward_zero(x)
    return lax.sub(x, whole), whole


@public("numpy.frexp", elementwise.mantissa)
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Splits elements into a mantissa and a power of two."""
    return _frexp(*coercion.promote_inexact("frexp", x))


def _frexp(x: ArrayLike) -> tuple[Any, Any]:
    """Returns a mantissa of a size from 0.5 to 1, and a power of two."""
    _refuse_complex("frexp", x)
    return _differentiable_frexp()(x)


@functools.cache
def _differentiable_frexp() -> Any:
    from oakum import custom_jvp

    @custom_jvp
    def split(x: ArrayLike) -> tuple[Any, Any]:
        return _split(x)

    @split.defjvp
    def _derivative(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        (x,), (tangent,) = primals, tangents
        mantissa, exponent = split(x)
        scale = lax.exp2(lax.neg(arguments.convert(exponent, arguments.dtype_of(tangent))))
        no_tangent = host.np.zeros(exponent.shape, host.dtype(dtypes.float0))
        return (mantissa, exponent), (lax.mul(tangent, scale), no_tangent)

    return split


def _split(x: ArrayLike) -> tuple[Any, Any]:
    """Reads mantissa and exponent from the bits; what is subnormal is scaled up first."""
    dtype = arguments.dtype_of(x)
    info, integer = _limits(dtype), _BITS[dtype.bits]
    small = lax.lt(lax.abs(x), coercion.like(x, info.tiny))
    scaled = lax.select(small, lax.mul(x, coercion.like(x, 1 << info.nmant)), x)
    shift = lax.select(small, _full(x, -info.nmant, integer), _full(x, 0, integer))
    bits = lax.bitcast_convert_type(scaled, host.dtype(integer))
    mask, bias = (1 << info.nexp) - 1, 1 - info.minexp

    def constant(number: int) -> Any:
        return coercion.constant(number, integer)

    held = lax.bitwise_and(lax.shift_right_arithmetic(bits, constant(info.nmant)), constant(mask))
    exponent = lax.add(lax.add(shift, held), constant(1 - bias))
    rest = lax.bitwise_and(bits, constant(~(mask << info.nmant)))
    mantissa = lax.bitwise_or(rest, constant((bias - 1) << info.nmant))
    mantissa = lax.bitcast_convert_type(mantissa, host.dtype(dtype))
    special = lax.bitwise_or(lax.bitwise_not(lax.is_finite(x)), lax.eq(x, coercion.like(x, 0)))
    exponent = lax.select(special, lax.full_like(exponent, 0), exponent)
    mantissa = lax.select(special, arguments.strong(x), mantissa)
    return mantissa, arguments.convert(exponent, dtypes.int32)


def _full(x: ArrayLike, number: int, dtype: DType) -> Any:
    return lax.full(arguments.shape_of(x), number, host.dtype(dtype))


_BITS: Final = {16: dtypes.int16, 32: dtypes.int32, 64: dtypes.int64}


@functools.cache
def _limits(dtype: DType) -> Any:
    return host.ml_dtypes.finfo(host.dtype(dtype))


def _refuse_complex(function: str, x: ArrayLike) -> None:
    if arguments.is_complex(x):
        raise DTypeError(
            f"{function} does not support complex-valued inputs",
            hint="Take the real and the imaginary part first.",
        )


@public("numpy.ldexp", elementwise.scaled)
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies elements by powers of two."""
    x, exponent = arguments.arrays("ldexp", x1, x2)
    if arguments.is_complex(x) or arguments.is_inexact(exponent):
        kinds = (x.dtype, exponent.dtype)
        raise DTypeError(
            f"ldexp not supported for input types {kinds}",
            hint="Give real numbers, and integers as exponents.",
        )
    (x,) = coercion.promote_inexact("ldexp", x)
    x, exponent = arguments.broadcast(x, exponent)
    dtype = arguments.dtype_of(x)
    mantissa, own = _frexp(x)
    power = lax.add(arguments.convert(own, dtype), arguments.convert(exponent, dtype))
    # A mantissa below one would need a power of two that is beyond the greatest float.
    above = lax.gt(power, coercion.like(power, 0))
    mantissa = lax.select(above, lax.add(mantissa, mantissa), mantissa)
    power = lax.select(above, lax.sub(power, coercion.like(power, 1)), power)
    scaled = lax.mul(mantissa, lax.pow(lax.full_like(power, 2), power))
    kept = lax.bitwise_or(logic.is_inf(x), lax.eq(x, coercion.like(x, 0)))
    return lax.select(kept, x, scaled)


@public("numpy.copysign", elementwise.inexact)
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Returns the first elements the signs of the second."""
    return _copysign(*coercion.promote_inexact("copysign", x1, x2))


def _copysign(x: ArrayLike, y: ArrayLike) -> Any:
    """Returns the size of the first with the sign of the second."""
    _refuse_complex("copysign", x)
    x, y = arguments.broadcast(x, y)
    size = lax.abs(x)
    return lax.select(logic.sign_bit(y), lax.neg(size), size)


@public("numpy.nextafter", elementwise.inexact.accepting(elementwise.ORDERED))
def nextafter(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Returns the next number that floating point has after each element, toward another."""
    return lax.nextafter(*coercion.promote_inexact("nextafter", x, y))


@public("numpy.spacing", elementwise.strong_inexact)
def spacing(x: ArrayLike, /) -> Array:
    """Returns the distance to the next number that floating point has."""
    (array,) = coercion.promote_inexact("spacing", x)
    _refuse_complex("jnp.spacing", array)
    infinity = coercion.like(array, float("inf"))
    if arguments.dtype_of(array) is dtypes.float16:
        return lax.sub(lax.nextafter(array, infinity), array)
    outward = _copysign(lax.full_like(array, float("inf")), array)
    distance = lax.sub(lax.nextafter(array, outward), array)
    least = coercion.like(array, _limits(arguments.dtype_of(array)).smallest_subnormal)
    smallest = _copysign(jnp.broadcast_to(least, array.shape), array)
    return arguments.strong(
        lax.select(lax.eq(distance, coercion.like(array, 0)), smallest, distance)
    )
