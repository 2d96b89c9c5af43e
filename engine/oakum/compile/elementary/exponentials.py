"""Exponentials and what is made of them: exp, exp2, expm1, logistic, tanh, sinh, cosh.

All write `x = n log 2 + r` with an integer `n` and a small `r`, and take a minimax polynomial of
`r`. Powers of two that may leave the range of normal numbers are multiplied in two factors, so that
subnormal results are right and nothing is flushed.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.formats import (
    at_least,
    at_most,
    balanced,
    format_of,
    nearest,
    polynomial,
    power_of_two,
    with_sign,
)
from oakum.compile.llvm.instructions import Arithmetic, Operand
from oakum.compile.llvm.llvm_value import Value
from oakum.dtypes import DType

LOG2_E: Final = 1.4426950408889634

LOG_2: Final = {
    dtypes.float32: (0.693145751953125, 1.42860682030941723212e-6),
    dtypes.float64: (6.93147180369123816490e-01, 1.90821492927058770002e-10),
}
"""The logarithm of two: a part with few bits, whose multiples are exact, and the rest."""

_EXP: Final = {
    dtypes.float32: (
        0.4999999403953552,
        0.1666651964187622,
        0.041668396443128586,
        0.008368844166398048,
        0.001381456502713263,
    ),
    dtypes.float64: (
        0.5,
        0.16666666666666682,
        0.04166666666666609,
        0.008333333333316824,
        0.0013888888889117916,
        0.00019841269896933377,
        2.48015869238222e-05,
        2.7557234289039413e-06,
        2.7557582987884655e-07,
        2.5112243390355324e-08,
        2.082662420157921e-09,
    ),
}
"""(exp(r) - 1 - r) / r**2 for |r| up to log(2) / 2."""

_EXP2: Final = {
    dtypes.float32: (
        0.24022650718688965,
        0.05550410598516464,
        0.009618042968213558,
        0.0013333822134882212,
        0.00015465605247300118,
        1.5213451661111321e-05,
    ),
    dtypes.float64: (
        0.24022650695910072,
        0.05550410866482164,
        0.009618129107628343,
        0.0013333558146401997,
        0.0001540353039363629,
        1.525273384688219e-05,
        1.321548658844397e-06,
        1.0178054626103312e-07,
        7.054979260851894e-09,
        4.4562112495496173e-10,
        2.5616652876940312e-11,
    ),
}
"""(2**r - 1 - r log(2)) / r**2 for |r| up to 1 / 2."""

_LOG_2_HIGH: Final = {dtypes.float32: 0.6931471824645996, dtypes.float64: 0.6931471805599453}
_LOG_2_LOW: Final = {dtypes.float32: -1.904654323148236e-09, dtypes.float64: 2.3190468138462996e-17}

_TANH: Final = {
    dtypes.float32: (-0.33333322405815125, 0.13331197202205658, -0.05273005738854408),
    dtypes.float64: (
        -0.33333333333332527,
        0.13333333332799574,
        -0.05396825280350987,
        0.021869372035488936,
        -0.008857346419723723,
        0.0034452427552042037,
    ),
}
"""(tanh(r) / r - 1) / r**2, of the square of r, for |r| up to log(2) / 4."""

_RANGE: Final = {dtypes.float32: (-104.0, 89.0), dtypes.float64: (-746.0, 710.0)}
"""Below, exp is zero, and above infinite."""

_RANGE_2: Final = {dtypes.float32: (-151.0, 129.0), dtypes.float64: (-1076.0, 1025.0)}


def reduced(f: Arithmetic, x: Value) -> tuple[Value, Value, Value]:
    """Returns the rest `r`, what rounding took from it, and bits that end with `n`."""
    high, low = LOG_2[x.dtype]
    count, ending = nearest(f, x, LOG2_E)
    exact = f.fma(count, -high, x)
    r = f.fma(count, -low, exact)
    return r, f.fma(count, -low, f.sub(exact, r)), ending


def exp_excess(f: Arithmetic, r: Value) -> Value:
    """exp(r) - 1."""
    return f.fma(f.mul(r, r), balanced(f, r, _EXP[r.dtype]), r)


def scaled(f: Arithmetic, excess: Value, ending: Value) -> Value:
    """`(1 + excess) * 2**n` for all `n` that do not leave the range by far."""
    dtype = excess.dtype
    # The bits end with n over a leading part that is even: a shift halves n, rounding down.
    half = f.shift_right_zeros(ending, 1)
    first = power_of_two(f, half, dtype)
    second = power_of_two(f, f.sub(ending, half), dtype)
    return f.mul(f.fma(excess, first, first), second)


def _clamp(
    f: Arithmetic, x: Value, ranges: dict[DType, tuple[float, float]]
) -> tuple[Value, Value]:
    """Where the result is zero, and the operand, there zero, and not far above the range.

    A result that vanishes is not computed, because processors are slow to round to nothing, and
    masked elements of a softmax are many.
    """
    least, most = ranges[x.dtype]
    gone = f.compare("lt", x, least)
    return gone, at_most(f, f.select(gone, 0.0, x), most)


def exp(f: Arithmetic, x: Value) -> Value:
    """Returns the exponential."""
    with f.exactly():
        gone, x = _clamp(f, x, _RANGE)
        r, _, ending = reduced(f, x)
        return f.select(gone, 0.0, scaled(f, exp_excess(f, r), ending))


def exp2_excess(f: Arithmetic, r: Value, lost: Operand = 0.0) -> Value:
    """2**(r + lost) - 1 for |r| up to 1 / 2 and less that is lost than rounding takes from it."""
    rest = f.fma(r, balanced(f, r, _EXP2[r.dtype]), _LOG_2_LOW[r.dtype])
    rest = f.mul(r, rest)
    if isinstance(lost, Value):
        rest = f.fma(lost, _LOG_2_HIGH[r.dtype], rest)
    return f.fma(r, _LOG_2_HIGH[r.dtype], rest)


def exp2(f: Arithmetic, x: Value) -> Value:
    """Two to the power of a number."""
    return exp2_of_sum(f, x)


def exp2_of_sum(f: Arithmetic, x: Value, lost: Operand = 0.0) -> Value:
    """Two to the power of a number and a much smaller one."""
    with f.exactly():
        gone, x = _clamp(f, x, _RANGE_2)
        count, ending = nearest(f, x)
        r = f.sub(x, count)
        if isinstance(lost, Value):
            exact, r = r, f.add(r, lost)
            lost = f.sub(lost, f.sub(r, exact))
        return f.select(gone, 0.0, scaled(f, exp2_excess(f, r, lost), ending))


def expm1(f: Arithmetic, x: Value) -> Value:
    """Returns the exponential less one, accurate near zero."""
    with f.exactly():
        most = _RANGE[x.dtype][1]
        r, lost, ending = reduced(f, at_most(f, at_least(f, x, -60.0), most))
        square = f.mul(r, r)
        series = balanced(f, r, _EXP[x.dtype])
        excess = f.fma(square, series, r)
        # What is lost here is magnified where the sum is less than its terms.
        lost = f.add(f.fma(square, series, f.sub(r, excess)), lost)
        # Half of the power of two, which for the greatest arguments is just not representable.
        half = power_of_two(f, ending, x.dtype, -1)
        result = f.fma(half, lost, f.fma(half, excess, f.sub(half, 0.5)))
        tiny = f.compare("lt", f.abs(x), format_of(x).epsilon / 4)
        return f.select(tiny, x, f.add(result, result))


_SATURATED: Final = {dtypes.float32: 10.0, dtypes.float64: 20.0}
"""From here on tanh is one."""


def tanh(f: Arithmetic, x: Value) -> Value:
    """Returns the hyperbolic tangent.

    With `2 x = n log 2 + 2 r` it is `(p t + t + p - 1) / (p t - t + p + 1)` of `t = tanh(r)` and
    `p = 2**n`: one short polynomial and one division. Near zero `p` is one, and nothing is lost.
    """
    high, low = LOG_2[x.dtype]
    with f.exactly():
        size = at_most(f, f.abs(x), _SATURATED[x.dtype])
        count, ending = nearest(f, size, 2 * LOG2_E)
        r = f.fma(count, -low / 2, f.fma(count, -high / 2, size))
        square = f.mul(r, r)
        t = f.fma(f.mul(square, r), polynomial(f, square, _TANH[x.dtype]), r)
        power = power_of_two(f, ending, x.dtype)
        less, more = f.sub(power, 1.0), f.add(power, 1.0)
        return with_sign(f, f.div(f.fma(more, t, less), f.fma(less, t, more)), x)


def logistic(f: Arithmetic, x: Value) -> Value:
    """`1 / (1 + exp(-x))`, accurate for negative numbers too."""
    with f.exactly():
        below = exp(f, f.neg(f.abs(x)))
        top = f.select(f.compare("lt", x, 0.0), below, 1.0)
        bottom = f.add(below, 1.0)
        lost = f.add(f.sub(1.0, bottom), below)
        inverse = f.div(1.0, bottom)
        quotient = f.mul(top, inverse)
        minus = f.neg(quotient)
        return f.fma(f.fma(minus, lost, f.fma(minus, bottom, top)), inverse, quotient)
