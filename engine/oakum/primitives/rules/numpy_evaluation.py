"""Evaluation with NumPy: small dtypes in wider ones, complex numbers as XLA has them, and the
extreme elements of dtypes.

NumPy knows no arithmetic, or only slow arithmetic, of floats of 16 bits and less and of integers of
less than 8 bits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.tracing.trace import Rule
from oakum.values import host

_CUSTOM = 2
"""What `isbuiltin` of the dtypes of ml_dtypes is."""


@functools.cache
def wide_dtype(dtype: object) -> Any:
    """Returns the dtype of NumPy's own in which operations on a small dtype are computed."""
    match host.read_dtype(dtype).kind:
        case Kind.INT:
            return host.np.dtype("int8")
        case Kind.UINT:
            return host.np.dtype("uint8")
        case _:
            return host.np.dtype("float32")


def is_custom(dtype: host.ArrayDType) -> bool:
    """Whether a dtype of the host is one of ml_dtypes, such as bfloat16."""
    return dtype.isbuiltin == _CUSTOM


def widened(function: Rule) -> Rule:
    """Evaluates a function of arrays of one dtype, small dtypes in a wider one."""

    @functools.wraps(function)
    def evaluate(xp: ModuleType, *operands: host.Array, **params: object) -> Any:
        dtype = operands[0].dtype
        if dtype.isbuiltin != _CUSTOM:
            return function(xp, *operands, **params)
        wide = wide_dtype(dtype)
        result = function(xp, *[x.astype(wide) for x in operands], **params)
        return result.astype(dtype) if result.dtype == wide else result

    return evaluate


def by(name: str | Rule) -> Rule:
    """Evaluates with the function of NumPy of this name, or with a function of NumPy and arrays."""
    if not isinstance(name, str):
        return widened(name)

    def function(xp: ModuleType, *operands: host.Array, **params: object) -> Any:
        return getattr(xp, name)(*operands)

    return widened(function)


def joined(xp: ModuleType, real: host.Array, imag: host.Array, dtype: object) -> Any:
    """Returns the complex numbers of these parts."""
    result = xp.empty(real.shape, dtype)
    result.real, result.imag = real, imag
    return result


def divide(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    """Returns the quotient; infinite numbers over finite ones are infinite, finite over infinite
    are zero, where NumPy returns NaN.
    """
    quotient = xp.asarray(xp.divide(x, y))
    lost = xp.isnan(quotient.real) & xp.isnan(quotient.imag)
    if not lost.any():
        return quotient
    over_zero = lost & (y == 0) & ~(xp.isnan(x.real) & xp.isnan(x.imag))
    infinity = xp.copysign(xp.inf, y.real)
    unbounded = lost & xp.isinf(x) & xp.isfinite(y)
    vanishing = lost & xp.isfinite(x) & xp.isinf(y)
    a, b = _direction(xp, x, unbounded)
    c, d = _direction(xp, y, vanishing)
    real = xp.where(over_zero, infinity * x.real, quotient.real)
    imag = xp.where(over_zero, infinity * x.imag, quotient.imag)
    scale = xp.where(unbounded, xp.inf, 0.0)
    recovered = unbounded | vanishing
    real = xp.where(recovered, scale * (a * c + b * d), real)
    imag = xp.where(recovered, scale * (b * c - a * d), imag)
    return joined(xp, real, imag, quotient.dtype)


def _direction(xp: ModuleType, x: host.Array, where: host.Array) -> tuple[Any, Any]:
    """Returns the parts, in infinite numbers replaced by one and zero with their signs."""
    real, imag = x.real, x.imag
    boxed = [xp.copysign(xp.where(xp.isinf(part), 1.0, 0.0), part) for part in (real, imag)]
    return xp.where(where, boxed[0], real), xp.where(where, boxed[1], imag)


def sign(xp: ModuleType, x: host.Array) -> Any:
    """Returns the number over its absolute value, and zero for zero."""
    size = xp.where(x == 0, 1, xp.abs(x))
    return joined(xp, x.real / size, x.imag / size, x.dtype)


def greater(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    """Returns the later one in the order by real parts, then by imaginary ones."""
    first = xp.where(x.real == y.real, x.imag > y.imag, x.real > y.real)
    return xp.where(first, x, y)


def lesser(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    """Returns the earlier one in the order by real parts, then by imaginary ones."""
    first = xp.where(x.real == y.real, x.imag < y.imag, x.real < y.real)
    return xp.where(first, x, y)


def expm1(xp: ModuleType, x: host.Array) -> Any:
    """Returns the exponential minus one, real for real numbers."""
    result = xp.asarray(xp.expm1(x))
    return joined(xp, result.real, xp.where(x.imag == 0, x.imag, result.imag), x.dtype)


def in_doubles(function: Callable[..., Any], wide: str = "float64") -> Rule:
    """Evaluates with a function of flat arrays of doubles."""

    def evaluate(xp: ModuleType, *operands: host.Array) -> Any:
        first = operands[0]
        if not first.size:
            return xp.zeros_like(first)
        flat = [x.astype(wide).reshape(-1) for x in operands]
        return function(xp, *flat).reshape(first.shape).astype(first.dtype)

    return evaluate


def compute_dtype(dtype: DType) -> DType:
    """Returns the dtype in which the host computes with elements of this one, as JAX does on CPUs;
    results are rounded once at the end.

    >>> compute_dtype(dtypes.bfloat16), compute_dtype(dtypes.int4), compute_dtype(dtypes.int8)
    (dtype(float32), dtype(int32), dtype(int8))
    """
    if dtype.kind is Kind.FLOAT and dtype.bits < 32:
        return dtypes.float32
    if dtype.kind in (Kind.INT, Kind.UINT) and dtype.bits < 8:
        return dtypes.int32
    return dtype


def in_compute_dtype(raw: host.Array) -> Any:
    """Returns the host's array in the dtype in which it is computed with."""
    dtype = host.read_dtype(raw.dtype)
    wide = compute_dtype(dtype)
    return raw if wide is dtype else raw.astype(host.dtype(wide))


def least(dtype: DType) -> Any:
    """Returns the least element of a dtype, the identity of maxima, as a scalar of the host."""
    return _extreme(dtype, -1)


def greatest(dtype: DType) -> Any:
    """Returns the greatest element of a dtype, the identity of minima, as a scalar of the host."""
    return _extreme(dtype, 1)


def _extreme(dtype: DType, sign: int) -> Any:
    kind = host.dtype(dtype)
    if dtype.kind is Kind.BOOL:
        return host.np.array(sign > 0)
    if dtype.kind in (Kind.INT, Kind.UINT):
        info = host.ml_dtypes.iinfo(kind)
        return host.np.array(info.min if sign < 0 else info.max, kind)
    infinite = host.np.array(sign * float("inf")).astype(kind)
    if dtype.kind is Kind.COMPLEX or host.np.isinf(infinite):
        return infinite
    info = host.ml_dtypes.finfo(kind)
    return host.np.array(info.min if sign < 0 else info.max, kind)
