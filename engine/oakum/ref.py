"""Mutable references to arrays."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.values.declarations import public


@public("ref.new_ref")
def new_ref(init_val: object, *, memory_space: object = None, kind: str | None = None) -> Any:
    """Makes a mutable reference to an array."""
    ...


@public("ref.empty_ref")
def empty_ref(ty: object, memory_space: object = None) -> Any:
    """Makes a mutable reference to an array that is not initialised."""
    ...


@public("ref.free_ref", results.nothing)
def free_ref(ref: object) -> None:
    """Ends the life of a mutable reference."""
    ...


@public("ref.freeze", results.array)
def freeze(ref: object) -> Array:
    """Ends the life of a mutable reference and returns its array."""
    ...


@public("ref.get", results.array)
def get(ref: object, idx: object = None) -> Array:
    """Reads from a reference."""
    ...


@public("ref.set", results.nothing)
def set(ref: object, idx: object, value: object) -> None:
    """Writes to a reference."""
    ...


@public("ref.swap", results.array)
def swap(ref: object, idx: object, value: object, _function_name: str = "ref_swap") -> Array:
    """Writes to a reference and returns what was there."""
    ...


@public("ref.addupdate", results.nothing)
def addupdate(ref: object, idx: object, x: object) -> None:
    """Adds to what a reference holds."""
    ...
