"""Powers and roots: pow, integer_pow, rsqrt, cbrt.

A power is two to the product of the exponent and the base's binary logarithm, which therefore has
to be known to more bits than a float has: in float64 for powers in float32, and as a sum of two
numbers in float64.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.exponentials import exp2_of_sum
from oakum.compile.elementary.formats import (
    INFINITY,
    NAN,
    at_least,
    at_most,
    balanced,
    bits_of,
    float_of,
    format_of,
    nearest,
    polynomial,
    power_of_two,
)
from oakum.compile.elementary.logarithms import exponent, normal, split
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value, is_float

_TWO_OVER_LOG_2: Final = (2.8853900817779268, 4.0710547481862066e-17)

_THIRD: Final = (0.9617966939259756, 5.0577616648125907e-17)
"""A third of that."""

_LOG: Final = (
    0.5770780163556185,
    0.41219858309158536,
    0.3205989023515525,
    0.26230769326733394,
    0.22198439953134785,
    0.19124501078357944,
    0.19048608140964912,
)
"""The rest of the series of log2((1 + s) / (1 - s)), over s**5, of the square of s."""

_SHORT_LOG: Final = (
    0.9617966940619176,
    0.5770779516002486,
    0.4122085874446656,
    0.3199263789543014,
    0.28266898579908617,
)
"""The rest of the series over s**3, as far as float32 needs it."""

_SHORT_EXP2: Final = (
    0.9999999999610704,
    0.6931471807311069,
    0.2402265120417544,
    0.05550410347371952,
    0.009618026440099441,
    0.0013333925421927105,
    0.0001546955368853975,
    1.5201730230108863e-05,
)
"""2**r for |r| up to 1 / 2, as far as float32 needs it."""


def pow(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns a float to the power of a float; special cases as C has them."""
    with f.exactly():
        size = f.abs(x)
        product = _single if x.dtype is dtypes.float32 else _double
        result = product(f, size, y)
        whole = f.compare("eq", f.floor(y), y)
        half = f.mul(y, 0.5)
        odd = f.bit_and(whole, f.compare("ne", f.floor(half), half))
        result = f.select(odd, f.copysign(result, x), result)
        undefined = f.bit_and(f.compare("lt", x, 0.0), f.bit_not(whole))
        undefined = f.bit_and(undefined, f.compare("lt", size, INFINITY))
        return f.select(undefined, f.like(NAN, x), result)


def _single(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the power of a base that is not negative, in float32 by way of float64."""
    base, up = f.cast("fpext", x, dtypes.float64), f.cast("fpext", y, dtypes.float64)
    m, shifted = split(f, base)
    s = f.div(f.sub(m, 1.0), f.add(m, 1.0))
    z = f.mul(s, s)
    series = f.fma(z, polynomial(f, z, _SHORT_LOG), _TWO_OVER_LOG_2[0])
    log = _edges(f, base, f.fma(s, series, exponent(f, shifted, base)))
    product = _agreed(f, base, up, f.mul(log, up))
    count, ending = nearest(f, at_most(f, at_least(f, product, -200.0), 200.0))
    r = f.sub(product, count)
    r = at_most(f, at_least(f, r, -0.5), 0.5)
    power = f.mul(balanced(f, r, _SHORT_EXP2), power_of_two(f, ending, dtypes.float64))
    return f.cast("fptrunc", power, dtypes.float32)


def _edges(f: Arithmetic, base: Value, log: Value) -> Value:
    """Returns the logarithm, also of zero, infinity, and NaN."""
    log = f.select(f.compare("lt", base, INFINITY), log, base)
    return f.select(f.compare("eq", base, 0.0), f.like(-INFINITY, base), log)


def _agreed(f: Arithmetic, base: Value, up: Value, product: Value) -> Value:
    """Returns the product, zero where the power is one whatever else is given."""
    one = f.bit_or(f.compare("eq", base, 1.0), f.compare("eq", up, 0.0))
    return f.select(one, f.like(0.0, product), product)


def _double(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the power of a base that is not negative, in float64."""
    scaled, more = normal(f, x)
    m, shifted = split(f, scaled)
    high, low = _log_of(f, m)
    e = f.add(exponent(f, shifted, x), more)
    whole = f.add(e, high)
    # The exponent is zero or greater than the rest, so this is what the sum lost.
    low = f.add(f.sub(high, f.sub(whole, e)), low)
    whole = _edges(f, x, whole)
    product = f.mul(whole, y)
    lost = f.fma(low, y, f.fma(whole, y, f.neg(product)))
    usual = f.compare("lt", f.abs(product), 2000.0)
    lost = f.select(usual, lost, f.like(0.0, x))
    return exp2_of_sum(f, _agreed(f, x, y, product), lost)


def _log_of(f: Arithmetic, m: Value) -> tuple[Value, Value]:
    """Returns the binary logarithm of a number near one, as a sum."""
    top, bottom = f.sub(m, 1.0), f.add(m, 1.0)
    lost = f.sub(m, f.sub(bottom, 1.0))
    inverse = f.div(1.0, bottom)
    s = f.mul(top, inverse)
    minus = f.neg(s)
    s_low = f.mul(f.fma(minus, lost, f.fma(minus, bottom, top)), inverse)
    z = f.mul(s, s)
    z_low = f.fma(f.add(s, s), s_low, f.fma(s, s, f.neg(z)))
    # c = 2 / log 2 / 3 + z (...), then 2 / log 2 + z c, then that times s, all as sums.
    rest = f.mul(z, balanced(f, z, _LOG))
    c = f.add(rest, _THIRD[0])
    c_low = f.add(f.sub(rest, f.sub(c, _THIRD[0])), _THIRD[1])
    product = f.mul(z, c)
    product_low = f.fma(z, c, f.neg(product))
    product_low = f.fma(z_low, c, f.fma(z, c_low, product_low))
    series = f.add(product, _TWO_OVER_LOG_2[0])
    series_low = f.sub(product, f.sub(series, _TWO_OVER_LOG_2[0]))
    series_low = f.add(series_low, f.add(product_low, _TWO_OVER_LOG_2[1]))
    high = f.mul(series, s)
    low = f.fma(series, s, f.neg(high))
    return high, f.fma(series, s_low, f.fma(series_low, s, low))


def integer_pow(f: Arithmetic, x: Value, y: int) -> Value:
    """Returns a number to the power of a known integer, multiplied in the order of the bits of
    it.
    """
    one = f.like(1.0 if is_float(x.dtype) else 1, x)
    if y == 0:
        return one
    result: Value | None = None
    power, rest = x, abs(y)
    while rest:
        if rest & 1:
            result = power if result is None else f.mul(result, power)
        rest >>= 1
        if rest:
            power = f.mul(power, power)
    assert result is not None
    return f.div(one, result) if y < 0 else result


def rsqrt(f: Arithmetic, x: Value) -> Value:
    """One over the square root."""
    return f.div(1.0, f.sqrt(x))


_CBRT_START: Final = {dtypes.float32: 0x54A2FA8C, dtypes.float64: 0x553EF0FF289DD796}
_CBRT_UP: Final = {dtypes.float32: (2.0**24, 2.0**-8), dtypes.float64: (2.0**54, 2.0**-18)}


def cbrt(f: Arithmetic, x: Value) -> Value:
    """Returns the cube root: the inverse one by steps of high order, from a guess of the bits."""
    dtype, layout = x.dtype, format_of(x)
    with f.exactly():
        size = f.abs(x)
        small = f.compare("lt", size, layout.least)
        up, down = _CBRT_UP[dtype]
        scaled = f.select(small, f.mul(size, up), size)
        y = float_of(f, f.sub(_CBRT_START[dtype], _third(f, bits_of(f, scaled))), dtype)
        for _ in range(1 if dtype is dtypes.float32 else 2):
            rest = f.fma(f.mul(f.mul(y, y), f.neg(scaled)), y, 1.0)
            factor = polynomial(f, rest, (1 / 3, 2 / 9, 14 / 81))
            y = f.fma(f.mul(y, rest), factor, y)
        squared = f.mul(y, y)
        root = f.mul(scaled, squared)
        rest = f.fma(f.neg(f.mul(root, root)), root, scaled)
        root = f.fma(f.mul(rest, squared), 1 / 3, root)
        root = f.select(small, f.mul(root, down), root)
        usual = f.bit_and(f.compare("gt", size, 0.0), f.compare("lt", size, INFINITY))
        return f.select(usual, f.copysign(root, x), x)


def _third(f: Arithmetic, bits: Value) -> Value:
    """About a third of positive bits: the leading 32 of them, which can be multiplied in one go."""
    if bits.dtype is dtypes.int32:
        third = f.mul(f.cast("zext", bits, dtypes.int64), 0x55555556)
        return f.cast("trunc", f.shift_right_zeros(third, 32), dtypes.int32)
    third = f.mul(f.shift_right_zeros(bits, 32), 0x55555556)
    return f.bit_and(third, ~0xFFFFFFFF)
