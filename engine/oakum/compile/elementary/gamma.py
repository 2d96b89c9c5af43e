"""The logarithm of the gamma function, and its derivative.

Far from zero both are what Stirling's formula says and a smooth rest; nearer, quotients by their
roots, so that they are accurate there. Negative numbers are reflected; between the roots that
lgamma and digamma have there, errors are small against one, not against the result.
"""

from __future__ import annotations

import math
from typing import Final

from oakum import dtypes
from oakum.compile.elementary import gamma_tables
from oakum.compile.elementary.circular import waves
from oakum.compile.elementary.formats import INFINITY, NAN, polynomial
from oakum.compile.elementary.logarithms import log, log_as_sum
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value

_HALF_LOG_TWO_PI: Final = 0.91893853320467274178
_STIRLING_MIDDLE: Final = 0.16683333333333333
_FAR_MIDDLE: Final = 0.25025

_LOW: Final = 0.703125
"""Below, lgamma is found from that of the number and one; a float of few bits."""

_ROOT: Final = {
    dtypes.float32: (1.4616321325302124, 1.243815006546356e-08),
    dtypes.float64: (1.4616321449683622, 9.549995429965697e-17),
}
"""Where digamma is zero."""

_PI: Final = {
    dtypes.float32: (3.1415927410125732, -8.742277657347586e-08),
    dtypes.float64: (math.pi, 1.2246467991473532e-16),
}


def lgamma(f: Function, x: Value) -> Value:
    """Returns the logarithm of the absolute value of the gamma function."""
    return f.outlined("lgamma", _lgamma, x)[0]


def digamma(f: Function, x: Value) -> Value:
    """Returns the derivative of lgamma; NaN where it has poles."""
    return f.outlined("digamma", _digamma, x)[0]


def _lgamma(f: Function, x: Value) -> list[Value]:
    dtype = x.dtype
    size = f.abs(x)
    far, low = f.compare("ge", size, 3.0), f.compare("lt", size, _LOW)
    high, rest = log_as_sum(f, size)
    # The product of the distances from one and two, rounded once; less one is exact here.
    above = f.select(low, size, f.sub(size, 1.0))
    product = f.fma(above, above, f.neg(above))
    second = f.compare("gt", above, 0.5)
    ratio = _blend(f, f.sub(above, f.select(second, f.like(1.25, x), 0.125)), second)
    near = f.mul(product, ratio)
    near = f.select(low, f.sub(f.sub(near, rest), high), near)
    inverse = f.div(1.0, size)
    series = polynomial(f, f.sub(inverse, _STIRLING_MIDDLE), gamma_tables.STIRLING[dtype])
    less = f.sub(size, 0.5)
    more = f.fma(less, rest, f.fma(inverse, series, _HALF_LOG_TWO_PI))
    result = f.select(far, f.add(f.fma(less, high, f.neg(size)), more), near)
    edge = f.bit_or(f.compare("eq", size, 0.0), f.compare("eq", size, INFINITY))
    result = f.select(edge, f.like(INFINITY, x), result)
    negative = f.compare("lt", x, 0.0)
    return f.rarely(
        negative,
        [result],
        lambda: f.outlined("lgamma_below", _lgamma_below, size, result, rare=True),
    )


def _blend(f: Function, x: Value, second: Value) -> Value:
    """Returns the first series, or the second where that holds."""
    one, two = gamma_tables.FIRST[x.dtype], gamma_tables.SECOND[x.dtype]
    pairs = zip((*one.lost, *one.coefficients), (*two.lost, *two.coefficients), strict=True)
    lost, slope, *coefficients = [f.select(second, f.like(b, x), a) for a, b in pairs]
    rest = polynomial(f, x, coefficients[1:])
    return f.add(f.fma(rest, x, f.fma(x, slope, lost)), coefficients[0])


def _lgamma_below(f: Function, size: Value, above: Value) -> list[Value]:
    """lgamma of the opposite of a positive number, from lgamma of the number."""
    sine, _ = _sine_cosine(f, size)
    product = f.mul(f.mul(size, 1 / math.pi), f.abs(sine))
    result = f.neg(f.add(log(f, product), above))
    # The product of tiny numbers is lost, and so is the difference.
    result = f.select(f.compare("lt", size, 2.0**-60), above, result)
    # At the poles the logarithms are infinite, and lgamma of a huge number is so as well.
    pole = f.bit_or(f.compare("eq", sine, 0.0), f.compare("eq", size, INFINITY))
    return [f.select(pole, f.like(INFINITY, size), result)]


def _sine_cosine(f: Function, x: Value) -> tuple[Value, Value]:
    """Returns the sine and the cosine of pi times the number less the nearest integer."""
    high, low = _PI[x.dtype]
    rest = f.sub(x, f.round_even(x))
    size = f.abs(rest)
    wide = f.compare("gt", size, 0.25)
    turn = f.select(wide, f.sub(0.5, size), size)
    angle = f.mul(turn, high)
    lost = f.fma(turn, low, f.fma(turn, high, f.neg(angle)))
    sine, cosine = waves(f, angle, lost)
    sine, cosine = f.add(sine, angle), f.add(cosine, 1.0)
    return f.copysign(f.select(wide, cosine, sine), rest), f.select(wide, sine, cosine)


def _digamma(f: Function, x: Value) -> list[Value]:
    dtype = x.dtype
    size = f.abs(x)
    far, low = f.compare("ge", size, 2.0), f.compare("lt", size, 1.0)
    inverse = f.div(1.0, size)
    high, rest = log_as_sum(f, size)
    series = polynomial(f, f.sub(inverse, _FAR_MIDDLE), gamma_tables.DIGAMMA_FAR[dtype])
    beyond = f.add(high, f.fma(inverse, series, rest))
    root, root_low = _ROOT[dtype]
    from_root = f.sub(size, f.select(low, f.like(root - 1.0, x), root))
    from_root = f.sub(from_root, root_low)
    middle = f.sub(size, f.select(low, f.like(0.5, x), 1.5))
    near = f.mul(from_root, gamma_tables.DIGAMMA_NEAR[dtype].of(f, middle))
    lost = f.mul(f.fma(f.neg(inverse), size, 1.0), inverse)
    raised = f.sub(f.sub(near, lost), inverse)
    raised = f.select(f.compare("lt", size, 2.0**-60), f.neg(inverse), raised)
    near = f.select(low, raised, near)
    result = f.select(far, beyond, near)
    result = f.select(f.compare("eq", size, INFINITY), size, result)
    result = f.select(f.compare("eq", size, 0.0), f.like(NAN, x), result)
    negative = f.compare("lt", x, 0.0)
    return f.rarely(
        negative,
        [result],
        lambda: f.outlined("digamma_below", _digamma_below, size, result, rare=True),
    )


def _digamma_below(f: Function, size: Value, above: Value) -> list[Value]:
    """digamma of the opposite of a positive number, from digamma of the number."""
    sine, cosine = _sine_cosine(f, size)
    slope = f.div(f.mul(cosine, math.pi), sine)
    inverse = f.div(1.0, size)
    result = f.add(f.add(above, inverse), slope)
    result = f.select(f.compare("lt", size, 2.0**-60), inverse, result)
    return [f.select(f.compare("eq", sine, 0.0), f.like(NAN, size), result)]
