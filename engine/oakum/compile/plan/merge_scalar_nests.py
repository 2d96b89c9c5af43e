"""Merges neighbouring nests of one position.

Loop bodies that change an element or two consist of such nests. Values between them then stay in
registers, and dead stores go.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum.compile.loops.loop_ir import Buffer, Instruction, Load, Nest, Operation, Store, Sweep
from oakum.compile.plan.steps import NestStep, PlanStep, read_by
from oakum.values.records import replace

_LONGEST = 400
"""The most instructions of a merged nest, which bounds the time that LLVM takes for one function.
Chosen by judgement, like the limit on epilogues.
"""


def merge_scalar_nests(steps: Sequence[PlanStep]) -> tuple[list[PlanStep], list[int]]:
    """Returns the steps with neighbours merged, and for each old step the number of the new one."""
    found: list[PlanStep] = []
    places: list[int] = []
    for step in steps:
        last = found[-1] if found else None
        if isinstance(step, NestStep) and isinstance(last, NestStep):
            nest = _merge(last.nest, step.nest)
            if nest is not None:
                found[-1] = NestStep(nest)
                places.append(len(found) - 1)
                continue
        found.append(step)
        places.append(len(found) - 1)
    if len(found) == len(steps):
        return found, places
    read = {buffer for step in found for buffer in read_by(step)}
    return [_without_dead_stores(step, read) for step in found], places


def _merge(first: Nest, second: Nest) -> Nest | None:
    """Returns one nest for two; None if their order matters or it would be too long."""
    one, two = _only_sweep(first), _only_sweep(second)
    if one is None or two is None:
        return None
    if len(one.instructions) + len(two.instructions) > _LONGEST:
        return None
    instructions = list(one.instructions)
    numbers: list[int] = []
    for each in two.instructions:
        known: int | None = None
        if isinstance(each, Load):
            stores = [store for store in one.stores if store.buffer == each.buffer]
            if any(store.dynamic is not None for store in stores):
                return None
            if stores and each.dynamic is not None:
                return None
            same = [store.register for store in stores if store.offset == each.offset]
            known = same[-1] if same else None
        if known is None:
            known = len(instructions)
            instructions.append(_renumber(each, numbers))
        numbers.append(known)
    stores = [
        Store(
            store.buffer,
            store.offset,
            numbers[store.register],
            None if store.dynamic is None else numbers[store.dynamic],
        )
        for store in two.stores
    ]
    return Nest((), (), (Sweep((), tuple(instructions), (*one.stores, *stores)),))


def _only_sweep(nest: Nest) -> Sweep | None:
    """Returns the sweep of a nest that only computes and stores at one position; None for other
    nests.
    """
    if nest.extents or len(nest.sweeps) != 1:
        return None
    (sweep,) = nest.sweeps
    return None if sweep.reduces or _has_stage(sweep) else sweep


def _has_stage(sweep: Sweep) -> bool:
    return any(store.buffer.role == "stage" for store in sweep.stores)


def _renumber(each: Instruction, numbers: Sequence[int]) -> Instruction:
    match each:
        case Load(_, _, dynamic) if dynamic is not None:
            return replace(each, dynamic=numbers[dynamic])
        case Operation():
            return replace(each, operands=tuple(numbers[r] for r in each.operands))
        case _:
            return each


def _without_dead_stores(step: PlanStep, read: set[Buffer]) -> PlanStep:
    """Returns a nest of one position without stores to temporary buffers that nothing reads."""
    if not isinstance(step, NestStep) or _only_sweep(step.nest) is None:
        return step
    (sweep,) = step.nest.sweeps
    stores = tuple(s for s in sweep.stores if s.buffer.role != "temporary" or s.buffer in read)
    return NestStep(replace(step.nest, sweeps=(replace(sweep, stores=stores),)))
