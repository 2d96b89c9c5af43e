"""Calls that give something else each time: under tracing they are made once."""

import re
from typing import Literal

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import (
    UNKNOWN,
    HeapObject,
    LibraryObject,
    Value,
    scalar_kind,
)
from oakum_lint.models.builtins import builtin_facts
from oakum_lint.models.numpy import numpy_facts

COUNTS_TRACES = re.compile(r"trac|compil|retrac|cache|seen|debug|log|shape", re.IGNORECASE)
"""Names of what is meant to be changed by tracing."""
GENERATORS = ("numpy.random.Generator.", "numpy.random.RandomState.", "random.Random.")
"""Classes whose methods draw from the state of their object: a generator that the traced function
makes itself from a seed draws the same numbers at every call."""


def report_impure(
    machine: Machine, what: Literal["random", "time", "input"], frame: Frame, node: nodes.Node
) -> None:
    """Reports a call of which a compiled program keeps the result of its tracing."""
    if frame.kept_level:
        called = node.function if isinstance(node, nodes.Call) else node
        machine.emit(
            events.ImpureCall, frame, node, UNKNOWN, node, function=frame.text(called), what=what
        )


def check_impure(machine: Machine, path: str, frame: Frame, node: nodes.Node) -> None:
    """Reports a call of a function of Python that reads a clock, hidden state or a terminal."""
    facts = None if path.startswith(GENERATORS) else builtin_facts(path)
    if facts is not None and facts.effect in ("random", "time", "input"):
        report_impure(machine, facts.effect, frame, node)


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
    its trace; a name that says that traces are counted is meant. Where there was no number, what
    tracing knows is noted, as shapes are.
    """
    if level >= frame.kept_level or COUNTS_TRACES.search(target):
        return
    numbers = ("int", "float", "number", "bool")
    if old is not None and scalar_kind(old) in numbers and scalar_kind(value) in numbers:
        machine.emit(events.OuterChange, frame, node, value, node, target=target, how="=")


def check_appended(
    machine: Machine, owner: HeapObject, value: Value, frame: Frame, node: nodes.Call
) -> None:
    """Reports a Python value that traced code appends to a list that is older than its trace."""
    target = frame.text(node.function).rpartition(".")[0]
    if owner.level >= frame.kept_level or COUNTS_TRACES.search(target):
        return
    if scalar_kind(value) in ("int", "float", "number"):
        # Texts are notes on the tracing itself.
        machine.emit(events.OuterChange, frame, node, value, node, target=target, how="append")


def check_draw(
    machine: Machine, receiver: LibraryObject, name: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports a draw from a generator that is older than the trace."""
    path = f"{receiver.path}.{name}"
    if not path.startswith(GENERATORS) or receiver.level is None:
        return
    python, numpy = builtin_facts(path), numpy_facts(path)
    draws = (python is not None and python.effect == "random") or (
        numpy is not None and numpy.impure_random
    )
    if draws and receiver.level < frame.kept_level:
        report_impure(machine, "random", frame, node)
