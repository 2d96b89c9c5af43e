"""Sweeps as code: instructions, vectors, accumulators.

Instructions stand in the outermost loop that knows all axes they depend on, and are vectors only
where they depend on the vectorised axis.

A back end whose threads share the positions of a sweep overrides the hooks of `SweepWriter`: which
positions are gone through (`span`), what becomes of the total of one thread (`combine`), which
thread does what is done once (`once`), where elements are loaded from (`place`) and how they are
stored (`put`). By default one thread does all of it, in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.loops.interleaved_access import InterleavedLoad
from oakum.compile.loops.loop_ir import (
    Affine,
    Constant,
    Load,
    Operation,
    Position,
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.loops.nest_context import Cursor, NestContext
from oakum.compile.loops.summation import ChunkLoop, chunk_loops


class SweepWriter:
    """Writes one sweep at one position of the outer axes."""

    def __init__(self, owner: NestContext, sweep: Sweep, cursor: Cursor, width: int) -> None:
        self._owner = owner
        self._width = width
        self._f = owner.function
        self._sweep = sweep
        self._start = cursor
        axis = owner.vector_axis
        self._inner = axis is not None and axis in sweep.axes
        inner = [a for a in sweep.axes if a != axis]
        self._order = (*inner, axis) if self._inner and axis is not None else tuple(inner)
        self._depths, self._varies = self._analyse()
        self._interleaving = owner.interleaving(sweep)
        self._windows: dict[Load, Value] = {}
        """The vectors loaded last for interleaved loads."""
        self._chunks = self._chunk_loops()

    def _analyse(self) -> tuple[list[int], list[bool]]:
        """Returns for each instruction the loop that it stands in, and whether its lanes differ."""
        level = {axis: number + 1 for number, axis in enumerate(self._order)}
        vector = self._owner.vector_axis
        slots = {
            each.slot
            for sweep in self._owner.nest.sweeps
            for each in (*sweep.reduces, *sweep.keeps)
        }
        outer = vector is not None and vector in self._owner.nest.outer
        depths: list[int] = []
        varies: list[bool] = []
        for each in self._sweep.instructions:
            match each:
                case Load(_, offset, dynamic):
                    depth = max((level.get(a, 0) for a, _ in offset.terms), default=0)
                    wide = vector is not None and offset.coefficient(vector) != 0
                    if dynamic is not None:
                        depth, wide = max(depth, depths[dynamic]), wide or varies[dynamic]
                case Position(value, _):
                    depth = max((level.get(a, 0) for a, _ in value.terms), default=0)
                    wide = vector is not None and value.coefficient(vector) != 0
                case Operation(_, operands, _, _):
                    depth = max((depths[r] for r in operands), default=0)
                    wide = any(varies[r] for r in operands)
                case Slot(number, _):
                    depth, wide = 0, outer and number in slots
                case Constant():
                    depth, wide = 0, False
            depths.append(depth)
            varies.append(wide)
        return depths, varies

    def _chunk_loops(self) -> list[tuple[ChunkLoop, ...]]:
        """Returns the loops over each axis of the order."""
        extents, axis = self._owner.nest.extents, self._owner.vector_axis
        counts = [
            extents[each] // self._width if self._inner and each == axis else extents[each]
            for each in self._order
        ]
        if self.shares_positions:
            return [(ChunkLoop(1),) for _ in counts]
        return chunk_loops(self._sweep, counts)

    # Hooks.

    shares_positions = False
    """Whether threads share the positions of inner axes, each with a total of its own."""

    def span(self, axis: int, end: int, step: int) -> tuple[Index, Index, Index]:
        """Returns the first position, the end and the step of a loop over an inner axis; by default
        all positions up to `end`, `step` at a time.
        """
        return 0, end, step

    def position(self, axis: int, index: Index) -> Index:
        """Returns the position along an inner axis of a loop's index; by default the same."""
        del axis
        return index

    def combine(self, reduce: Reduce, total: Value) -> Value:
        """Returns the total of all threads, behind the loops of a sweep."""
        return total

    def once(self) -> AbstractContextManager[None]:
        """Guards the stores of a sweep without inner axes, which one thread has to do."""
        return nullcontext()

    def place(self, load: Load, cursor: Cursor) -> tuple[str, Index]:
        """Returns the address and the offset that an element is loaded from, without the offset
        that is found at run time.
        """
        return self._owner.pointer(load.buffer), self._owner.offset(load.offset, cursor)

    def put(self, store: Store, value: Value, offset: Index, mask: Value | None) -> None:
        """Stores a value, or the lanes of a vector side by side, at an offset in a buffer."""
        self._f.store(value, self._owner.pointer(store.buffer), offset, mask)

    # Loops.

    def write(self, given: dict[int, Value] | None = None) -> None:
        """Writes the loops, and leaves reduced and kept values in the slots; `given` are registers
        that exist already.
        """
        registers = dict(given or {})
        self._emit(0, self._start, registers)
        if not self._order:
            with self.once():
                self._finish(self._start, registers)
            for reduce in self._sweep.reduces:
                self._start.slots[reduce.slot] = self._read(registers, reduce.register, self._start)
        else:
            self._loops(registers)
        for keep in self._sweep.keeps:
            self._start.slots[keep.slot] = registers[keep.register]

    def write_once(self) -> list[Value]:
        """Writes one position of the sweep, and returns the values to be reduced."""
        registers: dict[int, Value] = {}
        for depth in range(len(self._order) + 1):
            self._emit(depth, self._start, registers)
        self._finish(self._start, registers)
        return [self._read(registers, r.register, self._start) for r in self._sweep.reduces]

    def _loops(self, registers: dict[int, Value]) -> None:
        outer_width = self._start.width
        wide = self._width if self._inner else outer_width
        starts = [self._identity(reduce, wide) for reduce in self._sweep.reduces]
        single = self._needs_singles()
        singles = [self._identity(reduce, 1) for reduce in self._sweep.reduces] if single else []
        results = self._level(0, self._start, registers, [*starts, *singles])
        for number, reduce in enumerate(self._sweep.reduces):
            total = results[number]
            if self._inner:
                total = operations.fold(self._f, reduce.monoid, total)
                if single:
                    other = results[len(starts) + number]
                    total = operations.combine(self._f, reduce.monoid, total, other)
            self._start.slots[reduce.slot] = self.combine(reduce, total)

    def _needs_singles(self) -> bool:
        axis = self._owner.vector_axis
        if not self._inner or axis is None:
            return False
        rest = self._owner.nest.extents[axis] % self._width
        return rest > 0 and not (self._owner.masks and rest > 1)

    def _identity(self, reduce: Reduce, width: int) -> Value:
        dtype = self._sweep.instructions[reduce.register].dtype
        return constant(operations.identity(reduce.monoid, dtype), dtype, width)

    def _level(
        self, depth: int, cursor: Cursor, registers: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        """Writes the loops from a depth on, and returns the accumulators behind them."""
        if depth == len(self._order):
            return self._innermost(cursor, registers, totals)
        f, axis = self._f, self._order[depth]
        extent = self._owner.nest.extents[axis]
        if not self._inner or axis != self._owner.vector_axis:

            def scalar(index: Index, values: list[Value]) -> list[Value]:
                return self._vector(depth, cursor.at(axis, index), registers, values)

            return self._chunked(depth, self.span(axis, extent, 1), totals, scalar)
        width = self._width
        whole = extent // width * width
        if whole:

            def vector(index: Index, values: list[Value]) -> list[Value]:
                return self._vector(depth, cursor.at(axis, index, width), registers, values)

            totals = self._chunked(depth, self.span(axis, whole, width), totals, vector)
        rest = extent - whole
        if rest and self._owner.masks and rest > 1:
            lanes = self._owner.rest_width(rest, width)
            place = cursor.at(axis, f.index(whole), lanes, rest if rest < lanes else None)
            totals = self._narrow(depth, place, registers, totals, lanes)
        elif rest:
            with f.loop(whole, extent, 1, totals) as loop:
                place = cursor.at(axis, loop.index, 1)
                loop.next = self._vector(depth, place, registers, loop.values)
            totals = loop.results
        return totals

    def _chunked(
        self,
        depth: int,
        span: tuple[Index, Index, Index],
        totals: list[Value],
        body: Callable[[Index, list[Value]], list[Value]],
        number: int = 0,
    ) -> list[Value]:
        """Writes the loops over an axis, from one of them on, and returns the accumulators behind
        them; `body` writes what is done at a position, and returns the accumulators after it.
        """
        f, (start, stop, unit) = self._f, span
        chunk, inner = self._chunks[depth][number], self._chunks[depth][number + 1 :]
        step = f.mul_index(unit, chunk.step)
        with f.loop(start, stop, step, totals) as loop:
            given = loop.values
            if chunk.apart:
                given = [self._neutral(place, x) for place, x in enumerate(totals)]
            if inner:
                end = f.add_index(loop.index, step)
                if not chunk.even:
                    end = f.minimum(f.index(end), f.index(stop))
                after = self._chunked(depth, (loop.index, end, unit), given, body, number + 1)
            else:
                after = body(self.position(self._order[depth], loop.index), given)
            loop.next = self._joined(loop.values, after) if chunk.apart else after
        return loop.results

    def _neutral(self, number: int, total: Value) -> Value:
        """Returns what an accumulator begins with."""
        reduces = self._sweep.reduces
        return self._identity(reduces[number % len(reduces)], total.width)

    def _joined(self, totals: list[Value], after: list[Value]) -> list[Value]:
        """Returns totals with what was added up apart."""
        reduces = self._sweep.reduces
        return [
            operations.combine(self._f, reduces[number % len(reduces)].monoid, total, each)
            for number, (total, each) in enumerate(zip(totals, after, strict=True))
        ]

    def _vector(
        self, depth: int, cursor: Cursor, registers: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        inner = dict(registers)
        self._emit(depth + 1, cursor, inner)
        return self._level(depth + 1, cursor, inner, totals)

    def _narrow(
        self,
        depth: int,
        cursor: Cursor,
        registers: dict[int, Value],
        totals: list[Value],
        lanes: int,
    ) -> list[Value]:
        """Writes the remainder of an axis in fewer lanes than the accumulators have."""
        f, count = self._f, len(self._sweep.reduces)
        low = [x if lanes == x.width else f.shuffle(x, x, range(lanes)) for x in totals[:count]]
        after = self._vector(depth, cursor, registers, low)
        merged: list[Value] = []
        for old, new in zip(totals[:count], after, strict=True):
            if old.width == lanes:
                merged.append(new)
                continue
            grown = f.shuffle(new, new, [*range(lanes), *[-1] * (old.width - lanes)])
            picked = [*range(lanes), *range(old.width + lanes, 2 * old.width)]
            merged.append(f.shuffle(grown, old, picked))
        return [*merged, *totals[count:]]

    def _innermost(
        self, cursor: Cursor, registers: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        self._finish(cursor, registers)
        f, count = self._f, len(self._sweep.reduces)
        single = self._inner and cursor.width == 1 and self._needs_singles()
        result = list(totals)
        for number, reduce in enumerate(self._sweep.reduces):
            place = count + number if single else number
            old = totals[place]
            value = self._read(registers, reduce.register, cursor, old.width)
            new = operations.combine(f, reduce.monoid, old, value)
            if self._inner and cursor.active is not None:
                new = f.select(f.first_lanes(cursor.active, cursor.width), new, old)
            result[place] = new
        return result

    # Instructions.

    def _emit(self, depth: int, cursor: Cursor, registers: dict[int, Value]) -> None:
        self._windows.clear()
        for number, each in enumerate(self._sweep.instructions):
            if self._depths[number] != depth or number in registers:
                continue
            match each:
                case Constant(value, dtype):
                    registers[number] = constant(value, dtype)
                case Slot(slot, _):
                    registers[number] = cursor.slots[slot]
                case Position(value, dtype):
                    registers[number] = self._position(value, dtype, cursor)
                case Load():
                    registers[number] = self._load(each, cursor, registers)
                case Operation(name, operands, dtype, params):
                    width = cursor.width if self._varies[number] else 1
                    values = [self._read(registers, r, cursor, width) for r in operands]
                    registers[number] = operations.write(self._f, name, dtype, values, params)

    def _read(
        self, registers: dict[int, Value], number: int, cursor: Cursor, width: int | None = None
    ) -> Value:
        value = registers[number]
        width = cursor.width if width is None else width
        instruction = self._sweep.instructions[number]
        if isinstance(instruction, Constant):
            return constant(instruction.value, instruction.dtype, width)
        return self._f.splat(value, width)

    def _position(self, value: Affine, dtype: dtypes.DType, cursor: Cursor) -> Value:
        f = self._f
        first = f.index(self._owner.offset(value, cursor))
        if dtype is not dtypes.int64:
            first = operations.convert(f, first, dtype)
        axis = self._owner.vector_axis
        step = 0 if axis is None else value.coefficient(axis)
        if not step or cursor.width == 1:
            return first
        lanes = f.iota(dtype, cursor.width)
        if step != 1:
            lanes = f.mul(lanes, step)
        return f.add(f.splat(first, cursor.width), lanes)

    def _load(self, load: Load, cursor: Cursor, registers: dict[int, Value]) -> Value:
        f, owner = self._f, self._owner
        axis = owner.vector_axis
        step = 0 if axis is None else load.offset.coefficient(axis)
        base, offset = self.place(load, cursor)
        dynamic = None if load.dynamic is None else registers[load.dynamic]
        if cursor.width > 1 and dynamic is not None and dynamic.width > 1:
            return f.gather(
                base, self._places(offset, step, dynamic, cursor), load.dtype, self._mask(cursor)
            )
        if dynamic is not None:
            offset = f.add_index(offset, dynamic)
        if step == 0 or cursor.width == 1:
            return f.load(base, offset, load.dtype)
        if step == 1:
            return f.load(base, offset, load.dtype, cursor.width, self._mask(cursor))
        if step == -1 and cursor.active is None:
            first = f.add_index(offset, 1 - cursor.width)
            value = f.load(base, first, load.dtype, cursor.width)
            return f.shuffle(value, value, range(cursor.width - 1, -1, -1))
        turn = self._interleaving.turns.get(load)
        if turn is not None:
            window = self._window(turn, base, f.add_index(offset, -turn.place), cursor)
            found = f.shuffle(window, window, range(turn.place, window.width, turn.step))
            return f.compare("ne", found, 0) if load.dtype is dtypes.bool_ else found
        return f.gather(
            base, self._places(offset, step, None, cursor), load.dtype, self._mask(cursor)
        )

    def _window(self, turn: InterleavedLoad, base: str, offset: Index, cursor: Cursor) -> Value:
        """Returns the vector of a load and of the elements interleaved with it."""
        first = turn.first
        found = self._windows.get(first)
        if found is None:
            mask = self._mask(cursor, turn.step)
            width = turn.step * cursor.width
            kind = dtypes.uint8 if first.dtype is dtypes.bool_ else first.dtype
            found = self._windows[first] = self._f.load(base, offset, kind, width, mask)
        return found

    def _places(self, offset: Index, step: int, dynamic: Value | None, cursor: Cursor) -> Value:
        f = self._f
        places = f.splat(f.index(offset), cursor.width)
        if step:
            lanes = ", ".join(f"i64 {step * n}" for n in range(cursor.width))
            places = f.add(places, Value(f"<{lanes}>", dtypes.int64, cursor.width))
        return places if dynamic is None else f.add(places, dynamic)

    def _mask(self, cursor: Cursor, step: int = 1) -> Value | None:
        if cursor.active is None:
            return None
        return self._f.first_lanes(step * cursor.active, step * cursor.width)

    def _finish(self, cursor: Cursor, registers: dict[int, Value]) -> None:
        rows, followers = self._interleaving.rows, self._interleaving.followers
        for store in self._sweep.stores:
            if cursor.width > 1 and store in rows:
                self._store_row(rows[store], cursor, registers)
            elif cursor.width == 1 or store not in followers:
                self._store(store, cursor, registers)

    def _store_row(
        self, stores: Sequence[Store], cursor: Cursor, registers: dict[int, Value]
    ) -> None:
        """Interleaves vectors and stores them together."""
        f, width, step = self._f, cursor.width, len(stores)
        values = [self._read(registers, store.register, cursor) for store in stores]
        if values[0].dtype is dtypes.bool_:
            values = [f.cast("zext", value, dtypes.uint8) for value in values]
        if all(stores[0].register == other.register for other in stores):
            together = f.shuffle(values[0], values[0], [n // step for n in range(step * width)])
        else:
            together = _interleave(f, values)
        first = stores[0]
        offset = self._owner.offset(first.offset, cursor)
        if first.dynamic is not None:
            offset = f.add_index(offset, registers[first.dynamic])
        self.put(first, together, offset, self._mask(cursor, step))

    def _store(self, store: Store, cursor: Cursor, registers: dict[int, Value]) -> None:
        condition, number = None, store.register
        if cursor.width > 1:
            condition, number = self._conditional_store(store, registers)
        with nullcontext() if condition is None else self._f.when(condition):
            self._store_at(store, number, cursor, registers)

    def _conditional_store(
        self, store: Store, registers: dict[int, Value]
    ) -> tuple[Value | None, int]:
        """Returns the condition and the register of a store whose value is otherwise the old one.

        Written as a select, it would become a masked store, which is slow; it is written as a
        branch.
        """
        each = self._sweep.instructions[store.register]
        if isinstance(each, Operation) and each.name == "select":
            condition, then, otherwise = each.operands
            there = Load(store.buffer, store.offset, store.dynamic)
            if registers[condition].width == 1 and self._sweep.instructions[otherwise] == there:
                return registers[condition], then
        return None, store.register

    def _store_at(
        self, store: Store, number: int, cursor: Cursor, registers: dict[int, Value]
    ) -> None:
        """Stores a register at the place of a store."""
        f, owner = self._f, self._owner
        axis = owner.vector_axis
        step = 0 if axis is None else store.offset.coefficient(axis)
        offset = owner.offset(store.offset, cursor)
        if store.dynamic is not None:
            offset = f.add_index(offset, registers[store.dynamic])
        if cursor.width == 1 or step == 0:
            value = registers[number]
            self.put(store, value if value.width == 1 else f.lane(value, 0), offset, None)
            return
        value = self._read(registers, number, cursor)
        if step == 1:
            self.put(store, value, offset, self._mask(cursor))
            return
        for lane in range(cursor.width if cursor.active is None else cursor.active):
            self.put(store, f.lane(value, lane), f.add_index(offset, step * lane), None)


def _interleave(f: Function, values: Sequence[Value]) -> Value:
    """Returns one vector of the interleaved lanes of several."""
    width, step = values[0].width, len(values)
    together, *others = values
    for number, value in enumerate(others, 2):
        whole = together.width
        grown = f.shuffle(value, value, [*range(width), *[-1] * (whole - width)])
        if number < step:
            together = f.shuffle(together, grown, range(whole + width))
            continue
        lanes = [n // step + n % step * width for n in range(step * width)]
        together = f.shuffle(together, grown, lanes)
    return together
