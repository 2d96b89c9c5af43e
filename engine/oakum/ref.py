"""Mutable references to arrays.

`jax.new_ref(x)` makes one, `ref[...]` reads it and `ref[...] = value` writes to it, in evaluated
code as in functions that are traced: a jitted function, a loop or a branch that uses a reference
from outside takes and returns what it holds.

A function that is differentiated cannot write what has a derivative to a reference from outside,
and one that is mapped cannot write elements to it: pass the reference to the mapped function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oakum import errors, transforms
from oakum.abstract import results
from oakum.array import Array
from oakum.values.declarations import public
from oakum.values.traceback_filtering import api_boundary

if TYPE_CHECKING:
    from oakum.transforms.references.reference import AbstractRef as AbstractRef
    from oakum.transforms.references.reference import Ref as Ref
else:  # they are loaded where there is a reference

    def __getattr__(name):
        if name in ("AbstractRef", "Ref"):
            return getattr(transforms.references.reference, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@public("ref.new_ref")
@api_boundary
def new_ref(init_val: object, *, memory_space: object = None, kind: str | None = None) -> Any:
    """Makes a mutable reference to an array."""
    return transforms.references.reference.make(init_val, kind)


@public("ref.empty_ref")
@api_boundary
def empty_ref(ty: object, memory_space: object = None) -> Any:
    """Makes a mutable reference to an array that is not initialised."""
    from oakum import lax

    shape, dtype = getattr(ty, "shape", None), getattr(ty, "dtype", None)
    if shape is None or dtype is None:
        raise errors.InvalidValueError(
            f"empty_ref takes something that has a shape and a dtype, got {ty!r}",
            hint="Give jax.ShapeDtypeStruct(shape, dtype).",
        )
    return transforms.references.reference.make(lax.full(shape, 0, dtype))


@public("ref.free_ref", results.nothing)
@api_boundary
def free_ref(ref: object) -> None:
    """Ends the life of a mutable reference."""
    _checked(ref, "free_ref").end()


@public("ref.freeze", results.array)
@api_boundary
def freeze(ref: object) -> Array:
    """Ends the life of a mutable reference and returns its array."""
    found = _checked(ref, "freeze")
    value = found.read()
    found.end()
    return value


@public("ref.get", results.array)
@api_boundary
def get(ref: object, idx: object = None) -> Array:
    """Reads from a reference."""
    return _checked(ref, "ref_get").read(idx)


@public("ref.set", results.nothing)
@api_boundary
def set(ref: object, idx: object, value: object) -> None:
    """Writes to a reference."""
    _checked(ref, "ref_set").swap(idx, value, "swap")


@public("ref.swap", results.array)
@api_boundary
def swap(ref: object, idx: object, value: object, _function_name: str = "ref_swap") -> Array:
    """Writes to a reference and returns what was there."""
    return _checked(ref, _function_name).swap(idx, value, "swap")


@public("ref.addupdate", results.nothing)
@api_boundary
def addupdate(ref: object, idx: object, x: object) -> None:
    """Adds to what a reference holds."""
    _checked(ref, "ref_addupdate").add(idx, x)


def _checked(value: object, what: str) -> Ref:
    """Returns a reference that a public function got; raises ValueError for anything else."""
    if isinstance(value, transforms.references.reference.Ref):
        return value
    raise errors.InvalidValueError(
        f"Can only call `{what}` on a `Ref`, got {type(value).__name__}",
        hint="Make one by jax.new_ref(x).",
    )
