"""Conversions between the dtypes of operands, sums and results."""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value, is_float, is_signed
from oakum.dtypes import DType


def widen(f: Function, x: Value, dtype: DType) -> Value:
    """Converts an operand's element to the dtype of sums."""
    if x.dtype is dtype:
        return x
    if is_float(x.dtype):
        return _widen_float(f, x, dtype)
    if is_float(dtype):
        return f.to_float(x, dtype)
    if dtype.bits == x.dtype.bits:
        return f.bitcast(x, dtype)
    if dtype.bits < x.dtype.bits:
        return f.cast("trunc", x, dtype)
    return f.cast("sext" if is_signed(x.dtype) else "zext", x, dtype)


def _widen_float(f: Function, x: Value, dtype: DType) -> Value:
    if x.dtype is dtypes.bfloat16:
        bits = f.cast("zext", f.bitcast(x, dtypes.uint16), dtypes.uint32)
        x = f.bitcast(f.shift_left(bits, 16), dtypes.float32)
        return x if dtype is dtypes.float32 else f.cast("fpext", x, dtype)
    return f.cast("fpext", x, dtype)


def narrow(f: Function, x: Value, dtype: DType) -> Value:
    """Converts a sum to the dtype of the result."""
    if x.dtype is dtype:
        return x
    if not is_float(x.dtype):
        return f.cast("trunc", x, dtype) if dtype.bits < x.dtype.bits else f.bitcast(x, dtype)
    if dtype is dtypes.bfloat16:
        return _to_bfloat16(f, _to_float32(f, x))
    if dtype is dtypes.float16:
        return f.cast("fptrunc", _to_float32(f, x), dtype)
    return f.cast("fptrunc" if dtype.bits < x.dtype.bits else "fpext", x, dtype)


def _to_float32(f: Function, x: Value) -> Value:
    """Rounds a double to float32, to odd between two: rounding again to fewer bits is then
    correct.
    """
    if x.dtype is dtypes.float32:
        return x
    near = f.cast("fptrunc", x, dtypes.float32)
    back = f.cast("fpext", near, dtypes.float64)
    bits = f.bitcast(near, dtypes.int32)
    exact = f.bit_or(f.compare("eq", back, x), f.compare("uno", back, x))
    # Toward zero, and then odd: the bits of a float are ordered by its magnitude.
    away = f.compare("gt", f.abs(back), f.abs(x))
    less = f.select(away, f.sub(bits, 1), bits)
    odd = f.select(exact, bits, f.bit_or(less, 1))
    return f.bitcast(odd, dtypes.float32)


def _to_bfloat16(f: Function, x: Value) -> Value:
    bits = f.bitcast(x, dtypes.uint32)
    tie = f.bit_and(f.shift_right(bits, 16), 1)
    rounded = f.shift_right(f.add(f.add(bits, 0x7FFF), tie), 16)
    quiet = f.shift_right(f.bit_or(bits, 0x400000), 16)
    chosen = f.select(f.compare("uno", x, x), quiet, rounded)
    return f.bitcast(f.cast("trunc", chosen, dtypes.uint16), dtypes.bfloat16)
