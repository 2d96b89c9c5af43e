"""Copy elision: steps with renamed buffers, without stores that then write back what they read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from oakum.compile.loops.loop_ir import Buffer, Instruction, Load, Nest, Store, Sweep
from oakum.compile.loops.loop_verifier import checked
from oakum.compile.plan.steps import NestStep, PlanStep
from oakum.values.records import fields, replace

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
