"""Tiles whose elements lanes sum by fused multiplications and additions, for every dtype.

A lane has up to eight rows and eight columns, so that each number that it loads from shared memory
is used eight times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.loops import operations
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.operand_strips import StripLayout
from oakum.compile.nvptx.product_tiling import Tiling
from oakum.compile.problems.contraction import Contraction

Put = Callable[[Value, Value, Value], None]
"""Takes a row, a column, and elements side by side from there on."""

_LANES: Final = 16
"""The lanes of a block along rows, and along columns."""

_ACROSS: Final = 8
"""The lanes of a warp along columns: they load 128 bytes side by side."""

_WIDEST: Final = 4


class LaneTiles:
    """The sums of the lanes of one block."""

    def __init__(self, f: Kernel, problem: Contraction, tiling: Tiling) -> None:
        self._f, self._dtype, self._strip = f, problem.accumulator, tiling.strip
        each = tiling.side // _LANES
        self._width = min(each, _WIDEST)
        self._groups = each // self._width
        pitch = tiling.side + ACCESS // self._dtype.itemsize
        layout = StripLayout(self._dtype, 1, pitch, pitch * tiling.strip)
        self.layouts = layout, layout
        self.passes = self._groups
        """A part of the rows of each lane is finished at a time."""
        self._align = min(self._width * self._dtype.itemsize, ACCESS)
        self._row, self._column = self._corner()

    def _corner(self) -> tuple[Value, Value]:
        """Returns the first row and column of a lane."""
        f = self._f
        warp, lane = f.divide(f.thread(), WARP)
        warp_row, warp_column = f.divide(warp, _LANES // _ACROSS)
        row, column = f.divide(lane, _ACROSS)
        warp_rows = WARP // _ACROSS
        return (
            f.mul(f.add(f.mul(warp_row, warp_rows), row), self._width),
            f.mul(f.add(f.mul(warp_column, _ACROSS), column), self._width),
        )

    def zeros(self) -> list[Value]:
        """Returns the sums of no products."""
        zero = constant(operations.identity("add", self._dtype), self._dtype, self._width)
        return [zero] * (self._groups * self._width * self._groups)

    def multiply(
        self, rooms: tuple[str, str], stages: tuple[Index, Index], totals: Sequence[Value]
    ) -> list[Value]:
        """Adds the products of a strip."""
        f, result = self._f, list(totals)
        for product in range(self._strip):
            lhs = self._fragment(rooms[0], stages[0], product, self._row)
            rhs = self._fragment(rooms[1], stages[1], product, self._column)
            for number, total in enumerate(result):
                row, group = divmod(number, self._groups)
                x = f.splat(f.lane(lhs[row // self._width], row % self._width), self._width)
                result[number] = self._sum(x, rhs[group], total)
        return result

    def _fragment(self, room: str, stage: Index, product: int, first: Value) -> list[Value]:
        """Loads the elements of a lane of one product."""
        f, found = self._f, list[Value]()
        at = f.add_index(first, stage)
        for group in range(self._groups):
            more = product * self.layouts[0].product + group * _LANES * self._width
            place = f.add_index(at, more)
            found.append(f.load(room, place, self._dtype, self._width, align=self._align))
        return found

    def _sum(self, x: Value, y: Value, total: Value) -> Value:
        f = self._f
        return f.fma(x, y, total) if is_float(self._dtype) else f.add(total, f.mul(x, y))

    def put(self, number: int, totals: Sequence[Value], put: Put) -> None:
        """Passes on the sums of a pass, with their rows among those of the pass."""
        f, width = self._f, self._width
        first_row, first_column = self._corner()
        for row in range(width):
            for group in range(self._groups):
                total = totals[(number * width + row) * self._groups + group]
                column = f.add(first_column, group * _LANES * width)
                put(f.add(first_row, row), column, total)

    def row(self, number: int, row: Value) -> Value:
        """Returns the row in the tile of a row of a pass."""
        return self._f.add(row, number * _LANES * self._width)
