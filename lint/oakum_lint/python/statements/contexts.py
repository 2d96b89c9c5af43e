"""`with` statements: context managers of the project run around their body, those of
libraries are known by name.
"""

from collections.abc import Callable

from oakum_lint.arrays.expected_failures import Expectation, expectation
from oakum_lint.domain.callables import BoundMethod, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.values import NONE, UNKNOWN, External, HeapObject, LibraryObject, Value
from oakum_lint.models.mutation import DISABLES_JIT
from oakum_lint.python.expressions.failures import note_lacking
from oakum_lint.python.expressions.operators import call_special
from oakum_lint.python.objects.functions import run_context
from oakum_lint.python.statements.assignments import assign
from oakum_lint.python.statements.unwinding import (
    count_jumps,
    run_after_jumps,
    run_after_leaving,
)
from oakum_lint.syntax import nodes


def with_statement(machine: Machine, node: nodes.With, frame: Frame) -> bool:
    """Runs a `with` statement; whether its end is reached."""
    return _enter_items(machine, node, 0, frame)


def _enter_items(machine: Machine, node: nodes.With, position: int, frame: Frame) -> bool:
    """Enters the context managers from a position on, then runs the body."""
    if position == len(node.items):
        return machine.execute(node.body, frame)
    item = node.items[position]
    function: Value = UNKNOWN
    if isinstance(item.context, nodes.Call):
        function = machine.evaluate(item.context.function, frame)
        expected = expectation(machine, item.context.function, function, frame)
        if expected != "none":
            return _run_expecting(machine, node, position, expected, frame)
        inside, receivers = _inside_of(function)
        if inside is not None:
            return _run_inside(machine, node, position, inside, receivers, item.context, frame)
    value = machine.evaluate(item.context, frame)
    entered = _entered(machine, value, item.context, frame)
    if item.target is not None:
        assign(machine, item.target, entered, frame)
    eager, left, jumped = frame.regions.eager, len(frame.flow.exits), count_jumps(frame)
    frame.regions.eager += _is_eager(machine, function)
    is_off = _is_compilation_off(function, item.context)
    frame.regions.quiet += is_off
    frame.regions.unjitted += is_off
    endings = _announce(machine, function, item.context, frame)
    try:
        falls_through = _enter_items(machine, node, position + 1, frame)
    finally:  # Also where a limit ends the analysis of the body: what guests note outlives it.
        for end in endings:
            end()
    frame.regions.quiet -= is_off
    frame.regions.unjitted -= is_off
    frame.regions.eager = eager
    if isinstance(value, HeapObject) and value.kind == "instance":

        def leave() -> bool:
            call_special(machine, value, "__exit__", (NONE, NONE, NONE), item.context, frame)
            return True

        run_after_jumps(machine, jumped, frame, leave)
        if not falls_through and len(frame.flow.exits) > left:
            run_after_leaving(machine, left, frame, leave)
        else:
            leave()
    return falls_through


def _inside_of(function: Value) -> tuple[FunctionValue | None, tuple[Value, ...]]:
    """Returns the generator function that a context manager of the project is made of, or None,
    and what it is bound to.
    """
    match function:
        case FunctionValue(is_context_manager=True):
            return function, ()
        case BoundMethod(FunctionValue(is_context_manager=True) as inside, receiver):
            return inside, (receiver,)
        case _:
            return None, ()


def _announce(
    machine: Machine, function: Value, context: nodes.Expression, frame: Frame
) -> list[Callable[[], object]]:
    """Announces that a body begins whose context manager a library makes; returns what is to be
    called at its end.
    """
    if not (isinstance(function, External) and isinstance(context, nodes.Call)):
        return []
    heard = (hears(machine, function, context, frame) for hears in machine.moments.block_entered)
    return [end for end in heard if end is not None]


def _is_eager(machine: Machine, function: Value) -> bool:
    """Whether a function makes what runs operations while a trace is made."""
    declared = machine.public(function.path) if isinstance(function, External) else None
    transform = None if declared is None else declared.transform
    return transform is not None and transform.kind == "compile_time"


def _is_compilation_off(function: Value, context: nodes.Expression) -> bool:
    """Whether functions and loops that would be compiled run in Python in the body: what traced
    values may not meet is allowed there.
    """
    match context:
        case nodes.Call(arguments=(), keywords=()):
            return function == External(DISABLES_JIT)
        case _:
            return False


def _entered(machine: Machine, value: Value, node: nodes.Node, frame: Frame) -> Value:
    """Returns the value that `as` binds."""
    if isinstance(value, HeapObject) and value.kind == "instance":
        found = call_special(machine, value, "__enter__", (), node, frame)
        if found is None:
            note_lacking(machine, value, ("__enter__",), frame, node)
            return UNKNOWN
        return found
    if isinstance(value, HeapObject) and value.kind == "generator":
        return element_of(content_of(machine, value))
    return value if isinstance(value, LibraryObject) else UNKNOWN


def _run_expecting(
    machine: Machine, node: nodes.With, position: int, expected: Expectation, frame: Frame
) -> bool:
    """A body that is expected to fail may end anywhere: what was true before it may be true after
    it. Where only a name says so, what fails in it fails likely.
    """
    context, guards = node.items[position].context, frame.guards
    machine.evaluate(context, frame)
    base = machine.store
    machine.store = base.fork()
    frame.regions.quiet += expected == "failure"
    frame.guards = (*guards, frame.text(context)) if expected == "perhaps" else guards
    try:
        _enter_items(machine, node, position + 1, frame)
        written = machine.store.since(base)
    finally:
        frame.regions.quiet -= expected == "failure"
        frame.guards = guards
        machine.store = base
    base.merge([written, {}])
    return True


def _run_inside(
    machine: Machine,
    node: nodes.With,
    position: int,
    function: FunctionValue,
    receivers: tuple[Value, ...],
    call: nodes.Call,
    frame: Frame,
) -> bool:
    """Runs a generator function made a context manager: the body of the statement runs where it
    yields.
    """
    outcome: list[bool] = []
    target, left = node.items[position].target, len(frame.flow.exits)

    def body(value: Value) -> None:
        if target is not None:
            assign(machine, target, value, frame)
        outcome.append(_enter_items(machine, node, position + 1, frame))
        if not outcome[-1]:
            # What follows the `yield` runs nevertheless.
            machine.store.merge(frame.flow.exits[left:])

    arguments = machine.evaluate_arguments(call, frame).prepended(*receivers)
    run_context(machine, function, arguments, frame, call, body)
    falls_through = outcome[-1] if outcome else False
    if not falls_through and len(frame.flow.exits) > left:
        frame.flow.exits[left:] = [machine.written_in(frame)]
    return falls_through
