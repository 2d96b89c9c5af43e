"""Flags of a library: what is declared as a bool, has one as its default, and is inverted with `~`
as if it were an array.
"""

from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import BOOL, Constant, HeapObject, Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def parameter_flag(function: FunctionValue, parameter: nodes.Parameter) -> Value | None:
    """A bool, if a parameter is a flag that the function inverts."""
    match parameter.default:
        case nodes.Constant(value=bool()) if _is_bool(parameter.annotation):
            return BOOL if parameter.name in _inverted(function) else None
        case _:
            return None


def declare_flags(machine: Machine, function: FunctionValue, instance: Value) -> bool:
    """Has an instance hold bools in the fields that a method inverts, and are flags; whether there
    are any.
    """
    match instance, function.definition.parameters.items:
        case HeapObject(cls=ClassValue(fields=fields)), (receiver, *_) if fields:
            pass
        case _:
            return False
    inverted = _inverted(function)
    names = [
        field.name
        for field in fields
        if f"{receiver.name}.{field.name}" in inverted
        and _is_bool(field.annotation)
        and isinstance(field.default, Constant)
        and isinstance(field.default.value, bool)
    ]
    for name in names:
        machine.write(instance, name, BOOL)
    return bool(names)


def _is_bool(annotation: nodes.Expression | None) -> bool:
    return isinstance(annotation, nodes.Name) and annotation.identifier == "bool"


def _inverted(function: FunctionValue) -> frozenset[str]:
    """The names and attributes to which a function applies `~`."""
    unit, definition = function.unit, function.definition
    if "~" not in unit.part(definition.start, definition.end):
        return frozenset()
    operands = [
        node.operand
        for node in walk((definition,))
        if isinstance(node, nodes.UnaryOperation) and node.operator == "~"
    ]
    return frozenset(unit.part(operand.start, operand.end) for operand in operands)
