"""Tiles of results whose columns are contiguous: vectors of rows are stored.

Sums are vectors of some columns of a row. They are put into memory, and squares of them transposed
in registers from there, so that nothing is stored element by element.
"""

from __future__ import annotations

from oakum.compile.cpu.contraction.result_store import Writer
from oakum.compile.cpu.contraction.tile import Tile
from oakum.compile.cpu.contraction.transpose_in_registers import transpose
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.problems.contraction import Contraction


def turned_bytes(problem: Contraction, tile: Tile) -> int:
    """Returns the memory for the sums of a tile, and for what they are transposed to."""
    rows = tile.rows + tile.width
    return rows * tile.columns * problem.accumulator.itemsize


def write_turned(
    f: Function, writer: Writer, tile: Tile, memory: str, place: tuple[Index, Index, Index]
) -> None:
    """Stores a tile, whose sums stand in memory row by row, at its place."""
    batch, row, column = place
    accumulator, width = writer.contraction.accumulator, tile.width
    squares = f.pointer(memory, tile.rows * tile.columns, accumulator)
    for start, count in _groups(tile):
        with f.loop(0, tile.columns, width) as across:
            rows: list[Value | None] = [
                f.load(memory, f.add_index(across.index, lane * tile.columns), accumulator, width)
                for lane in range(start, start + count)
            ]
            rows += [None] * (width - count)
            for lane, value in enumerate(transpose(f, rows, accumulator)):
                f.store(value, squares, f.mul(f.add_index(across.index, lane), width))
        with f.loop(0, tile.columns) as across:
            value = f.load(squares, f.mul(across.index, width), accumulator, width)
            here = batch, f.add_index(row, start), f.add_index(column, across.index)
            writer.write_down(f, value, here, count)


def _groups(tile: Tile) -> list[tuple[int, int]]:
    """Returns the first row of each vector of a column, and how many rows it has."""
    rows, width = tile.rows, tile.width
    return [(start, min(rows - start, width)) for start in range(0, rows, width)]
