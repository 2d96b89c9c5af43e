"""Tests for types: functions that ask whether a value is concrete, a tracer or an array."""

from oakum_lint.domain.callables import BoundMethod, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import External, Value
from oakum_lint.models import dotted
from oakum_lint.models.types import TRACER_TYPES, TYPE_TESTS, asks_for_tracers, asks_for_type
from oakum_lint.python.expressions.conditions import type_paths
from oakum_lint.python.objects.references import dotted_name, references, resolve
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of

_MOST = 8
"""So many tests are followed that call one another."""


def is_guard(machine: Machine, called: nodes.Expression, frame: Frame) -> bool:
    """Whether a function asks what a value is: one of a library that is known for it, or one of the
    project whose code asks for types and returns nothing but whether they are these.
    """
    match _function_in(resolve(machine, called, frame)):
        case External(path):
            return asks_for_type(path)
        case FunctionValue() as function:
            if asks_for_type(dotted_name(function)):
                return True
            paths = references(machine, function)
            asks = not paths.isdisjoint(TYPE_TESTS) or any(map(asks_for_type, paths))
            return asks and _returns_truths(function)
        case _:
            return False


def _function_in(value: Value) -> Value:
    return value.function if isinstance(value, BoundMethod) else value


def _returns_truths(function: FunctionValue) -> bool:
    """Whether all that a function returns are tests, or what calls return."""
    definition = function.definition
    if isinstance(definition, nodes.Lambda):
        return _is_truth(definition.body)
    returned = [each.value for each in returns_of(definition.body)]
    return bool(returned) and all(each is not None and _is_truth(each) for each in returned)


def _is_truth(node: nodes.Expression) -> bool:
    match node:
        case nodes.Constant(value=bool()):
            return True
        case nodes.Comparison() | nodes.Call() | nodes.UnaryOperation(operator="not"):
            return True
        case nodes.BooleanOperation(operands=operands):
            return not any(isinstance(each, nodes.Constant) for each in operands)
        case _:
            return False


def outcome_on_tracers(machine: Machine, test: nodes.Call, frame: Frame) -> bool | None:
    """Returns what a test says of tracers, of which it asks nothing else; None of another one.

    A function of the project is followed that returns such a test of its argument.
    """
    positive = True
    for _ in range(_MOST):
        if not test.arguments:
            return None
        function = _function_in(resolve(machine, test.function, frame))
        match function:
            case External(dotted.ISINSTANCE) if len(test.arguments) == 2:
                types = type_paths(machine.look(test.arguments[1], frame))
                return positive if types and types <= TRACER_TYPES else None
            case External(path):
                outcome = asks_for_tracers(path)
                return None if outcome is None else outcome is positive
            case FunctionValue(definition=definition):
                outcome = asks_for_tracers(dotted_name(function))
                if outcome is not None:
                    return outcome is positive
                returned = _returned(definition)
            case _:
                return None
        while isinstance(returned, nodes.UnaryOperation) and returned.operator == "not":
            returned, positive = returned.operand, not positive
        if not isinstance(returned, nodes.Call):
            return None
        test, frame = returned, Frame(function.scope, function.unit, function.module, None)
    return None


def _returned(definition: nodes.FunctionDefinition | nodes.Lambda) -> nodes.Expression | None:
    """Returns the one expression that a function returns."""
    if isinstance(definition, nodes.Lambda):
        return definition.body
    match definition.body:
        case (nodes.Return(value=value),):
            return value
        case (nodes.ExpressionStatement(value=nodes.Constant()), nodes.Return(value=value)):
            return value
        case _:
            return None
