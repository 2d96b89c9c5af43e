"""Reductions along an axis that is not the contiguous one.

A block of columns is reduced row by row into a row of totals in the first cache, so that memory is
read in order. Each sweep of the nest goes over the block in turn; earlier sweeps' slots are rows
too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import Slot, Sweep
from oakum.compile.loops.nest_context import Cursor
from oakum.compile.loops.operations import is_heavy
from oakum.compile.loops.summation import ChunkLoop, chunk_loops
from oakum.compile.loops.sweep_writer import SweepWriter
from oakum.dtypes import DType
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.compile.cpu.codegen.emit_nest import NestWriter


def _rows_at_once(sweep: Sweep) -> int:
    """Returns how many rows are combined before they are added to the totals."""
    if sweep.stores or not sweep.reduces or any(is_heavy(x) for x in sweep.instructions):
        return 1
    return 4 if len(sweep.instructions) <= 4 else 2


@dataclass(frozen=True, slots=True)
class _Block:
    """The columns of a block in one sweep: at which place of the other axes, and how its rows are
    gone through.
    """

    sweep: Sweep
    cursor: Cursor
    first: Value
    last: Value
    at_once: int
    chunks: Sequence[tuple[ChunkLoop, ...]]


class ColumnWriter:
    """Writes the sweeps of a nest for blocks of columns."""

    def __init__(self, owner: NestWriter, axis: int, block: int) -> None:
        self._owner = owner
        self._f = owner.function
        self._axis = axis
        self._block = block
        self._dtypes: dict[int, DType] = {}
        for sweep in owner.nest.sweeps:
            for each in (*sweep.reduces, *sweep.keeps):
                self._dtypes[each.slot] = sweep.instructions[each.register].dtype
        self._rows = {slot: self._row(dtype) for slot, dtype in self._dtypes.items()}
        self._apart: dict[tuple[int, int], str] = {}
        """The rows of what is added up apart, by how deep that is and by slot."""
        self._chunks: dict[Sweep, Sequence[tuple[ChunkLoop, ...]]] = {}
        for sweep in owner.nest.sweeps:
            if sweep.axes:
                self._plan(sweep)

    def _row(self, dtype: DType) -> str:
        """Allocates a number per column, and for the unused lanes of the last vector."""
        name = self._f.fresh("row")
        nbytes = (self._block + self._owner.schedule.width) * dtype.itemsize
        self._f.lines.append(f"  {name} = alloca [{nbytes} x i8], align 64")
        return name

    def _plan(self, sweep: Sweep) -> None:
        """Decides how the rows of a sweep are gone through. Memory is taken here, at the beginning
        of the function: in a loop, each iteration would take more of the stack.
        """
        counts = [self._owner.nest.extents[axis] for axis in sweep.axes]
        counts[-1] //= _rows_at_once(sweep)
        chunks = self._chunks[sweep] = chunk_loops(sweep, counts)
        for level in range(sum(loop.apart for loops in chunks for loop in loops)):
            for reduce in sweep.reduces:
                self._apart[level, reduce.slot] = self._row(self._dtypes[reduce.slot])

    def write(self, cursor: Cursor) -> None:
        """Writes the loop over blocks, for one position of the other outer axes."""
        f = self._f
        begin, end = self._owner.bounds(self._axis)
        with f.loop(begin, end, self._block) as loop:
            last = f.minimum(f.add(loop.index, self._block), f.index(end))
            for sweep in self._owner.nest.sweeps:
                if sweep.axes:
                    self._reduced(sweep, cursor, loop.index, last)
                else:
                    self._each(cursor, loop.index, last, self._keeper(sweep, loop.index))

    def _each(
        self, cursor: Cursor, first: Value, last: Value, body: Callable[[Cursor], None]
    ) -> None:
        """Writes a body for the columns of a block, in vectors."""
        self._owner.split(self._axis, first, last, cursor, body)

    def _reduced(self, sweep: Sweep, cursor: Cursor, first: Value, last: Value) -> None:
        """Writes a sweep with inner axes: all columns of the block at each position."""
        block = _Block(sweep, cursor, first, last, _rows_at_once(sweep), self._chunks[sweep])
        totals = {reduce.slot: self._rows[reduce.slot] for reduce in sweep.reduces}
        self._begin(block, totals)
        self._axis_of(block, 0, cursor, totals, 0)

    def _begin(self, block: _Block, totals: dict[int, str]) -> None:
        """Writes the neutral elements into rows of totals."""

        def write(place: Cursor) -> None:
            for reduce in block.sweep.reduces:
                dtype = self._dtypes[reduce.slot]
                start = operations.identity(reduce.monoid, dtype)
                value = constant(start, dtype, place.width)
                self._put(totals[reduce.slot], value, place, block.first)

        if block.sweep.reduces:
            self._each(block.cursor, block.first, block.last, write)

    def _axis_of(
        self, block: _Block, depth: int, cursor: Cursor, totals: dict[int, str], level: int
    ) -> None:
        """Writes the loops over an axis and those within, which add to rows of totals; `level` is
        how many other rows are in use.
        """
        f, sweep = self._f, block.sweep
        axis = sweep.axes[depth]
        extent, innermost = self._owner.nest.extents[axis], depth + 1 == len(sweep.axes)
        count = block.at_once if innermost else 1

        def write(index: Value, rows: dict[int, str], level: int, count: int = count) -> None:
            place = cursor.at(axis, index)
            if innermost:
                adder = self._adder(block, axis, count, rows)
                self._each(place, block.first, block.last, adder)
            else:
                self._axis_of(block, depth + 1, place, rows, level)

        whole = extent // count * count
        if whole:
            self._chunked(block, block.chunks[depth], (0, whole, count), totals, level, write)
        if whole < extent:
            with f.loop(whole, extent) as loop:
                write(loop.index, totals, level, 1)

    def _chunked(
        self,
        block: _Block,
        chunks: Sequence[ChunkLoop],
        span: tuple[Index, Index, int],
        totals: dict[int, str],
        level: int,
        body: Callable[[Value, dict[int, str], int], None],
    ) -> None:
        """Writes the loops over the chunks of an axis."""
        f, (start, stop, unit) = self._f, span
        chunk, *inner = chunks
        step = chunk.step * unit
        with f.loop(start, stop, step) as loop:
            rows = totals
            if chunk.apart:
                rows = {slot: self._apart[level, slot] for slot in totals}
                self._begin(block, rows)
                level += 1
            if inner:
                end: Index = f.add_index(loop.index, step)
                if not chunk.even:
                    end = f.minimum(f.index(end), f.index(stop))
                self._chunked(block, inner, (loop.index, end, unit), rows, level, body)
            else:
                body(loop.index, rows, level)
            if chunk.apart:
                self._add(block, rows, totals)

    def _add(self, block: _Block, rows: dict[int, str], totals: dict[int, str]) -> None:
        """Adds rows of what was added up apart to those of the totals."""

        def write(place: Cursor) -> None:
            for reduce in block.sweep.reduces:
                dtype, slot = self._dtypes[reduce.slot], reduce.slot
                part = self._get(rows[slot], dtype, place, block.first)
                old = self._get(totals[slot], dtype, place, block.first)
                total = operations.combine(self._f, reduce.monoid, part, old)
                self._put(totals[slot], total, place, block.first)

        self._each(block.cursor, block.first, block.last, write)

    def _adder(
        self, block: _Block, axis: int, count: int, totals: dict[int, str]
    ) -> Callable[[Cursor], None]:
        """Returns what adds some rows to the totals of a vector of columns."""
        f, sweep, first = self._f, block.sweep, block.first

        def write(place: Cursor) -> None:
            known = self._known(sweep, place, first)
            found = [self._row_of(sweep, known, axis, number) for number in range(count)]
            for number, reduce in enumerate(sweep.reduces):
                values = [row[number] for row in found]
                while len(values) > 1:
                    pairs = zip(values[::2], values[1::2], strict=True)
                    values = [operations.combine(f, reduce.monoid, x, y) for x, y in pairs]
                row = totals[reduce.slot]
                old = self._get(row, self._dtypes[reduce.slot], place, first)
                # The total is second: a choice between it and another would become a store of
                # some lanes, which is slow.
                total = operations.combine(f, reduce.monoid, values[0], old)
                self._put(row, total, place, first)

        return write

    def _row_of(self, sweep: Sweep, known: Cursor, axis: int, number: int) -> list[Value]:
        """Returns the values of row `base + number`."""
        if number:
            index = self._f.add_index(known.axes[axis], number)
            known = known.at(axis, index, known.width, known.active)
        return SweepWriter(self._owner, sweep, known, known.width).write_once()

    def _keeper(self, sweep: Sweep, first: Value) -> Callable[[Cursor], None]:
        """Returns what carries out a sweep without inner axes for a vector of columns."""

        def write(place: Cursor) -> None:
            known = self._known(sweep, place, first)
            SweepWriter(self._owner, sweep, known, place.width).write()
            for keep in sweep.keeps:
                self._put(self._rows[keep.slot], known.slots[keep.slot], place, first)

        return write

    def _known(self, sweep: Sweep, place: Cursor, first: Value) -> Cursor:
        """Returns the cursor with the slots that the sweep reads."""
        slots = {
            each.number: self._get(self._rows[each.number], self._dtypes[each.number], place, first)
            for each in sweep.instructions
            if isinstance(each, Slot)
        }
        return Cursor(place.axes, place.width, place.active, slots)

    def _place(self, place: Cursor, first: Value) -> Index:
        return self._f.sub(self._f.index(place.axes[self._axis]), first)

    def _get(self, row: str, dtype: DType, place: Cursor, first: Value) -> Value:
        return self._f.load(row, self._place(place, first), dtype, place.width)

    def _put(self, row: str, value: Value, place: Cursor, first: Value) -> None:
        value = self._f.splat(value, place.width)
        self._f.store(value, row, self._place(place, first))
