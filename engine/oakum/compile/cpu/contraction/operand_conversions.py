"""Conversions between the dtypes of operands, sums and results, and products of small integers:
elements of 16 bits are multiplied and added two at a time.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value, is_float, is_signed
from oakum.compile.native.target import Target
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


_SMALL: Final = (dtypes.int8, dtypes.uint8, dtypes.int16)
_SUMS: Final = (dtypes.int32, dtypes.uint32)

_INSTRUCTIONS: Final = {
    16: ("+sse2", "llvm.x86.sse2.pmadd.wd"),
    32: ("+avx2", "llvm.x86.avx2.pmadd.wd"),
    64: ("+avx512bw", "llvm.x86.avx512.pmaddw.d.512"),
}
"""By the bytes of a vector: the feature that a processor needs, and the intrinsic."""


def has_pair_products(target: Target, lhs: DType, rhs: DType, accumulator: DType) -> bool:
    """Returns whether there is an instruction for elements of these dtypes."""
    small = lhs in _SMALL and rhs in _SMALL and accumulator in _SUMS
    feature, _ = _INSTRUCTIONS.get(target.vector_bytes, ("", ""))
    return small and bool(feature) and feature in target.features.split(",")


def multiply_pairs(f: Function, x: Value, y: Value) -> Value:
    """Returns the sums of the products of lower halves and of upper halves."""
    _, name = _INSTRUCTIONS[4 * x.width]
    halves = f"<{2 * x.width} x i16>"
    f.declarations[f"declare {x.type} @{name}({halves}, {halves})"] = None
    left, right = (
        f.assign(f"bitcast {each.typed} to {halves}", x.dtype, x.width) for each in (x, y)
    )
    text = f"call {x.type} @{name}({halves} {left.text}, {halves} {right.text})"
    return f.assign(text, x.dtype, x.width)


def joined(f: Function, low: Value, high: Value) -> Value:
    """Elements made of lower and of upper halves, all of which are of 32 bits."""
    return f.bit_or(f.bit_and(low, 0xFFFF), f.shift_left(high, 16))


def neighbours(f: Function, x: Value, dtype: DType) -> Value:
    """Elements that stand side by side, made one by two."""
    wide = widen(f, x, dtypes.int16)
    return f.assign(f"bitcast {wide.typed} to <{x.width // 2} x i32>", dtype, x.width // 2)
