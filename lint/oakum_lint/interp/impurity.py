"""Calls that give something else each time: under tracing they are made once."""

from typing import Literal

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import UNKNOWN, LibraryObject
from oakum_lint.models.builtins import builtin_facts
from oakum_lint.models.numpy import numpy_facts

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
