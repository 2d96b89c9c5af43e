"""Small floats: stored in 16 bits, computed in 32.

Conversions are written out where LLVM would call a library function that is not linked.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value
from oakum.dtypes import DType


def is_small(dtype: DType) -> bool:
    """Returns whether a dtype is computed in float32."""
    return dtype is dtypes.bfloat16 or dtype is dtypes.float16


def widen(f: Arithmetic, x: Value) -> Value:
    """Returns a small float as float32, exactly."""
    if x.dtype is dtypes.float16:
        return f.cast("fpext", x, dtypes.float32)
    bits = f.cast("zext", f.bitcast(x, dtypes.uint16), dtypes.uint32)
    return f.bitcast(f.shift_left(bits, 16), dtypes.float32)


def narrow(f: Arithmetic, x: Value, dtype: DType) -> Value:
    """Returns the nearest small float, ties to even."""
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
    """Rounds to odd: the last bit of the float32 is set if anything was lost, so rounding again is
    correct.
    """
    back = f.cast("fpext", near, dtypes.float64)
    bits = f.bitcast(near, dtypes.uint32)
    beyond = f.compare("ogt", f.abs(back), f.abs(x))
    toward = f.select(beyond, f.sub(bits, 1), bits)
    inexact = f.compare("one", back, x)
    odd = f.select(inexact, f.bit_or(toward, 1), bits)
    return f.bitcast(odd, dtypes.float32)
