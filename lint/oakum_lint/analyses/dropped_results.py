"""Results that a statement drops, though making them is all that the call does."""

from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.arrays.array_results import array_method
from oakum_lint.domain.callables import Method
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import (
    NONE,
    Array,
    External,
    Unknown,
    UpdateRef,
    Value,
    is_jax_array,
)
from oakum_lint.models.attributes import AMBIGUOUS_UPDATES, UPDATES
from oakum_lint.models.operations import LEFT_OUT_UNUSED, computes_arrays
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.notebook.names import CELL_MARK, is_notebook

SHOWN = "the cell shows this result: it may be there to be looked at"
OUTSIDE = "outside of traces a call may be there to wait, or to fill a cache"


@dataclass(frozen=True, slots=True)
class DiscardedUpdate(Event):
    """`target.at[...].method(...)` is a statement of its own; the operand is the array."""

    target: str
    method: str


@dataclass(frozen=True, slots=True)
class DiscardedResult(Event):
    """A call of `function`, which only computes a result, is a statement of its own; the operand is
    the call. `target` is the variable that it computes the result of, or "".
    """

    function: str
    target: str
    calls_back: bool = False
    """Whether it is a callback, which a compiled program leaves out with its result."""


def _check_update(machine: Machine, _value: Value, frame: Frame, node: nodes.Node) -> None:
    """Reports `x.at[i].set(v)` as a statement: it makes an array that nobody keeps. Of an `x` that
    is not known, the method says that it is an array.
    """
    match node:
        case nodes.Call(
            function=nodes.Attribute(value=nodes.Subscript() as place, attribute=method)
        ) if method in UPDATES:
            reference = machine.look(place, frame)
        case _:
            return
    target = place.value.value if isinstance(place.value, nodes.Attribute) else place.value
    match reference, place.value:
        case UpdateRef(array=Array() as array), _:
            doubt = SHOWN if _is_shown(frame, node) else ""
        case Unknown() as array, nodes.Attribute(attribute=attribute) if (
            attribute == "at" and method not in AMBIGUOUS_UPDATES
        ):
            doubt = f"it is not known what `{frame.text(target)}` is"
        case _:
            return
    machine.emit(
        DiscardedUpdate,
        frame,
        node,
        array,
        target,
        doubt,
        target=frame.text(target),
        method=method,
    )


def _is_shown(frame: Frame, node: nodes.Node) -> bool:
    """Whether a cell of a notebook ends with an expression: it shows its value."""
    if frame.called.function is not None or not is_notebook(frame.module.path.name):
        return False
    match frame.unit.body[-1]:
        case nodes.ExpressionStatement(value=value) if value is node:
            behind = [each for each in frame.module.facts.units if each.base > frame.unit.base]
            return not behind or CELL_MARK in behind[0].raw
        case _:
            return False


def _check_call(machine: Machine, value: Value, frame: Frame, node: nodes.Node) -> None:
    """Reports a call of a pure function of arrays as a statement. Outside every trace it may be
    timed: there only of a function that hands on what it gets, or of a method.
    """
    if not isinstance(node, nodes.Call) or frame.called.function is None:
        # What a cell of a notebook ends with is shown.
        return
    if _is_left_out(machine, node, frame):
        details = {"function": frame.text(node.function), "target": "", "calls_back": True}
        machine.emit(DiscardedResult, frame, node, value, node, **details)
        return
    if value == NONE:  # no function of arrays returns it; three of four of flax and optax
        return
    if any(isinstance(part, nodes.Call) for part in walk((node.function,))):
        # Guests would hear of the inner calls twice: who waits, and for what.
        return
    function = machine.look(node.function, frame)
    match function, node.function:
        case External(), _ if node.arguments:
            declared, place = machine.public(function.path), node.arguments[0]
            if declared is None or not computes_arrays(declared.name):
                return
            if frame.trace is None and not declared.leafwise:
                return
        case Method(), nodes.Attribute() if _is_certain_array(function.receiver):
            declared, place = array_method(function.name), node.function.value
        case _:
            return
    if declared is None or not _is_pure(declared) or expects_misfits(machine, frame):
        # A handler may be there to hear whether it raises.
        return
    target = frame.text(place) if isinstance(place, nodes.Name) else ""
    machine.emit(
        DiscardedResult,
        frame,
        node,
        value,
        node,
        OUTSIDE if frame.trace is None else "",
        function=frame.text(node.function),
        target=target,
    )


def _is_certain_array(receiver: Value) -> bool:
    """Whether a value is an array of JAX without a doubt: a method that is called for nothing that
    it returns is one of a list, or of an array of NumPy.
    """
    doubt = isinstance(receiver, Array) and receiver.origin is not None and receiver.origin.doubt
    return is_jax_array(receiver) and not doubt


def _is_left_out(machine: Machine, node: nodes.Call, frame: Frame) -> bool:
    """Whether a compiled program does not run a callback whose result is dropped here."""
    if not frame.staged_level or not isinstance(node.function, nodes.Name | nodes.Attribute):
        return False
    match machine.look(node.function, frame):
        case External(path):
            declared = machine.public(path)
            return declared is not None and declared.name in LEFT_OUT_UNUSED
        case _:
            return False


def _is_pure(declared: Facts) -> bool:
    """Whether all that a function does is to compute arrays of its arguments."""
    return (
        declared.transform is None
        and declared.rule is not None
        and not declared.waits
        and not declared.needs_concrete
        and not declared.static_result
        and not any("Callable" in str(p.annotation) for p in declared.signature.parameters.values())
    )


GUEST = Guest("dropped_results", Moments(dropped=(_check_update, _check_call)))
