"""Overwriting: whether a step may put a result where one of its operands is.

A nest may where each element is read by nothing but the position that writes it, in the sweep that
does or an earlier one: within a sweep all that is loaded at a position is loaded before anything is
stored there, whatever the order of the positions, their vectors and their threads. A loop may where
the program of a round may, from what a round is given to what it hands on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from oakum.compile.loops.affine import Affine
from oakum.compile.loops.loop_ir import Buffer, Load, Nest, Store
from oakum.compile.plan.lifetimes import Lifetimes
from oakum.compile.plan.steps import ControlStep, NestStep, Plan, PlanStep
from oakum.primitives.rules.lowering import Branched


def can_overwrite(step: PlanStep, operand: Buffer, result: Buffer) -> bool:
    """Whether the result of a step may lie in the memory of an operand that it is the last to
    read.
    """
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
    """Whether a program may put a result where one of its inputs is given."""
    operand, to = plan.inputs[given], plan.outputs[result]
    if (operand.dtype, operand.size) != (to.dtype, to.size):
        return False
    return dies_before(Lifetimes(plan.steps), operand, to)


def dies_before(lifetimes: Lifetimes, operand: Buffer, result: Buffer) -> bool:
    """Whether nobody needs a buffer any more when another one gets values of its own.

    A copy of the first has none yet: until it is changed, both may be one. What has no elements
    never gets any, so nothing says when that is: it shares no memory.
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
    """Whether a step does nothing to a buffer but to copy another one to it, as a whole."""
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
    """Whether an offset is another one for each position of the axes."""
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
    """Whether the rounds of a loop hand a value on in the memory where they find it."""
    body = step.programs[-1]
    return can_alias(body, len(body.inputs) - _behind(step) + number, number)


def _behind(step: ControlStep) -> int:
    """How many inputs a round has from the first carried value on."""
    return len(step.inputs) - step.first
