"""Computing in wider types: sums and products of small elements are rounded once, at the end.

The host knows no arithmetic, or only slow arithmetic, of floats of 16 bits and less and of integers
of less than 8 bits; what accumulates is computed in 32 bits there, as JAX does on CPUs.
"""

from __future__ import annotations

from typing import Any

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.values import host


def wide_dtype(dtype: DType) -> DType:
    """Returns the dtype in which sums of elements of this one are kept.

    >>> wide_dtype(dtypes.bfloat16), wide_dtype(dtypes.int4), wide_dtype(dtypes.int8)
    (dtype(float32), dtype(int32), dtype(int8))
    """
    if dtype.kind is Kind.FLOAT and dtype.bits < 32:
        return dtypes.float32
    if dtype.kind in (Kind.INT, Kind.UINT) and dtype.bits < 8:
        return dtypes.int32
    return dtype


def widened(raw: host.Array) -> Any:
    """Returns the host's array in the dtype in which it is computed with."""
    dtype = host.read_dtype(raw.dtype)
    wide = wide_dtype(dtype)
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
