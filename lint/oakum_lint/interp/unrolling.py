"""Python loops of many rounds under tracing: how many, and whether they make traced operations."""

from collections.abc import Mapping

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.results import operands
from oakum_lint.interp.store import Key
from oakum_lint.interp.values import NONE, Array, Constant, External, Place, Value

MANY_ROUNDS = 100
"""So many rounds and more are reported."""
WRAPPERS = frozenset({"builtins.enumerate", "builtins.reversed", "builtins.zip", "tqdm.tqdm"})
"""They have as many rounds as what they are given, or fewer."""


def check_rounds(
    machine: Machine,
    node: nodes.For,
    iterable: Value,
    written: Mapping[Key, Value],
    frame: Frame,
) -> None:
    """Reports a loop of many rounds that stages operations in each."""
    if _makes_tracers(node, written):
        _report(machine, node.iterable, iterable, frame)


def check_comprehension(
    machine: Machine, node: nodes.Comprehension, iterable: Value, element: Value, frame: Frame
) -> None:
    """Reports a comprehension of many rounds that stages operations in each."""
    computed = isinstance(node.element, nodes.Call | nodes.BinaryOperation)
    if computed and isinstance(element, Array) and element.place is Place.ABSTRACT:
        _report(machine, node.clauses[0].iterable, iterable, frame)


def _report(machine: Machine, node: nodes.Node, iterable: Value, frame: Frame) -> None:
    rounds = _count(machine, node, iterable, frame) if frame.staged_level else None
    if rounds is not None and rounds >= MANY_ROUNDS:
        machine.emit(events.UnrolledLoop, frame, node, NONE, node, rounds=rounds)


def _makes_tracers(node: nodes.For, written: Mapping[Key, Value]) -> bool:
    """Whether a round leaves a tracer behind other than in the target of the loop."""
    target = node.target.identifier if isinstance(node.target, nodes.Name) else ""
    return any(
        isinstance(part, Array) and part.place is Place.ABSTRACT
        for (_, name), value in written.items()
        if name != target
        for part in operands((value,))
    )


def _count(machine: Machine, node: nodes.Node, value: Value, frame: Frame) -> int | None:
    """How many rounds a loop over an expression has."""
    if isinstance(value, Array) and value.aval.shape:
        length = value.aval.shape[0]
        return length if isinstance(length, int) else None
    if not isinstance(node, nodes.Call) or node.keywords or not node.arguments:
        return None
    function = machine.evaluate(node.function, frame)
    if not isinstance(function, External):
        return None
    if function.path in WRAPPERS and len(node.arguments) == 1:
        inner = machine.evaluate(node.arguments[0], frame)
        return _count(machine, node.arguments[0], inner, frame)
    if function.path != "builtins.range":
        return None
    bounds = [machine.evaluate(argument, frame) for argument in node.arguments]
    numbers = [b.value for b in bounds if isinstance(b, Constant) and type(b.value) is int]
    if len(numbers) != len(bounds) or len(numbers) > 3 or numbers[2:] == [0]:
        return None
    return len(range(*numbers))
