"""Buffer aliasing: whether a step may write a result over one of its operands.

A nest may if each element is read only by the position that writes it, in the same sweep or an
earlier one: at each position a sweep does all of its loads before its stores, whatever the order of
positions, vectors and threads. A loop may if its body may, from a carried input to the carried
output.
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
