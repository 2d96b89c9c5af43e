"""Arrays that are stored in static fields of a pytree: two structures are compared by what is in
them, and an array has no single truth value.
"""

from collections.abc import Mapping

from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, HeapObject, Place, Value
from oakum_lint.jax.metadata_arrays import is_declared_array
from oakum_lint.syntax import nodes

DOUBT = "one instance alone is compared with nothing"


def _check_attribute(
    machine: Machine, owner: Value, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports an array that is assigned to a static field."""
    if isinstance(owner, HeapObject) and isinstance(owner.cls, ClassValue):
        _check(machine, owner.cls, name, value, frame, node)


def _check_fields(
    machine: Machine,
    made: HeapObject,
    values: Mapping[str, Value],
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports an array that a call of a class gives for a static field."""
    if isinstance(made.cls, ClassValue):
        for at, (name, value) in enumerate(values.items()):
            _check(machine, made.cls, name, value, frame, arguments.place(at, name, node))


def _check(
    machine: Machine, cls: ClassValue, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    if not isinstance(value, Array) or value.place is Place.HOST or not cls.pytree:
        return
    if frame.level or value.level:
        # Within a trace it is a constant, and is reported where it leaves.
        return
    declared = next((field for field in cls.fields or () if field.name == name), None)
    if declared is None or not declared.static or is_declared_array(machine, declared):
        # What its annotation says is reported where it is declared.
        return
    details = {"target": cls.name, "member": name, "stored": True}
    machine.emit(events.MetadataArray, frame, node, value, node, DOUBT, **details)


GUEST = Guest(
    "static_fields",
    Moments(attribute_stored=(_check_attribute,), fields_bound=(_check_fields,)),
)
