"""Rounding, remainders, neighbours, signs, and the order of floats."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary import integers
from oakum.compile.elementary.formats import (
    INFINITY,
    bits_of,
    float_of,
    format_of,
)
from oakum.compile.llvm.instructions import Arithmetic, is_small, widen
from oakum.compile.llvm.llvm_value import Value, is_float, is_signed

AWAY_FROM_ZERO: Final = 0
"""The number of the rounding method that takes ties away from zero."""


def floor(f: Arithmetic, x: Value) -> Value:
    """Returns the greatest integer not above."""
    return f.floor(x)


def ceil(f: Arithmetic, x: Value) -> Value:
    """Returns the least integer not below."""
    return f.ceil(x)


def round(f: Arithmetic, x: Value, method: int) -> Value:
    """Returns the nearest integer, ties to even or away from zero."""
    if method != AWAY_FROM_ZERO:
        return f.round_even(x)
    with f.exactly():
        size = f.abs(x)
        down = f.floor(size)
        up = f.compare("ge", f.sub(size, down), 0.5)
        return f.copysign(f.select(up, f.add(down, 1.0), down), x)


def is_finite(f: Arithmetic, x: Value) -> Value:
    """Returns whether a float is neither infinite nor NaN."""
    return f.compare("lt", f.abs(_comparable(f, x)), INFINITY)


def _comparable(f: Arithmetic, x: Value) -> Value:
    """Returns the float in a dtype that processors compare."""
    return widen(f, x) if is_small(x.dtype) else x


def sign(f: Arithmetic, x: Value) -> Value:
    """Minus one, zero, or one; zeros keep their sign, and NaN stays."""
    if is_float(x.dtype):
        return f.select(f.compare("one", x, 0.0), f.copysign(1.0, x), x)
    result = f.minimum(x, 1)
    return f.maximum(result, -1) if is_signed(x.dtype) else result


def rem(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the remainder with the sign of the dividend, exact for floats."""
    if not is_float(x.dtype):
        return integers.rem(f, x, y)
    with f.exactly():
        size, divisor = f.abs(x), f.abs(y)
        ratio = f.div(size, divisor)
        # One operation gives the remainder exactly, or it and the divisor's opposite, while the
        # quotient is an integer that a float holds.
        rest = f.fma(f.neg(f.trunc(ratio)), divisor, size)
        rest = f.select(f.compare("lt", rest, 0.0), f.add(rest, divisor), rest)
        rest = f.select(f.compare("lt", size, divisor), size, rest)
        far = f.compare("ge", ratio, 2.0 ** format_of(x).mantissa)
        (rest,) = f.rarely(
            far, [rest], lambda: f.outlined("fmod", _library, size, divisor, rare=True)
        )
        return f.copysign(rest, x)


def _library(f: Arithmetic, x: Value, y: Value) -> list[Value]:
    return [f.binary("frem", x, y)]


def nextafter(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the neighbour of a float in the direction of another."""
    layout = format_of(x)
    bits, other = bits_of(f, x), bits_of(f, y)
    one, two = _comparable(f, x), _comparable(f, y)
    outward = f.bit_xor(f.compare("lt", one, two), f.compare("lt", bits, 0))
    moved = f.select(outward, f.add(bits, 1), f.sub(bits, 1))
    least = f.bit_or(f.bit_and(other, layout.sign), 1)
    moved = f.select(f.compare("eq", one, 0.0), least, moved)
    # Of zeros that differ in sign, NumPy gives the second, but of float16 the first.
    same = bits if x.dtype is dtypes.float16 else other
    moved = f.select(f.compare("eq", one, two), same, moved)
    nan = layout.infinity + (1 << (layout.mantissa - 1))
    return float_of(f, f.select(f.compare("uno", one, two), nan, moved), x.dtype)


def reduce_precision(f: Arithmetic, x: Value, exponent_bits: int, mantissa_bits: int) -> Value:
    """Rounds the mantissa to even, then lets exponents out of range become infinite or zero."""
    layout = format_of(x)
    bits = integers.unsigned(f, bits_of(f, x))
    if mantissa_bits < layout.mantissa:
        dropped = layout.mantissa - mantissa_bits
        last = f.bit_and(f.shift_right(bits, dropped), 1)
        bits = f.add(bits, f.add(last, (1 << (dropped - 1)) - 1))
        bits = f.bit_and(bits, (1 << bits.dtype.bits) - (1 << dropped))
    if exponent_bits < layout.exponent:
        bits = _limit(f, bits, layout.mantissa, layout.exponent, exponent_bits)
    comparable = _comparable(f, x)
    nan = f.compare("uno", comparable, comparable)
    kept = integers.unsigned(f, bits_of(f, x))
    return f.bitcast(f.select(nan, kept, bits), x.dtype)


def _limit(f: Arithmetic, bits: Value, mantissa: int, exponent: int, wanted: int) -> Value:
    bias, reduced = (1 << (exponent - 1)) - 1, (1 << (wanted - 1)) - 1
    infinity = ((1 << exponent) - 1) << mantissa
    signs = f.bit_and(bits, 1 << (mantissa + exponent))
    size = f.bit_and(bits, infinity)
    large = f.compare("gt", size, (bias + reduced) << mantissa)
    small = f.compare("le", size, (bias - reduced) << mantissa)
    bits = f.select(small, signs, bits)
    return f.select(large, f.bit_or(signs, infinity), bits)


def _rank(f: Arithmetic, x: Value) -> Value:
    """Integers in the total order of floats; all NaNs of one sign count as one."""
    if not is_float(x.dtype):
        return x
    layout = format_of(x)
    bits = bits_of(f, x)
    canonical = f.bit_or(f.bit_and(bits, layout.sign), layout.infinity + 1)
    comparable = _comparable(f, x)
    bits = f.select(f.compare("uno", comparable, comparable), canonical, bits)
    return f.select(f.compare("lt", bits, 0), f.bit_xor(bits, ~layout.sign), bits)


def eq_to(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns whether two are equal in the total order, where zeros differ and NaNs are equal."""
    return f.compare("eq", _rank(f, x), _rank(f, y))


def lt_to(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns whether the first is less in the total order."""
    return _order(f, "lt", x, y)


def le_to(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns whether the first is not greater in the total order."""
    return _order(f, "le", x, y)


def _order(f: Arithmetic, relation: str, x: Value, y: Value) -> Value:
    if x.dtype is dtypes.bool_:
        x, y = (f.cast("zext", each, dtypes.uint8) for each in (x, y))
    return f.compare(relation, _rank(f, x), _rank(f, y))
