"""Histories: which values of a program are in which memory when a step of its plan is done.

A plan says what is done to memory, not what for. Who compares its steps with the evaluation of the
program's equations (`verification`) asks for histories to be kept; no plan has one otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.lifetimes import Lifetimes
from oakum.compile.plan.steps import Plan, written_by
from oakum.tracing.ir import ClosedJaxpr, Var
from oakum.values.records import dataclass


@dataclass(slots=True)
class History:
    """The program of a plan, and the memory of its variables as it was planned first."""

    closed: ClosedJaxpr
    memory: Mapping[Var, Buffer]
    completed: Sequence[Sequence[tuple[Var, Buffer]]] = ()
    """For each step the variables all of whose elements are in memory from then on, and where."""

    def finish(
        self,
        plan: Plan,
        planned: Lifetimes,
        names: Mapping[Buffer, Buffer],
        places: Mapping[int, int],
    ) -> None:
        """Notes the steps that `plan` has in the end.

        `names` says which memory stands for other memory now, `places` which step a planned one has
        become, or become part of.
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
        """The variables in memory, in the order of the equations that give them."""
        return (v for e in self.closed.eqns for v in e.outputs if v in self.memory)


def _is_overwritten(
    buffer: Buffer,
    at: int,
    number: int,
    planned: Lifetimes,
    names: Mapping[Buffer, Buffer],
    places: Mapping[int, int],
) -> bool:
    """Whether a planned step behind `at` writes to memory, but is part of the same step now."""
    later = (n for n, place in places.items() if n > at and place == number)
    return any(
        names.get(each, each) == buffer for n in later for each in written_by(planned.steps[n])
    )
