"""Calls that give something else each time: under tracing they are made once."""

from typing import Literal

from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue, attribute_cell
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    UNKNOWN,
    HeapObject,
    LibraryObject,
    Value,
    scalar_kind,
)
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.numpy import numpy_facts
from oakum_lint.models.host.objects import draws_from_object, of_text
from oakum_lint.python.objects.access_paths import is_counted_back, is_managed, is_undone
from oakum_lint.syntax import nodes

NUMBERS = ("int", "float", "number")


def report_impure(
    machine: Machine, what: Literal["random", "time", "input"], frame: Frame, node: nodes.Node
) -> None:
    """Reports a call of which a compiled program keeps the result of its tracing, or of which all
    that is mapped over gets the same random number.
    """
    mapped = frame.trace is not None and frame.trace.kind == "vmap" and what == "random"
    if frame.kept_level or mapped:
        called = node.function if isinstance(node, nodes.Call) else node
        machine.emit(
            events.ImpureCall, frame, node, UNKNOWN, node, function=frame.text(called), what=what
        )


def check_impure(machine: Machine, path: str, frame: Frame, node: nodes.Node) -> None:
    """Reports a call of a function of Python that reads a clock, hidden state or a terminal."""
    check_written(machine, path, frame, node)
    facts = None if draws_from_object(path) else builtin_facts(path)
    match facts.effect if facts is not None else "":
        case "clock":
            report_impure(machine, "time", frame, node)
        case "random" | "time" | "input" as effect:
            report_impure(machine, effect, frame, node)
        case _:
            pass


def check_counter(
    machine: Machine,
    level: int,
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
    if level >= frame.kept_level or is_undone(target, frame):
        return
    numbers = (*NUMBERS, "bool")
    if old is not None and scalar_kind(old) in numbers and scalar_kind(value) in numbers:
        meant = machine.assumptions.counts_traces(target)
        _report_change(machine, target, "=", value, frame, node, meant=meant)


def check_increment(
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


def _age(owner: Value, frame: Frame) -> int:
    """The depth of the trace that made what has attributes or items; the deepest of all where that
    is not known.
    """
    cell = attribute_cell(owner, "")
    if cell is not None:
        return cell[0].scope.level
    return owner.level if isinstance(owner, HeapObject | ClassValue) else frame.kept_level


def check_appended(
    machine: Machine, owner: HeapObject, value: Value, frame: Frame, node: nodes.Call
) -> None:
    """Reports a Python value that traced code appends to a list that is older than its trace."""
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
        events.OuterChange, frame, node, value, node, meant, target=target, how=how, meant=meant
    )


def check_written(machine: Machine, path: str, frame: Frame, node: nodes.Node) -> None:
    """Reports a call in traced code that writes to a file."""
    facts = builtin_facts(path)
    if facts is not None and facts.effect == "io" and frame.kept_level:
        called = node.function if isinstance(node, nodes.Call) else node
        machine.emit(
            events.OuterChange, frame, node, UNKNOWN, node, target=frame.text(called), how="write"
        )


def check_method(
    machine: Machine, receiver: LibraryObject, name: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports a draw from a generator that is older than the trace, and a write to such a text."""
    path = f"{receiver.path}.{name}"
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
        report_impure(machine, "random", frame, node)
