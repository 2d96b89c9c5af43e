"""Python loops of many rounds under tracing: how many, and whether they make traced operations."""

from collections.abc import Mapping

from oakum_lint.facts import nodes
from oakum_lint.interp import run_events
from oakum_lint.interp.frames import Frame, Loop
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.results import operands
from oakum_lint.interp.spans import integer
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
    loop: Loop,
    frame: Frame,
) -> None:
    """Reports a loop of many rounds that stages operations in each."""
    target = node.target.identifier if isinstance(node.target, nodes.Name) else ""
    if loop.inside or makes_tracers(written, target):
        rounds = count_rounds(machine, node.iterable, iterable, frame)
        if rounds is not None:
            note_rounds(machine, node.iterable, rounds * max(loop.inside, 1), frame)


def note_rounds(machine: Machine, node: nodes.Node, rounds: int, frame: Frame) -> None:
    """Reports so many rounds of a loop, those of the loops inside included, and tells the loop
    around it.
    """
    if frame.loops:
        frame.loops[-1].inside = max(frame.loops[-1].inside, rounds)
    if rounds >= MANY_ROUNDS and frame.staged_level:
        machine.emit(run_events.UnrolledLoop, frame, node, NONE, node, rounds=rounds)


def counted_rounds(machine: Machine, node: nodes.While, frame: Frame) -> int | None:
    """How many rounds `while i < n` has, where the body adds a constant to `i` in each."""
    test = node.test
    if not isinstance(test, nodes.Comparison) or len(test.operators) != 1:
        return None
    counter, step = test.left, None
    if not isinstance(counter, nodes.Name) or test.operators[0] not in ("<", "<=", ">", ">=", "!="):
        return None
    for statement in node.body:
        match statement:
            case nodes.AugmentedAssignment(
                target=nodes.Name(identifier=name), operator="+" | "-" as sign
            ) if name == counter.identifier:
                step = integer(machine.look(statement.value, frame))
                step = -step if step is not None and sign == "-" else step
            case _:
                pass
    start = integer(machine.look(counter, frame))
    end = integer(machine.look(test.comparators[0], frame))
    if start is None or end is None or not step:
        return None
    including = {"<=": 1, ">=": -1}.get(test.operators[0], 0)
    return len(range(start, end + including, step))


def check_comprehension(
    machine: Machine, node: nodes.Comprehension, iterable: Value, element: Value, frame: Frame
) -> None:
    """Reports a comprehension of many rounds that stages operations in each."""
    computed = isinstance(node.element, nodes.Call | nodes.BinaryOperation)
    if computed and isinstance(element, Array) and element.place is Place.ABSTRACT:
        place = node.clauses[0].iterable
        rounds = count_rounds(machine, place, iterable, frame)
        if rounds is not None:
            note_rounds(machine, place, rounds, frame)


def makes_tracers(written: Mapping[Key, Value], target: str = "") -> bool:
    """Whether a round leaves a tracer behind other than in the target of the loop."""
    return any(
        isinstance(part, Array) and part.place is Place.ABSTRACT
        for (_, name), value in written.items()
        if name != target
        for part in operands((value,))
    )


def count_rounds(machine: Machine, node: nodes.Node, value: Value, frame: Frame) -> int | None:
    """How many rounds a loop over an expression has."""
    if isinstance(value, Array) and value.aval.shape:
        length = value.aval.shape[0]
        return length if isinstance(length, int) else None
    if not isinstance(node, nodes.Call) or node.keywords or not node.arguments:
        return None
    function = machine.look(node.function, frame)
    if not isinstance(function, External):
        return None
    if function.path in WRAPPERS and len(node.arguments) == 1:
        inner = machine.look(node.arguments[0], frame)
        return count_rounds(machine, node.arguments[0], inner, frame)
    if function.path != "builtins.range":
        return None
    bounds = [machine.look(argument, frame) for argument in node.arguments]
    numbers = [b.value for b in bounds if isinstance(b, Constant) and type(b.value) is int]
    if len(numbers) != len(bounds) or len(numbers) > 3 or numbers[2:] == [0]:
        return None
    return len(range(*numbers))
