"""Sine, cosine, tangent.

An angle is `k pi/2 + r + s` with an integer `k`, `r` near zero, and in `s` what rounding took from
`r`. Angles beyond what three constants can reduce are reduced in a function of their own.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.formats import bits_of, float_of, format_of, nearest, polynomial
from oakum.compile.elementary.huge_angles import reduce_huge
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value

_INVERSE: Final = 0.6366197723675814
"""2 / pi."""

_HALF_PI: Final = {
    dtypes.float32: (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
    dtypes.float64: (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33),
}
"""pi / 2 as a sum."""

_LIMIT: Final = {dtypes.float32: 1e5, dtypes.float64: 1e12}
"""Greater angles are huge."""

_SIN: Final = {
    dtypes.float32: (-0.16666655242443085, 0.008332164026796818, -0.00019515366875566542),
    dtypes.float64: (
        -0.1666666666666663,
        0.008333333333322094,
        -0.00019841269829539755,
        2.7557313595210816e-06,
        -2.5050742436909243e-08,
        1.5895857925610005e-10,
    ),
}
"""(sin(r) / r - 1) / r**2, of the square of r."""

_COS: Final = {
    dtypes.float32: (0.04166664555668831, -0.0013887349050492048, 2.4436301828245632e-05),
    dtypes.float64: (
        0.041666666666666595,
        -0.001388888888887369,
        2.4801587289199716e-05,
        -2.7557314267328917e-07,
        2.0875711289359235e-09,
        -1.1359006539399714e-11,
    ),
}
"""(cos(r) - 1 + r**2 / 2) / r**4, of the square of r."""


def _reduce(f: Function, x: Value) -> list[Value]:
    """`r`, `s`, and bits that end with `k`."""
    first, second, third = _HALF_PI[x.dtype]
    count, ending = nearest(f, x, _INVERSE)
    exact = f.fma(count, -first, x)
    more = f.mul(count, second)
    r = f.sub(exact, more)
    lost = f.fma(count, third, f.fma(count, second, f.neg(more)))
    s = f.sub(f.sub(f.sub(exact, r), more), lost)
    huge = f.compare("gt", f.abs(x), _LIMIT[x.dtype])
    return f.rarely(huge, [r, s, ending], lambda: reduce_huge(f, x))


def waves(f: Function, r: Value, s: Value) -> tuple[Value, Value]:
    """Returns the sine less `r`, and the cosine less one."""
    square = f.mul(r, r)
    sine = f.fma(f.mul(square, r), polynomial(f, square, _SIN[r.dtype]), s)
    rest = f.fma(square, polynomial(f, square, _COS[r.dtype]), -0.5)
    return sine, f.fma(square, rest, f.neg(f.mul(r, s)))


def _wave(f: Function, x: Value, ahead: int) -> Value:
    """Returns the sine so many right angles ahead."""
    layout = format_of(x)
    with f.exactly():
        r, s, ending = _reduce(f, x)
        sine, cosine = waves(f, r, s)
        if ahead:
            ending = f.add(ending, ahead)
        odd = f.compare("ne", f.bit_and(ending, 1), 0)
        size = f.select(odd, f.add(cosine, 1.0), f.add(sine, r))
        turned = f.shift_left(f.bit_and(ending, 2), layout.mantissa + layout.exponent - 1)
        return float_of(f, f.bit_xor(bits_of(f, size), turned), x.dtype)


def sin(f: Function, x: Value) -> Value:
    """Returns the sine."""
    result = _wave(f, x, 0)
    return f.select(f.compare("eq", x, 0.0), x, result)


def cos(f: Function, x: Value) -> Value:
    """Returns the cosine."""
    return _wave(f, x, 1)


def tan(f: Function, x: Value) -> Value:
    """Returns the tangent: a quotient that is corrected by what its parts lost."""
    with f.exactly():
        r, s, ending = _reduce(f, x)
        sine_rest, cosine_rest = waves(f, r, s)
        sine, cosine = f.add(r, sine_rest), f.add(cosine_rest, 1.0)
        sine_lost = f.sub(sine_rest, f.sub(sine, r))
        cosine_lost = f.sub(cosine_rest, f.sub(cosine, 1.0))
        odd = f.compare("ne", f.bit_and(ending, 1), 0)
        top = f.select(odd, f.neg(cosine), sine)
        top_lost = f.select(odd, f.neg(cosine_lost), sine_lost)
        bottom = f.select(odd, sine, cosine)
        bottom_lost = f.select(odd, sine_lost, cosine_lost)
        inverse = f.div(1.0, bottom)
        quotient = f.mul(top, inverse)
        minus = f.neg(quotient)
        rest = f.add(f.fma(minus, bottom, top), f.fma(minus, bottom_lost, top_lost))
        result = f.fma(rest, inverse, quotient)
        return f.select(f.compare("eq", x, 0.0), x, result)
