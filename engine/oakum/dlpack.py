"""Arrays of other libraries."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import DTypeLike, Placement


@public("dlpack.from_dlpack", results.array)
def from_dlpack(
    external_array: Any, device: Placement | None = None, copy: bool | None = None
) -> Array:
    """Makes an array of one of another library, without a copy."""
    ...


@public("dlpack.is_supported_dtype", static_result=True)
def is_supported_dtype(dtype: DTypeLike) -> bool:
    """Tells whether arrays of a dtype can be exchanged."""
    ...
