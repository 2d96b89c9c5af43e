"""Tiles of packed operands that an epilogue is applied to as they leave the registers."""

from __future__ import annotations

from oakum.compile.cpu.contraction.result_store import Writer, begin_outlined, boolean, parameter
from oakum.compile.cpu.contraction.shared import products_of_slivers
from oakum.compile.cpu.contraction.tile import Tile
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target


def emit_finish(
    writer: Writer,
    target: Target,
    name: str,
    tile: Tile,
    extras: tuple[str, ...],
    pitch: int | None,
) -> Function:
    """Returns a function that multiplies slivers, adds what there is of sums, and stores what the
    epilogue makes of them: for tiles all of whose rows and columns count. With a pitch, the first
    operand is no sliver, as in `tile_function`.
    """
    accumulator = writer.contraction.accumulator
    numbers = ("pitch", "count", "batch", "row", "column")
    f = begin_outlined(name, target, ("a", "b", "sums", "result"), numbers, ("adds",), extras)
    place = parameter("batch"), parameter("row"), parameter("column")
    writer.prefetch(f, place, tile.rows, tile.columns)
    sums = products_of_slivers(f, tile, accumulator, pitch)

    def added() -> list[Value]:
        found: list[Value] = []
        for number, value in enumerate(sums):
            row, vector = divmod(number, tile.vectors)
            at = f.add_index(f.mul_index(parameter("pitch"), row), vector * tile.width)
            found.append(f.add(value, f.load("%sums", at, accumulator, tile.width)))
        return found

    values = f.choose(boolean("adds"), added, lambda: sums)
    batch, row, column = place
    for number, value in enumerate(values):
        down, across = divmod(number, tile.vectors)
        here = batch, f.add_index(row, down), f.add_index(column, across * tile.width)
        writer.write(f, value, here, tile.width)
    return f


def emit_fetch(
    writer: Writer, target: Target, name: str, tile: Tile, extras: tuple[str, ...]
) -> Function:
    """Returns a function that asks for the memory that the epilogue of a tile needs."""
    numbers = "batch", "row", "column"
    f = begin_outlined(name, target, ("result",), numbers, (), extras)
    batch, row, column = (parameter(number) for number in numbers)
    writer.prefetch(f, (batch, row, column), tile.rows, tile.columns)
    return f
