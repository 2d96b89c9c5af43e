"""Bytes of arrays: read as another dtype, in another order; and the arguments of `transpose`."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.dtypes import DType, Kind
from oakum.errors import ShapeError
from oakum.numpy import arguments
from oakum.tracing.dtype_requests import requested
from oakum.values import host


def axes_of(args: tuple[Any, ...]) -> Any:
    """The axes that `x.transpose` was given, one by one or as a sequence."""
    if len(args) != 1:
        return args or None
    return args if hasattr(args[0], "__index__") else args[0]


def byteswap(array: Any) -> Any:
    """The elements with their bytes in reverse order."""
    if arguments.is_complex(array):
        return lax.complex(byteswap(lax.real(array)), byteswap(lax.imag(array)))
    if array.itemsize == 1:
        return jnp.copy(array)
    own = array.dtype
    octets = lax.bitcast_convert_type(array, host.dtype(dtypes.uint8))
    return lax.bitcast_convert_type(lax.rev(octets, (array.ndim,)), own)


def view(array: Any, dtype: Any, kind: object) -> Any:
    """The bytes of the elements read as another dtype; the last axis changes its size with it."""
    if kind is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    return array if dtype is None else _viewed(array, requested(dtype, "view"))


def _viewed(array: Any, dtype: DType) -> Any:
    own = arguments.dtype_of(array)
    _check_sizes(array, own, dtype)
    if array.ndim == 0:
        return lax.squeeze(_viewed(lax.expand_dims(array, (0,)), dtype), (0,))
    if own is dtype:
        return array
    if own is dtypes.bool_:
        return _viewed(arguments.convert(array, dtypes.uint8), dtype)
    if dtype is dtypes.bool_:
        return arguments.convert(_viewed(array, dtypes.uint8), dtype)
    if own.kind is Kind.COMPLEX:
        parts = jnp.stack((lax.real(array), lax.imag(array)), -1)
        return _viewed(jnp.reshape(parts, (*array.shape[:-1], -1)), dtype)
    if dtype.kind is Kind.COMPLEX:
        real = dtypes.to_real(dtype)
        assert real is not None
        parts = _viewed(array, real)
        return lax.complex(parts[..., 0::2], parts[..., 1::2])
    return _recast(array, own, dtype)


def _check_sizes(array: Any, own: DType, dtype: DType) -> None:
    if array.ndim == 0:
        if own.bits != dtype.bits:
            raise ShapeError(
                "view() of a 0d array is only supported if the itemsize is unchanged.",
                hint="Give the array an axis first, with x[None].",
            )
    elif array.shape[-1] * own.bits % dtype.bits:
        raise ShapeError(
            "When changing to a larger dtype, its size must be a divisor of the total size in "
            "bytes of the last axis of the array.",
            hint="Pad the last axis.",
        )


def _recast(array: Any, own: DType, dtype: DType) -> Any:
    target = host.dtype(dtype)
    if own.bits < dtype.bits:
        factor = dtype.bits // own.bits
        shape = (*array.shape[:-1], array.shape[-1] // factor, factor)
        return lax.bitcast_convert_type(lax.reshape(array, shape), target)
    result = lax.bitcast_convert_type(array, target)
    if own.bits == dtype.bits:
        return result
    return lax.reshape(result, (*array.shape[:-1], array.shape[-1] * own.bits // dtype.bits))
