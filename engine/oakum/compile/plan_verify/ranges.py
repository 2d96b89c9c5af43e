"""Ranges of memory: what a step reads has been written, and nothing else lies there.

Steps are visited in order. A write takes its range of the arena from whatever lay there; reading
that afterwards is an error.
"""

from __future__ import annotations

from collections.abc import Iterable

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.steps import ControlStep, NestStep, Plan, PlanStep
from oakum.compile.plan_verify.accesses import (
    Accesses,
    accesses_of,
    verify_declared,
    verify_scratch,
)
from oakum.compile.plan_verify.conflicts import verify_nest
from oakum.compile.plan_verify.errors import PlanError, demand, title
from oakum.compile.problems.problem import Kernels


def verify_ranges(plan: Plan, kernels: Kernels, *, arranged: bool) -> None:
    """Raises `PlanError` if a step of a plan, or of one within, reads what was not written, or
    touches what it must not. `arranged` says whether memory has been assigned.
    """
    waiting: list[tuple[str, Plan]] = [("", plan)]
    while waiting:
        where, current = waiting.pop()
        try:
            walk = _Walk(current, kernels, arranged=arranged)
            for number, step in enumerate(current.steps):
                name = title(number, step)
                walk.step(name, step)
                if isinstance(step, ControlStep):
                    waiting += [(f"{where}{name}: ", program) for program in step.programs]
            walk.end()
        except PlanError as error:
            raise PlanError(f"{where}{error}") from None


class _Walk:
    def __init__(self, plan: Plan, kernels: Kernels, *, arranged: bool) -> None:
        self._plan = plan
        self._kernels = kernels
        self._arranged = arranged
        over = {plan.inputs[given] for given in plan.aliases.values()}
        self._given = {buffer for buffer in plan.inputs if buffer not in over}
        self._over = over
        self._there: set[Buffer] = {plan.outputs[result] for result in plan.aliases}
        self._taken: dict[Buffer, str] = {}
        """Overwritten buffers, with the steps that overwrote them."""

    def step(self, name: str, step: PlanStep) -> None:
        try:
            found = accesses_of(step)
            verify_scratch(step, self._kernels)
            verify_declared(step, found)
            self._roles(found)
            if self._arranged:
                self._apart({**found.reads, **found.writes, **found.scratch})
            if isinstance(step, NestStep):
                verify_nest(step.nest)
            for buffer in found.needs:
                self._is_there(buffer)
        except PlanError as error:
            raise PlanError(f"{name}: {error}") from None
        for buffer in (*found.scratch, *found.writes):
            self._take(buffer, name)
        self._there.update(found.writes)

    def end(self) -> None:
        for buffer in self._plan.outputs:
            written = not buffer.size or buffer in self._there
            demand(written, f"the end of the program: {buffer} has not been written")

    def _roles(self, found: Accesses) -> None:
        plan = self._plan
        for buffer in {**found.reads, **found.writes, **found.scratch}:
            if buffer.role in ("in", "out"):
                known = plan.inputs if buffer.role == "in" else plan.outputs
                is_known = 0 <= buffer.number < len(known) and known[buffer.number] == buffer
                demand(is_known, f"{buffer} is none of the {buffer.role}puts of the program")
        for buffer in (*found.writes, *found.scratch):
            demand(buffer.role not in ("in", "constant"), f"{buffer} is written")
        for buffer in found.scratch:
            demand(buffer.role == "temporary", f"{buffer} is no scratch memory")
        for buffer in found.reads:
            demand(buffer not in self._over, f"{buffer} is read, which a result is written over")

    def _is_there(self, buffer: Buffer) -> None:
        if buffer.role in ("stage", "constant") or not buffer.size or buffer in self._given:
            return
        taken = self._taken.get(buffer)
        demand(taken is None, f"{buffer} is read, where {taken} has written something else")
        demand(buffer in self._there, f"{buffer} is read, which no step before has written")

    # The arena.

    def _range(self, buffer: Buffer) -> tuple[int, int]:
        begin = self._plan.offsets.get(buffer)
        if begin is None:
            raise PlanError(f"{buffer} has no place in the arena")
        return begin, begin + buffer.nbytes

    def _apart(self, buffers: Iterable[Buffer]) -> None:
        """What one step touches lies inside the arena, and apart."""
        last, before = 0, None
        temporary = [buffer for buffer in buffers if buffer.role == "temporary"]
        for buffer in sorted(temporary, key=self._range):
            begin, end = self._range(buffer)
            demand(begin >= 0 and not begin % 64, f"{buffer} is not aligned: it is at {begin}")
            inside = end <= self._plan.arena_bytes
            demand(inside, f"{buffer} ends at {end}, the arena at {self._plan.arena_bytes}")
            if end > begin:
                demand(begin >= last, f"{buffer} lies over {before}, and the step needs both")
                last, before = end, buffer

    def _take(self, buffer: Buffer, name: str) -> None:
        """Gives the range of a buffer to it."""
        self._taken.pop(buffer, None)
        if not self._arranged or buffer.role != "temporary":
            return
        begin, end = self._range(buffer)
        for other in [each for each in self._there if each.role == "temporary"]:
            first, last = self._range(other)
            if other != buffer and first < end and begin < last:
                self._there.discard(other)
                self._taken[other] = name
