"""Parameters that may be left out and stand for random keys or arrays, as their functions say."""

from oakum.errors import DTypeError, OakumError, ShapeError
from oakum.values.facts import Facts
from oakum_lint.arrays.annotations import annotated_type, members
from oakum_lint.domain.callables import FunctionValue, TypeForm
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Constant, External, Unknown, Value
from oakum_lint.models.annotations import annotation_kind, shaped_annotation_kind
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import names_key


def optional_array(
    machine: Machine, value: Value, node: nodes.Node, frame: Frame
) -> tuple[OakumError, str] | None:
    """What Python says of the truth of an argument that was left at None by default, and how its
    function shows what is passed otherwise; None where it does not show that.
    """
    function = frame.called.function
    unseen = isinstance(value, Unknown) and frame.called.speculative and frame.trace is None
    if not unseen or function is None or not isinstance(node, nodes.Name):
        return None
    name = node.identifier
    parameter = next((p for p in function.definition.parameters.items if p.name == name), None)
    match parameter:
        case nodes.Parameter(default=nodes.Constant(value=None)):
            kinds = _annotated(machine, function, parameter)
        case _:
            return None
    if kinds == {"key"} or _is_used_as_key(machine, function, name, frame):
        how = "its annotation says" if kinds == {"key"} else "it is used as a random key"
        return DTypeError("a random key is neither true nor false"), how
    if kinds == {"array"}:
        problem = "an array of several elements is neither true nor false as a whole"
        return ShapeError(problem), "its annotation says"
    return None


def _annotated(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter
) -> set[str | None]:
    """What a parameter is annotated as, besides None."""
    if parameter.annotation is None:
        return set()
    outside = Frame(function.scope, function.unit, function.module, None)
    types = members(annotated_type(machine, parameter.annotation, outside))
    return {_kind(one) for one in types if one != Constant(None)}


def _kind(annotation: Value) -> str | None:
    match annotation:
        case External(path):
            return annotation_kind(path)
        case TypeForm(path):
            return shaped_annotation_kind(path)
        case _:
            return None


def _is_used_as_key(machine: Machine, function: FunctionValue, name: str, frame: Frame) -> bool:
    """Whether a function draws by what it has under a name, or splits it, or hands it on in code
    where what has the name is a key.
    """
    handed = False
    for node in walk((function.definition,)):
        match node:
            case nodes.Subscript(index=nodes.Name(identifier=index)) if index == name:
                return False
            case nodes.Call(function=nodes.Name() | nodes.Attribute() as called):
                passed = [*node.arguments, *(keyword.value for keyword in node.keywords)]
                if not any(isinstance(p, nodes.Name) and p.identifier == name for p in passed):
                    continue
                found = machine.evaluate(called, frame)
                facts = machine.public(found.path) if isinstance(found, External) else None
                if isinstance(facts, Facts) and facts.consumes_keys:
                    return True
                handed = True
            case _:
                pass
    return handed and names_key(function.unit.text, name)
