"""The functions of `dataclasses` that look at the fields of an instance, or change some."""

from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, FieldValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    UNKNOWN,
    Constant,
    Entries,
    HeapObject,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.python.objects.containers import make_dict
from oakum_lint.python.objects.instances import replace_fields
from oakum_lint.syntax import nodes

MAX_NESTED = 4
"""Dataclasses in dataclasses are taken apart so deep: one may hold itself."""


def _fields(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`dataclasses.fields(record)`: of each field its name is known."""
    owner = arguments.get(0)
    cls = owner.cls if isinstance(owner, HeapObject) else owner
    if not isinstance(cls, ClassValue) or cls.fields is None:
        return UNKNOWN
    made: list[Value] = []
    for declared in cls.fields:
        field = HeapObject("instance", frame.level)
        machine.write(field, "name", Constant(declared.name))
        made.append(field)
    return TupleValue(tuple(made))


def _as_dict(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`dataclasses.asdict(record)`."""
    owner = arguments.get(0)
    if not isinstance(owner, HeapObject) or "dict_factory" in arguments.keywords:
        return UNKNOWN
    return _dict_of(machine, owner, frame, node, MAX_NESTED)


def _dict_of(
    machine: Machine, record: HeapObject, frame: Frame, node: nodes.Node, depth: int
) -> Value:
    """A record as a dict, with the records that its fields hold as dicts too."""
    fields = _fields_of(record)
    if fields is None or not depth:
        return UNKNOWN
    known: list[tuple[object, Value]] = []
    for field in fields:
        held = machine.read(record, field.name) or UNKNOWN
        if isinstance(held, HeapObject) and _fields_of(held) is not None:
            held = _dict_of(machine, held, frame, node, depth - 1)
        else:
            # Lists and dicts come as copies.
            held = map_leaves(machine, held, lambda leaf: leaf, frame.level, frame, node)
        known.append((field.name, held))
    return make_dict(machine, Entries(tuple(known)), frame)


def _fields_of(value: HeapObject) -> tuple[FieldValue, ...] | None:
    """The fields of an instance of a dataclass."""
    cls = value.cls
    return cls.fields if cls is not None and "dataclass" in cls.conventions else None


def _replace(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    owner = arguments.get(0)
    if isinstance(owner, HeapObject) and owner.kind == "instance":
        return replace_fields(machine, owner, arguments, frame, node)
    return owner if isinstance(owner, Tree) else UNKNOWN


RECORD_CALLS: dict[str, LibraryCall] = {
    "dataclasses.asdict": _as_dict,
    "dataclasses.fields": _fields,
    "dataclasses.replace": _replace,
}
