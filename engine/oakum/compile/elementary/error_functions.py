"""The error function and its complement."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.error_tables import CENTRE, END, FLANK, SCALED
from oakum.compile.elementary.exponentials import exp2_excess, exp_excess, reduced
from oakum.compile.elementary.formats import (
    INFINITY,
    NAN,
    at_most,
    balanced,
    nearest,
    power_of_two,
    with_sign,
)
from oakum.compile.elementary.logarithms import log_of_normal
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value

_NEAR: Final = {
    dtypes.float32: (
        0.12837916612625122,
        -0.37612631916999817,
        0.11283672600984573,
        -0.026858104392886162,
        0.0051977974362671375,
        -0.000810596568044275,
        8.215425623347983e-05,
    ),
    dtypes.float64: (
        0.1283791670955126,
        -0.3761263890318375,
        0.11283791670954885,
        -0.02686617064507787,
        0.005223977624828394,
        -0.0008548326981423765,
        0.00012055331132902342,
        -1.4925595771152013e-05,
        1.6461008465080274e-06,
        -1.6350396124418284e-07,
        1.4660328281273305e-08,
        -1.137495479352063e-09,
        5.960684896591342e-11,
    ),
}
"""erf(x) / x - 1, of the square of x, for |x| up to the border."""

_FAR: Final = {
    dtypes.float32: (
        0.00025373161770403385,
        -1.629554033279419,
        -0.9137088060379028,
        -0.15623511373996735,
        0.03625292703509331,
        -0.006022730842232704,
        0.0006278867949731648,
        -3.0530056392308325e-05,
    ),
    dtypes.float64: (
        -2.8787163243012853e-08,
        -1.6279067810764147,
        -0.9184490287324792,
        -0.1482685639693254,
        0.027599266260861694,
        0.0002867879164219278,
        -0.0024105272563205945,
        0.0007914351204373273,
        3.5742194749948336e-05,
        -0.00016217517182575008,
        9.454529224421308e-05,
        -3.5456013694467924e-05,
        9.91888622311665e-06,
        -2.152557893145852e-06,
        3.64189160845026e-07,
        -4.7362309029737196e-08,
        4.584072389728436e-09,
        -3.1132045664809836e-10,
        1.32401436992343e-11,
        -2.6527010472129293e-13,
    ),
}
"""log2(1 - erf(x)) from the border on, as precise as one less its power needs."""

_K: Final = {dtypes.float32: 2.0, dtypes.float64: 2.5}

_BORDER: Final = {dtypes.float32: 0.93, dtypes.float64: 0.99}
_ONE: Final = {dtypes.float32: 4.0, dtypes.float64: 6.0}
"""From here on erf is one."""

_ZERO: Final = {dtypes.float32: 10.2, dtypes.float64: 27.3}
"""From here on erfc is zero."""


def erf(f: Arithmetic, x: Value) -> Value:
    """Returns the error function."""
    dtype = x.dtype
    with f.exactly():
        size = f.abs(x)
        near = f.fma(size, balanced(f, f.mul(size, size), _NEAR[dtype]), size)
        power = balanced(f, at_most(f, size, _ONE[dtype]), _FAR[dtype])
        count, ending = nearest(f, power)
        excess = exp2_excess(f, f.sub(power, count))
        scale = power_of_two(f, ending, dtype)
        far = f.sub(f.sub(1.0, scale), f.mul(scale, excess))
        return with_sign(f, f.select(f.compare("lt", size, _BORDER[dtype]), near, far), x)


def erfc(f: Arithmetic, x: Value) -> Value:
    """One less the error function, accurate where little is left."""
    with f.exactly():
        size = f.abs(x)
        square = f.mul(x, x)
        near = f.fma(x, balanced(f, square, _NEAR[x.dtype]), x)
        gone = f.compare("gt", size, _ZERO[x.dtype])
        far = f.select(gone, 0.0, _tail(f, f.select(gone, 1.0, size)))
        far = f.select(f.compare("lt", x, 0.0), f.sub(2.0, far), far)
        return f.select(f.compare("lt", size, 0.475), f.sub(1.0, near), far)


def _tail(f: Arithmetic, a: Value) -> Value:
    """erfc of numbers from 0.475 on: exp(-a**2), a rational factor, and a polynomial.

    Their product is corrected, once, by all that they lack.
    """
    dtype = a.dtype
    square = f.mul(a, a)
    power, lost, ending = reduced(f, f.neg(square))
    lost = f.sub(lost, f.fma(a, a, f.neg(square)))
    excess = exp_excess(f, power)
    whole = f.add(excess, 1.0)
    lost = f.fma(lost, whole, f.sub(excess, f.sub(whole, 1.0)))
    bottom = f.add(a, _K[dtype])
    bottom_lost = f.sub(a, f.sub(bottom, _K[dtype]))
    inverse = f.div(1.0, bottom)
    rest = f.fma(f.neg(inverse), bottom_lost, f.fma(f.neg(inverse), bottom, 1.0))
    series, series_lost = SCALED[dtype].as_sum(f, f.fma(inverse, -2 * _K[dtype], 1.0))
    factor = f.mul(inverse, series)
    # The inverse is a factor, and the argument of the series, whose slope is about -0.8 of it.
    rest = f.mul(rest, f.fma(inverse, 1.6 * _K[dtype], 1.0))
    factor_lost = f.fma(inverse, series_lost, f.fma(inverse, series, f.neg(factor)))
    factor_lost = f.fma(factor, rest, factor_lost)
    high = f.mul(whole, factor)
    low = f.fma(whole, factor, f.neg(high))
    low = f.add(low, f.fma(lost, factor, f.mul(whole, factor_lost)))
    half = f.shift_right_zeros(ending, 1)
    first = power_of_two(f, half, dtype)
    second = power_of_two(f, f.sub(ending, half), dtype)
    return f.mul(f.mul(f.add(high, low), first), second)


_BEND: Final = {dtypes.float32: 5.0, dtypes.float64: 6.25}
_CENTRES: Final = {dtypes.float32: (2.5, 3.0), dtypes.float64: (3.125, 3.25)}


def erf_inv(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the error function; infinite at one, NaN beyond."""
    with f.exactly():
        size = f.abs(x)
        w = f.neg(log_of_normal(f, f.fma(f.neg(size), size, 1.0)))
        slope, lost = CENTRE[x.dtype].as_sum(f, f.sub(w, _CENTRES[x.dtype][0]))
        deep = f.compare("gt", w, _BEND[x.dtype])
        slope, lost = f.rarely(
            deep, [slope, lost], lambda: f.outlined("erf_inv", _far, w, rare=True)
        )
        result = f.fma(x, lost, f.mul(x, slope))
        result = f.select(f.compare("eq", size, 1.0), f.copysign(INFINITY, x), result)
        return f.select(f.compare("le", size, 1.0), result, f.like(NAN, x))


def _far(f: Arithmetic, w: Value) -> list[Value]:
    root = f.sqrt(w)
    slope, rest = FLANK[w.dtype].as_sum(f, f.sub(root, _CENTRES[w.dtype][1]))
    if w.dtype is dtypes.float64:
        end, end_rest = END.as_sum(f, f.sub(root, 5.0))
        deep = f.compare("gt", root, 4.0)
        slope, rest = f.select(deep, end, slope), f.select(deep, end_rest, rest)
    # The slope is nearly proportional to the root, and so is what rounding took from that.
    lost = f.div(f.mul(f.fma(f.neg(root), root, w), 0.5), w)
    return [slope, f.fma(slope, lost, rest)]
