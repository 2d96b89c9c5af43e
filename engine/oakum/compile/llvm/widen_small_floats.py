"""Small floats: kept in 16 bits, computed in 32.

The conversions are written out where LLVM would call a function that is not there.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value
from oakum.dtypes import DType


def is_small(dtype: DType) -> bool:
    """Whether a dtype is computed in float32."""
    return dtype is dtypes.bfloat16 or dtype is dtypes.float16


def widen(f: Arithmetic, x: Value) -> Value:
    """A small float as float32, exactly."""
    if x.dtype is dtypes.float16:
        return f.cast("fpext", x, dtypes.float32)
    bits = f.cast("zext", f.bitcast(x, dtypes.uint16), dtypes.uint32)
    return f.bitcast(f.shift_left(bits, 16), dtypes.float32)


def narrow(f: Arithmetic, x: Value, dtype: DType) -> Value:
    """The nearest small float, ties to even."""
    if x.dtype is dtypes.float64:
        # To bfloat16, NumPy and XLA round twice.
        single = f.cast("fptrunc", x, dtypes.float32)
        x = _to_odd(f, x, single) if dtype is dtypes.float16 else single
    if dtype is dtypes.float16:
        return f.cast("fptrunc", x, dtypes.float16)
    bits = f.bitcast(x, dtypes.uint32)
    odd = f.bit_and(f.shift_right(bits, 16), 1)
    rounded = f.add(f.add(bits, odd), 0x7FFF)
    quiet = f.bit_or(bits, 0x400000)
    chosen = f.select(f.compare("uno", x, x), quiet, rounded)
    half = f.cast("trunc", f.shift_right(chosen, 16), dtypes.uint16)
    return f.bitcast(half, dtypes.bfloat16)


def _to_odd(f: Arithmetic, x: Value, near: Value) -> Value:
    """A float32 whose last bit tells whether anything was lost: rounding it again is right."""
    back = f.cast("fpext", near, dtypes.float64)
    bits = f.bitcast(near, dtypes.uint32)
    beyond = f.compare("ogt", f.abs(back), f.abs(x))
    toward = f.select(beyond, f.sub(bits, 1), bits)
    inexact = f.compare("one", back, x)
    odd = f.select(inexact, f.bit_or(toward, 1), bits)
    return f.bitcast(odd, dtypes.float32)
