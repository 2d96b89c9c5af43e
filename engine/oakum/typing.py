"""Types of arguments, for annotations: what may stand for an array, a dtype, an axis, a shape."""

import enum
from collections.abc import Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

from oakum.array import Array

__all__ = [
    "Array",
    "ArrayLike",
    "Axis",
    "AxisName",
    "DTypeLike",
    "Placement",
    "PrecisionLike",
    "Shape",
    "SupportsArray",
]


@runtime_checkable
class SupportsArray(Protocol):
    """An object that converts itself to a NumPy array: NumPy's arrays and scalars themselves."""

    def __array__(self) -> Any:
        """Returns the NumPy array."""
        ...


ArrayLike = Array | SupportsArray | bool | int | float | complex
"""An array, or a value that JAX's functions make an array of."""


@runtime_checkable
class ElementType(Protocol):
    """A dtype: NumPy's, or one of ours."""

    @property
    def name(self) -> str: ...
    @property
    def itemsize(self) -> int: ...


@runtime_checkable
class SupportsDType(Protocol):
    """An object with a dtype: an array, or a scalar type of `oakum.numpy`."""

    @property
    def dtype(self) -> Any: ...


DTypeLike = ElementType | SupportsDType | str | type
"""A dtype, its name, a scalar type of Python, NumPy or JAX, or an object with a dtype."""

Axis = int | Sequence[int] | None
"""One axis, several, or all of them."""

AxisName = Hashable
"""The name of a mapped axis."""

Shape = Sequence[int]
"""The sizes of an array."""


@runtime_checkable
class OneDevice(Protocol):
    """A device."""

    @property
    def id(self) -> int: ...
    @property
    def platform(self) -> str: ...


@runtime_checkable
class SeveralDevices(Protocol):
    """A sharding, which says on which devices an array lies."""

    @property
    def device_set(self) -> set[Any]: ...


Placement = OneDevice | SeveralDevices
"""A device or a sharding."""


@runtime_checkable
class ContractionAlgorithm(Protocol):
    """A `DotAlgorithm`."""

    @property
    def accumulation_type(self) -> Any: ...


_Precision = str | int | enum.Enum | None

PrecisionLike = _Precision | ContractionAlgorithm | tuple[_Precision, _Precision]
"""The precision of a contraction: a name, a `Precision`, an algorithm, or a pair of names or
precisions.
"""
