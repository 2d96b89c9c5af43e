"""Types of arguments, for annotations: what may stand for an array, a dtype, an axis, a shape."""

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

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


class SupportsArray(Protocol):
    """An object that converts itself to a NumPy array: NumPy's arrays and scalars themselves."""

    def __array__(self) -> Any:
        """Returns the NumPy array."""
        ...


ArrayLike = Array | SupportsArray | bool | int | float | complex
"""An array, or a value that JAX's functions make an array of."""

DTypeLike = Any
"""A dtype, its name, a scalar type of Python, NumPy or JAX, or an object with a dtype."""

Axis = int | Sequence[int] | None
"""One axis, several, or all of them."""

AxisName = Hashable
"""The name of a mapped axis."""

Shape = Sequence[int]
"""The sizes of an array."""

Placement = Any
"""A device, a sharding or a layout."""

PrecisionLike = Any
"""The precision of a contraction: a name, a `Precision`, or a pair of them."""
