"""Faults of compilers, planted in finished plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Load,
    Nest,
    Operation,
    Store,
    Sweep,
)
from oakum.compile.plan.buffer_assignment import Lifetimes
from oakum.compile.plan.steps import (
    AccumulationStep,
    ContractionStep,
    ControlStep,
    HostStep,
    KernelStep,
    NestStep,
    Plan,
    read_by,
    written_by,
)

Change = Callable[[Plan, int], bool]
"""Changes a step of a plan; tells whether there was something to change."""


def plans(plan: Plan) -> Iterator[Plan]:
    """The plans in a plan, the innermost first, and it."""
    for step in plan.steps:
        if isinstance(step, ControlStep):
            for program in step.programs:
                yield from plans(program)
    yield plan


def plant(plan: Plan, change: Change) -> bool:
    """Makes the first change that can be made."""
    return any(change(each, number) for each in plans(plan) for number in range(len(each.steps)))


def _in_nests(change: Callable[[Plan, Nest], Nest | None]) -> Change:
    def changed(plan: Plan, number: int) -> bool:
        step = plan.steps[number]
        new = change(plan, step.nest) if isinstance(step, NestStep) else None
        if new is not None:
            plan.steps[number] = NestStep(new)
        return new is not None

    return changed


def _in_sweeps(change: Callable[[Plan, Sweep], Sweep | None]) -> Change:
    def changed(plan: Plan, nest: Nest) -> Nest | None:
        for place, sweep in enumerate(nest.sweeps):
            new = change(plan, sweep)
            if new is not None:
                return replace(nest, sweeps=(*nest.sweeps[:place], new, *nest.sweeps[place + 1 :]))
        return None

    return _in_nests(changed)


def _other_instruction(
    change: Callable[[Plan, Constant | Load | Operation], Constant | Load | Operation | None],
) -> Change:
    def changed(plan: Plan, sweep: Sweep) -> Sweep | None:
        for place, each in enumerate(sweep.instructions):
            new = change(plan, each) if isinstance(each, (Constant, Load, Operation)) else None
            if new is not None:
                all_of_them = list(sweep.instructions)
                all_of_them[place] = new
                return replace(sweep, instructions=tuple(all_of_them))
        return None

    return _in_sweeps(changed)


def _other_store(change: Callable[[Plan, Store], Store | None]) -> Change:
    def changed(plan: Plan, sweep: Sweep) -> Sweep | None:
        for place, each in enumerate(sweep.stores):
            new = change(plan, each) if each.buffer.role != "stage" else None
            if new is not None:
                stores = (*sweep.stores[:place], new, *sweep.stores[place + 1 :])
                return replace(sweep, stores=stores)
        return None

    return _in_sweeps(changed)


@_other_instruction
def wrong_constant(plan: Plan, each: Constant | Load | Operation) -> Constant | None:
    """A number in the code is another one."""
    if not isinstance(each, Constant) or isinstance(each.value, bool):
        return None
    return replace(each, value=each.value + 1)


@_other_instruction
def wrong_operation(plan: Plan, each: Constant | Load | Operation) -> Operation | None:
    """An operation is another one."""
    others = {"add": "sub", "sub": "add", "mul": "add", "max": "min", "lt": "ge", "eq": "ne"}
    if not isinstance(each, Operation) or each.name not in others:
        return None
    return replace(each, name=others[each.name])


def _moved(offset: Affine, by: int) -> Affine:
    return Affine(offset.terms, offset.constant + by)


@_other_instruction
def wrong_offset_of_a_load(plan: Plan, each: Constant | Load | Operation) -> Load | None:
    """An element is read one place further."""
    if not isinstance(each, Load) or each.buffer.size < 2 or each.buffer.role == "stage":
        return None
    return replace(each, offset=_moved(each.offset, 1))


@_other_store
def wrong_offset_of_a_store(plan: Plan, each: Store) -> Store | None:
    """Elements are written one place further: the last one behind the end."""
    return replace(each, offset=_moved(each.offset, 1))


@_other_store
def store_before_the_beginning(plan: Plan, each: Store) -> Store | None:
    """Elements are written some places before: into what lies there."""
    return replace(each, offset=_moved(each.offset, -3))


def _unwritten(plan: Plan, nest: Nest) -> Nest | None:
    """The last element of the first axis is left out."""
    if not nest.extents or not nest.outer or nest.extents[nest.outer[0]] < 3:
        return None
    axis = nest.outer[0]
    extents = list(nest.extents)
    extents[axis] -= 1
    return replace(nest, extents=tuple(extents))


last_element_not_written: Change = _in_nests(_unwritten)


def step_left_out(plan: Plan, number: int) -> bool:
    """A step does nothing."""
    step = plan.steps[number]
    if not isinstance(step, NestStep):
        return False
    sweeps = tuple(replace(sweep, stores=()) for sweep in step.nest.sweeps)
    plan.steps[number] = NestStep(replace(step.nest, sweeps=sweeps))
    return True


@_other_instruction
def read_of_unwritten_scratch(plan: Plan, each: Constant | Load | Operation) -> Load | None:
    """Memory is read that no step writes."""
    if not isinstance(each, Load) or each.buffer.role == "stage":
        return None
    buffer = plan.temporary(each.buffer.dtype, each.buffer.size)
    plan.offsets[buffer] = -(-plan.arena_bytes // 64) * 64
    plan.arena_bytes = plan.offsets[buffer] + max(buffer.nbytes, 1)
    return replace(each, buffer=buffer)


def read_before_it_is_written(plan: Plan, number: int) -> bool:
    """A value is taken from where a later step puts it."""
    step = plan.steps[number]
    later = [b for each in plan.steps[number + 1 :] for b in written_by(each) if b.role != "stage"]
    earlier = {b for each in plan.steps[: number + 1] for b in written_by(each)}
    if not isinstance(step, NestStep):
        return False
    for old in read_by(step):
        for new in later:
            if new not in earlier and (new.dtype, new.size) == (old.dtype, old.size):
                plan.steps[number] = NestStep(step.nest.with_buffers({old: new}))
                return True
    return False


def shared_scratch(plan: Plan, number: int) -> bool:
    """Two values that are needed at once lie in one place."""
    temporaries = sorted(plan.offsets, key=lambda b: b.number)
    for one in temporaries:
        for two in temporaries:
            if plan.offsets[one] != plan.offsets[two] and _meet(plan, one, two):
                plan.offsets[two] = plan.offsets[one]
                return True
    return False


def _meet(plan: Plan, one: Buffer, two: Buffer) -> bool:
    lifetimes = Lifetimes(plan.steps)
    (begin, end), (first, last) = lifetimes.span(one), lifetimes.span(two)
    return begin < first < end and bool(lifetimes.reads.get(one)) and last > first


def steps_swapped(plan: Plan, number: int) -> bool:
    """A step runs before the one that writes what it reads."""
    if number == 0 or plan.history is None:
        return False
    before, step = plan.steps[number - 1], plan.steps[number]
    if set(written_by(before)).isdisjoint(read_by(step)):
        return False
    plan.steps[number - 1 : number + 1] = [step, before]
    return True


def reversed_accumulation(plan: Plan, number: int) -> bool:
    """A running sum begins at the other end."""
    step = plan.steps[number]
    if not isinstance(step, AccumulationStep):
        return False
    problem = replace(step.problem, reverse=not step.problem.reverse)
    plan.steps[number] = replace(step, problem=problem)
    return True


def factors_swapped(plan: Plan, number: int) -> bool:
    """A product takes its operands the wrong way."""
    step = plan.steps[number]
    if not isinstance(step, ContractionStep) or step.lhs.size != step.rhs.size:
        return False
    plan.steps[number] = replace(step, lhs=step.rhs, rhs=step.lhs)
    return True


def kernel_of_other_memory(plan: Plan, number: int) -> bool:
    """A kernel works on an operand that is not its own."""
    step = plan.steps[number]
    if not isinstance(step, KernelStep) or len(step.operands) < 2:
        return False
    plan.steps[number] = replace(step, operands=step.operands[::-1])
    return True


def host_results_swapped(plan: Plan, number: int) -> bool:
    """The host puts what it computes where something else has to be."""
    step = plan.steps[number]
    if not isinstance(step, HostStep) or len(step.outputs) < 2:
        return False
    plan.steps[number] = replace(step, outputs=step.outputs[::-1])
    return True


def carried_values_swapped(plan: Plan, number: int) -> bool:
    """A loop is given what it carries in the wrong order."""
    step = plan.steps[number]
    if not isinstance(step, ControlStep) or step.carried < 2:
        return False
    first, second, *others = step.inputs[step.first :]
    plan.steps[number] = replace(step, inputs=(*step.inputs[: step.first], second, first, *others))
    return True


def branches_swapped(plan: Plan, number: int) -> bool:
    """A branch runs the program of the other one."""
    step = plan.steps[number]
    if not isinstance(step, ControlStep) or step.eqn.primitive.name != "cond":
        return False
    plan.steps[number] = replace(step, programs=step.programs[::-1])
    return True
