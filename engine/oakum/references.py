"""Mutable references to arrays."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public


@public("new_ref")
def new_ref(init_val: Any, *, memory_space: Any = None, kind: str | None = None) -> Any:
    """Makes a mutable reference to an array."""
    ...


@public("empty_ref")
def empty_ref(ty: Any, memory_space: Any = None) -> Any:
    """Makes a mutable reference to an array that is not initialised."""
    ...


@public("free_ref", results.nothing)
def free_ref(ref: Any) -> Any:
    """Ends the life of a mutable reference."""
    ...


@public("freeze", results.array)
def freeze(ref: Any) -> Array:
    """Ends the life of a mutable reference and gives its array."""
    ...
