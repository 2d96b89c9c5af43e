"""Conversion between dtypes, complex parts, and operations that give their operand."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.primitives.rules import batching, lowering, numpy_evaluation
from oakum.primitives.rules.arguments import dtype_of
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.primitives.rules.derivatives import UndefinedPrimal, Zero, tangent_aval, zero_of
from oakum.tracing.trace import Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _convert_abstract(x: ShapedArray, *, new_dtype: DType, weak_type: bool) -> ShapedArray:
    old = dtype_of(x)
    if old is not new_dtype and Kind.KEY in (old.kind, new_dtype.kind):
        raise DTypeError(
            f"Cannot convert_element_type from {old} to {new_dtype}",
            hint="Get the data of random keys with jax.random.key_data, and wrap data in keys with "
            "jax.random.wrap_key_data.",
        )
    return ShapedArray(x.shape, new_dtype, weak_type)


def _convert(xp: ModuleType, x: host.Array, *, new_dtype: DType, weak_type: bool) -> Any:
    return convert(xp, x, new_dtype)


def convert(xp: ModuleType, x: host.Array, new_dtype: DType) -> Any:
    """Returns the host's array in another dtype, as XLA converts: floats to the nearest integer in
    range toward zero, NaN to zero, integers by their low bits.
    """
    target = host.dtype(new_dtype)
    if x.dtype == target:
        return x
    if new_dtype.kind is Kind.FLOAT0 or x.dtype.fields is not None:
        return xp.zeros(x.shape, target)
    if x.dtype.kind == "c" and new_dtype.kind is not Kind.COMPLEX:
        x = x.real
    if numpy_evaluation.is_custom(x.dtype):
        x = x.astype(numpy_evaluation.wide_dtype(x.dtype))
    if new_dtype.kind is Kind.BOOL:
        return x != 0
    if new_dtype.kind in (Kind.INT, Kind.UINT) and x.dtype.kind == "f":
        return _to_integer(xp, x, new_dtype)
    if numpy_evaluation.is_custom(target) and x.dtype.kind in "iub":
        return _to_small(x, new_dtype, target)
    return x.astype(target)


def _to_integer(xp: ModuleType, x: host.Array, new_dtype: DType) -> Any:
    if x.dtype.itemsize < 4:
        x = x.astype(xp.float32)
    signed = new_dtype.kind is Kind.INT
    bits = new_dtype.bits - signed
    least, beyond = -(2**bits) if signed else 0, 2**bits
    target = host.dtype(new_dtype)
    native = numpy_evaluation.wide_dtype(target) if numpy_evaluation.is_custom(target) else target
    inside = (x > least) & (x < beyond)
    result = xp.where(inside, x, 0).astype(native)
    result = xp.where(x >= beyond, native.type(beyond - 1), result)
    return xp.where(x <= least, native.type(least), result).astype(target)


def _to_small(x: host.Array, new_dtype: DType, target: host.ArrayDType) -> Any:
    """Integers as those of a few bits, or as small floats, through floats of 32 bits."""
    if new_dtype.kind is Kind.FLOAT:
        return x.astype("float32").astype(target)
    low = x.astype("int64") & ((1 << new_dtype.bits) - 1)
    if new_dtype.kind is Kind.INT:
        low = low - ((low >> (new_dtype.bits - 1)) << new_dtype.bits)
    return low.astype("int8").astype(target)


def _convert_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, new_dtype: DType, weak_type: bool
) -> tuple[Any, Any]:
    out = convert_element_type_p.bind(*primals, new_dtype=new_dtype, weak_type=weak_type)
    (tangent,) = tangents
    aval = tangent_aval(aval_of(out))
    if aval.dtype is dtypes.float0 or isinstance(tangent, Zero):
        return out, Zero(aval)
    return out, convert_element_type_p.bind(tangent, new_dtype=new_dtype, weak_type=weak_type)


def _convert_transpose(ct: ArrayLike, x: UndefinedPrimal, **params: object) -> list[Any]:
    aval: ShapedArray = x.aval
    if tangent_aval(aval).dtype is dtypes.float0:
        return [Zero(tangent_aval(aval))]
    old = convert_element_type_p.bind(ct, new_dtype=dtype_of(aval), weak_type=bool(aval.weak_type))
    return [old]


convert_element_type_p = elementwise_primitive(
    "convert_element_type",
    _convert,
    abstract=_convert_abstract,
    jvp=_convert_jvp,
    transpose=_convert_transpose,
    exact=True,
)


def _real(xp: ModuleType, x: host.Array) -> Any:
    return xp.real(x)


def _imag(xp: ModuleType, x: host.Array) -> Any:
    return xp.imag(x)


def _real_transpose(ct: ArrayLike, x: object) -> list[Any]:
    return [lax.complex(ct, lax.full_like(ct, 0))]


def _imag_transpose(ct: ArrayLike, x: object) -> list[Any]:
    return [lax.complex(lax.full_like(ct, 0), lax.neg(ct))]


real_p = elementwise_primitive("real", _real, linear=True, transpose=_real_transpose, on_host=True)

imag_p = elementwise_primitive("imag", _imag, linear=True, transpose=_imag_transpose, on_host=True)


def _complex(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    return numpy_evaluation.joined(xp, x, y, xp.result_type(x.dtype, xp.complex64))


def _complex_transpose(ct: ArrayLike, x: object, y: object) -> list[Any]:
    return [lax.real(ct), lax.imag(lax.neg(ct))]


complex_p = elementwise_primitive(
    "complex", _complex, linear=True, transpose=_complex_transpose, on_host=True
)


def _conj(xp: ModuleType, x: host.Array, *, input_dtype: DType) -> Any:
    return xp.conj(x) if x.dtype.kind == "c" else _complex(xp, x, xp.zeros_like(x))


def _conj_transpose(ct: ArrayLike, x: object, *, input_dtype: DType) -> list[Any]:
    return [lax.conj(ct) if input_dtype.kind is Kind.COMPLEX else lax.real(ct)]


conj_p = elementwise_primitive("conj", _conj, linear=True, transpose=_conj_transpose, on_host=True)


def _same_aval(x: ShapedArray) -> ShapedArray:
    return x


def _same_array(xp: ModuleType, x: host.Array) -> Any:
    return x


def _copied_cotangent(ct: ArrayLike, x: ArrayLike) -> list[Any]:
    return [copy_p.bind(ct)]


copy_p = Primitive(
    "copy",
    abstract=_same_aval,
    evaluate=_same_array,
    linear=True,
    transpose=_copied_cotangent,
    batch=batching.elementwise,
    lower=lowering.SAME,
    exact=True,
)


def _stop_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    out = stop_gradient_p.bind(*primals)
    return out, zero_of(out)


stop_gradient_p = Primitive(
    "stop_gradient",
    abstract=_same_aval,
    evaluate=_same_array,
    jvp=_stop_jvp,
    batch=batching.elementwise,
    lower=lowering.SAME,
    exact=True,
)
