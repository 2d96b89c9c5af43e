"""Conflicts: whether the positions of a nest are free of each other, as far as they have to be.

Positions are done in vectors and by threads, in any order. So what one position stores, no other
one may load or store; within a position what a sweep stores, sweeps behind it may load, and it may
load itself before. Axes along which a store goes to one place again and again, or to a place that
is found at run time, are done in turn, and only such stores may load what they change.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Instruction,
    Load,
    Nest,
    Operation,
    Position,
    Store,
    Sweep,
)
from oakum.compile.plan_verify.errors import demand
from oakum.values import host
from oakum.values.records import dataclass

_MOST: Final = 1 << 14
"""So many positions are looked at; of longer axes the first ones are, which meet each other too."""


@dataclass(frozen=True, slots=True)
class _Access:
    sweep: int
    axes: tuple[int, ...]
    each: Load | Store


def verify_nest(nest: Nest) -> None:
    """Raises `PlanError` where positions of a nest are in each other's way."""
    if math.prod(nest.extents) <= 1:
        return
    stores, loads = _accesses(nest)
    for buffer, written in stores.items():
        read = loads.get(buffer, [])
        if len(written) == 1 and not read and _is_apart(written[0], nest.extents):
            continue
        _verify_buffer(nest, buffer, written, read)


def _accesses(nest: Nest) -> tuple[dict[Buffer, list[_Access]], dict[Buffer, list[_Access]]]:
    stores: dict[Buffer, list[_Access]] = {}
    loads: dict[Buffer, list[_Access]] = {}
    for number, sweep in enumerate(nest.sweeps):
        axes = (*nest.outer, *sweep.axes)
        for store in sweep.stores:
            if store.buffer.role != "stage":
                stores.setdefault(store.buffer, []).append(_Access(number, axes, store))
    for number, sweep in enumerate(nest.sweeps):
        axes = (*nest.outer, *sweep.axes)
        for each in sweep.instructions:
            if isinstance(each, Load) and each.buffer in stores:
                loads.setdefault(each.buffer, []).append(_Access(number, axes, each))
    return stores, loads


def _is_apart(access: _Access, extents: Sequence[int]) -> bool:
    """Returns whether a store goes to another place at each position, found without looking at
    them.
    """
    if access.each.dynamic is not None:
        return False
    reach = 0
    for axis in sorted(access.axes, key=lambda a: abs(access.each.offset.coefficient(a))):
        step = abs(access.each.offset.coefficient(axis))
        if extents[axis] > 1 and step <= reach:
            return False
        reach += step * (extents[axis] - 1)
    return True


def _verify_buffer(
    nest: Nest, buffer: Buffer, stores: Sequence[_Access], loads: Sequence[_Access]
) -> None:
    in_turn = {store: _in_turn(nest, store) for store in stores}
    if any(store.each.dynamic is not None or in_turn[store] for store in stores):
        same = {(store.sweep, store.each.offset, store.each.dynamic) for store in stores}
        for load in loads:
            is_own = (load.sweep, load.each.offset, load.each.dynamic) in same
            demand(is_own, f"{buffer} is loaded at [{load.each.offset}] while it is changed")
        return
    extents = _clip(nest.extents)
    np = host.np
    places = {access: _places(access, extents) for access in (*stores, *loads)}
    size = 1 + max(int(place.max()) for place in places.values())
    outer, inner = np.full(size, -1), np.full(size, -1)
    for store in stores:
        for access in (*stores, *loads):
            # What another sweep touches has to be of the same position of the outer axes; what
            # this one does, of the very position.
            where = inner if access.sweep == store.sweep else outer
            count = len(access.axes if where is inner else nest.outer)
            own, other = places[store], places[access]
            where[own.reshape(-1)] = _numbers(store, extents, count).reshape(-1)
            found = where[other]
            mine = (found == -1) | (found == _numbers(access, extents, count))
            where[own.reshape(-1)] = -1
            word = "stores" if isinstance(access.each, Store) else "loads"
            demand(
                bool(mine.all()),
                f"one position {word} in {buffer} at [{access.each.offset}] what another one "
                f"stores at [{store.each.offset}]",
            )


def _in_turn(nest: Nest, access: _Access) -> frozenset[int]:
    """Returns the axes along which a store does not move: its positions are done in turn."""
    moved = {axis for axis, _ in access.each.offset.terms}
    return frozenset(a for a in access.axes if nest.extents[a] > 1 and a not in moved)


def _clip(extents: Sequence[int]) -> list[int]:
    found = list(extents)
    while math.prod(found) > _MOST:
        longest = max(range(len(found)), key=lambda a: found[a])
        found[longest] = (found[longest] + 1) // 2
    return found


def _places(access: _Access, extents: Sequence[int]) -> Any:
    """Returns the numbers of the elements at all positions, counted from the least."""
    np, shape = host.np, tuple(extents[a] for a in access.axes)
    total = np.full(shape, access.each.offset.constant)
    for place, axis in enumerate(access.axes):
        along = np.arange(extents[axis]) * access.each.offset.coefficient(axis)
        total += along.reshape((-1,) + (1,) * (len(shape) - place - 1))
    return total


def _numbers(access: _Access, extents: Sequence[int], count: int) -> Any:
    """Returns the number of each position, of the first so many axes."""
    np, shape = host.np, tuple(extents[a] for a in access.axes)
    first = math.prod(shape[:count])
    numbers = np.arange(first).reshape(shape[:count] + (1,) * (len(shape) - count))
    return np.broadcast_to(numbers, shape)


# Threads.


class Sharing(Protocol):
    """How threads share a nest: what a schedule says of it."""

    @property
    def parallel(self) -> int | None:
        """The outer axis of which threads share the positions; None where they do not."""
        ...

    @property
    def order(self) -> tuple[int, ...]:
        """The outer axes, outermost first."""
        ...

    @property
    def unit(self) -> int:
        """Threads get multiples of so many positions."""
        ...


def verify_shares(nest: Nest, how: Sharing) -> None:
    """Raises `PlanError` where threads that share the positions of an axis write to one place."""
    if how.parallel is None:
        return
    axis = how.parallel
    demand(axis in nest.outer and how.order[:1] == (axis,), f"threads share a{axis}, an inner axis")
    demand(how.unit >= 1, f"threads get {how.unit} positions")
    stores, _ = _accesses(nest)
    for buffer, accesses in stores.items():
        for access in accesses:
            own = access.each.offset
            shared = f"threads that share a{axis} write one place of {buffer} at [{own}]"
            demand(own.coefficient(axis) != 0, shared)
            found = access.each.dynamic
            if found is not None:
                moves = _moving(nest.sweeps[access.sweep])[found]
                demand(axis not in moves, f"{shared}, which is found at run time")
            else:
                demand(_share_apart(access, nest.extents, axis), shared)


def _moving(sweep: Sweep) -> list[frozenset[int]]:
    """Returns the axes on which each register depends."""
    found: list[frozenset[int]] = []
    for each in sweep.instructions:
        named = frozenset(axis for value in _sums(each) for axis, _ in value.terms)
        found.append(named.union(*(found[register] for register in _operands(each))))
    return found


def _sums(each: Instruction) -> Iterator[Affine]:
    match each:
        case Load():
            yield each.offset
        case Position():
            yield each.value
        case _:
            return


def _operands(each: Instruction) -> tuple[int, ...]:
    match each:
        case Load(_, _, dynamic):
            return () if dynamic is None else (dynamic,)
        case Operation():
            return each.operands
        case _:
            return ()


def _share_apart(access: _Access, extents: Sequence[int], axis: int) -> bool:
    """Returns whether positions of an axis store apart, wherever the other axes are."""
    if _is_apart(access, extents):
        return True
    others = {a: abs(access.each.offset.coefficient(a)) for a in access.axes if a != axis}
    step = abs(access.each.offset.coefficient(axis))
    # Axes that move by multiples of all that this one covers meet no other position of it.
    near = {a: s for a, s in others.items() if s % (step * extents[axis])}
    return sum(s * (extents[a] - 1) for a, s in near.items()) < step
