"""`ShapeDtypeStruct`: a shape and a dtype that stand for an array."""

from __future__ import annotations

import math
from typing import Any

from oakum.facts import public
from oakum.typing import DTypeLike, Shape


@public("ShapeDtypeStruct", static_result=True)
class ShapeDtypeStruct:
    """The shape and the dtype of an array, without data: what `eval_shape` takes and gives.

    >>> example = ShapeDtypeStruct((2, 3), "float32")
    >>> example.ndim, example.size
    (2, 6)
    """

    __slots__ = ("dtype", "is_ref", "manual_axis_type", "shape", "sharding", "weak_type")

    def __init__(
        self,
        shape: Shape,
        dtype: DTypeLike,
        *,
        sharding: Any = None,
        weak_type: bool = False,
        manual_axis_type: Any = None,
        is_ref: bool = False,
    ) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype
        self.sharding = sharding
        self.weak_type = weak_type
        self.manual_axis_type = manual_axis_type
        self.is_ref = is_ref

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __repr__(self) -> str:
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype})"
