"""Hashing: it reaches the elements of a tuple and the fields of a frozen dataclass; what defines
equality and no hash has none.
"""

from collections.abc import Mapping

from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    HeapObject,
    TupleValue,
    Value,
    is_jax_array,
    is_tracer,
)
from oakum_lint.models.frameworks.register import HASHED, HASHED_BY_LEAVES
from oakum_lint.syntax import nodes

MAX_PARTS = 64


def check_hash(
    machine: Machine, key: Value, frame: Frame, node: nodes.Node, construct: str
) -> bool:
    """Reports an array that hashing a value hashes; whether there is one."""
    array = _hashed_array(machine, key)
    if array is None:
        note_unhashable(machine, key, frame, node)
    elif is_tracer(array):
        machine.emit(events.HashUse, frame, node, array, construct=construct)
    elif not expects_misfits(machine, frame):
        machine.emit(events.ArrayHash, frame, node, array, construct=construct)
    return array is not None


def note_unhashable(machine: Machine, value: Value, frame: Frame, node: nodes.Node) -> None:
    """Notes that a list, a dict or a set is hashed, or what holds one."""
    if _is_unhashable(value):
        note_stop(machine, frame, node)


def _hashed_array(machine: Machine, key: Value) -> Array | None:
    """The array of JAX that hashing a value would hash; None where none is known."""
    stack, seen = [key], 0
    while stack and seen < MAX_PARTS:
        value = stack.pop()
        seen += 1
        if isinstance(value, Array) and is_jax_array(value):
            return value
        if isinstance(value, TupleValue):
            stack.extend(value.elements if value.elements is not None else (value.rest,))
        elif isinstance(value, HeapObject):
            stack.extend(hashed_fields(machine, value))
    return None


def _is_unhashable(value: Value) -> bool:
    """Whether hashing a value certainly raises: it is, or holds, a list or a dict. A set may be a
    frozen one.
    """
    stack, seen = [value], 0
    while stack and seen < MAX_PARTS:
        value = stack.pop()
        seen += 1
        match value:
            case HeapObject(kind="list" | "dict", cls=None):
                return True
            case TupleValue(tuple(elements), cls=None):
                stack.extend(elements)
            case _:
                pass
    return False


def settle_hash(machine: Machine, cls: ClassValue) -> None:
    """Python takes the hash from a class whose body defines equality alone."""
    equal, own = (machine.read(cls.body, name) for name in ("__eq__", "__hash__"))
    if equal is not None and own is None:
        machine.write(cls.body, "__hash__", NONE)


def settle_dataclass_hash(machine: Machine, cls: ClassValue, options: Mapping[str, Value]) -> None:
    """A dataclass that compares its fields has a hash of them if it is frozen or asks for one, else
    none; unless its body defines one.
    """
    equal, frozen, unsafe = (
        options.get(name, default)
        for name, default in (("eq", TRUE), ("frozen", FALSE), ("unsafe_hash", FALSE))
    )
    own = machine.read(cls.body, "__hash__")
    if own not in (None, NONE):
        return
    if equal == FALSE and unsafe == FALSE:
        # It is hashed as what it inherits from is: by identity, where that is no class of its own.
        if class_attribute(machine, cls, "__hash__") is None:
            machine.write(cls.body, "__hash__", UNKNOWN)
        return
    if equal == TRUE and frozen == FALSE and unsafe == FALSE:
        machine.write(cls.body, "__hash__", NONE)
    elif own == NONE or frozen != TRUE or class_attribute(machine, cls, "__hash__") is not None:
        machine.write(cls.body, "__hash__", UNKNOWN)


def has_no_hash(machine: Machine, cls: ClassValue) -> bool:
    """Whether Python has taken the hash from a class, or from the one that it inherits it of."""
    return class_attribute(machine, cls, "__hash__") == NONE


def hashed_fields(machine: Machine, value: HeapObject) -> list[Value]:
    """The fields that hashing an instance hashes: those of a frozen dataclass without a hash of its
    own, and of modules of Equinox those that are leaves.
    """
    cls = value.cls
    if cls is None or not cls.conventions & HASHED:
        return []
    if class_attribute(machine, cls, "__hash__") is not None:
        return []
    leaves = HASHED_BY_LEAVES in cls.conventions
    fields = [each for each in cls.fields or () if each.hashed and not (leaves and each.static)]
    held = (machine.read(value, field.name) for field in fields)
    return [item for item in held if item is not None]
