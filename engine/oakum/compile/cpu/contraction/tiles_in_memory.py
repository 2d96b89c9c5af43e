"""Placing tiles that stand in memory: those at the edges, those that an epilogue is applied to, and
those of sums that are not finished.

Code that is applied to the elements of a tile is written once, in a loop over its rows: tiles in
registers would need it once for each of their vectors.
"""

from __future__ import annotations

from typing import Final

from oakum.compile.cpu.contraction.result_store import (
    Writer,
    begin_outlined,
    boolean,
    parameter,
    store_lanes,
)
from oakum.compile.cpu.contraction.tile import Tile
from oakum.compile.cpu.contraction.transpose_in_registers import write_turned
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.values.records import dataclass, replace


def emit_place(
    writer: Writer,
    target: Target,
    name: str,
    shape: tuple[int, int, int],
    extras: tuple[str, ...],
    *,
    blocked: bool,
) -> Function:
    """Returns a function that places a tile that stands in memory, rows of which are `shape[1]`
    elements of `shape[2]` lanes each apart.

    Its parameters: the tile, the sums so far, the result, the elements between rows of the sums,
    the place, how many rows count, whether there are sums so far, whether these are the last.
    """
    numbers = ("pitch", "batch", "row", "column", "rows")
    f = begin_outlined(name, target, ("tile", "sums", "result"), numbers, ("adds", "last"), extras)
    _Placing(writer, f, shape, blocked).write()
    return f


_TOGETHER: Final = 2
"""The most vectors of a row that are done without a loop, to overlap their latencies. By
judgement.
"""

ORIGIN: Final = ("first_row", "first_column", "first_offset")
"""The parameters of functions that take the beginning of the part that a tile is in."""


def emit_finisher(
    writer: Writer,
    target: Target,
    name: str,
    tile: Tile,
    extras: tuple[str, ...],
    *,
    turned: bool,
) -> Function:
    """Returns a function that applies the epilogue to a whole tile that stands in memory, and
    stores it, by vectors of columns or, turned, of rows.

    Its constants must not take registers of the loop that multiplies, so that it is no part of it.
    """
    numbers = "batch", "row", "column", *ORIGIN
    f = begin_outlined(name, target, ("tile", "result"), numbers, (), extras)
    first, second, third = (parameter(name) for name in ORIGIN)
    writer = replace(writer, origin=(first, second, third))
    if turned:
        place = parameter("batch"), parameter("row"), parameter("column")
        write_turned(f, writer, tile, "%tile", place)
        return f
    placing = _Placing(writer, f, (tile.rows, tile.columns, tile.width), False)
    with f.loop(0, tile.rows) as loop:
        placing.row(loop.index, tile.columns)
    return f


@dataclass(frozen=True, slots=True)
class _Placing:
    writer: Writer
    f: Function
    shape: tuple[int, int, int]
    blocked: bool

    def write(self) -> None:
        f, columns = self.f, self.writer.contraction.n
        _, pitch, _ = self.shape
        with f.loop(0, parameter("rows")) as loop:
            if columns >= pitch:
                edge = f.add(parameter("column"), pitch)
                with f.when(f.compare("le", edge, columns)):
                    self.row(loop.index, pitch)
            if columns % pitch:
                edge = f.add(parameter("column"), pitch)
                with f.when(f.compare("gt", edge, columns)):
                    self.row(loop.index, columns % pitch)

    def row(self, row: Value, count: int) -> None:
        f = self.f
        width = self.shape[2] if self.writer.is_contiguous else 1
        if count <= _TOGETHER * width:
            for start in range(0, count // width * width, width):
                self.element(row, f.index(start), width, width)
        else:
            with f.loop(0, count // width * width, width) as loop:
                self.element(row, loop.index, width, width)
        if count % width:
            start = f.index(count // width * width)
            self.element(row, start, width, count % width)

    def element(self, row: Value, column: Value, width: int, lanes: int) -> None:
        f, accumulator = self.f, self.writer.contraction.accumulator
        start = f.add(f.mul(row, self.shape[1]), column)
        value = f.load("%tile", start, accumulator, width)
        if not self.blocked:
            self.finish(value, row, column, lanes)
            return
        at = f.add(f.mul(row, parameter("pitch")), column)
        mask = f.first_lanes(lanes, width) if lanes < width else None

        def summed() -> list[Value]:
            return [f.add(value, f.load("%sums", at, accumulator, width, mask))]

        [value] = f.choose(boolean("adds"), summed, lambda: [value])
        with f.when(boolean("last")):
            self.finish(value, row, column, lanes)
        with f.when(f.bit_not(boolean("last"))):
            store_lanes(f, value, "%sums", at, lanes)

    def finish(self, value: Value, row: Value, column: Value, lanes: int) -> None:
        f = self.f
        row, column = f.add(parameter("row"), row), f.add(parameter("column"), column)
        self.writer.write(f, value, (parameter("batch"), row, column), lanes)
