"""Hashing: it reaches the elements of a tuple and the fields of a frozen dataclass."""

from oakum_lint.interp.attributes import class_attribute
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import Array, HeapObject, TupleValue, Value, is_tracer

MAX_PARTS = 64


def hashed_tracer(machine: Machine, key: Value) -> Array | None:
    """The tracer that hashing a value would hash; None where none is known."""
    stack, seen = [key], 0
    while stack and seen < MAX_PARTS:
        value = stack.pop()
        seen += 1
        if isinstance(value, Array) and is_tracer(value):
            return value
        if isinstance(value, TupleValue):
            stack.extend(value.elements if value.elements is not None else (value.rest,))
        elif isinstance(value, HeapObject):
            stack.extend(hashed_fields(machine, value))
    return None


def hashed_fields(machine: Machine, value: HeapObject) -> list[Value]:
    """The fields that hashing an instance hashes: those of a frozen dataclass without a hash of its
    own.
    """
    cls = value.cls
    if cls is None or "frozen" not in cls.conventions:
        return []
    if class_attribute(machine, cls, "__hash__") is not None:
        return []
    held = (machine.read(value, field.name) for field in cls.fields or ())
    return [item for item in held if item is not None]
