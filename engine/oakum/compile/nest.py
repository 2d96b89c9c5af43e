"""Nests as code: loops, vectors and their rests, accumulators.

Instructions stand in the outermost loop that knows all axes they depend on, and are vectors only
where they depend on the vectorised axis. What is left over behind the last whole vector is done
with masked lanes, or one by one where the machine masks no elements of their size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from oakum import dtypes
from oakum.compile import operations
from oakum.compile.affine import Affine
from oakum.compile.emit import Function, Index
from oakum.compile.loops import (
    Buffer,
    Constant,
    Load,
    Nest,
    Operation,
    Position,
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.schedule import Schedule
from oakum.compile.target import Target
from oakum.compile.values import Value, constant

_MASKED = (4, 8)
"""The sizes of elements that masks exist for."""


@dataclass(frozen=True, slots=True)
class Around:
    """Where the code stands: the positions of the axes, and the lanes in use."""

    axes: dict[int, Index]
    width: int = 1
    active: int | None = None
    """How many lanes count; None for all."""
    slots: dict[int, Value] = field(default_factory=dict[int, Value])

    def at(
        self, axis: int, index: Index, width: int | None = None, active: int | None = None
    ) -> Around:
        """The same within one more loop."""
        return Around(
            {**self.axes, axis: index},
            self.width if width is None else width,
            self.active if width is None else active,
            self.slots,
        )


class NestWriter:
    """Writes one nest as a function of the addresses of its buffers and a range of positions."""

    def __init__(self, nest: Nest, schedule: Schedule, target: Target, name: str) -> None:
        self._nest = nest
        self._schedule = schedule
        self._buffers = [b for b in nest.buffers if b.role != "stage"]
        parameters = [("ptr noalias", f"m{i}") for i in range(len(self._buffers))]
        self.function = Function(
            name, [*parameters, ("i64", "begin"), ("i64", "end")], target, internal=True
        )
        self._pointers = {b: f"%m{i}" for i, b in enumerate(self._buffers)}
        self._masks = all(b.dtype.itemsize in _MASKED for b in nest.buffers)
        for buffer in nest.buffers:
            if buffer.role == "stage":
                place = self.function.fresh("stage")
                kind = f"[{max(buffer.nbytes, 1) + target.vector_bytes} x i8]"
                self.function.lines.append(f"  {place} = alloca {kind}, align 64")
                self._pointers[buffer] = place

    @property
    def buffers(self) -> Sequence[Buffer]:
        """The buffers whose addresses the function takes, in order."""
        return self._buffers

    def write(self) -> Function:
        """Writes the function."""
        self._outer(0, Around({}))
        return self.function

    # Loops over outer axes.

    def _outer(self, depth: int, around: Around) -> None:
        order = self._schedule.order
        if depth == len(order):
            for sweep in self._nest.sweeps:
                SweepWriter(self, sweep, around).write()
            return
        axis = order[depth]
        if axis == self._schedule.axis and self._schedule.across is not None:
            TileWriter(self, axis, self._schedule.across, around).write()
            return
        start, stop = self.bounds(axis)
        if axis == self._schedule.axis:
            self.split(axis, start, stop, around, lambda inner: self._outer(depth + 1, inner))
            return
        with self.function.loop(start, stop) as loop:
            self._outer(depth + 1, around.at(axis, loop.index))

    def bounds(self, axis: int) -> tuple[Index, Index]:
        """The positions of an axis that are gone through."""
        if axis == self._schedule.parallel:
            return Value("%begin", dtypes.int64), Value("%end", dtypes.int64)
        return 0, self._nest.extents[axis]

    def split(
        self,
        axis: int,
        start: Index,
        stop: Index,
        around: Around,
        body: Callable[[Around], None],
    ) -> None:
        """Whole vectors along an axis, then the rest; without accumulators."""
        f, extent, width = self.function, self._nest.extents[axis], self._schedule.width
        whole = extent // width * width
        limit = stop if isinstance(stop, int) else f.minimum(stop, whole)
        if whole:
            with f.loop(start, whole if isinstance(limit, int) else limit, width) as loop:
                body(around.at(axis, loop.index, width))
        rest = extent - whole
        if not rest:
            return
        if isinstance(stop, int):
            self._rest(axis, whole, rest, around, body)
            return
        with f.when(f.compare("eq", stop, extent)):
            self._rest(axis, whole, rest, around, body)

    def _rest(
        self, axis: int, whole: int, rest: int, around: Around, body: Callable[[Around], None]
    ) -> None:
        f = self.function
        if self._masks and rest > 1:
            width = self.rest_width(rest)
            body(around.at(axis, f.index(whole), width, rest if rest < width else None))
            return
        with f.loop(whole, whole + rest) as loop:
            body(around.at(axis, loop.index, 1))

    def rest_width(self, rest: int) -> int:
        """The lanes for a rest: a power of two, as few as hold it."""
        return min(self._schedule.width, 1 << (rest - 1).bit_length())

    # What instructions need.

    def pointer(self, buffer: Buffer) -> str:
        """The address of a buffer."""
        return self._pointers[buffer]

    @property
    def masks(self) -> bool:
        """Whether rests are done with masked lanes."""
        return self._masks

    @property
    def nest(self) -> Nest:
        """The nest that is written."""
        return self._nest

    @property
    def schedule(self) -> Schedule:
        """How it is carried out."""
        return self._schedule

    def offset(self, value: Affine, around: Around) -> Index:
        """The offset of the first lane."""
        f, total = self.function, value.constant
        result: Index = total
        for axis, coefficient in value.terms:
            result = f.plus(result, f.times(around.axes[axis], coefficient))
        return result


class TileWriter:
    """Writes a sweep in which what is loaded lies along one axis, and what is stored along another.

    Squares of both axes are loaded along the one, turned in registers, and stored along the other.
    """

    def __init__(self, owner: NestWriter, axis: int, across: int, around: Around) -> None:
        self._owner = owner
        self._f = owner.function
        self._axis = axis
        self._across = across
        self._around = around
        self._width = owner.schedule.width
        (self._sweep,) = owner.nest.sweeps
        self._turned = [
            number
            for number, each in enumerate(self._sweep.instructions)
            if isinstance(each, Load)
            and each.dynamic is None
            and each.offset.coefficient(across) == 1
            and abs(each.offset.coefficient(axis)) > 1
            and each.dtype.itemsize in _MASKED
        ]

    def write(self) -> None:
        """Writes the loops: over blocks of the vectorised axis, and squares within."""
        f, width = self._f, self._width
        extents = self._owner.nest.extents
        begin, end = self._owner.bounds(self._axis)
        whole = extents[self._axis] // width * width
        squares = extents[self._across] // width * width
        limit = end if isinstance(end, int) else f.minimum(end, whole)
        limit = whole if isinstance(limit, int) else limit
        with f.loop(begin, limit, _BLOCK) as block:
            last = f.minimum(f.add(block.index, _BLOCK), limit)
            with f.loop(0, squares, width) as second, f.loop(block.index, last, width) as first:
                self._square(first.index, second.index)
            if extents[self._across] > squares:
                with f.loop(squares, extents[self._across]) as second:
                    with f.loop(block.index, last, width) as first:
                        place = self._around.at(self._axis, first.index, width)
                        place = place.at(self._across, second.index)
                        SweepWriter(self._owner, self._sweep, place).write()
        if extents[self._axis] > whole:
            condition = f.compare("eq", f.index(end), extents[self._axis])
            with f.when(condition), f.loop(whole, extents[self._axis]) as first:
                with f.loop(0, extents[self._across]) as second:
                    place = self._around.at(self._axis, first.index, 1)
                    place = place.at(self._across, second.index)
                    SweepWriter(self._owner, self._sweep, place).write()

    def _square(self, first: Value, second: Value) -> None:
        f, width = self._f, self._width
        columns: dict[int, list[Value]] = {}
        for number in self._turned:
            load = self._sweep.instructions[number]
            assert isinstance(load, Load)
            place = self._around.at(self._axis, first).at(self._across, second)
            start = self._owner.offset(load.offset, place)
            step = load.offset.coefficient(self._axis)
            base = self._owner.pointer(load.buffer)
            rows = [
                f.load(base, f.plus(start, step * row), load.dtype, width) for row in range(width)
            ]
            columns[number] = transposed(f, rows)
        for column in range(width):
            place = self._around.at(self._axis, first, width)
            place = place.at(self._across, f.plus(second, column))
            given = {number: found[column] for number, found in columns.items()}
            SweepWriter(self._owner, self._sweep, place).write(given)


_BLOCK = 64
"""The positions of the vectorised axis that are turned before the next along the other one."""


def transposed(f: Function, rows: Sequence[Value]) -> list[Value]:
    """The columns of a square of vectors, turned by exchanging ever larger parts of pairs."""
    width = len(rows)
    values = list(rows)
    step = 1
    while step < width:
        turned = list(values)
        for place in range(width):
            if place & step:
                continue
            low, high = values[place], values[place + step]
            first = [n if not n & step else width + n - step for n in range(width)]
            second = [n + step if not n & step else width + n for n in range(width)]
            turned[place] = f.shuffle(low, high, first)
            turned[place + step] = f.shuffle(low, high, second)
        values = turned
        step *= 2
    return values


class SweepWriter:
    """Writes one sweep at one position of the outer axes."""

    def __init__(self, owner: NestWriter, sweep: Sweep, around: Around) -> None:
        self._owner = owner
        self._f = owner.function
        self._sweep = sweep
        self._start = around
        axis = owner.schedule.axis
        self._inner = axis is not None and axis in sweep.axes
        inner = [a for a in sweep.axes if a != axis]
        self._order = (*inner, axis) if self._inner and axis is not None else tuple(inner)
        self._depths, self._varies = self._analyse()

    def _analyse(self) -> tuple[list[int], list[bool]]:
        """For each instruction the loop that it stands in, and whether its lanes differ."""
        level = {axis: number + 1 for number, axis in enumerate(self._order)}
        vector = self._owner.schedule.axis
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

    def write(self, given: dict[int, Value] | None = None) -> None:
        """Writes the loops, and leaves what was reduced and kept in the slots; `given` are
        registers that are there already.
        """
        registers = dict(given or {})
        self._emit(0, self._start, registers)
        if not self._order:
            self._finish(self._start, registers)
            for reduce in self._sweep.reduces:
                self._start.slots[reduce.slot] = self._read(registers, reduce.register, self._start)
        else:
            self._loops(registers)
        for keep in self._sweep.keeps:
            self._start.slots[keep.slot] = registers[keep.register]

    def _loops(self, registers: dict[int, Value]) -> None:
        outer_width = self._start.width
        wide = self._owner.schedule.width if self._inner else outer_width
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
            self._start.slots[reduce.slot] = total

    def _needs_singles(self) -> bool:
        axis = self._owner.schedule.axis
        if not self._inner or axis is None:
            return False
        rest = self._owner.nest.extents[axis] % self._owner.schedule.width
        return rest > 0 and not (self._owner.masks and rest > 1)

    def _identity(self, reduce: Reduce, width: int) -> Value:
        dtype = self._sweep.instructions[reduce.register].dtype
        return constant(operations.identity(reduce.monoid, dtype), dtype, width)

    def _level(
        self, depth: int, around: Around, registers: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        """The loops from one on; gives the accumulators behind them."""
        if depth == len(self._order):
            return self._innermost(around, registers, totals)
        f, axis = self._f, self._order[depth]
        extent = self._owner.nest.extents[axis]
        if not self._inner or axis != self._owner.schedule.axis:
            with f.loop(0, extent, 1, totals) as loop:
                inner = dict(registers)
                place = around.at(axis, loop.index)
                self._emit(depth + 1, place, inner)
                loop.next = self._level(depth + 1, place, inner, loop.values)
            return loop.results
        width = self._owner.schedule.width
        whole = extent // width * width
        if whole:
            with f.loop(0, whole, width, totals) as loop:
                loop.next = self._vector(
                    depth, around.at(axis, loop.index, width), registers, loop.values
                )
            totals = loop.results
        rest = extent - whole
        if rest and self._owner.masks and rest > 1:
            lanes = self._owner.rest_width(rest)
            place = around.at(axis, f.index(whole), lanes, rest if rest < lanes else None)
            totals = self._narrow(depth, place, registers, totals, lanes)
        elif rest:
            with f.loop(whole, extent, 1, totals) as loop:
                place = around.at(axis, loop.index, 1)
                loop.next = self._vector(depth, place, registers, loop.values)
            totals = loop.results
        return totals

    def _vector(
        self, depth: int, around: Around, registers: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        inner = dict(registers)
        self._emit(depth + 1, around, inner)
        return self._level(depth + 1, around, inner, totals)

    def _narrow(
        self,
        depth: int,
        around: Around,
        registers: dict[int, Value],
        totals: list[Value],
        lanes: int,
    ) -> list[Value]:
        """A rest in fewer lanes than the accumulators have."""
        f, count = self._f, len(self._sweep.reduces)
        low = [x if lanes == x.width else f.shuffle(x, x, range(lanes)) for x in totals[:count]]
        after = self._vector(depth, around, registers, low)
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
        self, around: Around, registers: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        self._finish(around, registers)
        f, count = self._f, len(self._sweep.reduces)
        single = self._inner and around.width == 1 and self._needs_singles()
        result = list(totals)
        for number, reduce in enumerate(self._sweep.reduces):
            place = count + number if single else number
            old = totals[place]
            value = self._read(registers, reduce.register, around, old.width)
            new = operations.combine(f, reduce.monoid, old, value)
            if self._inner and around.active is not None:
                new = f.select(f.first_lanes(around.active, around.width), new, old)
            result[place] = new
        return result

    # Instructions.

    def _emit(self, depth: int, around: Around, registers: dict[int, Value]) -> None:
        for number, each in enumerate(self._sweep.instructions):
            if self._depths[number] != depth or number in registers:
                continue
            match each:
                case Constant(value, dtype):
                    registers[number] = constant(value, dtype)
                case Slot(slot, _):
                    registers[number] = around.slots[slot]
                case Position(value, dtype):
                    registers[number] = self._position(value, dtype, around)
                case Load():
                    registers[number] = self._load(each, around, registers)
                case Operation(name, operands, dtype, params):
                    width = around.width if self._varies[number] else 1
                    values = [self._read(registers, r, around, width) for r in operands]
                    registers[number] = operations.write(self._f, name, dtype, values, params)

    def _read(
        self, registers: dict[int, Value], number: int, around: Around, width: int | None = None
    ) -> Value:
        value = registers[number]
        width = around.width if width is None else width
        instruction = self._sweep.instructions[number]
        if isinstance(instruction, Constant):
            return constant(instruction.value, instruction.dtype, width)
        return self._f.splat(value, width)

    def _position(self, value: Affine, dtype: dtypes.DType, around: Around) -> Value:
        f = self._f
        first = f.index(self._owner.offset(value, around))
        if dtype is not dtypes.int64:
            first = operations.convert(f, first, dtype)
        axis = self._owner.schedule.axis
        step = 0 if axis is None else value.coefficient(axis)
        if not step or around.width == 1:
            return first
        lanes = f.iota(dtype, around.width)
        if step != 1:
            lanes = f.mul(lanes, step)
        return f.add(f.splat(first, around.width), lanes)

    def _load(self, load: Load, around: Around, registers: dict[int, Value]) -> Value:
        f, owner = self._f, self._owner
        base = owner.pointer(load.buffer)
        axis = owner.schedule.axis
        step = 0 if axis is None else load.offset.coefficient(axis)
        offset = owner.offset(load.offset, around)
        dynamic = None if load.dynamic is None else registers[load.dynamic]
        if around.width > 1 and dynamic is not None and dynamic.width > 1:
            return f.gather(
                base, self._places(offset, step, dynamic, around), load.dtype, self._mask(around)
            )
        if dynamic is not None:
            offset = f.plus(offset, dynamic)
        if step == 0 or around.width == 1:
            return f.load(base, offset, load.dtype)
        if step == 1:
            return f.load(base, offset, load.dtype, around.width, self._mask(around))
        if step == -1 and around.active is None:
            first = f.plus(offset, 1 - around.width)
            value = f.load(base, first, load.dtype, around.width)
            return f.shuffle(value, value, range(around.width - 1, -1, -1))
        return f.gather(
            base, self._places(offset, step, None, around), load.dtype, self._mask(around)
        )

    def _places(self, offset: Index, step: int, dynamic: Value | None, around: Around) -> Value:
        f = self._f
        places = f.splat(f.index(offset), around.width)
        if step:
            lanes = ", ".join(f"i64 {step * n}" for n in range(around.width))
            places = f.add(places, Value(f"<{lanes}>", dtypes.int64, around.width))
        return places if dynamic is None else f.add(places, dynamic)

    def _mask(self, around: Around) -> Value | None:
        if around.active is None:
            return None
        return self._f.first_lanes(around.active, around.width)

    def _finish(self, around: Around, registers: dict[int, Value]) -> None:
        for store in self._sweep.stores:
            self._store(store, around, registers)

    def _store(self, store: Store, around: Around, registers: dict[int, Value]) -> None:
        f, owner = self._f, self._owner
        base = owner.pointer(store.buffer)
        axis = owner.schedule.axis
        step = 0 if axis is None else store.offset.coefficient(axis)
        offset = owner.offset(store.offset, around)
        if store.dynamic is not None:
            offset = f.plus(offset, registers[store.dynamic])
        if around.width == 1 or step == 0:
            value = registers[store.register]
            f.store(value if value.width == 1 else f.lane(value, 0), base, offset)
            return
        value = self._read(registers, store.register, around)
        if step == 1:
            f.store(value, base, offset, self._mask(around))
            return
        for lane in range(around.width if around.active is None else around.active):
            f.store(f.lane(value, lane), base, f.plus(offset, step * lane))
