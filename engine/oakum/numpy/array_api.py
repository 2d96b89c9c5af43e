"""What the Python array API standard asks of a namespace: constants and a description."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any, Final

from oakum import dtypes
from oakum.numpy import inspection
from oakum.tracing.dtype_requests import canonical
from oakum.values import host

__all__ = ["e", "euler_gamma", "inf", "nan", "newaxis", "pi"]


e: Final = math.e
"""The base of natural logarithms."""


euler_gamma: Final = 0.5772156649015329
"""Euler's constant: the limit of the harmonic sums minus the logarithm."""


inf: Final = math.inf
"""Infinity."""


nan: Final = math.nan
"""The value that is not a number."""


newaxis: Final = None
"""An index that inserts an axis of length one."""


pi: Final = math.pi
"""The ratio of a circle's circumference to its diameter."""


__array_api_version__: Final = "2024.12"


_NAMES: Final = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()


def namespace_of_arrays(api_version: str | None) -> ModuleType:
    """`oakum.numpy`; raises ValueError for another version of the standard."""
    if api_version is not None and api_version != __array_api_version__:
        known = [__array_api_version__]
        raise ValueError(f"{api_version=} is not available; available versions are: {known}")
    from oakum import numpy

    return numpy


class _NamespaceInfo:
    """The capabilities, devices and dtypes of `oakum.numpy`."""

    def capabilities(self) -> dict[str, Any]:
        """Returns what arrays can do beyond the least that the standard asks."""
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 64}

    def default_device(self) -> None:
        """The device for new arrays: none in particular."""

    def devices(self) -> list[Any]:
        """Returns the devices that arrays may be on; None stands for the default."""
        from oakum import devices

        return [None, *devices()]

    def default_dtypes(self, *, device: object = None) -> dict[str, Any]:
        """Returns the dtypes of arrays for which none is asked."""
        found = {
            "real floating": dtypes.float64,
            "complex floating": dtypes.complex128,
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }
        return {name: host.dtype(canonical(dtype)) for name, dtype in found.items()}

    def dtypes(self, *, device: object = None, kind: object = None) -> dict[str, Any]:
        """Returns the dtypes of a kind, or of one of several, by name."""
        kinds = ("bool", "numeric") if kind is None else kind
        known = [dtypes.DTYPES[name] for name in _NAMES]
        usable = [dtype for dtype in known if canonical(dtype) is dtype]
        return {
            dtype.name: host.dtype(dtype) for dtype in usable if inspection.is_of_kind(dtype, kinds)
        }


def __array_namespace_info__() -> _NamespaceInfo:
    """Returns the object that answers for the namespace."""
    return _NamespaceInfo()
