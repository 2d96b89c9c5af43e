"""Squares of vectors, transposed in registers, and tiles of results whose columns are contiguous:
vectors of rows are stored.
"""

from __future__ import annotations

from oakum.compile.cpu.contraction.result_store import Writer
from oakum.compile.cpu.contraction.tile import Tile
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.problems.contraction import Contraction
from oakum.dtypes import DType


def transpose(f: Function, rows: list[Value | None], dtype: DType) -> list[Value]:
    """Returns the columns of a square of vectors; rows that are None do not count."""
    width = len(rows)
    part = min(16 // dtype.itemsize, width)
    unit = 1
    rows = list(rows)
    while unit < width:
        for number in range(width):
            if number & unit:
                continue
            pair = rows[number], rows[number | unit]
            low, high = _interleaving(width, part, unit) if unit < part else _swap(width, unit)
            rows[number] = _shuffled(f, pair, low)
            rows[number | unit] = _shuffled(f, pair, high)
        unit *= 2
    columns = [rows[_reversed_bits(number, part)] for number in range(width)]
    return [column for column in columns if column is not None]


def _shuffled(
    f: Function, pair: tuple[Value | None, Value | None], lanes: list[int]
) -> Value | None:
    x, y = pair
    if x is None:
        return None
    if y is None:
        return f.shuffle(x, x, [lane if lane < x.width else -1 for lane in lanes])
    return f.shuffle(x, y, lanes)


def _interleaving(width: int, part: int, unit: int) -> tuple[list[int], list[int]]:
    """Returns the lanes of two vectors in turns, within parts of 16 bytes: what one instruction
    does.
    """
    found: tuple[list[int], list[int]] = [], []
    for start in range(0, width, part):
        for half, lanes in enumerate(found):
            for number in range(0, part // 2, unit):
                at = start + half * part // 2 + number
                lanes += [*range(at, at + unit), *range(width + at, width + at + unit)]
    return found


def _swap(width: int, unit: int) -> tuple[list[int], list[int]]:
    """Returns the lanes whose number has a bit not set, of both vectors; and those whose number
    has.
    """
    low = [lane if not lane & unit else width + (lane ^ unit) for lane in range(width)]
    high = [lane | unit if not lane & unit else width + lane for lane in range(width)]
    return low, high


def _reversed_bits(number: int, part: int) -> int:
    """Returns the number with its lowest bits, as many as count up to `part`, in the other
    order.
    """
    bits = part.bit_length() - 1
    low = sum(1 << (bits - 1 - bit) for bit in range(bits) if number >> bit & 1)
    return number - number % part + low


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
