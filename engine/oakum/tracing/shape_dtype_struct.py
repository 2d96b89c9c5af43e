"""`ShapeDtypeStruct`: a shape and a dtype that stand for an array."""

from __future__ import annotations

import math
from typing import Any

from oakum.abstract import creation
from oakum.array import Array
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.declarations import public_class


@public_class("ShapeDtypeStruct", creation.described, static_result=True)
class ShapeDtypeStruct:
    """The shape and the dtype of an array, without data: what `eval_shape` takes and returns.

    >>> example = ShapeDtypeStruct((2, 3), "float32")
    >>> example.ndim, example.size
    (2, 6)
    """

    __slots__ = (
        "__weakref__",
        "dtype",
        "is_ref",
        "manual_axis_type",
        "shape",
        "sharding",
        "weak_type",
    )

    def __init__(
        self,
        shape: Any,
        dtype: DTypeLike | None,
        *,
        sharding: object = None,
        weak_type: bool = False,
        manual_axis_type: object = None,
        is_ref: bool = False,
    ) -> None:
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape = tuple(shape)
        self.dtype = host.visible_dtype(host.read_dtype(dtype))
        self.sharding = sharding
        self.weak_type = weak_type
        self.manual_axis_type = manual_axis_type
        self.is_ref = is_ref

    @classmethod
    def like(cls, x: Array) -> ShapeDtypeStruct:
        """Returns the description of an array."""
        sharding = getattr(x, "sharding", None) if getattr(x, "committed", False) else None
        weak_type = getattr(x, "weak_type", False)
        return cls(x.shape, x.dtype, sharding=sharding, weak_type=weak_type)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """Returns a description that differs in the given arguments."""
        kept = {name: getattr(self, name) for name in _FIELDS}
        return ShapeDtypeStruct(**{**kept, **changes})

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object: the shape is ()")
        return self.shape[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [f"shape={self.shape}", f"dtype={getattr(self.dtype, 'name', self.dtype)}"]
        if self.sharding is not None:
            parts.append(f"sharding={self.sharding}")
        if self.weak_type:
            parts.append("weak_type=True")
        return f"ShapeDtypeStruct({', '.join(parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self._key(),))

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in _FIELDS)


_FIELDS = ("shape", "dtype", "sharding", "weak_type", "manual_axis_type", "is_ref")


def _restore(key: tuple[Any, ...]) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(**dict(zip(_FIELDS, key, strict=True)))
