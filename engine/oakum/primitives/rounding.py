"""Rounding, neighbours of floats, and smaller formats of them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from oakum.errors import ShapeError
from oakum.lax.options import RoundingMethod
from oakum.primitives.rules import batching, declared, lowering, numpy_evaluation
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

floor_p = elementwise_primitive("floor", numpy_evaluation.by("floor"), (None,), exact=True)
ceil_p = elementwise_primitive("ceil", numpy_evaluation.by("ceil"), (None,), exact=True)


def _round(xp: ModuleType, x: host.Array, *, rounding_method: RoundingMethod) -> Any:
    if rounding_method is RoundingMethod.TO_NEAREST_EVEN:
        return xp.rint(x)
    size = xp.abs(x)
    down = xp.floor(size)
    return xp.copysign(down + (size - down >= 0.5).astype(x.dtype), x)


def _round_numbers(*, rounding_method: RoundingMethod) -> tuple[int]:
    return (int(rounding_method),)


round_p = elementwise_primitive(
    "round",
    numpy_evaluation.widened(_round),
    (None,),
    lower=lowering.Elementwise("round", _round_numbers),
    exact=True,
)

is_finite_p = elementwise_primitive("is_finite", numpy_evaluation.by("isfinite"), (None,))


def _nextafter(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    return xp.nextafter(x, y)


nextafter_p = elementwise_primitive("nextafter", _nextafter)

_format = declared.elementwise("reduce_precision")


def _reduce_precision_abstract(
    x: ShapedArray, *, exponent_bits: int, mantissa_bits: int
) -> ShapedArray:
    if exponent_bits < 1:
        raise ShapeError(f"reduce_precision: exponent_bits must be positive; got {exponent_bits}")
    if mantissa_bits < 0:
        raise ShapeError(
            f"reduce_precision: mantissa_bits must be non-negative; got {mantissa_bits}"
        )
    return _format(x)


def _reduce_precision(
    xp: ModuleType, x: host.Array, *, exponent_bits: int, mantissa_bits: int
) -> Any:
    """Rounds the mantissa to even, then lets exponents out of range become infinite or zero."""
    info = xp.finfo(x.dtype)
    width, own = info.bits, int(info.nmant)
    kind = xp.dtype(f"u{width // 8}")
    bits = xp.ascontiguousarray(x).reshape(x.shape).view(kind)
    if mantissa_bits < own:
        dropped = own - mantissa_bits
        last = (bits >> kind.type(dropped)) & kind.type(1)
        bits = bits + (kind.type((1 << (dropped - 1)) - 1) + last)
        bits = bits & ~kind.type((1 << dropped) - 1)
    if exponent_bits < info.nexp:
        bits = _limit_exponent(xp, bits, kind, own, width - 1 - own, exponent_bits)
    return xp.where(xp.isnan(x), x, bits.view(x.dtype))


def _limit_exponent(
    xp: ModuleType,
    bits: host.Array,
    kind: host.ArrayDType,
    mantissa: int,
    exponent: int,
    wanted: int,
) -> Any:
    bias, reduced = (1 << (exponent - 1)) - 1, (1 << (wanted - 1)) - 1
    all_ones = kind.type(((1 << exponent) - 1) << mantissa)
    sign = bits & kind.type(1 << (mantissa + exponent))
    magnitude = bits & all_ones
    large = magnitude > kind.type((bias + reduced) << mantissa)
    small = magnitude <= kind.type((bias - reduced) << mantissa)
    return xp.where(large, sign | all_ones, xp.where(small, sign, bits))


def _reduce_precision_any(xp: ModuleType, x: host.Array, **params: int) -> Any:
    if numpy_evaluation.is_custom(x.dtype):
        return _reduce_precision(xp, x.astype(xp.float32), **params).astype(x.dtype)
    return _reduce_precision(xp, x, **params)


def _reduce_precision_transpose(ct: ArrayLike, x: object, **params: object) -> list[Any]:
    return [reduce_precision_p.bind(ct, **params)]


def _reduce_precision_numbers(*, exponent_bits: int, mantissa_bits: int) -> tuple[int, int]:
    return exponent_bits, mantissa_bits


reduce_precision_p = Primitive(
    "reduce_precision",
    abstract=_reduce_precision_abstract,
    evaluate=_reduce_precision_any,
    linear=True,
    transpose=_reduce_precision_transpose,
    batch=batching.elementwise,
    lower=lowering.Elementwise("reduce_precision", _reduce_precision_numbers),
    exact=True,
)
