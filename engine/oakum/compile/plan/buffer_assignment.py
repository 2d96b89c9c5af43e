"""Buffer assignment: which values share memory, and where temporary buffers lie.

A result may take the memory of an operand that is not read again, so a loop that changes a few
elements of an array per iteration updates it in place and copies nothing.

Invariants:
- Of two buffers in one place, one is dead when the other gets its own values.
- Inputs are written only if an alias says so, constants never.
- Temporary buffers share one arena: two overlap only if no step needs both.

A step may write a result over one of its operands (aliasing) as follows. A nest may if each element
is read only by the position that writes it, in the same sweep or an earlier one: at each position a
sweep does all of its loads before its stores, whatever the order of positions, vectors and threads.
A loop may if its body may, from a carried input to the carried output.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Instruction,
    Load,
    Nest,
    Store,
    Sweep,
    checked,
)
from oakum.compile.plan.steps import (
    ControlStep,
    NestStep,
    Plan,
    PlanStep,
    buffers_of,
    read_by,
    written_by,
)
from oakum.primitives.rules.lowering import Branched
from oakum.values.records import fields, replace


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


def can_overwrite(step: PlanStep, operand: Buffer, result: Buffer) -> bool:
    """Returns whether a step may write a result over an operand that is not read afterwards."""
    if (operand.dtype, operand.size) != (result.dtype, result.size):
        return False
    match step:
        case NestStep(nest):
            return _nest_may(nest, operand, result)
        case ControlStep():
            return _control_may(step, operand, result)
        case _:
            return False


def can_alias(plan: Plan, given: int, result: int) -> bool:
    """Returns whether a program may write a result over one of its inputs."""
    operand, to = plan.inputs[given], plan.outputs[result]
    if (operand.dtype, operand.size) != (to.dtype, to.size):
        return False
    return dies_before(Lifetimes(plan.steps), operand, to)


def dies_before(lifetimes: Lifetimes, operand: Buffer, result: Buffer) -> bool:
    """Returns whether the live range of `operand` ends before the first real write to `result`.

    Copying `operand` into `result` does not count as a write: until one of them changes, both can
    be one buffer. A buffer without elements is never written, so it shares no memory.
    """
    if not result.size or operand.role in ("out", "constant") or result.role in ("in", "constant"):
        return False
    writes = lifetimes.writes.get(operand, ())
    last = max((*lifetimes.reads.get(operand, ()), *writes), default=-1)
    for number in lifetimes.writes.get(result, ()):
        step = lifetimes.steps[number]
        if is_copy(step, operand, result) and all(write < number for write in writes):
            continue
        return last < number or (last == number and can_overwrite(step, operand, result))
    return True


def is_copy(step: PlanStep, source: Buffer, to: Buffer) -> bool:
    """Returns whether a step only copies one buffer to another, as a whole."""
    if not isinstance(step, NestStep) or source.size != to.size:
        return False
    nest = step.nest
    stores = [(s, sweep) for sweep in nest.sweeps for s in sweep.stores if s.buffer == to]
    if len(stores) != 1:
        return False
    ((store, sweep),) = stores
    load = sweep.instructions[store.register]
    if load != Load(source, store.offset) or store.dynamic is not None:
        return False
    axes = (*nest.outer, *sweep.axes)
    count = math.prod(nest.extents[a] for a in axes)
    return count == to.size and _is_apart(store.offset, nest.extents, axes)


def _nest_may(nest: Nest, operand: Buffer, result: Buffer) -> bool:
    stored: list[tuple[int, Store]] = []
    loaded: list[tuple[int, Load]] = []
    for number, sweep in enumerate(nest.sweeps):
        for store in sweep.stores:
            if store.buffer == operand:
                return False
            if store.buffer == result:
                stored.append((number, store))
        for each in sweep.instructions:
            if isinstance(each, Load) and each.buffer == operand:
                loaded.append((number, each))
    if not stored or any(at > min(n for n, _ in stored) for at, _ in loaded):
        return False
    if all(extent == 1 for extent in nest.extents):
        return True
    offsets = {each.offset for _, each in (*stored, *loaded)}
    if len(offsets) > 1 or any(each.dynamic is not None for _, each in (*stored, *loaded)):
        return False
    (offset,) = offsets
    axes = {frozenset((*nest.outer, *nest.sweeps[n].axes)) for n, _ in (*stored, *loaded)}
    return len(axes) == 1 and all(_is_apart(offset, nest.extents, tuple(a)) for a in axes)


def _is_apart(offset: Affine, extents: Sequence[int], axes: Sequence[int]) -> bool:
    """Returns whether an offset differs between any two positions of the axes."""
    reach = 0
    steps = {axis: abs(step) for axis, step in offset.terms}
    for axis in sorted((a for a in axes if extents[a] > 1), key=lambda a: steps.get(a, 0)):
        step = steps.get(axis, 0)
        if step <= reach:
            return False
        reach += step * (extents[axis] - 1)
    return True


def _control_may(step: ControlStep, operand: Buffer, result: Buffer) -> bool:
    if step.inputs.count(operand) != 1 or step.outputs.count(result) != 1:
        return False
    given, number = step.inputs.index(operand), step.outputs.index(result)
    if isinstance(step.eqn.primitive.lower, Branched):
        # The first operand says which of the programs it is.
        return given > 0 and all(can_alias(plan, given - 1, number) for plan in step.programs)
    return step.slot(number) == given and carries_in_place(step, number)


def carries_in_place(step: ControlStep, number: int) -> bool:
    """Returns whether the body of a loop can update a carried value in place."""
    body = step.programs[-1]
    return can_alias(body, len(body.inputs) - _behind(step) + number, number)


def _behind(step: ControlStep) -> int:
    """Returns the number of inputs from the first carried value on."""
    return len(step.inputs) - step.first


Names = Mapping[Buffer, Buffer]


def rename_buffers(step: PlanStep, names: Names) -> PlanStep | None:
    """Returns a step with renamed buffers; None if it then has no stores left."""
    if isinstance(step, NestStep):
        if not any(buffer in names for buffer in step.nest.buffers):
            return step
        nest = _nest(step.nest, names)
        return None if nest is None else NestStep(checked(nest))
    changed: dict[str, Any] = {}
    for each in fields(step):
        old = getattr(step, each.name)
        new = _value(old, names)
        if new is not old:
            changed[each.name] = new
    return replace(step, **changed) if changed else step


def _value(value: object, names: Names) -> Any:
    """Returns a field of a step with renamed buffers."""
    if isinstance(value, Buffer):
        return names.get(value, value)
    if isinstance(value, tuple):
        old = cast("tuple[Any, ...]", value)
        new = tuple(_value(each, names) for each in old)
        return old if all(x is y for x, y in zip(old, new, strict=True)) else new
    return value


def _nest(nest: Nest, names: Names) -> Nest | None:
    sweeps = [_sweep(sweep, names) for sweep in nest.sweeps]
    if not any(sweep.stores for sweep in sweeps):
        return None
    return Nest(nest.extents, nest.outer, tuple(sweeps))


def _sweep(sweep: Sweep, names: Names) -> Sweep:
    def rename(each: Instruction) -> Instruction:
        if isinstance(each, Load) and each.buffer in names:
            return replace(each, buffer=names[each.buffer])
        return each

    instructions = tuple(map(rename, sweep.instructions))
    stores = [replace(s, buffer=names.get(s.buffer, s.buffer)) for s in sweep.stores]
    stores = [s for s in stores if not _puts_back(s, instructions)]
    return replace(sweep, instructions=instructions, stores=tuple(stores))


def _puts_back(store: Store, instructions: tuple[Instruction, ...]) -> bool:
    """Returns whether a store writes the value loaded from the same place.

    A second store of the sweep to that place would make the order of the two matter; the loop
    verifier allows no such sweeps.
    """
    return instructions[store.register] == Load(store.buffer, store.offset, store.dynamic)


class Lifetimes:
    """The steps that read and write each buffer."""

    def __init__(self, steps: Sequence[PlanStep]) -> None:
        self.steps = steps
        self.reads: dict[Buffer, list[int]] = {}
        self.writes: dict[Buffer, list[int]] = {}
        for number, step in enumerate(steps):
            for buffer in read_by(step):
                self.reads.setdefault(buffer, []).append(number)
            for buffer in written_by(step):
                self.writes.setdefault(buffer, []).append(number)

    def span(self, buffer: Buffer) -> tuple[float, float]:
        """Returns the first step that writes a buffer, and the last that needs it.

        Inputs have values before the first step; results are needed behind the last.
        """
        numbers = [*self.reads.get(buffer, ()), *self.writes.get(buffer, ())]
        begin = -1 if buffer.role in ("in", "constant") else min(numbers, default=math.inf)
        end = math.inf if buffer.role == "out" else max(numbers, default=-1)
        return begin, end
