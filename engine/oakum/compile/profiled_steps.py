"""Steps of a compiled program as spans of a profile.

A program that is watched calls Python when it begins and behind each step (see `program/driver`).
What a step computes and which line asked for it is known from the history of its plan.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from oakum.compile import report, step_equations
from oakum.compile.backend import Program
from oakum.compile.plan.steps import Plan, describe
from oakum.compile.program.driver import BEGINS, event_of
from oakum.compile.program.native_program import NativeProgram
from oakum.tracing import profile_spans
from oakum.tracing.profile_spans import Argument


class _Step(NamedTuple):
    name: str
    arguments: Mapping[str, Argument]


class _Open(NamedTuple):
    """A program that runs, and when its last step ended."""

    program: int
    since: float


class StepWatcher:
    """Notes the steps of the runs of one executable; called by its code."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self._steps = [_steps(plan) for plan in plans]
        self._running: Final = threading.local()

    def __call__(self, number: int, table: int) -> bool:
        """Takes how far a run has come; returns whether it is to be left: never."""
        now = time.perf_counter()
        program, step = event_of(number)
        running: list[_Open] = self._running.__dict__.setdefault("programs", [])
        steps = self._steps[program]
        if step == BEGINS:
            if steps:
                running.append(_Open(program, now))
            return False
        while running[-1].program != program:  # an earlier run was left halfway
            running.pop()
        since = running.pop().since
        recording = profile_spans.recording
        if recording is not None:
            name, arguments = steps[step]
            recording.add(name, "step", since, now, arguments)
        if step < len(steps) - 1:
            # Read again: to note the step took its time, which is none of the next one.
            running.append(_Open(program, time.perf_counter()))
        return False


def watch(program: Program) -> None:
    """Has the steps of a program noted, which was compiled to be watched."""
    assert isinstance(program, NativeProgram), "only the steps of native programs are seen"
    program.watch_by(StepWatcher(program.source.watched))


def _steps(plan: Plan) -> list[_Step]:
    found: list[_Step] = []
    costs, computed = report.step_costs(plan), step_equations.of(plan)
    for number, (step, cost, eqns) in enumerate(zip(plan.steps, costs, computed, strict=True)):
        arguments: dict[str, Argument] = {
            "step": number,
            "form": describe(step),
            "operations": cost.operations,
            "bytes": cost.nbytes,
        }
        lines = dict.fromkeys(str(eqn.source[0]) for eqn in eqns if eqn.source)
        if lines:
            arguments["lines"] = ", ".join(lines)
        found.append(_Step(step_equations.names(eqns) or describe(step), arguments))
    return found
