"""Calls that are not followed: what they return is not known, nor what they have changed."""

from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import wait_for
from oakum_lint.domain.reachability import closure_of
from oakum_lint.domain.values import UNKNOWN, Value
from oakum_lint.python.objects.unseen_writes import forget_content, forget_writes
from oakum_lint.syntax import nodes
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
    parameters = definition.parameters.items
    forget_writes(machine, (function,), bound.get(parameters[0].name) if parameters else None)
    for value in bound.values():
        forget_content(machine, value)
    activations = closure_of(function.scope)
    if activations:
        text = function.unit.part(definition.start, definition.end)
        names = dict.fromkeys(IDENTIFIER.findall(text))
        for scope in activations:
            for name in names:
                forget_content(machine, machine.read(scope, name))
    return UNKNOWN
