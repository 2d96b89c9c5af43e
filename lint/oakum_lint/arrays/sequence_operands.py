"""Lists, tuples and None where an array is needed: as an argument, an operand or an index."""

from collections.abc import Iterator, Mapping
from typing import Literal

from oakum.dtypes import Kind
from oakum.errors import InvalidValueError
from oakum.values.facts import Facts
from oakum_lint.arrays.array_results import to_abstract
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain import events
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, content_of
from oakum_lint.domain.values import (
    NONE,
    Array,
    Choice,
    HeapObject,
    Items,
    Place,
    TupleValue,
    Value,
)
from oakum_lint.models.array_parameters import ARRAY_PARAMETERS, SEQUENCES_OF_ARRAYS
from oakum_lint.syntax import nodes


def sequence_kind(value: Value) -> Literal["list", "tuple"] | None:
    """Whether a value is certainly a list or a tuple, and no named one."""
    match value:
        case HeapObject(kind="list", cls=None) | Items():
            return "list"
        case TupleValue(cls=None):
            return "tuple"
        case Choice(options):
            first = sequence_kind(options[0])
            return first if all(sequence_kind(each) == first for each in options) else None
        case _:
            return None


def _named(machine: Machine, value: Value) -> Literal["tuple"] | None:
    """Whether a value is certainly a named tuple that no array is made of."""
    if not isinstance(value, TupleValue) or value.cls is None:
        return None
    made = class_attribute(machine, value.cls, "__jax_array__")
    return "tuple" if made is None else None


def check_sequences(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a sequence passed for a parameter that takes arrays only; whether there was one."""
    for name in ARRAY_PARAMETERS.get(declared.name, ()):
        value, place = bound.get(name), places.get(name)
        kind = None if value is None else sequence_kind(value) or _named(machine, value)
        if value is None or kind is None or place is None:
            continue
        machine.emit(events.SequenceOperand, frame, node, value, place, function=spelled, kind=kind)
        return True
    for value, place in _parts(machine, declared, bound, places):
        kind = sequence_kind(value)
        if kind is not None:
            details = {"function": spelled, "kind": kind}
            machine.emit(events.SequenceOperand, frame, node, value, place, **details)
            return True
    return False


def _parts(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
) -> Iterator[tuple[Value, nodes.Node]]:
    """Yields what stands in the list or tuple that a function of a sequence of arrays gets."""
    name = SEQUENCES_OF_ARRAYS.get(declared.name, "")
    value, place = bound.get(name), places.get(name)
    if value is None or not isinstance(place, nodes.Display):
        return
    held = value if isinstance(value, TupleValue | Items) else content_of(machine, value)
    if held.elements is not None and len(held.elements) == len(place.elements):
        yield from zip(held.elements, place.elements, strict=True)


def check_operands(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports the sequence, or None, in an operation of a JAX array and one of them."""
    for array, other, side in ((left, right, "right"), (right, left, "left")):
        if not isinstance(array, Array) or array.place is Place.HOST:
            continue
        if other == NONE:
            _report_none(machine, operator, left, right, frame, node)
        kind = sequence_kind(other)
        if kind is None:
            continue
        place = getattr(node, side, node)
        counted = getattr(node, "left" if side == "right" else "right", None)
        count = frame.text(counted) if operator == "*" and counted and is_integer(array) else ""
        details = {"function": operator, "kind": kind, "count": count}
        machine.emit(events.SequenceOperand, frame, node, other, place, **details)


def is_integer(value: Value) -> bool:
    """Whether a value is an array that is one integer."""
    if not isinstance(value, Array) or value.aval.shape != ():
        return False
    dtype = value.aval.dtype
    return dtype is not None and dtype.kind in (Kind.INT, Kind.UINT)


def _report_none(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame, node: nodes.Node
) -> None:
    kinds = ("'NoneType'" if each == NONE else str(to_abstract(each)) for each in (left, right))
    error = InvalidValueError(
        f"unsupported operand type(s) for {operator}: {' and '.join(kinds)}",
        hint="Give an array or a number; test what may be absent: `x is not None`.",
    )
    sides = ((left, getattr(node, "left", None)), (right, getattr(node, "right", None)))
    report(machine, error, operator, sides, frame, node)


def check_index(
    machine: Machine, owner: Value, index: Value, frame: Frame, node: nodes.Subscript
) -> bool:
    """Reports a list as the whole index of a JAX array; whether it is one."""
    if not isinstance(owner, Array) or owner.place is Place.HOST:
        return False
    if sequence_kind(index) != "list":
        return False
    machine.emit(events.SequenceOperand, frame, node, index, node.index, function="", kind="list")
    return True
