"""Equivalence: a plan whose values share memory computes what it computes without sharing.

Both are run over symbols. If the results differ, the plan is run once more to find the first step
that stores a value that the program never has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.steps import ControlStep, Plan, PlanStep
from oakum.compile.plan_verify.accesses import accesses_of
from oakum.compile.plan_verify.errors import PlanError, demand
from oakum.compile.plan_verify.symbolic_run import Run, TooLargeError
from oakum.compile.plan_verify.symbols import Memory
from oakum.values import host

_MOST_CHOICES = 3
"""The number of branches of each step that are tried."""


def verify_equivalence(before: Plan, plan: Plan) -> None:
    """Raises `PlanError` if a finished plan computes something else than it did before."""
    unit, choices = _unit(before), min(_choices(before), _MOST_CHOICES)
    try:
        with host.np.errstate(over="ignore"):
            for choice in range(choices):
                _verify_choice(before, plan, unit, choice)
    except TooLargeError:
        return


def _verify_choice(before: Plan, plan: Plan, unit: int, choice: int) -> None:
    np = host.np
    wanted, actual = Run(unit, choice), Run(unit, choice)
    expected, found = wanted.run(before, shared=False), actual.run(plan, shared=True)
    wrong: list[str] = []
    for buffer, one, other in zip(before.outputs, expected, found, strict=True):
        cells = wanted.cells(buffer.nbytes)
        _demand_written(buffer, one, cells)
        if (one.whole(cells) != other.whole(cells)).any():
            wrong.append(str(buffer))
    if not wrong and wanted.log == actual.log:
        return
    known = np.unique(np.concatenate([*wanted.stored, np.zeros(1, np.uint64)]))
    Run(unit, choice, known).run(plan, shared=True)
    effects = "effects come in another order, or are of something else"
    raise PlanError(f"{', '.join(wrong)} is not what it has to be" if wrong else effects)


def _demand_written(buffer: Buffer, memory: Memory, cells: int) -> None:
    demand(not memory.has_nothing(cells), f"{buffer} is not written as a whole")


def _plans(plan: Plan) -> Iterator[Plan]:
    waiting = [plan]
    while waiting:
        current = waiting.pop()
        yield current
        for step in current.steps:
            if isinstance(step, ControlStep):
                waiting += step.programs


def _unit(plan: Plan) -> int:
    """Returns the bytes of which the elements of all arrays are multiples."""
    sizes = {
        buffer.dtype.itemsize
        for each in _plans(plan)
        for buffer in [*each.inputs, *each.outputs, *chain.from_iterable(map(_values, each.steps))]
        if buffer.size > 1
    }
    return math.gcd(*sizes, 64)


def _values(step: PlanStep) -> list[Buffer]:
    found = accesses_of(step)
    return [*found.reads, *found.writes]


def _choices(plan: Plan) -> int:
    """Returns the most programs that a step chooses from."""
    return max(
        (
            len(step.programs)
            for each in _plans(plan)
            for step in each.steps
            if isinstance(step, ControlStep)
        ),
        default=1,
    )
