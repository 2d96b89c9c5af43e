"""Texts that `%` formats: `"%d rows" % n`."""

from typing import Final

from oakum_lint.domain import events
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, Constant, Place, Scalar, TupleValue, Value, is_tracer
from oakum_lint.python.expressions.failures import note_fields
from oakum_lint.syntax import nodes
from oakum_lint.text.expressions import PERCENT_FORMAT

NUMERIC_FORMATS: Final = frozenset("diouxXeEfFgG")
"""The conversions that ask a value for a number."""


def format_percent(
    machine: Machine, text: str, value: Value, node: nodes.Node, frame: Frame
) -> Value:
    """`text % value`."""
    fields = [match for match in PERCENT_FORMAT.finditer(text) if match["kind"] != "%"]
    values = value.elements if isinstance(value, TupleValue) else (value,)
    traced = values is not None and any(is_tracer(item) for item in values)
    are_plain = all(match["key"] is None and "*" not in match[0] for match in fields)
    if isinstance(value, TupleValue | Constant) and values is not None and are_plain:
        note_fields(machine, [match[0] for match in fields], values, frame, node)
    if values is not None and len(values) == len(fields):
        place = node.right if isinstance(node, nodes.BinaryOperation) else node
        for position, (match, item) in enumerate(zip(fields, values, strict=True)):
            if match["kind"] not in NUMERIC_FORMATS or not isinstance(item, Array):
                continue
            # `%d` asks a concrete tracer for its integer, which it has.
            fails = item.place is Place.ABSTRACT or (
                item.place is Place.CONCRETE and match["kind"] not in "dioxX"
            )
            if fails:
                at = place
                if isinstance(place, nodes.Display) and position < len(place.elements):
                    at = place.elements[position]
                machine.emit(events.FormatUse, frame, at, item, at, construct="%", spec=match[0])
                break
    return Scalar("str", traced)
