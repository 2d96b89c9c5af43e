"""Logarithms: log, log1p, log2.

A number is `m * 2**e` with `m` between the roots of 1/2 and 2 (of 2/3 and 4/3 in float32), and its
logarithm `e log 2` plus that of `m`: a polynomial of `m - 1` in float32, and of the square of
`(m - 1) / (m + 1)` in float64.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.exponentials import LOG_2
from oakum.compile.elementary.formats import (
    FORMATS,
    INFINITY,
    NAN,
    balanced,
    bits_of,
    float_of,
    format_of,
)
from oakum.compile.llvm.instructions import Arithmetic, Operand
from oakum.compile.llvm.llvm_value import Value

_LOWEST: Final = {dtypes.float32: 0x3F2AAAAB, dtypes.float64: 0x3FE6A09E667F3BCD}
"""The bits of the least `m`."""

_SINGLE: Final = (
    0.33333224058151245,
    -0.24999688565731049,
    0.20010055601596832,
    -0.16685514152050018,
    0.1401057094335556,
    -0.12114373594522476,
    0.13964752852916718,
    -0.13195165991783142,
)
"""(log(1 + f) - f + f**2 / 2) / f**3."""

_DOUBLE: Final = (
    0.6666666666666737,
    0.3999999999939665,
    0.2857142874678048,
    0.22222198086084394,
    0.18183591406598457,
    0.15313315085179563,
    0.14803713660414697,
)
"""(log((1 + s) / (1 - s)) - 2 s) / s**3, of the square of s."""


def split(f: Arithmetic, x: Value) -> tuple[Value, Value]:
    """`m`, and the bits of one plus `e` where an exponent stands, of a positive normal number."""
    layout = format_of(x)
    lowest = _LOWEST[x.dtype]
    shifted = f.add(bits_of(f, x), layout.one - lowest)
    fraction = f.bit_and(shifted, (1 << layout.mantissa) - 1)
    return float_of(f, f.add(fraction, lowest), x.dtype), shifted


def exponent(f: Arithmetic, shifted: Value, x: Value) -> Value:
    """`e` as a float, from what `split` gives."""
    layout = format_of(x)
    whole = f.shift_right_zeros(shifted, layout.mantissa)
    # The mantissa of a power of two, of which the last bit counts one, holds the integer.
    big = 2.0**layout.mantissa
    placed = f.bit_or(whole, (layout.bias + layout.mantissa) << layout.mantissa)
    return f.sub(float_of(f, placed, x.dtype), big + layout.bias)


def normal(f: Arithmetic, x: Value) -> tuple[Value, Value]:
    """Returns the number, or a multiple of it that is normal, and what that adds to the
    exponent.
    """
    layout = format_of(x)
    up = layout.mantissa + 2
    small = f.compare("lt", x, layout.least)
    scaled = f.select(small, f.mul(x, 2.0**up), x)
    return scaled, f.select(small, f.like(-float(up), x), 0.0)


def _of_parts(f: Arithmetic, excess: Value, e: Value, lost: Operand = 0.0) -> Value:
    """Returns the logarithm of `(1 + excess) * 2**e`; `lost` is what rounding took from the
    excess.
    """
    high, rest = _parts(f, excess, e, lost)
    return f.fma(e, high, f.add(excess, rest))


def _parts(f: Arithmetic, excess: Value, e: Value, lost: Operand = 0.0) -> tuple[float, Value]:
    """Returns the logarithm less the excess: a constant that `e` is multiplied by, and the rest."""
    high, low = LOG_2[excess.dtype]
    small = f.mul(e, low)
    if isinstance(lost, Value):
        # Times the slope of the logarithm, roughly.
        small = f.add(small, f.fma(f.neg(lost), excess, lost))
    if excess.dtype is dtypes.float32:
        square = f.mul(excess, excess)
        top = f.mul(f.mul(square, excess), balanced(f, excess, _SINGLE))
        return high, f.add(small, f.fma(square, -0.5, top))
    s = f.div(excess, f.add(excess, 2.0))
    z = f.mul(s, s)
    top = f.mul(z, balanced(f, z, _DOUBLE))
    half = f.mul(f.mul(excess, 0.5), excess)
    return high, f.sub(f.fma(s, f.add(half, top), small), half)


def _fix_special_values(f: Arithmetic, x: Value, result: Value, zero: float) -> Value:
    """Returns the result, minus infinity where the operand is `zero`, NaN where it is less or
    NaN.
    """
    result = f.select(f.compare("lt", x, INFINITY), result, x)
    edge = f.select(f.compare("eq", x, zero), f.like(-INFINITY, x), NAN)
    return f.select(f.compare("gt", x, zero), result, edge)


def log(f: Arithmetic, x: Value) -> Value:
    """Returns the natural logarithm."""
    with f.exactly():
        m, e = _normal_split(f, x)
        return _fix_special_values(f, x, _of_parts(f, f.sub(m, 1.0), e), 0.0)


def _normal_split(f: Arithmetic, x: Value) -> tuple[Value, Value]:
    """`m` and `e` of positive numbers, also of subnormal ones."""
    scaled, more = normal(f, x)
    m, shifted = split(f, scaled)
    return m, f.add(exponent(f, shifted, x), more)


def log_of_normal(f: Arithmetic, x: Value) -> Value:
    """Returns the logarithm of a positive normal number."""
    m, shifted = split(f, x)
    return _of_parts(f, f.sub(m, 1.0), exponent(f, shifted, x))


def log_as_sum(f: Arithmetic, x: Value) -> tuple[Value, Value]:
    """Returns the logarithm of a positive number, and what rounding took from it."""
    m, e = _normal_split(f, x)
    excess = f.sub(m, 1.0)
    high, rest = _parts(f, excess, e)
    # Each sum begins with its greatest term, or that is zero.
    most = f.mul(e, high)
    more = f.add(most, excess)
    lost = f.sub(excess, f.sub(more, most))
    whole = f.add(more, rest)
    return whole, f.add(f.sub(rest, f.sub(whole, more)), lost)


def log1p(f: Arithmetic, x: Value) -> Value:
    """Returns the logarithm of one plus a number, accurate near zero."""
    with f.exactly():
        return log1p_of_sum(f, x)


def log1p_of_sum(f: Arithmetic, x: Value, lost: Operand = 0.0, doublings: Operand = 0.0) -> Value:
    """Returns the logarithm of one plus a number and a much smaller one, times so many twos."""
    layout = FORMATS[x.dtype]
    _, shifted = split(f, f.add(x, 1.0))
    e = exponent(f, shifted, x)
    # One plus the number is scaled to near one: by four times 2**-e, which is normal for the
    # greatest numbers too, and a fourth.
    place = f.bit_and(shifted, -(1 << layout.mantissa))
    scale = float_of(f, f.sub((2 * layout.bias + 2) << layout.mantissa, place), x.dtype)
    less = f.fma(scale, 0.25, -1.0)
    fourth = f.mul(x, 0.25)
    excess = f.fma(fourth, scale, less)
    rest = f.fma(fourth, scale, f.sub(less, excess))
    if isinstance(lost, Value):
        rest = f.fma(f.mul(lost, 0.25), scale, rest)
    if isinstance(doublings, Value):
        e = f.add(e, doublings)
    result = _fix_special_values(f, x, _of_parts(f, excess, e, rest), -1.0)
    return f.select(f.compare("lt", f.abs(x), layout.epsilon / 4), x, result)
