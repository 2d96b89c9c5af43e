"""Formats of floats: what functions have to know of their bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.instructions import Arithmetic, Operand
from oakum.compile.llvm.llvm_value import Value
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
