"""Formatted strings, and what formatting asks of a value."""

from oakum_lint.domain import events
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import read_elements, wait_for
from oakum_lint.domain.values import (
    STR,
    Array,
    Constant,
    HeapObject,
    Scalar,
    Tree,
    Value,
    is_tracer,
)
from oakum_lint.python.expressions.failures import note_format
from oakum_lint.python.expressions.operators import call_special
from oakum_lint.syntax import nodes

LONGEST_TEXT = 4096
"""Characters of a text that is known."""


def formatted_string(machine: Machine, node: nodes.FormattedString, frame: Frame) -> Value:
    """Evaluates an f-string."""
    traced = fails = False
    known: list[str] | None = []
    for part in node.parts:
        if isinstance(part, str):
            known = _lengthened(known, part)
            continue
        value = machine.evaluate(part.value, frame)
        plain = not part.conversion and part.format_spec is None
        known = _lengthened(known, value.value if plain and isinstance(value, Constant) else None)
        read_elements(machine, (value,), frame, part.value)
        wait_for(machine, value)  # the text of an array needs its numbers
        if part.format_spec is not None:
            spec = format_text(part.format_spec)
            machine.evaluate(part.format_spec, frame)
            if spec and not part.conversion:
                fails |= check_format(machine, value, part.value, frame, "f-string", spec)
        if isinstance(value, HeapObject) and value.kind == "instance":
            value = text_of(machine, value, part.value, frame)
        traced = traced or is_tracer(value) or (isinstance(value, Scalar) and value.traced)
    return Scalar("str", traced and not fails) if known is None else Constant("".join(known))


def _lengthened(text: list[str] | None, part: object) -> list[str] | None:
    """The parts of a text with another one; None where it is not known as a text."""
    if text is None or not isinstance(part, str | int):
        return None
    # What doubles a text in each line must not make it as long as memory.
    part = str(part)
    return [*text, part] if sum(map(len, text)) + len(part) <= LONGEST_TEXT else None


def text_of(machine: Machine, value: Value, node: nodes.Node, frame: Frame) -> Value:
    """`str(value)` of an instance, by its `__str__` or `__repr__`."""
    for name in ("__str__", "__repr__"):
        found = call_special(machine, value, name, (), node, frame)
        if found is not None:
            return found
    return STR


def format_text(spec: nodes.FormattedString) -> str:
    """A format spec as text, with `{}` for its own replacement fields."""
    return "".join(part if isinstance(part, str) else "{}" for part in spec.parts)


def check_format(
    machine: Machine, value: Value, node: nodes.Node, frame: Frame, construct: str, spec: str
) -> bool:
    """Reports a tracer that meets a numeric format; whether it did. An object formats itself."""
    note_format(machine, value, spec, frame, node)
    if isinstance(value, HeapObject) and value.kind == "instance":
        call_special(machine, value, "__format__", (Constant(spec),), node, frame)
    if not isinstance(value, Array | Tree) or not is_tracer(value):
        return False
    machine.emit(events.FormatUse, frame, node, value, construct=construct, spec=spec)
    return True
