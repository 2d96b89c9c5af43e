"""Buffer assignment: which values share memory, and where temporary buffers lie.

A result may take the memory of an operand that is not read again, so a loop that changes a few
elements of an array per iteration updates it in place and copies nothing.

Invariants:
- Of two buffers in one place, one is dead when the other gets its own values.
- Inputs are written only if an alias says so, constants never.
- Temporary buffers share one arena: two overlap only if no step needs both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.buffer_aliasing import (
    Lifetimes,
    carries_in_place,
    dies_before,
    is_copy,
    rename_buffers,
)
from oakum.compile.plan.steps import ControlStep, Plan, PlanStep, buffers_of, read_by, written_by
from oakum.primitives.rules.lowering import Branched
from oakum.values.records import replace


def finish(plan: Plan, aliases: Mapping[int, int] | None = None) -> Plan:
    """Assigns memory to the values of a program and of the programs in it, and lays out the arena.

    `aliases` names the outputs to be written over inputs, which `can_alias` must allow.
    """
    plan.aliases.update(aliases or {})
    sharing = _Sharing(plan)
    names = sharing.names()
    steps: list[PlanStep] = []
    kept: list[int] = []
    for number, step in enumerate(plan.steps):
        new = rename_buffers(step, names)
        if isinstance(new, ControlStep):
            new = _finish_control(plan, new)
        if new is not None:
            steps.append(new)
            kept.append(number)
    plan.steps, places = steps, list(range(len(steps)))
    if len(steps) > 1:
        from oakum.compile.plan.merge_scalar_nests import merge_scalar_nests

        plan.steps, places = merge_scalar_nests(steps)
    if plan.history is not None:
        became = dict(zip(kept, places, strict=True))
        plan.history.finish(plan, sharing.lifetimes, names, became)
    _arrange(plan)
    return plan


def aliases_of(plan: Plan, donated: Sequence[bool]) -> dict[int, int]:
    """Returns the results that can be written over donated inputs."""
    if not any(donated):
        return {}
    lifetimes = Lifetimes(plan.steps)
    free = [number for number, given in enumerate(donated) if given]
    found: dict[int, int] = {}
    for number, result in enumerate(plan.outputs):
        for given in free:
            operand = plan.inputs[given]
            fits = (operand.dtype, operand.size) == (result.dtype, result.size)
            if fits and dies_before(lifetimes, operand, result):
                found[number] = given
                free.remove(given)
                break
    return found


class _Place:
    """Buffers that share one place."""

    def __init__(self, buffer: Buffer, begin: float, end: float) -> None:
        self.buffers = [buffer]
        self.begin = begin
        self.end = end
        self.ending = [buffer]
        """The buffers that are live until the end."""

    def add(self, other: _Place) -> None:
        """Adds the buffers of another place."""
        self.buffers += other.buffers
        self.begin = min(self.begin, other.begin)
        if other.end == self.end:
            self.ending = self.ending + other.ending
        elif other.end > self.end:
            self.end, self.ending = other.end, other.ending


class _Sharing:
    """Decides which buffers share places."""

    def __init__(self, plan: Plan) -> None:
        self.lifetimes = Lifetimes(plan.steps)
        self._places: dict[Buffer, _Place] = {}
        self._branches = [step for step in plan.steps if _branches(step)]
        aliased = [(plan.inputs[i], plan.outputs[o]) for o, i in plan.aliases.items()]
        self._writable = {given for given, _ in aliased}
        for given, result in aliased:
            merged = self._merge(given, result)
            assert merged, f"{result} cannot be where {given} is"
        for copies in (True, False):
            for number, step in enumerate(plan.steps):
                self._visit(number, step, copies)

    def _visit(self, number: int, step: PlanStep, copies: bool) -> None:
        """Merges results that a step is first to write with operands that it is last to read."""
        for result in written_by(step):
            if self.lifetimes.writes[result][0] != number:
                continue
            for operand in read_by(step):
                if operand != result and (is_copy(step, operand, result) or not copies):
                    self._merge(operand, result)

    def _merge(self, operand: Buffer, result: Buffer) -> bool:
        """Merges the places of two buffers; returns whether they fit."""
        if (operand.dtype, operand.size) != (result.dtype, result.size):
            return False
        if operand.role == "constant" or (operand.role == "in" and operand not in self._writable):
            return False
        if "stage" in (operand.role, result.role):
            return False  # Each thread has its own, while it carries out a nest.
        first, second = self._place(operand), self._place(result)
        if first is second:
            return True
        # Of a long chain only its end meets what comes next.
        earlier = first.ending if first.end <= second.begin else first.buffers
        if not all(self._fit(x, y) for x in earlier for y in second.buffers):
            return False
        if self._is_given_twice([*first.buffers, *second.buffers]):
            return False
        first.add(second)
        self._places.update((buffer, first) for buffer in second.buffers)
        return True

    def _place(self, buffer: Buffer) -> _Place:
        found = self._places.get(buffer)
        if found is None:
            begin, end = self.lifetimes.span(buffer)
            found = self._places[buffer] = _Place(buffer, begin, end)
        return found

    def _fit(self, x: Buffer, y: Buffer) -> bool:
        return dies_before(self.lifetimes, x, y) or dies_before(self.lifetimes, y, x)

    def _is_given_twice(self, buffers: Sequence[Buffer]) -> bool:
        """Returns whether two operands of a branch would be in the memory of one of its results."""
        among = set(buffers)
        for step in self._branches:
            given = [buffer for buffer in read_by(step) if buffer in among]
            if len(given) > 1 and not among.isdisjoint(written_by(step)):
                return True
        return False

    def names(self) -> dict[Buffer, Buffer]:
        """Returns for each buffer that shares a place the buffer that stands for all of them."""
        order = ("out", "in", "temporary")
        return {
            buffer: min(place.buffers, key=lambda b: order.index(b.role))
            for buffer, place in self._places.items()
            if len(place.buffers) > 1
        }


def _branches(step: PlanStep) -> bool:
    return isinstance(step, ControlStep) and isinstance(step.eqn.primitive.lower, Branched)


def _finish_control(plan: Plan, step: ControlStep) -> ControlStep:
    """Finishes the programs of a step: which values are carried in place, and the scratch
    memory.
    """
    spare: list[Buffer | None] = []
    aliases: dict[int, int] = {}
    if _branches(step):
        where = {buffer: number for number, buffer in enumerate(step.inputs)}
        for number, buffer in enumerate(step.outputs):
            if buffer in where:
                aliases[number] = where[buffer] - 1
    else:
        body = step.programs[-1]
        shift = len(body.inputs) - len(step.inputs)
        for number, buffer in enumerate(step.outputs[: step.carried]):
            if carries_in_place(step, number):
                aliases[number] = step.first + number + shift
                spare.append(None)
            else:
                spare.append(plan.temporary(buffer.dtype, buffer.size))
    *others, body = step.programs
    for program in others:
        finish(program, aliases if _branches(step) else None)
    finish(body, aliases)
    size = max(max(program.arena_bytes for program in step.programs), 1)
    return replace(step, spare=tuple(spare), scratch=replace(step.scratch, size=size))


def _arrange(plan: Plan) -> None:
    """Assigns offsets in the arena by the steps that need each temporary buffer, largest first."""
    first: dict[Buffer, int] = {}
    last: dict[Buffer, int] = {}
    for number, step in enumerate(plan.steps):
        for buffer in buffers_of(step):
            if buffer.role == "temporary":
                first.setdefault(buffer, number)
                last[buffer] = number
    placed: list[Buffer] = []
    for buffer in sorted(first, key=lambda b: -b.nbytes):
        around = sorted(
            (plan.offsets[b], plan.offsets[b] + _pad(b))
            for b in placed
            if first[b] <= last[buffer] and first[buffer] <= last[b]
        )
        at = 0
        for begin, end in around:
            if at + _pad(buffer) <= begin:
                break
            at = max(at, end)
        plan.offsets[buffer] = at
        plan.arena_bytes = max(plan.arena_bytes, at + _pad(buffer))
        placed.append(buffer)


def _pad(buffer: Buffer) -> int:
    return -(-max(buffer.nbytes, 1) // 64) * 64
