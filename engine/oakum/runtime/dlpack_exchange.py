"""Arrays shared with other libraries in memory: DLPack."""

from __future__ import annotations

from typing import Any

from oakum import dtypes
from oakum.dtypes import DType
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.topology.shardings import Sharding, on_first_device
from oakum.values import host
from oakum.values.avals import ShapedArray

_EXCHANGED = frozenset(
    (
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
        "complex64 complex128"
    ).split()
)
_CPU = 1
"""DLPack's number of the host's memory."""


def is_exchanged(dtype: DType) -> bool:
    """Returns whether arrays of a dtype can be shared."""
    return dtype.name in _EXCHANGED


def contiguous(array: ArrayImpl) -> Any:
    """Returns the data in one piece of memory, row by row."""
    raw = array.raw
    if not raw.flags.c_contiguous:
        raw = host.np.ascontiguousarray(raw)
        array.replace_raw(raw)
    return raw


def to_dlpack(array: ArrayImpl, **options: object) -> Any:
    """Returns the capsule through which another library reads the array."""
    _check_single(array)
    dtype = array.aval.dtype
    if dtype is None or not is_exchanged(dtype):
        raise BufferError(f"arrays of dtype {dtype} cannot be shared through DLPack")
    raw = contiguous(array)
    if not raw.flags.writeable:
        raw = raw.copy()  # what is shared cannot say that it must not be written
        array.replace_raw(raw)
    return raw.__dlpack__(**{k: v for k, v in options.items() if v is not None})


def dlpack_device(array: ArrayImpl) -> tuple[Any, int]:
    """Returns the kind and number of the device, as DLPack counts them."""
    _check_single(array)
    return (_CPU, 0)


def from_dlpack(external: object, sharding: Sharding | None, copy: bool | None) -> ArrayImpl:
    """Returns the array of another library's, in the same memory unless it has to be copied."""
    if not hasattr(external, "__dlpack__") or not hasattr(external, "__dlpack_device__"):
        raise TypeError(
            "The array passed to from_dlpack must have __dlpack__ and __dlpack_device__ methods; "
            f"{type(external).__name__} has not"
        )
    raw = host.np.from_dlpack(external)
    dtype = dtypes.canonicalize(host.read_dtype(raw.dtype))
    assert dtype is not None
    wanted = host.dtype(dtype)
    if copy is False and (raw.dtype != wanted or not raw.flags.c_contiguous):
        raise ValueError(
            f"from_dlpack with copy=False: an array of dtype {raw.dtype} has to be copied to "
            f"become one of dtype {dtype}, row by row"
        )
    raw = host.np.array(raw, wanted, order="C", copy=True if copy else None)
    place = on_first_device() if sharding is None else sharding
    return ArrayImpl(raw, ShapedArray(raw.shape, dtype), place, True)


def _check_single(array: ArrayImpl) -> None:
    if (count := array.sharding.num_devices) > 1:
        raise BufferError(
            "DLPack shares arrays on one device; this one lies on "
            f"{count}: take a part of it, x.addressable_data(0)"
        )
