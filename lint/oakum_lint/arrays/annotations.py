"""Annotations: the type that one means, also where it is a string or comes from another module."""

from oakum_lint.domain.callables import ClassValue, TypeForm
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import look_up
from oakum_lint.domain.values import UNKNOWN, Constant, External, TupleValue, Unknown, Value
from oakum_lint.models.annotations import (
    annotation_kind,
    form_kind,
    is_shaped_name,
    shaped_annotation_kind,
)
from oakum_lint.models.types import ANY_TYPE, ARRAY_NAMES, ARRAY_TYPE, UNION
from oakum_lint.syntax import nodes
from oakum_lint.syntax.parse import lower_text
from oakum_lint.text.nesting import measure_text
from oakum_lint.text.sieve import TRACER_LIBRARIES

ARRAY = External(ARRAY_TYPE)
ANY = External(ANY_TYPE)
LONGEST_REFERENCE = 200


def annotated_type(machine: Machine, node: nodes.Expression, frame: Frame) -> Value:
    """The type that an annotation means where `frame` stands: a class, a name of a library, a
    `TypeForm`, or Unknown.
    """
    match node:
        case nodes.Constant(value=str(text)):
            return _forward_reference(machine, text, frame)
        case nodes.Constant(value=None):
            return Constant(None)
        case nodes.Subscript(value=value, index=index):
            return _subscripted(machine, value, index, frame)
        case nodes.BinaryOperation(operator="|", left=left, right=right):
            sides = annotated_type(machine, left, frame), annotated_type(machine, right, frame)
            return TypeForm(UNION, sides)
        case nodes.Name(identifier=name) | nodes.Attribute(attribute=name):
            found = machine.evaluate(node, frame)
            if name in ARRAY_NAMES and (isinstance(found, Unknown) or found == ANY):
                return ARRAY
            return _forward_value(machine, found, frame)
        case _:
            return UNKNOWN


def _forward_value(machine: Machine, found: Value, frame: Frame) -> Value:
    """Returns the type that the value of a name means."""
    match found:
        case Constant(str() as text):  # `Tensor = "jax.Array"`
            return _forward_reference(machine, text, frame)
        case External(path) if _is_foreign_array(path):
            return ARRAY
        case _:
            return found


def _is_foreign_array(path: str) -> bool:
    """Whether a library built on JAX exports an array type of its own under this name."""
    top, _, name = path.partition(".")
    if annotation_kind(path) is not None:
        return False
    return top in TRACER_LIBRARIES and name.rpartition(".")[2] in ARRAY_NAMES


def _forward_reference(machine: Machine, text: str, frame: Frame) -> Value:
    """The type that a string means."""
    if text.isidentifier():
        return _forward_value(machine, _once(look_up(machine, text, frame)), frame)
    if len(text) > LONGEST_REFERENCE:
        return UNKNOWN
    body = lower_text(text, measure_text(text)).body
    statement = body[0] if len(body) == 1 else None
    if not isinstance(statement, nodes.ExpressionStatement):
        return UNKNOWN
    if isinstance(statement.value, nodes.Constant):
        return UNKNOWN
    return annotated_type(machine, statement.value, frame)


def _once(found: Value) -> Value:
    """A string that names a string is not followed: it may name itself."""
    return UNKNOWN if isinstance(found, Constant) and isinstance(found.value, str) else found


def _subscripted(
    machine: Machine, value: nodes.Expression, index: nodes.Expression, frame: Frame
) -> Value:
    """The type that `value[index]` means."""
    form = machine.evaluate(value, frame)
    if isinstance(form, ClassValue) and not is_shaped_name(form.name):
        return form
    parts = index.elements if isinstance(index, nodes.Display) else (index,)
    path = form.path if isinstance(form, External) else ""
    if form_kind(path) or shaped_annotation_kind(path):
        return TypeForm(path, tuple(annotated_type(machine, part, frame) for part in parts))
    name = value.attribute if isinstance(value, nodes.Attribute) else ""
    name = value.identifier if isinstance(value, nodes.Name) else name
    shaped = any(isinstance(part, nodes.Constant) and isinstance(part.value, str) for part in parts)
    if shaped and (is_shaped_name(name) or name in ARRAY_NAMES):
        # A library's own `Float["batch"]`, or `Array["batch"]`.
        return ARRAY
    return _forward_value(machine, form, frame)


def is_array_type(annotation: Value) -> bool:
    """Whether a type is that of one array."""
    match annotation:
        case External(path):
            return annotation_kind(path) == "array"
        case TypeForm(path):
            return shaped_annotation_kind(path) == "array"
        case _:
            return False


def members(annotation: Value) -> tuple[Value, ...]:
    """The types that a value of a type may have: of a union each, of `Annotated` the first."""
    found: list[Value] = []
    stack = [annotation]
    while stack:
        current = stack.pop()
        match current:
            case TypeForm(path, arguments):
                match form_kind(path):
                    case "union":
                        stack.extend(reversed(arguments))
                    case "optional":
                        stack.extend((Constant(None), *arguments))
                    case "first":
                        stack.extend(arguments[:1])
                    case _:
                        found.append(current)
            case TupleValue(elements):
                stack.extend(reversed(elements or ()))
            case _:
                found.append(current)
    return tuple(found)
