"""`bitcast_convert_type`: the bits of elements read as another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.abstract import creation
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.rules.batching import move
from oakum.tracing.trace import AxisData, Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray

_WHOLE = (Kind.BOOL, Kind.COMPLEX, Kind.KEY)
"""The kinds whose bits are not read as another dtype."""


def _bitcast_abstract(operand: ShapedArray, *, new_dtype: DType) -> ShapedArray:
    shape, old = shape_of(operand), dtype_of(operand)
    if old is not new_dtype and (old.kind in _WHOLE or new_dtype.kind in _WHOLE):
        raise DTypeError(
            "bitcast_convert_type does not support bool or complex values unless the operand and "
            f"destination types match, got {operand} and {new_dtype}",
            hint="Use the view method of arrays instead.",
        )
    last = shape[-1] if shape else 1
    if old.bits < new_dtype.bits and last * old.bits != new_dtype.bits:
        raise ShapeError(
            f"Attempting to convert {operand}, with elements of {old.bits} bits, to {new_dtype} "
            f"of size {new_dtype.bits} bits, but {last} * {old.bits} != {new_dtype.bits}",
            hint="Give the last axis as many elements as make one element of the new dtype.",
        )
    return creation.bitcast({"operand": operand, "new_dtype": new_dtype})


def _bitcast(xp: ModuleType, x: host.Array, *, new_dtype: DType) -> Any:
    target = host.dtype(new_dtype)
    if x.dtype == target:
        return x
    old_bits = host.read_dtype(x.dtype).bits
    if old_bits == new_dtype.bits == 8 * target.itemsize:
        return x.view(target)
    return _through_bits(xp, x, old_bits, new_dtype)


def _through_bits(xp: ModuleType, x: host.Array, old_bits: int, new_dtype: DType) -> Any:
    """Converts by taking elements apart into bits, where their number or size changes."""
    stored = xp.ascontiguousarray(x)[..., None].view(xp.uint8)
    bits = xp.unpackbits(stored, axis=-1, bitorder="little")[..., :old_bits]
    new_bits = new_dtype.bits
    if old_bits > new_bits:
        shape: tuple[int, ...] = (*x.shape, old_bits // new_bits)
    else:
        shape = x.shape[:-1] if old_bits < new_bits else x.shape
    packed = xp.packbits(bits.reshape(*shape, new_bits), axis=-1, bitorder="little")
    target = host.dtype(new_dtype)
    if new_dtype.kind is Kind.INT and new_bits < 8:
        packed = packed | ((packed >> (new_bits - 1)) * xp.uint8(0xFF << new_bits & 0xFF))
    return xp.ascontiguousarray(packed).view(target).reshape(shape)


def _bitcast_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int], *, new_dtype: DType
) -> tuple[Any, int]:
    operand = move(operands[0], dims[0], 0)
    if len(shape_of(operand)) == 1 and dtype_of(operand).bits < new_dtype.bits:
        operand = lax.expand_dims(operand, (1,))
    return bitcast_convert_type_p.bind(operand, new_dtype=new_dtype), 0


def _bits_as(builder: lowering.Builder, bits: int, old: DType, new: DType) -> Any:
    return bits if old is new else builder.operation("bitcast_convert_type", new, bits)


def _bitcast_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    operand: lowering.Element,
    *,
    new_dtype: DType,
) -> Any:
    old = operand.dtype
    if old.bits == new_dtype.bits:
        return _bits_as(builder, operand(position), old, new_dtype)
    whole, part = (dtypes.DTYPES[f"uint{each.bits}"] for each in (old, new_dtype))
    if old.bits > new_dtype.bits:
        bits = _bits_as(builder, operand(position[:-1]), old, whole)
        step = builder.constant(part.bits, whole)
        count = builder.operation("mul", whole, builder.index(position[-1], whole), step)
        bits = builder.operation("shift_right_logical", whole, bits, count)
        low = builder.operation("convert_element_type", part, bits)
        return _bits_as(builder, low, part, new_dtype)
    joined = builder.constant(0, part)
    for place in range(part.bits // whole.bits):
        bits = _bits_as(builder, operand((*position, place)), old, whole)
        wide = builder.operation("convert_element_type", part, bits)
        count = builder.constant(place * whole.bits, part)
        moved = builder.operation("shift_left", part, wide, count)
        joined = builder.operation("or", part, joined, moved)
    return _bits_as(builder, joined, part, new_dtype)


bitcast_convert_type_p = Primitive(
    "bitcast_convert_type",
    abstract=_bitcast_abstract,
    evaluate=_bitcast,
    derivatives=(None,),
    batch=_bitcast_batch,
    lower=lowering.Computed(_bitcast_lower),
    exact=True,
)
