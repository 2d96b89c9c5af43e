"""Operations on bits: logic, shifts, counts."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum import dtypes
from oakum.primitives.rules import numpy_evaluation
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.tracing.trace import Primitive, Rule
from oakum.values import host


def _binary(name: str, evaluate: Rule, function: str = "") -> Primitive:
    return elementwise_primitive(name, evaluate, (None, None), function=function)


not_p = elementwise_primitive("not", numpy_evaluation.by("invert"), (None,), function="bitwise_not")
and_p = _binary("and", numpy_evaluation.by("bitwise_and"), "bitwise_and")
or_p = _binary("or", numpy_evaluation.by("bitwise_or"), "bitwise_or")
xor_p = _binary("xor", numpy_evaluation.by("bitwise_xor"), "bitwise_xor")


def bits_of(x: host.Array) -> int:
    """Returns the number of bits of an element of a host's array."""
    return host.read_dtype(x.dtype).bits


def _unsigned(xp: ModuleType, x: host.Array) -> Any:
    """Returns the bits of integers as unsigned integers of NumPy's own, zeros above the bits."""
    if numpy_evaluation.is_custom(x.dtype):
        mask = xp.array((1 << bits_of(x)) - 1, "uint8")
        return x.astype("int16").astype("uint8") & mask
    return x.astype(f"u{x.dtype.itemsize}")


def _restored(x: host.Array, dtype: host.ArrayDType) -> Any:
    """Unsigned integers as the integers of a dtype that have these bits."""
    return x.astype(dtype)


def _shift_left(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    count, width = _unsigned(xp, y), bits_of(x)
    low = xp.where(count < width, count, 0)
    shifted = xp.where(count < width, xp.left_shift(_unsigned(xp, x), low), 0)
    return _restored(shifted, x.dtype)


def _shift_right_logical(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    count, width = _unsigned(xp, y), bits_of(x)
    low = xp.where(count < width, count, 0)
    shifted = xp.where(count < width, xp.right_shift(_unsigned(xp, x), low), 0)
    return _restored(shifted, x.dtype)


def _shift_right_arithmetic(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    width = bits_of(x)
    count = xp.minimum(_unsigned(xp, y), width - 1)
    kind = "i2" if numpy_evaluation.is_custom(x.dtype) else f"i{x.dtype.itemsize}"
    # Unsigned integers have a sign here too: XLA shifts their bits as those of signed ones.
    signed = x.astype(kind)
    if numpy_evaluation.is_custom(x.dtype):
        signed = signed - ((signed >> (width - 1) & 1) << width) * (signed >= 0)
    return _restored(xp.right_shift(signed, count.astype(kind)), x.dtype)


shift_left_p = _binary("shift_left", _shift_left)
shift_right_logical_p = _binary("shift_right_logical", _shift_right_logical)
shift_right_arithmetic_p = _binary("shift_right_arithmetic", _shift_right_arithmetic)


def _population_count(xp: ModuleType, x: host.Array) -> Any:
    return xp.bitwise_count(_unsigned(xp, x)).astype(x.dtype)


def _clz(xp: ModuleType, x: host.Array) -> Any:
    bits, width = _unsigned(xp, x), bits_of(x)
    step = 1
    while step < width:
        bits = bits | (bits >> step)
        step *= 2
    return (width - xp.bitwise_count(bits)).astype(x.dtype)


population_count_p = elementwise_primitive("population_count", _population_count, (None,))
clz_p = elementwise_primitive("clz", _clz, (None,))


def _mulhi(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    width = bits_of(x)
    if width == 64:
        return _mulhi64(xp, x, y)
    signed = host.read_dtype(x.dtype).kind is dtypes.Kind.INT
    wide = xp.int64 if signed else xp.uint64
    product = x.astype(wide) * y.astype(wide)
    return (product >> width).astype(x.dtype)


def _mulhi64(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    """Returns the high half of a product of 64-bit integers, from products of their halves."""
    low = xp.uint64(0xFFFFFFFF)
    a, b = x.astype(xp.uint64), y.astype(xp.uint64)
    a0, a1, b0, b1 = a & low, a >> 32, b & low, b >> 32
    middle = (a0 * b0 >> 32) + (a1 * b0 & low) + (a0 * b1 & low)
    high = (a1 * b1 + (a1 * b0 >> 32) + (a0 * b1 >> 32) + (middle >> 32)).astype(x.dtype)
    if x.dtype.kind == "u":
        return high
    zero = xp.zeros_like(x)
    return high - xp.where(x < 0, y, zero) - xp.where(y < 0, x, zero)


mulhi_p = _binary("mulhi", _mulhi)
