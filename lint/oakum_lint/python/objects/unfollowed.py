"""Calls that are not followed: what they return is not known, nor what they have changed."""

from collections.abc import Sequence

from oakum_lint.domain.assigned import assigned_attributes
from oakum_lint.domain.callables import FunctionValue, Scope
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import wait_for
from oakum_lint.domain.reachability import closure_of
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import UNKNOWN, Entries, HeapObject, Items, Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import IDENTIFIER


def give_up(
    machine: Machine,
    function: FunctionValue,
    bound: dict[str, Value | None],
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Gives up following a call: its result is not known, nor what it waits for, what a method puts
    into its object, nor what it does with containers and variables of its caller.
    """
    wait_for(machine, UNKNOWN)
    passed = [value for value in bound.values() if value is not None]
    for hears in machine.moments.unfollowed:
        hears(machine, function, passed, frame, node)
    definition = function.definition
    if isinstance(definition, nodes.FunctionDefinition) and definition.parameters.items:
        first = definition.parameters.items[0].name
        receiver = bound.get(first)
        if isinstance(receiver, HeapObject) and receiver.kind == "instance":
            for name in assigned_attributes(definition, first):
                machine.write(receiver, name, UNKNOWN)
    for value in bound.values():
        _forget_content(machine, value)
    activations = closure_of(function.scope)
    if activations:
        text = function.unit.part(definition.start, definition.end)
        names = dict.fromkeys(IDENTIFIER.findall(text))
        for scope in activations:
            for name in names:
                _forget_content(machine, machine.read(scope, name))
        if any(scope.rebound for scope in activations):
            _forget_variables(machine, function, activations)
    return UNKNOWN


def _forget_content(machine: Machine, value: Value | None) -> None:
    """Elements may have been added to a container, replaced in it, or taken from it."""
    match value:
        case HeapObject(kind="list" | "set" | "deque"):
            machine.write(value, CONTENT, Items(None))
        case HeapObject(kind="dict"):
            machine.write(value, CONTENT, Entries((), UNKNOWN))
        case _:
            pass


def _forget_variables(
    machine: Machine, function: FunctionValue, activations: Sequence[Scope]
) -> None:
    """Variables around a function that it binds may be bound again."""
    for node in walk((function.definition,)):
        if not isinstance(node, nodes.ScopeDeclaration):
            continue
        for name in node.names:
            scope = next((s for s in activations if machine.read(s, name) is not None), None)
            if scope is not None:
                machine.write(scope, name, UNKNOWN)
