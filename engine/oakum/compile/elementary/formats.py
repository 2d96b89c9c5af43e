"""Formats of floats: what functions have to know of their bits; and floats as integers.

These are rounded toward zero, the nearest in range where they are out of it, zero for NaN. LLVM has
instructions for this, but takes vectors of them apart. Here operands are brought into the range
first, where the plain conversions are defined and those of vectors are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.instructions import Arithmetic, Operand
from oakum.compile.llvm.llvm_value import Value, is_signed
from oakum.dtypes import DType
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """The layout of a dtype of floats, and constants that go with it."""

    integer: DType
    mantissa: int
    bias: int
    exponent: int
    """The bits of the exponent."""

    @property
    def shifter(self) -> float:
        """A float to whose last bits integers are rounded when they are added to it."""
        return 1.5 * 2.0**self.mantissa

    @property
    def epsilon(self) -> float:
        """The distance from one to the next float."""
        return 2.0**-self.mantissa

    @property
    def least(self) -> float:
        """The least normal number."""
        return 2.0 ** (1 - self.bias)

    @property
    def sign(self) -> int:
        """The bit of the sign, as a signed integer."""
        return -(1 << (self.mantissa + self.exponent))

    @property
    def one(self) -> int:
        """The bits of one."""
        return self.bias << self.mantissa

    @property
    def infinity(self) -> int:
        """The bits of infinity."""
        return ((1 << self.exponent) - 1) << self.mantissa


FORMATS: Final = {
    dtypes.float16: Format(dtypes.int16, 10, 15, 5),
    dtypes.bfloat16: Format(dtypes.int16, 7, 127, 8),
    dtypes.float32: Format(dtypes.int32, 23, 127, 8),
    dtypes.float64: Format(dtypes.int64, 52, 1023, 11),
}


def format_of(x: Value) -> Format:
    """Returns the format of a value of a dtype of floats."""
    return FORMATS[x.dtype]


def bits_of(f: Arithmetic, x: Value) -> Value:
    """Returns the bits of a float, as a signed integer."""
    return f.bitcast(x, format_of(x).integer)


def float_of(f: Arithmetic, bits: Value, dtype: DType) -> Value:
    """Returns the float that has these bits."""
    return f.bitcast(bits, dtype)


def at_least(f: Arithmetic, x: Value, bound: float) -> Value:
    """Returns the value, or the bound where the value is less; NaN stays."""
    return f.select(f.compare("lt", x, bound), bound, x)


def at_most(f: Arithmetic, x: Value, bound: float) -> Value:
    """Returns the value, or the bound where the value is greater; NaN stays."""
    return f.select(f.compare("gt", x, bound), bound, x)


def nearest(f: Arithmetic, x: Value, factor: float = 1.0) -> tuple[Value, Value]:
    """Returns the integer nearest to a multiple of a float, and bits that end with that integer.

    Holds up to half of two to the power of the mantissa's bits.
    """
    shifter = format_of(x).shifter
    shifted = f.add(x, shifter) if factor == 1.0 else f.fma(x, factor, shifter)
    return f.sub(shifted, shifter), bits_of(f, shifted)


def power_of_two(f: Arithmetic, ending: Value, dtype: DType, more: int = 0) -> Value:
    """Two to the power of the integer that bits end with; the result has to be a normal number."""
    layout = FORMATS[dtype]
    shifted = f.shift_left(ending, layout.mantissa)
    return float_of(f, f.add(shifted, (layout.bias + more) << layout.mantissa), dtype)


def with_sign(f: Arithmetic, x: Value, sign: Value) -> Value:
    """Returns a number that is not negative, with the sign of another."""
    layout = format_of(x)
    bit = f.bit_and(bits_of(f, sign), layout.sign)
    return float_of(f, f.bit_or(bits_of(f, x), bit), x.dtype)


def polynomial(f: Arithmetic, x: Value, coefficients: Sequence[Operand]) -> Value:
    """Returns the polynomial with these coefficients, that of the constant first."""
    result = f.like(coefficients[-1], x)
    for each in reversed(coefficients[:-1]):
        result = f.fma(result, x, each)
    return result


@dataclass(frozen=True, slots=True)
class Series:
    """A polynomial that is evaluated with little more than one rounding error."""

    coefficients: tuple[float, ...]
    """The constant first."""
    lost: tuple[float, float]
    """What rounding took from the first two coefficients."""

    def of(self, f: Arithmetic, x: Value) -> Value:
        """Returns the value of the polynomial."""
        return f.add(self._rest(f, x), self.coefficients[0])

    def as_sum(self, f: Arithmetic, x: Value) -> tuple[Value, Value]:
        """Returns the value of the polynomial, and what its last rounding took, if no term exceeds
        the constant.
        """
        rest = self._rest(f, x)
        whole = f.add(rest, self.coefficients[0])
        return whole, f.sub(rest, f.sub(whole, self.coefficients[0]))

    def _rest(self, f: Arithmetic, x: Value) -> Value:
        more = f.fma(x, self.lost[1], self.lost[0])
        return f.fma(polynomial(f, x, self.coefficients[1:]), x, more)


def balanced(f: Arithmetic, x: Value, coefficients: Sequence[Operand]) -> Value:
    """Returns the polynomial like `polynomial`, as a tree: more multiplications that wait less."""
    terms, power = list(coefficients), x
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        rest = terms[len(terms) // 2 * 2 :]
        terms = [f.fma(high, power, low) for low, high in pairs] + rest
        if len(terms) > 1:
            power = f.mul(power, power)
    return f.like(terms[0], x)


NAN: Final = math.nan
INFINITY: Final = math.inf


def saturated(f: Arithmetic, x: Value, dtype: DType) -> Value:
    """Returns a float32 or float64 as an integer."""
    if x.width == 1:
        return f.conversion("fptosi.sat" if is_signed(dtype) else "fptoui.sat", x, dtype)
    if dtype.bits == 64 and x.dtype is dtypes.float32:
        x = f.cast("fpext", x, dtypes.float64)
    least = -(2.0 ** (dtype.bits - 1)) if is_signed(dtype) else 0.0
    beyond = 2.0 ** (dtype.bits - is_signed(dtype))
    mantissa = FORMATS[x.dtype].mantissa
    # The greatest integer of the dtype, or the greatest float below what is beyond its range.
    most = beyond - max(1.0, beyond * 2.0 ** -(mantissa + 1))
    known = f.select(f.compare("uno", x, x), 0.0, x)
    known = f.select(f.compare("lt", known, least), least, known)
    known = f.select(f.compare("gt", known, most), most, known)
    result = _in_range(f, known, dtype)
    if most == beyond - 1:
        return result
    greatest = (1 << (dtype.bits - is_signed(dtype))) - 1
    return f.select(f.compare("ge", x, beyond), greatest, result)


def _in_range(f: Arithmetic, x: Value, dtype: DType) -> Value:
    """Returns a float in the range of an integer dtype as such an integer."""
    if dtype.bits < 32:
        return f.cast("trunc", f.cast("fptosi", x, dtypes.int32), dtype)
    if dtype is dtypes.int32:
        return f.cast("fptosi", x, dtype)
    whole = f.trunc(x)
    if dtype is dtypes.uint32:
        if x.dtype is dtypes.float32:
            return f.cast("fptoui", x, dtype)
        # Less by half of the range, which only changes the first bit.
        half = f.cast("fptosi", f.sub(whole, 2.0**31), dtypes.int32)
        return f.bitcast(f.bit_xor(half, -(1 << 31)), dtype)
    with f.exactly():
        high = f.floor(f.mul(whole, 2.0**-32))
        low = f.fma(high, -(2.0**32), whole)
    layout = FORMATS[x.dtype]
    upper = f.shift_left(bits_of(f, f.add(high, layout.shifter)), 32)
    # What a float of this size ends with are the bits of the integer that was added to it.
    lower = bits_of(f, f.add(low, 2.0**layout.mantissa))
    lower = f.bit_xor(lower, (layout.bias + layout.mantissa) << layout.mantissa)
    return f.bitcast(f.bit_or(upper, lower), dtype)
