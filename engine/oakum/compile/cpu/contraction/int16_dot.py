"""Pairs of small integers: products of elements of 16 bits are added two at a time.

Processors multiply the halves of 32-bit elements and add the two products in one instruction. A
sliver then has an element of 32 bits for two summed places, the first of which is its lower half.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction.operand_conversions import widen
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.dtypes import DType

_SMALL: Final = (dtypes.int8, dtypes.uint8, dtypes.int16)
_SUMS: Final = (dtypes.int32, dtypes.uint32)

_INSTRUCTIONS: Final = {
    16: ("+sse2", "llvm.x86.sse2.pmadd.wd"),
    32: ("+avx2", "llvm.x86.avx2.pmadd.wd"),
    64: ("+avx512bw", "llvm.x86.avx512.pmaddw.d.512"),
}
"""By the bytes of a vector: the feature that a processor needs, and the intrinsic."""


def are_known(target: Target, lhs: DType, rhs: DType, accumulator: DType) -> bool:
    """Returns whether there is an instruction for elements of these dtypes."""
    small = lhs in _SMALL and rhs in _SMALL and accumulator in _SUMS
    feature, _ = _INSTRUCTIONS.get(target.vector_bytes, ("", ""))
    return small and bool(feature) and feature in target.features.split(",")


def multiply(f: Function, x: Value, y: Value) -> Value:
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
