"""Reduction of huge angles by right angles, by Payne and Hanek's method.

Of the product of an angle and 2 / pi only the fraction matters, and of 2 / pi only the bits that
contribute to it: 192 of them, taken from a table where the exponent of the angle says, times the 53
bits of the mantissa.
"""

from __future__ import annotations

import functools
import itertools
from typing import Final

from oakum import dtypes
from oakum.compile.elementary.formats import INFINITY, bits_of, float_of
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant

_WORDS: Final = (
    0x0,
    0x0,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
)
"""The bits of 2 / pi after as many zeros as two words hold."""

_TABLE: Final = "@oakum.two_over_pi"

_HALF_PI: Final = (1.5707963267948966, 6.123233995736766e-17)

_APART: Final = 4
"""The most lanes that are done without a loop: a GPU, which has vectors of 16-bit floats alone, and
four lanes at most, has to put a vector into memory to take a lane by its number.
"""

_FIRST: Final = 1023 + 52 - 126
"""The biased exponent for which the bits are needed from the table's beginning."""


def reduce_huge(f: Function, x: Value) -> list[Value]:
    """Returns the rest of an angle, what rounding took from it, and how many right angles were left
    out, as integers whose last two bits are right; NaN for infinity. Meant for angles of at least
    2**-60.
    """
    return f.outlined("reduce_huge", _reduce_lanes, x, rare=True)


def _reduce_lanes(f: Function, x: Value) -> list[Value]:
    integer = dtypes.int32 if x.dtype is dtypes.float32 else dtypes.int64
    if x.width == 1:
        return _narrow(f, f.outlined("reduce_angle", _reduce, _double(f, x), rare=True), x)
    start = [
        constant(0.0, x.dtype, x.width),
        constant(0.0, x.dtype, x.width),
        constant(0, integer, x.width),
    ]

    def reduced(lane: Index, found: list[Value]) -> list[Value]:
        scalar = f.lane(x, lane)
        parts = f.outlined("reduce_angle", _reduce, _double(f, scalar), rare=True)
        parts = _narrow(f, parts, scalar)
        return [f.with_lane(lanes, lane, part) for lanes, part in zip(found, parts, strict=True)]

    if x.width <= _APART:
        return functools.reduce(lambda found, lane: reduced(lane, found), range(x.width), start)
    with f.loop(0, x.width, 1, start) as loop:
        loop.next = reduced(loop.index, loop.values)
    return loop.results


def _double(f: Function, x: Value) -> Value:
    return x if x.dtype is dtypes.float64 else f.cast("fpext", x, dtypes.float64)


def _narrow(f: Function, parts: list[Value], x: Value) -> list[Value]:
    """Returns the parts in the dtype of the angle."""
    if x.dtype is dtypes.float64:
        return parts
    high, _, count = parts
    single = f.cast("fptrunc", high, x.dtype)
    rest = f.sub(high, f.cast("fpext", single, dtypes.float64))
    return [single, f.cast("fptrunc", rest, x.dtype), f.cast("trunc", count, dtypes.int32)]


def _reduce(f: Function, x: Value) -> list[Value]:
    """Returns the parts for one angle, in float64."""
    bits = bits_of(f, f.abs(x))
    mantissa = f.bit_or(f.bit_and(bits, (1 << 52) - 1), 1 << 52)
    first = f.maximum(f.sub(f.shift_right_zeros(bits, 52), _FIRST), 0)
    product = _product(f, mantissa, first)
    count, high, low, scale = _signed_fraction(f, product)
    top = f.mul(high, _HALF_PI[0])
    rest = f.fma(high, _HALF_PI[0], f.neg(top))
    rest = f.fma(low, _HALF_PI[0], f.fma(high, _HALF_PI[1], rest))
    whole = f.add(top, rest)
    rest = f.sub(rest, f.sub(whole, top))
    negative = f.compare("lt", x, 0.0)
    scale = f.select(negative, f.neg(scale), scale)
    scale = f.select(f.compare("lt", f.abs(x), INFINITY), scale, f.like(float("nan"), x))
    return [
        f.mul(whole, scale),
        f.mul(rest, scale),
        f.select(negative, f.neg(count), count),
    ]


class _Wide:
    """Writes integers of 128 bits."""

    def __init__(self, f: Function) -> None:
        self.f = f

    def write(self, text: str) -> str:
        name = self.f.fresh("w")
        self.f.lines.append(f"  {name} = {text}")
        return name

    def of(self, x: Value) -> str:
        return self.write(f"zext {x.typed} to i128")

    def binary(self, name: str, x: str, y: str | int) -> str:
        return self.write(f"{name} i128 {x}, {y}")

    def low(self, x: str) -> Value:
        return self.f.assign(f"trunc i128 {x} to i64", dtypes.int64, 1)

    def high(self, x: str) -> Value:
        return self.low(self.binary("lshr", x, 64))


def _product(f: Function, mantissa: Value, first: Value) -> str:
    """Returns the mantissa times the bits of 2 / pi from the `first` on, with two bits before the
    point.
    """
    words = ", ".join(f"i64 {word}" for word in _WORDS)
    f.requirements[_TABLE] = f"{_TABLE} = internal constant [{len(_WORDS)} x i64] [{words}]"
    f.declarations["declare i64 @llvm.fshl.i64(i64, i64, i64)"] = None
    place, shift = f.shift_right_zeros(first, 6), f.bit_and(first, 63)
    loaded = [f.load(_TABLE, f.add(place, n), dtypes.int64) for n in range(4)]
    window: list[Value] = []
    for left, right in itertools.pairwise(loaded):
        text = f"call i64 @llvm.fshl.i64({left.typed}, {right.typed}, {shift.typed})"
        window.append(f.assign(text, dtypes.int64, 1))
    wide = _Wide(f)
    factor = wide.of(mantissa)
    parts = [wide.binary("mul", factor, wide.of(word)) for word in window]
    upper = wide.binary("shl", parts[0], 64)
    lower = wide.binary("lshr", parts[2], 64)
    return wide.binary("add", wide.binary("add", upper, parts[1]), lower)


def _signed_fraction(f: Function, product: str) -> tuple[Value, Value, Value, Value]:
    """Returns the nearest integer, and the rest: two floats and the power of two that they are
    divided by with its sign.
    """
    wide = _Wide(f)
    rounded = wide.binary("add", product, 1 << 125)
    count = wide.low(wide.binary("lshr", rounded, 126))
    rest = wide.binary("sub", product, wide.binary("shl", wide.binary("lshr", rounded, 126), 126))
    sign = wide.binary("ashr", rest, 127)
    size = wide.binary("sub", wide.binary("xor", rest, sign), sign)
    f.declarations["declare i128 @llvm.ctlz.i128(i128, i1)"] = None
    zeros = wide.write(f"call i128 @llvm.ctlz.i128(i128 {wide.binary('or', size, 1)}, i1 true)")
    moved = wide.binary("shl", size, zeros)
    high = f.shift_right_zeros(wide.high(moved), 11)
    low = wide.high(wide.binary("shl", moved, 53))
    exponent = f.shift_left(f.sub(1023, wide.low(zeros)), 52)
    scale = float_of(f, exponent, dtypes.float64)
    scale = f.copysign(scale, float_of(f, wide.low(sign), dtypes.float64))
    first = f.mul(f.cast("uitofp", high, dtypes.float64), 2.0**-51)
    second = f.mul(f.cast("uitofp", low, dtypes.float64), 2.0**-115)
    return count, first, second, scale
