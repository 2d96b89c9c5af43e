"""Scatters: stores at places that are found at run time, several of them to one place.

The loop IR has them as a load, an operation and a store of one place; where a GPU combines with
memory in one instruction, threads may do them in any order. Other such stores stay in order, and
with them the axes along which they could meet.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import (
    Constant,
    Instruction,
    Load,
    Monoid,
    Nest,
    Operation,
    Position,
    Store,
    Sweep,
)
from oakum.compile.loops.ordered_axes import ordered_axes
from oakum.compile.nvptx.codegen.gpu_kernel import has_atomic
from oakum.values.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Update:
    """What a store combines with what is in memory: a register, where a condition holds."""

    monoid: Monoid
    register: int
    condition: int | None


def update_of(sweep: Sweep, store: Store) -> Update | None:
    """Returns the update that a store is: of `select(condition, combine(there, x), there)`, or of
    `combine(there, x)`; None for other stores.
    """
    code, register, condition = sweep.instructions, store.register, None
    there = Load(store.buffer, store.offset, store.dynamic)
    each = code[register]
    if isinstance(each, Operation) and each.name == "select" and code[each.operands[2]] == there:
        condition, register = each.operands[0], each.operands[1]
        each = code[register]
    if not isinstance(each, Operation) or len(each.operands) != 2:
        return None
    first, second = each.operands
    if code[first] != there or not has_atomic(each.name, each.dtype):
        return None
    return Update(cast("Monoid", each.name), second, condition)


def are_updates(sweep: Sweep) -> bool:
    """Returns whether all that a sweep does is to update memory."""
    if sweep.axes or sweep.reduces or sweep.keeps or not sweep.stores:
        return False
    return all(update_of(sweep, store) is not None for store in sweep.stores)


def as_atomics(sweep: Sweep) -> tuple[Sweep, Mapping[Store, Monoid]]:
    """Returns a sweep of updates with what is to be combined in the place of the results, and how
    that is done. Where the condition does not hold, nothing changes: the neutral element is
    combined.
    """
    code: list[Instruction] = list(sweep.instructions)
    monoids: dict[Store, Monoid] = {}
    for store in sweep.stores:
        update = update_of(sweep, store)
        assert update is not None
        register = update.register
        if update.condition is not None:
            dtype = store.buffer.dtype
            code.append(Constant(_neutral(update.monoid, store), dtype))
            operands = (update.condition, register, len(code) - 1)
            code.append(Operation("select", operands, dtype))
            register = len(code) - 1
        monoids[replace(store, register=register)] = update.monoid
    return replace(sweep, instructions=tuple(code), stores=tuple(monoids)), monoids


def _neutral(monoid: Monoid, store: Store) -> complex:
    """Returns the neutral element; of sums of floats -0.0, which leaves -0.0 as it is."""
    if monoid == "add":
        found = operations.identity(monoid, store.buffer.dtype)
        return -0.0 if isinstance(found, float) else found
    return operations.identity(monoid, store.buffer.dtype)


def axes_in_order(nest: Nest) -> frozenset[int]:
    """Returns the axes that one thread has to go through: those that `ordered_axes` names, and
    those along which a store could meet another position's, whose places are found at run time.
    """
    found = ordered_axes(nest)
    if not found:
        return found
    for sweep in nest.sweeps:
        for store in sweep.stores:
            if store.dynamic is not None and any(a in found for a in _all_axes(nest, sweep)):
                found |= _meeting(nest, sweep, store, found)
    return found


def _all_axes(nest: Nest, sweep: Sweep) -> tuple[int, ...]:
    return (*nest.outer, *sweep.axes)


def _meeting(nest: Nest, sweep: Sweep, store: Store, ordered: frozenset[int]) -> frozenset[int]:
    """Returns the axes of which positions could reach from one dynamic place to the next."""
    assert store.dynamic is not None
    unit = _unit(sweep, store.dynamic)
    free = [(abs(c), a) for a, c in store.offset.terms if a not in ordered]
    reach = 0
    meeting: set[int] = set()
    for step, axis in sorted(free):
        reach += step * (nest.extents[axis] - 1)
        if nest.extents[axis] > 1 and reach >= unit:
            meeting.add(axis)
    return frozenset(meeting)


def _unit(sweep: Sweep, register: int) -> int:
    """Returns a number that an integer register is a multiple of."""
    units: list[int] = []
    for each in sweep.instructions[: register + 1]:
        match each:
            case Constant(value, _):
                units.append(abs(int(value.real)))
            case Position(value, _):
                units.append(math.gcd(value.constant, *[c for _, c in value.terms]))
            case Operation("mul", (a, b), _, _):
                units.append(units[a] * units[b])
            case Operation("add" | "sub", (a, b), _, _):
                units.append(math.gcd(units[a], units[b]))
            case Operation("select", (_, a, b), _, _):
                units.append(math.gcd(units[a], units[b]))
            case _:
                units.append(1)
    return units[register]
