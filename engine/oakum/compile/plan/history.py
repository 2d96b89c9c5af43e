"""Histories: which variables are in which memory after each step of a plan.

A plan says what is done to memory, not what for. `verification`, which compares steps with the
evaluation of the program's equations, asks for histories; other plans have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.buffer_assignment import Lifetimes
from oakum.compile.plan.steps import Plan, written_by
from oakum.tracing.ir import ClosedJaxpr, Var
from oakum.values.records import dataclass


@dataclass(slots=True)
class History:
    """The program of a plan, and the memory of its variables before buffer assignment."""

    closed: ClosedJaxpr
    memory: Mapping[Var, Buffer]
    completed: Sequence[Sequence[tuple[Var, Buffer]]] = ()
    """For each step the variables that are completely in memory from then on, and their buffers."""

    def finish(
        self,
        plan: Plan,
        planned: Lifetimes,
        names: Mapping[Buffer, Buffer],
        places: Mapping[int, int],
    ) -> None:
        """Records the final steps.

        `names` maps buffers to those that stand for them, `places` the numbers of planned steps to
        those of the steps that they became.
        """
        found: list[list[tuple[Var, Buffer]]] = [[] for _ in plan.steps]
        for var in self._variables():
            writes = planned.writes.get(self.memory[var])
            if not writes or writes[-1] not in places:
                continue
            number = places[writes[-1]]
            buffer = names.get(self.memory[var], self.memory[var])
            if buffer in written_by(plan.steps[number]) and not _is_overwritten(
                buffer, writes[-1], number, planned, names, places
            ):
                found[number].append((var, buffer))
        self.completed = found

    def _variables(self) -> Iterable[Var]:
        """Returns the variables in memory, in the order of their equations."""
        return (v for e in self.closed.eqns for v in e.outputs if v in self.memory)


def _is_overwritten(
    buffer: Buffer,
    at: int,
    number: int,
    planned: Lifetimes,
    names: Mapping[Buffer, Buffer],
    places: Mapping[int, int],
) -> bool:
    """Returns whether a later planned step that became part of the same step writes to a buffer."""
    later = (n for n, place in places.items() if n > at and place == number)
    return any(
        names.get(each, each) == buffer for n in later for each in written_by(planned.steps[n])
    )
