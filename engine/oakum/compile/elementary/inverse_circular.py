"""The inverses of sine, cosine and tangent.

The angle of a point is found from a ratio of at most tan(pi / 8): that of the lesser coordinate to
the greater, or of their difference to their sum, which turns by an eighth of a circle.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.formats import (
    INFINITY,
    NAN,
    at_most,
    balanced,
    bits_of,
    format_of,
    with_sign,
)
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value

_ATAN: Final = {
    dtypes.float32: (
        -0.33333316445350647,
        0.1999848335981369,
        -0.1424373984336853,
        0.10595143586397171,
        -0.06081163510680199,
    ),
    dtypes.float64: (
        -0.33333333333333326,
        0.1999999999999767,
        -0.1428571428538818,
        0.1111111108818728,
        -0.09090908144838533,
        0.07692282765092535,
        -0.06666226845179436,
        0.0587702259626307,
        -0.05218409166085909,
        0.04503567480468229,
        -0.03347484686303759,
        0.01519551965508954,
    ),
}
"""(atan(t) / t - 1) / t**2, of the square of t, for |t| up to tan(pi / 8)."""

_ASIN: Final = {
    dtypes.float32: (
        0.16666659712791443,
        0.07500513643026352,
        0.0445152223110199,
        0.03182203322649002,
        0.01438498217612505,
        0.03759114444255829,
    ),
    dtypes.float64: (
        0.16666666666666763,
        0.0749999999996993,
        0.044642857175456574,
        0.03038194266670429,
        0.022372216157646216,
        0.017351590809636608,
        0.013981076657833375,
        0.011396802775943248,
        0.010792148266101446,
        0.003661216989712434,
        0.021818018954043308,
        -0.02115640262380027,
        0.03272755973507998,
    ),
}
"""(asin(t) / t - 1) / t**2, of the square of t, for |t| up to 1 / 2."""

_TAN_PI_8: Final = 0.41421356237309503

_QUARTER_PI: Final = {
    dtypes.float32: (0.7853981852531433, -2.1855694143368964e-08),
    dtypes.float64: (0.7853981633974483, 3.061616997868383e-17),
}

_FAR: Final = 2.0**60
"""The tangents of angles that are rounded to a right one."""


def _angle(f: Arithmetic, y: Value, x: Value, left: Value | None) -> Value:
    """Returns the angle of a point whose coordinates are not negative, with neither both zero nor
    one infinite; mirrored in the vertical axis where `left` holds.
    """
    first, second = _QUARTER_PI[x.dtype]
    steep = f.compare("gt", y, x)
    short, long = f.select(steep, x, y), f.select(steep, y, x)
    middle = f.compare("gt", short, f.mul(long, _TAN_PI_8))
    top = f.select(middle, f.sub(short, long), short)
    bottom = f.select(middle, f.add(short, long), long)
    top_lost = f.sub(short, f.add(top, f.select(middle, long, f.like(0.0, x))))
    bottom_lost = f.sub(f.select(middle, short, f.like(0.0, x)), f.sub(bottom, long))
    inverse = f.div(1.0, bottom)
    ratio = f.mul(top, inverse)
    minus = f.neg(ratio)
    lost = f.add(f.fma(minus, bottom, top), f.fma(minus, bottom_lost, top_lost))
    lost = f.mul(lost, inverse)
    square = f.mul(ratio, ratio)
    bend = f.fma(f.mul(square, ratio), balanced(f, square, _ATAN[x.dtype]), lost)
    # So many eighths of a circle, plus or minus the angle found.
    eighths = f.select(middle, f.like(1.0, x), f.select(steep, f.like(2.0, x), 0.0))
    turned = steep
    if left is not None:
        eighths = f.select(left, f.sub(4.0, eighths), eighths)
        turned = f.bit_xor(steep, left)
    ratio = f.select(turned, f.neg(ratio), ratio)
    bend = f.select(turned, f.neg(bend), bend)
    base = f.mul(eighths, first)
    whole = f.add(base, ratio)
    rest = f.sub(ratio, f.sub(whole, base))
    base_lost = f.fma(eighths, first, f.neg(base))
    return f.add(whole, f.add(f.fma(eighths, second, f.add(bend, base_lost)), rest))


def atan(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the tangent."""
    with f.exactly():
        size = at_most(f, f.abs(x), _FAR)
        result = with_sign(f, _angle(f, size, f.like(1.0, x), None), x)
        return f.select(f.compare("lt", size, format_of(x).epsilon / 4), x, result)


def atan2(f: Arithmetic, y: Value, x: Value) -> Value:
    """Returns the angle of a point, from its vertical and its horizontal coordinate."""
    zero, one = f.like(0.0, x), f.like(1.0, x)
    with f.exactly():
        up, across = f.abs(y), f.abs(x)
        greatest = f.select(f.compare("gt", up, across), up, across)
        # Infinite coordinates are to finite ones as one to zero.
        endless = f.compare("eq", greatest, INFINITY)
        ends = [f.select(f.compare("eq", each, INFINITY), one, zero) for each in (up, across)]
        up, across = (
            f.select(endless, end, each) for end, each in zip(ends, (up, across), strict=True)
        )
        scale = f.select(f.compare("gt", greatest, 2.0**100), f.like(2.0**-60, x), one)
        scale = f.select(f.compare("lt", greatest, 2.0**-60), f.like(2.0**60, x), scale)
        if x.dtype is dtypes.float64:
            huge = f.compare("gt", greatest, 2.0**900)
            scale = f.select(huge, f.like(2.0**-200, x), f.select(endless, one, scale))
            scale = f.select(f.compare("lt", greatest, 2.0**-800), f.like(2.0**250, x), scale)
        scale = f.select(endless, one, scale)
        up, across = f.mul(up, scale), f.mul(across, scale)
        across = f.select(f.compare("eq", greatest, 0.0), one, across)
        left = f.compare("lt", bits_of(f, x), 0)
        result = with_sign(f, _angle(f, up, across, left), y)
        return f.select(f.compare("uno", y, x), f.like(NAN, x), result)


def _half_angle(f: Arithmetic, x: Value) -> tuple[Value, Value, Value, Value]:
    """Returns whether the size is over one half; the number, there the root of half of what it
    lacks to one, without its sign; what the angle is more than that; and what the root's rounding
    took.
    """
    size = f.abs(x)
    large = f.compare("gt", size, 0.5)
    half = f.mul(f.sub(1.0, size), 0.5)
    square = f.select(large, half, f.mul(size, size))
    root = f.sqrt(half)
    base = f.select(large, root, size)
    series = balanced(f, square, _ASIN[x.dtype])
    return large, base, f.mul(f.mul(base, square), series), half


def asin(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the sine; NaN beyond one."""
    first, second = _QUARTER_PI[x.dtype]
    with f.exactly():
        large, base, bend, _ = _half_angle(f, x)
        near = f.add(base, bend)
        twice = f.add(base, base)
        whole = f.sub(2 * first, twice)
        rest = f.sub(f.sub(2 * first, whole), twice)
        far = f.add(whole, f.sub(f.add(rest, 2 * second), f.add(bend, bend)))
        result = with_sign(f, f.select(large, far, near), x)
        tiny = f.compare("lt", base, format_of(x).epsilon / 4)
        return f.select(f.bit_and(tiny, f.bit_not(large)), x, result)


def acos(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the cosine; NaN beyond one."""
    first, second = _QUARTER_PI[x.dtype]
    with f.exactly():
        large, base, bend, half = _half_angle(f, x)
        negative = f.compare("lt", x, 0.0)
        # The middle: a right angle less the arc sine.
        signed = f.select(negative, f.neg(base), base)
        whole = f.sub(2 * first, signed)
        rest = f.sub(f.sub(2 * first, whole), signed)
        more = f.select(negative, f.neg(bend), bend)
        middle = f.add(whole, f.sub(f.add(rest, 2 * second), more))
        # The ends: twice the angle of the root, which near one has to be known better.
        lost = f.fma(f.neg(base), base, half)
        lost = f.select(f.compare("gt", base, 0.0), f.div(f.mul(lost, 0.5), base), 0.0)
        bend = f.add(bend, lost)
        right = f.add(f.add(base, base), f.add(bend, bend))
        left = f.sub(4 * first, f.sub(right, 4 * second))
        return f.select(large, f.select(negative, left, right), middle)
