"""Neighbours: nests of one position that come one after another become one.

Rounds of loops that change an element or two are made of such nests. What one hands to the next
then stays in a register, and does not go through memory where nobody else reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum.compile.loops.loop_ir import Buffer, Instruction, Load, Nest, Operation, Store, Sweep
from oakum.compile.plan.steps import NestStep, PlanStep, read_by
from oakum.values.records import replace

_LONGEST = 400
"""The most instructions of nests that are put together."""


def merge_scalar_nests(steps: Sequence[PlanStep]) -> tuple[list[PlanStep], list[int]]:
    """The steps with neighbours put together where that means the same, and for each of the given
    ones the number of what it has become part of.
    """
    found: list[PlanStep] = []
    places: list[int] = []
    for step in steps:
        last = found[-1] if found else None
        if isinstance(step, NestStep) and isinstance(last, NestStep):
            nest = _merged(last.nest, step.nest)
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


def _merged(first: Nest, second: Nest) -> Nest | None:
    """One nest that does what two do; None where that cannot be, or is too long."""
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
            instructions.append(_renumbered(each, numbers))
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
    """The sweep of a nest that does nothing but to compute and store at one position."""
    if nest.extents or len(nest.sweeps) != 1:
        return None
    (sweep,) = nest.sweeps
    return None if sweep.reduces or _has_stage(sweep) else sweep


def _has_stage(sweep: Sweep) -> bool:
    return any(store.buffer.role == "stage" for store in sweep.stores)


def _renumbered(each: Instruction, numbers: Sequence[int]) -> Instruction:
    match each:
        case Load(_, _, dynamic) if dynamic is not None:
            return replace(each, dynamic=numbers[dynamic])
        case Operation():
            return replace(each, operands=tuple(numbers[r] for r in each.operands))
        case _:
            return each


def _without_dead_stores(step: PlanStep, read: set[Buffer]) -> PlanStep:
    """A nest of one position without what it stores for nobody."""
    if not isinstance(step, NestStep) or _only_sweep(step.nest) is None:
        return step
    (sweep,) = step.nest.sweeps
    stores = tuple(s for s in sweep.stores if s.buffer.role != "temporary" or s.buffer in read)
    return NestStep(replace(step.nest, sweeps=(replace(sweep, stores=stores),)))
