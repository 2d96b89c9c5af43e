"""Nests over symbols: the effect of a nest on memory, without computing numbers.

A stored symbol follows from all symbols loaded at the position, and from the instruction; moved
values keep their symbols. A run-time position is any position, the same for the same symbols. Nests
of one position are followed instruction by instruction, so that merged nests give the symbols of
separate ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Instruction,
    Load,
    Nest,
    Operation,
    Position,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.plan_verify.errors import PlanError
from oakum.compile.plan_verify.symbols import NOTHING, Memory, mix, mix_arrays, symbol_of
from oakum.values import host

Find = Callable[[Buffer], tuple[Memory, int]]
"""Returns the memory of a buffer, and the cells of an element."""

Wrote = Callable[[Any], None]
"""Takes the symbols that are stored."""


def run_nest(nest: Nest, find: Find, wrote: Wrote) -> None:
    """Carries out a nest; raises `PlanError` where it reads what was never written."""
    if not nest.extents:
        _Single(find, wrote).run(nest)
    elif all(nest.extents[a] for a in nest.outer):
        _Many(nest, find, wrote).run()


class _Single:
    """A nest of one position."""

    def __init__(self, find: Find, wrote: Wrote) -> None:
        self._find = find
        self._wrote = wrote
        self._slots: dict[int, int] = {}
        self._stages: dict[tuple[Buffer, int], int] = {}

    def run(self, nest: Nest) -> None:
        for sweep in nest.sweeps:
            registers: list[int] = []
            for each in sweep.instructions:
                registers.append(self._symbol(each, registers))
            for store in sweep.stores:
                self._store(store, registers)
            for reduce in sweep.reduces:
                self._slots[reduce.slot] = registers[reduce.register]
            for keep in sweep.keeps:
                self._slots[keep.slot] = registers[keep.register]

    def _symbol(self, each: Instruction, registers: list[int]) -> int:
        match each:
            case Constant():
                return symbol_of(each)
            case Load():
                return self._load(each, registers)
            case Position(value, dtype):
                return symbol_of(value.constant, dtype)
            case Slot(number, _):
                return self._slots[number]
            case Operation(name, operands, dtype, params):
                found = symbol_of(name, dtype, params)
                for register in operands:
                    found = mix(found, registers[register])
                return found

    def _place(self, each: Load | Store, registers: list[int]) -> int:
        if each.dynamic is None:
            return each.offset.constant
        return (each.offset.constant + registers[each.dynamic]) % max(each.buffer.size, 1)

    def _load(self, load: Load, registers: list[int]) -> int:
        place = self._place(load, registers)
        if load.buffer.role == "stage":
            return self._stages[load.buffer, place]
        memory, width = self._find(load.buffer)
        found = int(memory.read(host.np.array([place]), width)[0])
        if found == NOTHING:
            raise PlanError(f"{load.buffer} is read at {place}, which was never written")
        return found

    def _store(self, store: Store, registers: list[int]) -> None:
        place, symbol = self._place(store, registers), registers[store.register]
        if store.buffer.role == "stage":
            self._stages[store.buffer, place] = symbol
            return
        memory, width = self._find(store.buffer)
        symbols = host.np.array([symbol], host.np.uint64)
        memory.write(host.np.array([place]), width, symbols)
        self._wrote(symbols)


class _Many:
    """A nest of many positions, all of them at once."""

    def __init__(self, nest: Nest, find: Find, wrote: Wrote) -> None:
        self.nest = nest
        self._find = find
        self._wrote = wrote
        self.outer = math.prod(nest.extents[a] for a in nest.outer)
        self.slots: dict[int, Any] = {}
        self._stages: dict[Buffer, Any] = {}

    def run(self) -> None:
        for number, sweep in enumerate(self.nest.sweeps):
            _SweepRun(self, number, sweep).run()

    def read(self, buffer: Buffer, places: host.Array, rows: host.Array) -> Any:
        if buffer.role == "stage":
            return self._stages[buffer][rows, places]
        memory, width = self._find(buffer)
        found = memory.read(places, width)
        never = found == host.np.uint64(NOTHING)
        if never.any():
            place = int(places[never][0])
            raise PlanError(f"{buffer} is read at {place}, which was never written")
        return found

    def write(
        self, buffer: Buffer, places: host.Array, rows: host.Array, symbols: host.Array
    ) -> None:
        if buffer.role == "stage":
            stage = self._stages.get(buffer)
            if stage is None:
                shape = (self.outer, buffer.size)
                stage = self._stages[buffer] = host.np.zeros(shape, host.np.uint64)
            stage[rows, places] = symbols
            return
        memory, width = self._find(buffer)
        memory.write(places, width, symbols)
        self._wrote(symbols)


class _SweepRun:
    def __init__(self, many: _Many, number: int, sweep: Sweep) -> None:
        np, extents = host.np, many.nest.extents
        self._many = many
        self._sweep = sweep
        self._axes = (*many.nest.outer, *sweep.axes)
        self._shape = tuple(extents[a] for a in self._axes)
        self._count = math.prod(self._shape)
        inner = max(self._count // max(many.outer, 1), 1)
        self._rows = np.arange(self._count) // inner
        own = (extents, number, tuple(map(_kind, sweep.instructions)))
        self._symbols = mix_arrays(np.arange(self._count, dtype=np.uint64), symbol_of(own))
        self._moved: dict[int, Any] = {}
        """What a load found."""
        self._dynamic: dict[int, Any] = {}
        """What is added to the places of elements."""

    def run(self) -> None:
        many, sweep = self._many, self._sweep
        if not self._count:
            # A sum of nothing is a number of its own.
            nothing = host.np.full(many.outer, symbol_of("nothing"), host.np.uint64)
            many.slots.update((reduce.slot, nothing) for reduce in sweep.reduces)
            return
        for number, each in enumerate(sweep.instructions):
            match each:
                case Load():
                    found = many.read(each.buffer, self._places(each), self._rows)
                case Slot():
                    found = many.slots[each.number][self._rows]
                case _:
                    continue
            self._moved[number] = found
            self._symbols = mix_arrays(self._symbols, found)
        results = [
            (store, self._places(store), self._result(store.register)) for store in sweep.stores
        ]
        for store, places, symbols in results:
            many.write(store.buffer, places, self._rows, symbols)
        for reduce in sweep.reduces:
            each = mix_arrays(self._symbols, reduce.register)
            shape = (many.outer, -1)
            many.slots[reduce.slot] = each.reshape(shape).sum(axis=1, dtype=host.np.uint64)
        for keep in sweep.keeps:
            many.slots[keep.slot] = self._result(keep.register)

    def _result(self, register: int) -> Any:
        moved = self._moved.get(register)
        return mix_arrays(self._symbols, register) if moved is None else moved

    def _places(self, each: Load | Store) -> Any:
        places = self._sum(each.offset)
        if each.dynamic is None:
            return places
        found = self._dynamic.get(each.dynamic)
        if found is None:
            found = self._dynamic[each.dynamic] = mix_arrays(self._symbols, each.dynamic)
        size = max(each.buffer.size, 1)
        return (places + (found % host.np.uint64(size)).astype(host.np.int64)) % size

    def _sum(self, value: Affine) -> Any:
        np, shape = host.np, self._shape
        total = np.full(shape, value.constant)
        for place, axis in enumerate(self._axes):
            step = value.coefficient(axis)
            if step:
                along = np.arange(shape[place]) * step
                total += along.reshape((-1,) + (1,) * (len(shape) - place - 1))
        return total.reshape(-1)


def _kind(each: Instruction) -> object:
    """What an instruction does, wherever in memory."""
    match each:
        case Load(_, offset, dynamic):
            return offset, dynamic
        case _:
            return each
