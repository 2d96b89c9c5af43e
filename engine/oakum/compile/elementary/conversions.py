"""Floats as integers: toward zero, the nearest in range where they are out of it, NaN as zero.

LLVM has instructions for this, but takes vectors of them apart. Here operands are brought into the
range first, where the plain conversions are defined and those of vectors are used.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.elementary.formats import FORMATS, bits_of
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value, is_signed
from oakum.dtypes import DType


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
