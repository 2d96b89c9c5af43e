"""Reductions along an axis that is not the contiguous one.

A block of columns is reduced row by row into a row of totals in the first cache, so that memory is
read in order. Each sweep of the nest goes over the block in turn; earlier sweeps' slots are rows
too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import Slot, Sweep
from oakum.compile.loops.operations import is_heavy
from oakum.compile.loops.sweep_writer import Cursor, SweepWriter
from oakum.dtypes import DType

if TYPE_CHECKING:
    from oakum.compile.cpu.codegen.emit_nest import NestWriter


def _rows_at_once(sweep: Sweep) -> int:
    """Returns how many rows are combined before they are added to the totals."""
    if sweep.stores or not sweep.reduces or any(is_heavy(x) for x in sweep.instructions):
        return 1
    return 4 if len(sweep.instructions) <= 4 else 2


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

    def _row(self, dtype: DType) -> str:
        """Allocates a number per column, and for the unused lanes of the last vector."""
        name = self._f.fresh("row")
        nbytes = (self._block + self._owner.schedule.width) * dtype.itemsize
        self._f.lines.append(f"  {name} = alloca [{nbytes} x i8], align 64")
        return name

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
        f = self._f

        def begin(place: Cursor) -> None:
            for reduce in sweep.reduces:
                dtype = self._dtypes[reduce.slot]
                start = operations.identity(reduce.monoid, dtype)
                self._put(reduce.slot, constant(start, dtype, place.width), place, first)

        if sweep.reduces:
            self._each(cursor, first, last, begin)
        *outer, inner = sweep.axes
        with ExitStack() as stack:
            for axis in outer:
                loop = stack.enter_context(f.loop(0, self._owner.nest.extents[axis]))
                cursor = cursor.at(axis, loop.index)
            extent, count = self._owner.nest.extents[inner], _rows_at_once(sweep)
            whole = extent // count * count
            for begins, ends, step in ((0, whole, count), (whole, extent, 1)):
                if begins < ends:
                    with f.loop(begins, ends, step) as loop:
                        place = cursor.at(inner, loop.index)
                        self._each(place, first, last, self._adder(sweep, inner, step, first))

    def _adder(self, sweep: Sweep, axis: int, count: int, first: Value) -> Callable[[Cursor], None]:
        """Returns what adds some rows to the totals of a vector of columns."""
        f = self._f

        def write(place: Cursor) -> None:
            known = self._known(sweep, place, first)
            found = [self._row_of(sweep, known, axis, number) for number in range(count)]
            for number, reduce in enumerate(sweep.reduces):
                values = [row[number] for row in found]
                while len(values) > 1:
                    pairs = zip(values[::2], values[1::2], strict=True)
                    values = [operations.combine(f, reduce.monoid, x, y) for x, y in pairs]
                old = self._get(reduce.slot, place, first)
                # The total is second: a choice between it and another would become a store of
                # some lanes, which is slow.
                total = operations.combine(f, reduce.monoid, values[0], old)
                self._put(reduce.slot, total, place, first)

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
                self._put(keep.slot, known.slots[keep.slot], place, first)

        return write

    def _known(self, sweep: Sweep, place: Cursor, first: Value) -> Cursor:
        """Returns the cursor with the slots that the sweep reads."""
        slots = {
            each.number: self._get(each.number, place, first)
            for each in sweep.instructions
            if isinstance(each, Slot)
        }
        return Cursor(place.axes, place.width, place.active, slots)

    def _place(self, place: Cursor, first: Value) -> Index:
        return self._f.sub(self._f.index(place.axes[self._axis]), first)

    def _get(self, slot: int, place: Cursor, first: Value) -> Value:
        offset = self._place(place, first)
        return self._f.load(self._rows[slot], offset, self._dtypes[slot], place.width)

    def _put(self, slot: int, value: Value, place: Cursor, first: Value) -> None:
        value = self._f.splat(value, place.width)
        self._f.store(value, self._rows[slot], self._place(place, first))
