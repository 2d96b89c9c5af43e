"""Integers: division, shifts by any count, counts of bits, high halves of products.

LLVM leaves some cases undefined, and processors trap in two: a division by zero, and that of the
least integer by minus one. Here each has the result that the primitive gives.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.formats import FORMATS
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value, is_signed
from oakum.dtypes import DType

UNSIGNED: Final = {
    dtypes.int8: dtypes.uint8,
    dtypes.int16: dtypes.uint16,
    dtypes.int32: dtypes.uint32,
    dtypes.int64: dtypes.uint64,
}
SIGNED: Final = {unsigned: signed for signed, unsigned in UNSIGNED.items()}


def unsigned(f: Arithmetic, x: Value) -> Value:
    """Returns the bits as those of an unsigned integer."""
    return f.bitcast(x, UNSIGNED.get(x.dtype, x.dtype))


def signed(f: Arithmetic, x: Value) -> Value:
    """Returns the bits as those of a signed integer."""
    return f.bitcast(x, SIGNED.get(x.dtype, x.dtype))


def _known(x: Value) -> int | None:
    """Returns the integer that a constant is."""
    text = x.text.removeprefix("splat (").removesuffix(")").split(" ")[-1]
    return int(text) if text.removeprefix("-").isdigit() else None


def _harmless(y: Value) -> bool:
    """Returns whether a divisor is known to be one that needs no care."""
    number = _known(y)
    return number is not None and number not in (0, -1)


def _safe(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the divisor, or one where the division would trap."""
    traps = f.compare("eq", y, 0)
    if is_signed(x.dtype):
        least = -(1 << (x.dtype.bits - 1))
        overflows = f.bit_and(f.compare("eq", x, least), f.compare("eq", y, -1))
        traps = f.bit_or(traps, overflows)
    return f.select(traps, 1, y)


def _quotient(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the quotient toward zero by way of floats, which have vector division, of up to 32
    bits.

    A quotient that is no integer is farther from the next one than rounding reaches.
    """
    wide: DType = dtypes.float32 if x.dtype.bits <= 16 else dtypes.float64
    whole = f.trunc(f.div(f.to_float(x, wide), f.to_float(y, wide)))
    layout = FORMATS[wide]
    return f.cast("trunc", f.bitcast(f.add(whole, layout.shifter), layout.integer), x.dtype)


def div(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the quotient toward zero, all bits set where the divisor is zero; of floats, the
    quotient.
    """
    if x.dtype in FORMATS or _harmless(y):
        return f.div(x, y)
    if x.dtype.bits == 64:
        negative = f.compare("eq", y, -1)
        result = f.div(x, _safe(f, x, y))
        if is_signed(x.dtype):
            result = f.select(negative, f.neg(x), result)
    else:
        with f.exactly():
            result = _quotient(f, x, y)
    ones = -1 if is_signed(x.dtype) else (1 << x.dtype.bits) - 1
    return f.select(f.compare("eq", y, 0), f.like(ones, x), result)


def rem(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the remainder of that division; the dividend where the divisor is zero."""
    if _harmless(y):
        return f.rem(x, y)
    if x.dtype.bits == 64:
        # By the divisor one, which stands for those that trap, nothing remains.
        return f.select(f.compare("eq", y, 0), x, f.rem(x, _safe(f, x, y)))
    with f.exactly():
        # Where the divisor is zero, so is the product, whatever the quotient is.
        return f.sub(x, f.mul(_quotient(f, x, y), y))


def shift_left(f: Arithmetic, x: Value, y: Value) -> Value:
    """Shifts left; zero where the count, taken as unsigned, is not less than the bits."""
    fits = f.compare("lt", unsigned(f, y), x.dtype.bits)
    return f.select(fits, f.shift_left(x, y), 0)


def shift_right_logical(f: Arithmetic, x: Value, y: Value) -> Value:
    """Shifts right, zeros in; zero where the count is not less than the bits."""
    fits = f.compare("lt", unsigned(f, y), x.dtype.bits)
    return f.select(fits, f.shift_right_zeros(x, y), 0)


def shift_right_arithmetic(f: Arithmetic, x: Value, y: Value) -> Value:
    """Shifts right, copies of the first bit in, of unsigned integers too."""
    count = f.minimum(unsigned(f, y), x.dtype.bits - 1)
    return f.bitcast(f.shift_right(signed(f, x), signed(f, count)), x.dtype)


def population_count(f: Arithmetic, x: Value) -> Value:
    """Returns the number of bits that are set."""
    return f.intrinsic("ctpop", x)


def clz(f: Arithmetic, x: Value) -> Value:
    """Returns the number of zeros before the first bit that is set."""
    return f.intrinsic("ctlz", x, extra="i1 false")


def mulhi(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the high half of a product."""
    bits = x.dtype.bits
    if bits < 64:
        wide = dtypes.int64 if is_signed(x.dtype) else dtypes.uint64
        word = "sext" if is_signed(x.dtype) else "zext"
        product = f.mul(f.cast(word, x, wide), f.cast(word, y, wide))
        return f.cast("trunc", f.shift_right(product, bits), x.dtype)
    high = f.bitcast(_high_of_unsigned(f, unsigned(f, x), unsigned(f, y)), x.dtype)
    if not is_signed(x.dtype):
        return high
    high = f.sub(high, f.select(f.compare("lt", x, 0), y, 0))
    return f.sub(high, f.select(f.compare("lt", y, 0), x, 0))


def _high_of_unsigned(f: Arithmetic, x: Value, y: Value) -> Value:
    """Returns the high half of a product of 64-bit integers, from products of their halves."""
    low = 0xFFFFFFFF
    a0, a1 = f.bit_and(x, low), f.shift_right(x, 32)
    b0, b1 = f.bit_and(y, low), f.shift_right(y, 32)
    left, right = f.mul(a1, b0), f.mul(a0, b1)
    middle = f.add(f.shift_right(f.mul(a0, b0), 32), f.bit_and(left, low))
    middle = f.add(middle, f.bit_and(right, low))
    high = f.add(f.mul(a1, b1), f.shift_right(left, 32))
    return f.add(f.add(high, f.shift_right(right, 32)), f.shift_right(middle, 32))
