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
        elif isinstance(value, HeapObject) and value.cls is not None:
            cls = value.cls
            if "frozen" in cls.conventions and class_attribute(machine, cls, "__hash__") is None:
                held = (machine.read(value, field.name) for field in cls.fields or ())
                stack.extend(item for item in held if item is not None)
    return None
