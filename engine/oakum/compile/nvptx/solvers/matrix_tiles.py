"""Square tiles of matrices, which the threads of a block have in registers and in shared memory.

A block has 32 threads side by side along the columns of a tile, and 8 rows of them: each thread has
four elements of a column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel
from oakum.compile.nvptx.solvers.numbers import Numbers
from oakum.dtypes import DType

TILE: Final = 32
"""The extent of a tile: a warp accesses a row of it, 128 bytes of four-byte elements, at a time."""

THREAD_ROWS: Final = 8

THREADS: Final = TILE * THREAD_ROWS

RESIDENT: Final = 4
"""The blocks that a multiprocessor has room for, with 64 registers a thread."""

_PITCH: Final = TILE + 1
"""The elements from one row in shared memory to the next: columns lie in different banks, too."""

Values = list[Value]
"""The elements of a thread, from row to row."""

At = Callable[[Index, Index], tuple[Value, Value]]
"""Where in memory an element of a tile is, and whether there is one."""


def tiles_of(extent: int) -> int:
    """Returns the number of tiles along an axis."""
    return -(-extent // TILE)


class TileWriter(Numbers):
    """Writes code of the threads of a block for tiles of a dtype."""

    def __init__(
        self,
        arguments: Sequence[Argument],
        target: Target,
        dtype: DType,
        resident: int = RESIDENT,
    ) -> None:
        f = Kernel(arguments, target, THREADS, resident)
        super().__init__(f, dtype)
        self.thread = f.thread()
        self.row, self.column = f.divide(self.thread, TILE)
        self.rows = [f.add(self.row, each * THREAD_ROWS) for each in range(TILE // THREAD_ROWS)]

    # Global memory.

    def element(self, base: str, place: tuple[Value, Value], otherwise: Value) -> Value:
        """Returns an element that may not be there."""
        f, (at, is_there) = self.f, place
        # A branch, for any element that is read instead may be another block's to write.
        (found,) = f.choose(is_there, lambda: [self.fetch(base, at)], lambda: [otherwise])
        return found

    def load(self, base: str, at: At, *, is_unit: bool = False) -> Values:
        """Returns a tile; what is not there is zero, or continues the unit matrix."""
        f = self.f
        found: Values = []
        for row in self.rows:
            otherwise = self.zero
            if is_unit:
                otherwise = f.select(f.compare("eq", row, self.column), self.one, self.zero)
            found.append(self.element(base, at(row, self.column), otherwise))
        return found

    def store(self, values: Values, base: str, at: At) -> None:
        """Stores what is there of a tile."""
        for row, value in zip(self.rows, values, strict=True):
            place, is_there = at(row, self.column)
            with self.f.when(is_there):
                self.leave(value, base, place)

    def part(self, extents: tuple[int, int], first: tuple[Index, Index], pitch: int) -> At:
        """Returns where the elements are of a tile that begins at a row and a column of a matrix of
        these extents.
        """
        f = self.f

        def at(row: Index, column: Index) -> tuple[Value, Value]:
            i, j = (f.index(f.add_index(x, y)) for x, y in zip(first, (row, column), strict=True))
            is_there = f.bit_and(f.compare("lt", i, extents[0]), f.compare("lt", j, extents[1]))
            return f.add(f.mul(i, pitch), j), is_there

        return at

    # Shared memory.

    def room(self) -> str:
        """Returns the address of shared memory for a tile."""
        return self.f.shared_memory(TILE * _PITCH * self.dtype.itemsize)

    def line(self, count: int = 1) -> str:
        """Returns the address of shared memory for so many rows or columns."""
        return self.f.shared_memory(count * TILE * self.dtype.itemsize)

    def put(self, values: Values, room: str, *, is_turned: bool = False) -> None:
        """Stores a tile in shared memory, or the transposed one."""
        for row, value in zip(self.rows, values, strict=True):
            place = (self.column, row) if is_turned else (row, self.column)
            self.leave(value, room, self._place(*place))

    def get(self, room: str, row: Index, column: Index) -> Value:
        """Returns an element of a tile in shared memory."""
        return self.fetch(room, self._place(row, column))

    def take(self, room: str) -> Values:
        """Returns a tile that is in shared memory."""
        return [self.get(room, row, self.column) for row in self.rows]

    def _place(self, row: Index, column: Index) -> Index:
        f = self.f
        return f.add_index(f.mul_index(row, _PITCH), column)

    def multiply(
        self, start: Values, left: str, right: str, *, is_turned: tuple[bool, bool], sign: int = 1
    ) -> Values:
        """Returns a tile and the product of two tiles in shared memory, or without it; the adjoint
        of each may be taken.
        """
        f = self.f
        with f.loop(0, TILE, 1, start) as loop:
            k = loop.index
            y = self._factor(right, (k, self.column), is_turned=is_turned[1])
            for row, total in zip(self.rows, loop.values, strict=True):
                x = self._factor(left, (row, k), is_turned=is_turned[0])
                product = self.mul(x, y)
                loop.next.append(f.add(total, product) if sign > 0 else f.sub(total, product))
        return loop.results

    def _factor(self, room: str, place: tuple[Index, Index], *, is_turned: bool) -> Value:
        row, column = place
        return self.conjugate(self.get(room, column, row)) if is_turned else self.get(room, *place)

    def solve(self, values: Values, factors: str, lines: str, *, is_unit: bool) -> Values:
        """Returns the solutions of lower systems whose matrix is a tile in shared memory; `lines`
        is room for two rows. Its own barrier lies before the tile is read.
        """
        f = self.f
        with f.loop(0, TILE, 1, values) as loop:
            k = loop.index
            # Rows are left where other threads see them, in two places in turns.
            here = self.pointer(lines, f.mul(f.bit_and(k, 1), TILE))
            group, number = f.divide(k, THREAD_ROWS)
            mine = loop.values[0]
            for each, value in enumerate(loop.values[1:], 1):
                mine = f.select(f.compare("eq", group, each), value, mine)
            with f.when(f.compare("eq", self.row, number)):
                self.leave(mine, here, self.column)
            f.barrier()
            x = self.fetch(here, self.column)
            if not is_unit:
                x = self.div(x, self.get(factors, k, k))
            for row, value in zip(self.rows, loop.values, strict=True):
                rest = f.sub(value, self.mul(self.get(factors, row, k), x))
                is_later, is_there = f.compare("gt", row, k), f.compare("eq", row, k)
                loop.next.append(f.select(is_later, rest, f.select(is_there, x, value)))
        return loop.results


def panel_threads(rows: int) -> int:
    """Returns the threads of the block of a panel, which has so many rows: about 8 rows for each
    warp.
    """
    return min(max(1 << (rows // 8 - 1).bit_length() if rows > 8 else 1, 4), 32) * TILE


# The number of a step, which all launches of it are compiled for: each kernel of a ring reads one
# word of memory and leaves what the next one reads in another.


def read_step(writer: TileWriter, words: str, number: int) -> Value:
    """Returns the number of the step that a kernel of the ring is launched for."""
    f = writer.f
    return f.cast("sext", f.load(words, number, dtypes.int32), dtypes.int64)


def leave_step(writer: TileWriter, words: str, number: int, step: Value) -> None:
    """Leaves the number for the next kernel of the ring."""
    f = writer.f
    is_first = f.bit_and(f.compare("eq", f.block_number(), 0), f.compare("eq", writer.thread, 0))
    with f.when(is_first):
        f.store(f.cast("trunc", step, dtypes.int32), words, number)
