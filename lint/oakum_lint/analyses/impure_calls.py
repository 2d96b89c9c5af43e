"""Calls that return something else each time: under tracing they are made once."""

from typing import Literal

from oakum.values.records import dataclass
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, Method, Scope, attribute_cell
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.reporting import MEANT
from oakum_lint.domain.values import (
    UNKNOWN,
    External,
    HeapObject,
    LibraryObject,
    Value,
    scalar_kind,
)
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.numpy import is_numpy_name, numpy_facts
from oakum_lint.models.host.objects import (
    LIBRARY_OBJECTS,
    NUMPY_OBJECTS,
    draws_from_object,
    of_text,
)
from oakum_lint.python.objects.access_paths import is_counted_back, is_managed, is_undone
from oakum_lint.syntax import nodes

NUMBERS = ("int", "float", "number")


@dataclass(frozen=True, slots=True)
class ImpureCall(Event):
    """A function that returns something else at each call is called by traced code: it is called
    once. `what` says what it reads.
    """

    function: str
    what: Literal["random", "time", "input"]


def _report_impure(
    machine: Machine, what: Literal["random", "time", "input"], frame: Frame, node: nodes.Node
) -> None:
    """Reports a call whose result under tracing a compiled program keeps, or that makes all lanes
    of a map get the same random number.
    """
    mapped = frame.trace is not None and frame.trace.kind == "vmap" and what == "random"
    if frame.kept_level or mapped:
        called = node.function if isinstance(node, nodes.Call) else node
        machine.emit(ImpureCall, frame, node, UNKNOWN, node, function=frame.text(called), what=what)


def _check_call(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a call of a function that reads a clock, hidden state or a terminal."""
    path = function.path
    if frame.trace is None or path in LIBRARY_OBJECTS:
        return
    if is_numpy_name(path):
        _check_numpy(machine, path, arguments, frame, node)
        return
    _check_written(machine, path, frame, node)
    facts = None if draws_from_object(path) else builtin_facts(path)
    match facts.effect if facts is not None else "":
        case "clock":
            _report_impure(machine, "time", frame, node)
        case "random" | "time" | "input" as effect:
            _report_impure(machine, effect, frame, node)
        case _:
            pass


def _check_numpy(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a draw from NumPy's hidden generator, or one that is made without a seed: it takes
    one from the operating system.
    """
    if path in NUMPY_OBJECTS:
        draws = not arguments.positional and not arguments.keywords and arguments.complete
    else:
        facts = numpy_facts(path)
        draws = facts is not None and facts.impure_random and not draws_from_object(path)
    if draws:
        _report_impure(machine, "random", frame, node)


def _check_counter(
    machine: Machine,
    scope: Scope,
    target: str,
    old: Value | None,
    value: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a Python number that traced code puts in the place of another, which is older than
    its trace; as likely where its name says that traces are counted. Where there was no number,
    what tracing knows is noted, as shapes are.
    """
    if scope.level >= frame.kept_level or is_undone(target, frame):
        return
    numbers = (*NUMBERS, "bool")
    if old is not None and scalar_kind(old) in numbers and scalar_kind(value) in numbers:
        meant = machine.assumptions.counts_traces(target)
        _report_change(machine, target, "=", value, frame, node, meant=meant)


def _check_increment(
    machine: Machine,
    owner: Value,
    old: Value,
    new: Value,
    frame: Frame,
    node: nodes.Attribute | nodes.Subscript,
) -> None:
    """Reports a Python number that traced code makes of itself in an attribute or an item of an
    object that is older than its trace.
    """
    if _age(owner, frame) >= frame.kept_level:
        return
    if isinstance(owner, HeapObject) and owner.kind == "instance" and is_managed(owner):
        return
    target = frame.text(node)
    # The variable that says which item is none of what names it.
    by_variable = isinstance(node, nodes.Subscript) and isinstance(node.index, nodes.Name)
    named = frame.text(node.value) if by_variable else target
    if is_undone(target, frame) or is_counted_back(node, frame):
        return
    if scalar_kind(old) in NUMBERS and scalar_kind(new) in NUMBERS:
        assumed = machine.assumptions
        meant = assumed.counts_traces(named) or assumed.counts_calls(named)
        _report_change(machine, target, "=", new, frame, node, meant=meant)


def _check_own_increment(
    machine: Machine,
    target: nodes.Expression,
    computed: nodes.Expression,
    value: Value,
    frame: Frame,
) -> None:
    """`self.n = self.n + 1`, `counts[key] = counts.get(key, 0) + 1`, and the same with
    `getattr(self, "n", 0)`.
    """
    if not isinstance(computed, nodes.BinaryOperation):
        return
    match target:
        case nodes.Attribute() if frame.text(target) in frame.text(computed):
            owner = machine.evaluate(target.value, frame)
            old = machine.evaluate(target, frame)
        case nodes.Attribute() if any(
            _gets(part, target, frame) for part in (computed.left, computed.right)
        ):
            owner, old = machine.evaluate(target.value, frame), value
        case nodes.Subscript() if frame.text(target.value) in frame.text(computed):
            owner, old = machine.evaluate(target.value, frame), value
        case _:
            return
    _check_increment(machine, owner, old, value, frame, target)


def _gets(node: nodes.Expression, target: nodes.Attribute, frame: Frame) -> bool:
    """Whether an expression is `getattr(owner, "name", default)` of an attribute."""
    if not isinstance(node, nodes.Call) or len(node.arguments) != 3:
        return False
    owner, name, _ = node.arguments
    return (
        frame.text(node.function) == "getattr"
        and frame.text(owner) == frame.text(target.value)
        and isinstance(name, nodes.Constant)
        and name.value == target.attribute
    )


def _age(owner: Value, frame: Frame) -> int:
    """The depth of the trace that made what has attributes or items; the deepest of all where that
    is not known.
    """
    cell = attribute_cell(owner, "")
    if cell is not None:
        return cell[0].scope.level
    return owner.level if isinstance(owner, HeapObject | ClassValue) else frame.kept_level


def _check_appended(
    machine: Machine,
    owner: HeapObject,
    value: Value,
    how: str,
    _source: nodes.Node | None,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a Python value that traced code appends to a list that is older than its trace."""
    if how != "append" or not isinstance(node, nodes.Call):
        return
    target = frame.text(node.function).rpartition(".")[0]
    if owner.level < frame.kept_level and scalar_kind(value) in NUMBERS:
        # Texts are notes on the tracing itself.
        meant = machine.assumptions.counts_traces(target)
        _report_change(machine, target, "append", value, frame, node, meant=meant)


def _report_change(
    machine: Machine,
    target: str,
    how: Literal["=", "append"],
    value: Value,
    frame: Frame,
    node: nodes.Node,
    *,
    meant: bool,
) -> None:
    """Reports a change of something older than the trace, as likely where its name says that it is
    meant.
    """
    machine.emit(
        events.OuterChange,
        frame,
        node,
        value,
        node,
        MEANT if meant else "",
        target=target,
        how=how,
        meant=meant,
    )


def _check_written(machine: Machine, path: str, frame: Frame, node: nodes.Node) -> None:
    """Reports a call in traced code that writes to a file."""
    facts = builtin_facts(path)
    if facts is not None and facts.effect == "io" and frame.kept_level:
        called = node.function if isinstance(node, nodes.Call) else node
        machine.emit(
            events.OuterChange, frame, node, UNKNOWN, node, target=frame.text(called), how="write"
        )


def _check_method(
    machine: Machine, method: Method, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a draw from a generator that is older than the trace, and a write to such a text."""
    receiver = method.receiver
    if frame.trace is None or not isinstance(receiver, LibraryObject):
        return
    path = f"{receiver.path}.{method.name}"
    older = receiver.level is not None and receiver.level < frame.kept_level
    if older and of_text(path) and isinstance(node, nodes.Call):
        called = frame.text(node.function)
        machine.emit(events.OuterChange, frame, node, UNKNOWN, node, target=called, how="write")
    if not draws_from_object(path) or receiver.level is None:
        return
    python, numpy = builtin_facts(path), numpy_facts(path)
    draws = (python is not None and python.effect == "random") or (
        numpy is not None and numpy.impure_random
    )
    if draws and older:
        _report_impure(machine, "random", frame, node)


GUEST = Guest(
    "impure_calls",
    Moments(
        library_call=(_check_call,),
        method_call=(_check_method,),
        bound_outside=(_check_counter,),
        assigning=(_check_own_increment,),
        changed=(_check_increment,),
        stored=(_check_appended,),
    ),
)
