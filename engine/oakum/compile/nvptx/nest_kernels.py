"""Nests as kernels, by the sweeps of `SweepWriter`: its hooks say which thread does what."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import Buffer, Load, Monoid, Nest, Reduce, Store, Sweep
from oakum.compile.loops.nest_context import Cursor
from oakum.compile.loops.sweep_writer import SweepWriter
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Argument, Kernel
from oakum.compile.nvptx.codegen.thread_context import ThreadContext
from oakum.compile.nvptx.kernel_schedule import (
    ACCESS,
    COLUMN_ROWS,
    SQUARE,
    SQUARE_ROWS,
    buffers_of_threads,
    least_alignment,
    schedule,
)
from oakum.compile.nvptx.scatter_updates import as_atomics
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class BlockRange:
    """The blocks of a kernel that do a nest, from the first on; the kernel may do others, too."""

    kernel: Kernel
    pointers: Mapping[Buffer, str]
    first: int


class NestKernel(ThreadContext):
    """Writes one nest as a kernel of the addresses of its buffers, in the order of `buffers`."""

    def __init__(
        self,
        nest: Nest,
        target: Target,
        alignments: Mapping[Buffer, int],
        blocks: BlockRange | None = None,
    ) -> None:
        self.monoids: dict[Store, Monoid] = {}
        """The stores that are atomics."""
        how = self.how = schedule(nest, least_alignment(nest, alignments))
        self.nest = self._with_atomics(nest) if how.is_atomic else nest
        self.buffers = tuple(b for b in nest.buffers if b.role != "stage")
        written = {store.buffer for sweep in nest.sweeps for store in sweep.stores}
        arguments = [
            Argument(min(alignments.get(b, ACCESS), ACCESS), b in written) for b in self.buffers
        ]
        pointers = {b: f"%m{number}" for number, b in enumerate(self.buffers)}
        if blocks is None:
            blocks = BlockRange(Kernel(arguments, target, how.threads), pointers, 0)
        self.kernel, self._first_block = blocks.kernel, blocks.first
        self.function: Function = self.kernel
        pointers = self._pointers = {b: blocks.pointers[b] for b in self.buffers}
        for buffer in nest.buffers:
            if buffer.role == "stage":
                pointers[buffer] = self._stage(buffer)
        self.thread: Value | None = None
        """The number of the thread among those that share a position; None where none do."""
        self.leader: Value | None = None
        """Whether a thread does what is done once for a position; None where each does."""
        self.tiles: dict[Load, str] = {}
        """Shared memory that holds what loads of a square give."""
        self.in_tile: Value | None = None
        """The offset of the thread's element in it."""

    def _stage(self, buffer: Buffer) -> str:
        """Returns the address of a row that is kept: shared memory where threads share it."""
        kernel, how = self.kernel, self.how
        if how.kind != "rows":
            return kernel.private_memory(buffer.nbytes)
        nbytes = -(-buffer.nbytes // ACCESS) * ACCESS
        room = kernel.shared_memory(nbytes * (how.threads // how.lanes))
        if how.lanes == how.threads:
            return room
        row, _ = kernel.divide(kernel.thread(), how.lanes)
        return kernel.pointer(room, kernel.mul(row, nbytes // buffer.dtype.itemsize), buffer.dtype)

    def _with_atomics(self, nest: Nest) -> Nest:
        sweeps: list[Sweep] = []
        for sweep in nest.sweeps:
            changed, monoids = as_atomics(sweep)
            self.monoids.update(monoids)
            sweeps.append(changed)
        return Nest(nest.extents, nest.outer, tuple(sweeps))

    def write(self) -> Kernel:
        """Writes the kernel."""
        match self.how.kind:
            case "points":
                self._points()
            case "rows":
                self._rows()
            case "columns":
                self._columns()
            case "squares":
                self._squares()
        return self.kernel

    # What sweeps ask for.

    @property
    def vector_axis(self) -> int | None:
        """The axis of which a thread has several elements, or that threads share."""
        return self.how.axis

    # Threads.

    def _points(self) -> None:
        f, how = self.kernel, self.how
        number = f.number()
        if self._first_block:
            number = f.sub(number, self._first_block * f.threads)
        total = self._count(how.spread) // how.width
        with f.when(f.below(number, total)):
            axes = self._positions(number, how.spread)
            self._in_order(how.ordered, Cursor(axes, how.width))

    def _in_order(self, axes: tuple[int, ...], cursor: Cursor) -> None:
        """Writes loops over axes of which a thread does all positions, one after the other."""
        f = self.function
        if not axes:
            self._sweeps(cursor)
            return
        first, *rest = axes
        with f.loop(0, self.nest.extents[first]) as loop:
            self._in_order(tuple(rest), cursor.at(first, loop.index))

    def _rows(self) -> None:
        f, how = self.kernel, self.how
        if how.lanes == how.threads:
            self.thread = f.thread()
            self.leader = f.compare("eq", self.thread, 0)
            self._sweeps(Cursor(self._positions(f.block_number(), how.spread)))
            return
        row, self.thread = f.divide(f.number(), how.lanes)
        self.leader = f.compare("eq", self.thread, 0)
        with f.when(f.below(row, self._count(how.spread))):
            self._sweeps(Cursor(self._positions(row, how.spread)))

    def _columns(self) -> None:
        f, how = self.kernel, self.how
        *others, axis = how.spread
        row, lane = f.divide(f.thread(), WARP)
        self.thread = row
        extent, tile = self.nest.extents[axis], WARP * how.width
        rest, number = f.divide(f.block_number(), -(-extent // tile))
        column = f.add(f.mul(number, tile), f.mul(lane, how.width))
        inside = f.below(column, extent)
        self.leader = f.bit_and(inside, f.compare("eq", row, 0))
        # Lanes beyond the last column read that one again, and store nothing.
        last = constant(extent - how.width, dtypes.int64)
        axes = self._positions(rest, tuple(others))
        axes[axis] = f.select(inside, column, last)
        self._sweeps(Cursor(axes, how.width))

    def _squares(self) -> None:
        """Writes loads of a square along the axis before the last, and then, along the last, what
        is done with it: each thread has an element of every eighth row.
        """
        f, how = self.kernel, self.how
        *others, down, along = how.spread
        extents = self.nest.extents[down], self.nest.extents[along]
        row, lane = f.divide(f.thread(), SQUARE)
        rest, number = f.divide(f.block_number(), -(-extents[1] // SQUARE))
        rest, above = f.divide(rest, -(-extents[0] // SQUARE))
        first = f.mul(above, SQUARE), f.mul(number, SQUARE)
        axes = self._positions(rest, tuple(others))
        for load in how.turned:
            self.tiles[load] = f.shared_memory(SQUARE * (SQUARE + 1) * load.dtype.itemsize)
        for step in range(0, SQUARE, SQUARE_ROWS):
            place = f.add(row, step)
            x, y = f.add(first[0], lane), f.add(first[1], place)
            with f.when(f.bit_and(f.below(x, extents[0]), f.below(y, extents[1]))):
                cursor = Cursor({**axes, down: x, along: y})
                for load, room in self.tiles.items():
                    offset = self.offset(load.offset, cursor)
                    value = f.load(self.pointer(load.buffer), offset, load.dtype)
                    f.store(value, room, f.add(f.mul(place, SQUARE + 1), lane))
        f.barrier()
        for step in range(0, SQUARE, SQUARE_ROWS):
            place = f.add(row, step)
            x, y = f.add(first[0], place), f.add(first[1], lane)
            self.in_tile = f.add(f.mul(lane, SQUARE + 1), place)
            with f.when(f.bit_and(f.below(x, extents[0]), f.below(y, extents[1]))):
                self._sweeps(Cursor({**axes, down: x, along: y}))

    def _count(self, axes: tuple[int, ...]) -> int:
        total = 1
        for axis in axes:
            total *= self.nest.extents[axis]
        return total

    def _positions(self, number: Value, axes: tuple[int, ...]) -> dict[int, Index]:
        """Returns the positions along axes, the last the fastest, of a number below their count."""
        f, how = self.kernel, self.how
        found: dict[int, Index] = {}
        for place, axis in reversed(list(enumerate(axes))):
            step = how.width if how.kind == "points" and axis == how.axis else 1
            position = number
            if place:
                number, position = f.divide(number, self.nest.extents[axis] // step)
            found[axis] = f.mul_index(position, step)
        return found

    def _sweeps(self, cursor: Cursor) -> None:
        own = buffers_of_threads(self.nest, self.how.axis)
        loaded: set[Buffer] = set()
        stored: set[Buffer] = set()
        for sweep in self.nest.sweeps:
            loads = {each.buffer for each in sweep.instructions if isinstance(each, Load)} - own
            stores = {store.buffer for store in sweep.stores} - own
            if self.thread is not None and (loads & stored or stores & (loaded | stored)):
                self.kernel.barrier()  # What one thread has stored, or loaded, another needs.
                loaded, stored = set(), set()
            loaded |= loads
            stored |= stores
            _KernelSweep(self, sweep, cursor).write()

    def combine(self, monoid: Monoid, total: Value) -> Value:
        """Returns what the threads that share a position have, combined, in each of them."""
        f, width = self.kernel, total.width
        if self.how.kind == "rows":
            if self.how.lanes < self.how.threads:
                return f.combine_warp(monoid, total, self.how.lanes)
            return f.combine_block(monoid, total)
        room = f.shared_memory(f.threads * width * total.dtype.itemsize)
        f.store(total, room, f.mul(f.thread(), width))
        f.barrier()
        _, lane = f.divide(f.thread(), WARP)
        first = f.mul(lane, width)
        found = f.load(room, first, total.dtype, width)
        for row in range(1, COLUMN_ROWS):
            more = f.load(room, f.add(first, row * WARP * width), total.dtype, width)
            found = operations.combine(f, monoid, found, more)
        return found


class _KernelSweep(SweepWriter):
    """A sweep whose positions threads share."""

    shares_positions = True

    def __init__(self, kernel: NestKernel, sweep: Sweep, cursor: Cursor) -> None:
        how = kernel.how
        is_wide = how.kind in ("points", "columns") or how.axis in sweep.axes
        width = how.width if is_wide else 1
        super().__init__(kernel, sweep, cursor, width)
        self._owned = kernel

    def span(self, axis: int, end: int, step: int) -> tuple[Index, Index, Index]:
        """Threads side by side go over elements side by side. Where each of them has as many, the
        loop counts from 0: a constant number of iterations is what compilers unroll, so that loads
        do not wait for each other.
        """
        first, stride = self._share(axis, step)
        return (0 if end % stride == 0 else first), end, stride

    def position(self, axis: int, index: Index) -> Index:
        """Returns the position of this thread."""
        step = self._width if axis == self._owned.vector_axis else 1
        first, stride = self._share(axis, step)
        extent = self._owned.nest.extents[axis]
        return self._f.add_index(index, first) if extent % stride == 0 else index

    def _share(self, axis: int, step: int) -> tuple[Index, int]:
        """Returns the first position of this thread, and the distance to its next one."""
        kernel, f = self._owned, self._f
        if kernel.thread is None:
            return 0, step
        if kernel.how.kind == "rows" and axis == kernel.how.axis:
            return f.mul_index(kernel.thread, step), step * kernel.how.lanes
        if kernel.how.kind == "columns" and axis == self._order[0]:
            return kernel.thread, COLUMN_ROWS
        return 0, step

    def combine(self, reduce: Reduce, total: Value) -> Value:
        """Returns the total of all threads."""
        if self._owned.thread is None:
            return total
        return self._owned.combine(reduce.monoid, total)

    @contextmanager
    def once(self) -> Generator[None]:
        """Lets one thread store what all of them know."""
        kernel = self._owned
        if kernel.leader is None or not self._sweep.stores:
            yield
            return
        loads = {each.buffer for each in self._sweep.instructions if isinstance(each, Load)}
        if any(store.buffer in loads for store in self._sweep.stores):
            kernel.kernel.barrier()  # All threads have loaded what the one is going to change.
        with self._f.when(kernel.leader):
            yield

    def place(self, load: Load, cursor: Cursor) -> tuple[str, Index]:
        """Returns where an element is: in the square, if it was loaded there."""
        kernel = self._owned
        room = kernel.tiles.get(load)
        if room is None or kernel.in_tile is None:
            return super().place(load, cursor)
        return room, kernel.in_tile

    def put(self, store: Store, value: Value, offset: Index, mask: Value | None) -> None:
        """Stores a value, or combines with what is in memory."""
        monoid = self._owned.monoids.get(store)
        if monoid is None:
            super().put(store, value, offset, mask)
            return
        self._owned.kernel.change(monoid, value, self._owned.pointer(store.buffer), offset)
