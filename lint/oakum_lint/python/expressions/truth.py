"""Asking a value for its truth: what `if`, `while`, `assert`, `not`, `and` and `or` do."""

from oakum.dtypes import Kind
from oakum.errors import DTypeError, OakumError, ShapeError
from oakum.values import dims
from oakum.values.records import replace
from oakum_lint.arrays.argument_uses import holder_of
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, perhaps
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import wait_for
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Choice,
    HeapObject,
    Place,
    Tree,
    Unknown,
    Value,
    is_jax_array,
)
from oakum_lint.python.expressions.conditions import decide
from oakum_lint.python.expressions.guards import outcome_on_tracers
from oakum_lint.python.expressions.operators import call_special
from oakum_lint.python.expressions.optional_arrays import optional_array
from oakum_lint.syntax import nodes


def asked_value(machine: Machine, value: Value, node: nodes.Node, frame: Frame) -> Value:
    """Returns what is asked in the end: of an instance, the result of its `__bool__`; that array,
    of what is one by its annotation, or None.
    """
    match value:
        case HeapObject(kind="instance"):
            found = call_special(machine, value, "__bool__", (), node, frame)
            return value if found is None else found
        case Tree(place, level, origin, single=True) if origin is not None:
            doubted = replace(origin, doubt="it is an array by its annotation")
            return Array(UNKNOWN_ARRAY, place, level, doubted)
        case Choice(options=(one, other)) if NONE in (one, other):
            given = asked_value(machine, one if other == NONE else other, node, frame)
            return perhaps(given) if asks_tracer(given) else value
        case _:
            return value


def asks_tracer(value: Value) -> bool:
    """Whether asking for the value's truth certainly fails: it is a tracer without a value."""
    return isinstance(value, Array) and value.place is Place.ABSTRACT


def check_truth(
    machine: Machine, value: Value, construct: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports a random key or an array of several elements that is asked for its truth, where it
    has a value.
    """
    if isinstance(value, Array) and value.place is Place.ABSTRACT:
        return
    if isinstance(value, Array) and value.place is Place.HOST and dims.less(1, value.aval.size):
        note_stop(machine, frame, node)
    error = _without_truth(value)
    if error is not None:
        report(machine, error, construct, ((value, node),), frame, node)
        return
    asked = _last_operand(node)
    found = optional_array(machine, value, asked, frame)
    if found is not None:
        _report_optional(machine, *found, construct, frame, asked)


def _last_operand(node: nodes.Node) -> nodes.Node:
    """What is asked for its truth last: `and` and `or` have asked the other operands before."""
    while isinstance(node, nodes.BooleanOperation):
        node = node.operands[-1]
    return node


def check_replaced(
    machine: Machine,
    value: Value,
    default: Value,
    construct: str,
    frame: Frame,
    node: nodes.Expression,
) -> None:
    """Reports an argument that nobody is seen to pass and that is asked for its truth, where it
    stands for what has none: `key or jax.random.key(0)` fails for each key, and
    `weights or jnp.ones(n)` for all but one weight.
    """
    error = _without_truth(default) or _without_truth_of_several(default)
    asks = isinstance(value, Unknown) and isinstance(node, nodes.Name)
    if error is None or not asks or not frame.called.speculative:
        return
    if optional_array(machine, value, node, frame) is None:
        # Else it was reported where it is asked.
        doubt = "no call is seen that passes what its default is"
        _report_optional(machine, error, doubt, construct, frame, node)


def _report_optional(
    machine: Machine,
    error: OakumError,
    doubt: str,
    construct: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    machine.emit(
        events.Misfit,
        frame,
        node,
        NONE,
        node,
        doubt,
        problem="dtype" if isinstance(error, DTypeError) else "shape",
        function=construct,
        given=(),
        reason=error.message,
        detail="",
        hint=f"Ask whether it was passed: `{frame.text(node)} is None`.",
    )


def _without_truth(value: Value) -> OakumError | None:
    """What Python says of a value that is neither true nor false; None where it is."""
    if not isinstance(value, Array) or not is_jax_array(value):
        return None
    if value.aval.dtype is not None and value.aval.dtype.kind is Kind.KEY:
        return DTypeError(
            "a random key is neither true nor false",
            hint="Ask whether there is one: `key is None`.",
        )
    size = value.aval.size
    if not dims.less(1, size):
        return None
    return ShapeError(
        f"an array of {size} elements is neither true nor false as a whole",
        hint="Ask for one truth value with jnp.any or jnp.all, or choose with jnp.where.",
    )


def _without_truth_of_several(value: Value) -> OakumError | None:
    """What Python says of an array with axes, unless these have one element each."""
    if not isinstance(value, Array) or not is_jax_array(value):
        return None
    shape = value.aval.shape
    if not shape or all(isinstance(size, int) for size in shape):
        return None
    return ShapeError("an array of several elements is neither true nor false as a whole")


def builtin_asks(
    machine: Machine,
    value: Value,
    construct: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    position: int = 0,
    holder: events.Holder | None = None,
) -> bool:
    """Reports a tracer whose truth a builtin (`any`, `sorted`) asks for, among the items at a
    position of its arguments; whether it is one. `holder` holds them where it is not the argument.
    """
    if not asks_tracer(value):
        return False
    place = arguments.place(position, "", node)
    held = holder or holder_of(arguments.get(position) or UNKNOWN)
    machine.emit(events.BooleanUse, frame, node, value, place, construct=construct, holder=held)
    return True


def evaluate_test(
    machine: Machine,
    node: nodes.Expression,
    frame: Frame,
    event: type[Event],
    **details: object,
) -> bool | None:
    """Evaluates the test of a statement and reports a tracer in it; the outcome, or None."""
    value = asked_value(machine, machine.evaluate(node, frame), node, frame)
    truth = decide(machine, value)
    if truth is not None:
        return truth
    if (
        isinstance(node, nodes.BooleanOperation)
        and frame.called.speculative
        and frame.trace is None
    ):
        _check_guarded(machine, node, frame, event, **details)
    # The truth of an array waits for it.
    wait_for(machine, UNKNOWN)
    check_truth(machine, value, str(details.get("kind", "while")), frame, node)
    if asks_tracer(value):
        machine.emit(event, frame, node, value, node, **details)
    elif isinstance(value, Choice) and isinstance(node, nodes.BooleanOperation):
        # `flag and traced`: whether the tracer is asked hangs on the first operands.
        tracer = next((option for option in value.options if asks_tracer(option)), None)
        if tracer is not None:
            guards = frame.guards
            frame.guards = (*guards, frame.text(node.operands[0]))
            machine.emit(event, frame, node, tracer, node, **details)
            frame.guards = guards
    return None


def _check_guarded(
    machine: Machine,
    node: nodes.BooleanOperation,
    frame: Frame,
    event: type[Event],
    **details: object,
) -> None:
    """Reports what JAX computes behind a test that a value is concrete: who tests that runs under
    tracing, where JAX stages what it computes of concrete values too.
    """
    if node.operator != "and":
        return
    for position, guard in enumerate(node.operands[:-1]):
        if not _asks_for_concrete(machine, guard, frame):
            continue
        label = f"the transform that `{frame.text(guard)}` expects"
        entry = begin_trace(frame, label, guard, staged=True, abstract=True, presumed=True)
        inner = entry.frame
        inner.guards = frame.guards
        for operand in node.operands[position + 1 :]:
            value = machine.evaluate(operand, inner)
            if asks_tracer(value):
                machine.emit(event, inner, operand, value, operand, **details)
                return


def _asks_for_concrete(machine: Machine, guard: nodes.Expression, frame: Frame) -> bool:
    """Whether a test is true for concrete values only, of something that is not known."""
    positive = True
    while isinstance(guard, nodes.UnaryOperation) and guard.operator == "not":
        guard, positive = guard.operand, not positive
    if not isinstance(guard, nodes.Call) or not guard.arguments:
        return False
    of_tracers = outcome_on_tracers(machine, guard, frame)
    if of_tracers is None or of_tracers is positive:
        return False
    asked = guard.arguments[0]
    parameters = (
        () if frame.called.function is None else frame.called.function.definition.parameters.items
    )
    if isinstance(asked, nodes.Name) and asked.identifier in {p.name for p in parameters}:
        # The test may be for callers outside every trace.
        return False
    return isinstance(machine.evaluate(asked, frame), Unknown)
