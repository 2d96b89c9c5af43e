"""Arithmetic of complex numbers on their parts, with the same bits as the host's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite.complex.complex_pair import Pair
from oakum.compile.rewrite.rewriter import real_of
from oakum.dtypes import DType, Kind
from oakum.primitives.rules.arguments import dtype_of
from oakum.typing import ArrayLike

INFINITY: Final = float("inf")


def mul(x: Pair, y: Pair) -> Pair:
    """Returns the product."""
    real = lax.sub(lax.mul(x.real, y.real), lax.mul(x.imag, y.imag))
    imag = lax.add(lax.mul(x.real, y.imag), lax.mul(x.imag, y.real))
    return Pair(real, imag)


def scaled(x: Pair, factor: ArrayLike) -> Pair:
    """Returns the product with a real number."""
    return map_parts(lambda part: lax.mul(part, factor), x)


def map_parts(function: Callable[[Any], Any], x: Pair) -> Pair:
    """Applies a function to both parts."""
    return Pair(function(x.real), function(x.imag))


def div(x: Pair, y: Pair) -> Pair:
    """Returns the quotient by Smith's method; `rules.numpy_evaluation.divide` explains infinite
    results.
    """
    quotient = _smith(x, y)
    lost = and_(is_nan(quotient.real), is_nan(quotient.imag))
    unknown = and_(is_nan(x.real), is_nan(x.imag))
    over_zero = and_(lost, is_zero(y), lax.bitwise_not(unknown))
    unbounded = and_(lost, has_infinity(x), is_finite(y))
    vanishing = and_(lost, is_finite(x), has_infinity(y))
    infinity = with_sign(INFINITY, y.real)
    real = lax.select(over_zero, lax.mul(infinity, x.real), quotient.real)
    imag = lax.select(over_zero, lax.mul(infinity, x.imag), quotient.imag)
    x, y = _unit_direction(x, unbounded), _unit_direction(y, vanishing)
    scale = lax.select(unbounded, lax.full_like(real, INFINITY), lax.full_like(real, 0))
    found = scaled(mul(_scaled_for_sum(x), Pair(y.real, lax.neg(y.imag))), scale)
    recovered = lax.bitwise_or(unbounded, vanishing)
    return Pair(lax.select(recovered, found.real, real), lax.select(recovered, found.imag, imag))


def _smith(x: Pair, y: Pair) -> Pair:
    large = lax.ge(lax.abs(y.real), lax.abs(y.imag))
    divisor, other = lax.select(large, y.real, y.imag), lax.select(large, y.imag, y.real)
    first, second = lax.select(large, x.real, x.imag), lax.select(large, x.imag, x.real)
    # A zero has no ratio of its parts, and no sign.
    zero, nothing = and_(large, lax.eq(divisor, 0)), lax.full_like(divisor, 0)
    ratio = lax.div(other, divisor)
    divisor = lax.select(zero, nothing, lax.add(divisor, lax.mul(other, ratio)))
    scale = lax.div(lax.full_like(divisor, 1), divisor)
    across = lax.select(zero, nothing, lax.mul(second, ratio))
    along = lax.select(zero, nothing, lax.mul(first, ratio))
    imag = lax.select(large, lax.sub(second, along), lax.sub(along, second))
    return Pair(lax.mul(lax.add(first, across), scale), lax.mul(imag, scale))


def _unit_direction(x: Pair, where: Array) -> Pair:
    """Replaces infinite parts by signed ones and finite parts by signed zeros, where a condition
    holds.
    """
    parts: list[Any] = []
    for part in (x.real, x.imag):
        one = lax.select(is_infinite(part), lax.full_like(part, 1), lax.full_like(part, 0))
        parts.append(lax.select(where, with_sign(one, part), part))
    return Pair(*parts)


def _scaled_for_sum(x: Pair) -> Pair:
    """Scales a number so that adding two such values cannot overflow (NumPy adds in double)."""
    if x.real.aval.dtype is not dtypes.float32:
        return x
    large = lax.gt(lax.max(lax.abs(x.real), lax.abs(x.imag)), 1.0)
    factor = lax.select(large, lax.full_like(x.real, 0.25), lax.full_like(x.real, 1))
    return scaled(x, factor)


# What parts are.


def and_(first: Array, *rest: Array) -> Any:
    """Returns whether all conditions hold."""
    return functools.reduce(lax.bitwise_and, rest, first)


def is_nan(x: Array) -> Any:
    """Returns whether a part is NaN."""
    return lax.ne(x, x)


def is_infinite(x: Array) -> Any:
    """Returns whether a part is infinite."""
    return lax.eq(lax.abs(x), INFINITY)


def is_zero(x: Pair) -> Any:
    """Returns whether a number is zero."""
    return and_(lax.eq(x.real, 0), lax.eq(x.imag, 0))


def is_finite(x: Pair) -> Any:
    """Returns whether both parts are finite."""
    return and_(lax.is_finite(x.real), lax.is_finite(x.imag))


def has_infinity(x: Pair) -> Any:
    """Returns whether a part is infinite."""
    return lax.bitwise_or(is_infinite(x.real), is_infinite(x.imag))


def with_sign(size: Array | float, sign: Array) -> Any:
    """Returns a non-negative number with the sign of another."""
    dtype = dtype_of(sign)
    bits = dtypes.uint32 if dtype.bits == 32 else dtypes.uint64
    if isinstance(size, float):
        size = lax.full_like(sign, size)
    mask = lax.full(shape_of(sign.aval), 1 << (dtype.bits - 1), bits)
    found = lax.bitwise_and(lax.bitcast_convert_type(sign, bits), mask)
    whole = lax.bitwise_or(lax.bitcast_convert_type(size, bits), found)
    return lax.bitcast_convert_type(whole, dtype)


def select(where: Array, x: Pair, y: Pair) -> Pair:
    """Returns the first number where a condition holds, else the second."""
    return Pair(lax.select(where, x.real, y.real), lax.select(where, x.imag, y.imag))


# Sizes.


def modulus(x: Pair) -> Any:
    """Returns the absolute value, without intermediate overflow."""
    a, b = lax.abs(x.real), lax.abs(x.imag)
    scale, back = scales(lax.max(a, b), *_THIRDS[x.real.aval.dtype])
    a, b = lax.mul(a, scale), lax.mul(b, scale)
    root = lax.mul(lax.sqrt(lax.add(lax.mul(a, a), lax.mul(b, b))), back)
    return lax.select(has_infinity(x), lax.full_like(root, INFINITY), root)


def scales(size: Array, limit: float, factor: float) -> tuple[Any, Any]:
    """Returns a power of two that brings very large or small values within limits, and its
    inverse.
    """
    one = lax.full_like(size, 1)
    large, small = lax.gt(size, limit), lax.lt(size, 1 / limit)
    down, up = lax.full_like(size, 1 / factor), lax.full_like(size, factor)
    scale = lax.select(large, down, lax.select(small, up, one))
    return scale, lax.select(large, up, lax.select(small, down, one))


_THIRDS: Final[dict[DType | None, tuple[float, float]]] = {
    dtypes.float32: (2.0**60, 2.0**100),
    dtypes.float64: (2.0**500, 2.0**600),
}
"""The magnitude above which squares overflow in a later product, and the power of two by which such
numbers are divided.
"""


def sign(x: Pair) -> Pair:
    """Returns the number over its absolute value, or zero for zero."""
    size = modulus(x)
    size = lax.select(is_zero(x), lax.full_like(size, 1), size)
    return Pair(lax.div(x.real, size), lax.div(x.imag, size))


def square(x: Pair) -> Pair:
    """Returns the square, whose real part is infinite only where it overflows itself."""
    equal_parts = and_(lax.eq(lax.abs(x.real), lax.abs(x.imag)), is_finite(x))
    product = lax.mul(lax.sub(x.real, x.imag), lax.add(x.real, x.imag))
    real = lax.select(equal_parts, lax.full_like(product, 0), product)
    half = lax.mul(x.real, x.imag)
    return Pair(real, lax.add(half, half))


def power(x: Pair, *, y: int) -> Pair:
    """Returns an integer power, by squaring."""
    one = Pair(lax.full_like(x.real, 1), lax.full_like(x.imag, 0))
    if y == 0:
        return one
    result: Pair | None = None
    factor, rest = x, abs(y)
    while rest:
        if rest & 1:
            result = factor if result is None else mul(result, factor)
        rest >>= 1
        if rest:
            factor = mul(factor, factor)
    assert result is not None
    return div(one, result) if y < 0 else result


# Comparison.


def equal(x: Pair, y: Pair) -> Any:
    """Returns whether both parts are equal."""
    return and_(lax.eq(x.real, y.real), lax.eq(x.imag, y.imag))


def different(x: Pair, y: Pair) -> Any:
    """Returns whether a part differs."""
    return lax.bitwise_or(lax.ne(x.real, y.real), lax.ne(x.imag, y.imag))


def _first(compare: Callable[[Any, Any], Any]) -> Callable[[Pair, Pair], Pair]:
    def extreme(x: Pair, y: Pair) -> Pair:
        """Returns the first of two in the order by real parts, then imaginary parts."""
        same = lax.eq(x.real, y.real)
        first = lax.select(same, compare(x.imag, y.imag), compare(x.real, y.real))
        return select(first, x, y)

    return extreme


# Conversion.


def converted(x: Array | Pair, *, new_dtype: DType, weak_type: bool) -> Any:
    """Converts to another dtype; real dtypes keep the real part."""
    if new_dtype.kind is not Kind.COMPLEX:
        return lax.convert_element_type(x.real, new_dtype)
    dtype = real_of(new_dtype)
    if isinstance(x, Pair):
        return Pair(
            lax.convert_element_type(x.real, dtype), lax.convert_element_type(x.imag, dtype)
        )
    real = lax.convert_element_type(x, dtype)
    return Pair(real, lax.full_like(real, 0))


def _multiplied(x: Array | Pair, y: Any, *, out_dtype: DType | None) -> Any:
    if out_dtype is not None:
        x, y = (converted(factor, new_dtype=out_dtype, weak_type=False) for factor in (x, y))
    return mul(x, y) if isinstance(x, Pair) else lax.mul(x, y)


def _real(x: Pair) -> Any:
    return x.real


def _imag(x: Pair) -> Any:
    return x.imag


def _conjugate(x: Array | Pair, *, input_dtype: DType) -> Pair:
    if isinstance(x, Pair):
        return Pair(x.real, lax.neg(x.imag))
    return Pair(x, lax.full_like(x, 0))


RULES: Final[dict[str, Callable[..., Any]]] = {
    "mul": _multiplied,
    "div": div,
    "square": square,
    "abs": modulus,
    "sign": sign,
    "integer_pow": power,
    "eq": equal,
    "ne": different,
    "max": _first(lax.gt),
    "min": _first(lax.lt),
    "real": _real,
    "imag": _imag,
    "complex": Pair,
    "conj": _conjugate,
    "convert_element_type": converted,
}
"""The operations by name, as functions of pairs."""
