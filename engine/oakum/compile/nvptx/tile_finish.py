"""What is done with the elements of a tile: they pass through shared memory, so that each thread
gets elements that are stored side by side, and is done with the operations that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.loops.nest_context import Cursor
from oakum.compile.loops.sweep_writer import SweepWriter
from oakum.compile.nvptx.codegen.gpu_kernel import Kernel
from oakum.compile.nvptx.codegen.thread_context import ThreadContext
from oakum.compile.nvptx.kernel_schedule import ACCESS, width_along
from oakum.compile.nvptx.product_finish import Finish
from oakum.compile.nvptx.product_tiling import THREADS
from oakum.dtypes import DType

RowOf = Callable[[Value], Value]
"""Returns the row in the tile of a row in shared memory."""

_WIDEST: Final = 8


class FinishWriter(ThreadContext):
    """Writes the finish of tiles; the context of its sweep."""

    def __init__(
        self, f: Kernel, finish: Finish, pointers: Mapping[Buffer, str], alignment: int
    ) -> None:
        self._f, self._finish, self._pointers = f, finish, pointers
        self.function: Function = f
        self.nest = finish.nest
        self.vector_axis: int | None = None
        self.is_along_rows = False
        """Whether rows lie side by side in memory."""
        self._width = 1
        self._batch, self._rows, self._columns = finish.roles
        found: list[tuple[int, bool, bool, int]] = []
        for is_along_rows, axes in ((False, self._columns), (True, self._rows)):
            long = [axis for axis in axes if self.nest.extents[axis] > 1]
            if long:
                width = width_along(self.nest, long[-1], alignment)
                is_near = any(s.offset.coefficient(long[-1]) == 1 for s in finish.sweep.stores)
                found.append((width, is_near, is_along_rows, long[-1]))
        if found:
            best = max(found, key=lambda each: each[:2])
            self._width, _, self.is_along_rows, self.vector_axis = best
            self._width = min(self._width, _WIDEST)

    # Elements.

    def pitch(self, rows: int, side: int, dtype: DType) -> tuple[int, int]:
        """Returns the elements between rows and between columns in shared memory."""
        padding = ACCESS // dtype.itemsize
        return (1, rows + padding) if self.is_along_rows else (side + padding, 1)

    def nbytes(self, rows: int, side: int, dtype: DType) -> int:
        """Returns the bytes of so many rows in shared memory."""
        row, column = self.pitch(rows, side, dtype)
        return max(row * rows, column * side) * dtype.itemsize

    def write(
        self,
        room: str,
        shape: tuple[int, int],
        dtype: DType,
        first: tuple[Value, Value, Value, Value],
        row_of: RowOf,
    ) -> None:
        """Finishes the elements of `shape` rows and columns in shared memory; `first` are the
        product of the batch, the part, and the first row and column of the tile.
        """
        f = self._f
        rows, side = shape
        batch, part, first_row, first_column = first
        pitch = self.pitch(rows, side, dtype)
        width = min(self._width, rows * side // THREADS)
        near, far = (rows, side) if self.is_along_rows else (side, rows)
        with f.loop(0, near * far // width, THREADS) as loop:
            line, along = f.divide(f.add(loop.index, f.thread()), near // width)
            along = f.mul(along, width)
            row, column = (along, line) if self.is_along_rows else (line, along)
            at_row, at_column = f.add(first_row, row_of(row)), f.add(first_column, column)
            inside = f.bit_and(
                f.below(at_row, self._extent(self._rows)),
                f.below(at_column, self._extent(self._columns)),
            )
            with f.when(inside):
                place = f.add(f.mul(row, pitch[0]), f.mul(column, pitch[1]))
                align = min(width * dtype.itemsize, ACCESS)
                x = f.load(room, place, dtype, width, align=align)
                axes = self._positions(batch, self._batch)
                axes |= self._positions(at_row, self._rows)
                axes |= self._positions(at_column, self._columns)
                if self._finish.part is not None:
                    axes[self._finish.part] = part
                slots = {0: operations.convert(f, x, self._finish.dtype)}
                cursor = Cursor(axes, width, None, slots)
                SweepWriter(self, self._finish.sweep, cursor, width).write()

    def _extent(self, axes: Sequence[int]) -> int:
        found = 1
        for axis in axes:
            found *= self.nest.extents[axis]
        return found

    def _positions(self, number: Value, axes: Sequence[int]) -> dict[int, Index]:
        """Returns the positions along axes, the last the fastest, of a number below their count."""
        f, found = self._f, dict[int, Index]()
        for place, axis in reversed(list(enumerate(axes))):
            position = number
            if place:
                number, position = f.divide(number, self.nest.extents[axis])
            found[axis] = position
        return found
