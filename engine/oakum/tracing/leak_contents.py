"""What an object refers to, as the searches for leaked values ask it.

Invariants:
- Nothing of the user's is run: the items of NumPy's own arrays alone are read.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Protocol, TypeGuard

from oakum.values import host


class ObjectArray(Protocol):
    """An array of NumPy's whose items are Python objects."""

    shape: tuple[int, ...]
    flat: Iterable[object]


def is_object_array(value: object) -> TypeGuard[ObjectArray]:
    """Whether it is an array of Python objects: Python's collector does not know what it holds."""
    if type(value) is not host.np.ndarray:
        return False
    return bool(getattr(value, "dtype", None) == host.np.dtype("O"))


def held_by(value: object) -> list[object]:
    """Returns what an object refers to."""
    return list(value.flat) if is_object_array(value) else gc.get_referents(value)


def is_holder(value: object) -> bool:
    """Whether an object can refer to a leaked value."""
    return gc.is_tracked(value) or is_object_array(value)
