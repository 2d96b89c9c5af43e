"""Functions that do not depend on what is contracted: a module has each of them once."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.compile.cpu.contraction.result_store import begin_outlined, boolean, parameter
from oakum.compile.cpu.contraction.tile import Operand, Tile, accumulate, zeros
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.dtypes import DType


def call(
    f: Function,
    called: Function,
    pointers: Sequence[str],
    numbers: Sequence[Index],
    flags: Sequence[Value] = (),
    extras: Sequence[str] = (),
) -> None:
    """Calls a function; a shared one comes with the one that calls it."""
    if called.name.startswith(_SHARED):
        f.require(called)
    given = [f"ptr {pointer}" for pointer in pointers]
    given += [f.index(number).typed for number in numbers]
    given += [flag.typed for flag in flags]
    given += [f"ptr {extra}" for extra in extras]
    f.write(f"call void @{called.name}({', '.join(given)})")


_SHARED = "oakum_"
"""How the names of shared functions begin; the rest of it says all that they depend on."""


def shared_name(what: str, target: Target, *parts: object) -> str:
    """Returns the name of a shared function."""
    return _SHARED + "_".join(map(str, (what, *parts, 8 * target.vector_bytes)))


def tile_function(tile: Tile, accumulator: DType, target: Target, pitch: int | None) -> Function:
    """Returns a function that multiplies slivers, and stores the sums, or adds them to what is
    there; with a pitch, the first operand is no sliver but rows that are so many elements apart.
    """
    shape = f"{tile.rows}x{tile.vectors}x{tile.width}"
    kind = "pairs" if tile.is_paired else accumulator.short
    name = shared_name("tile", target, kind, shape, pitch or "packed")
    f = begin_outlined(name, target, ("a", "b", "c"), ("pitch", "count"), ("adds",))
    at = [
        f.pointer(
            "%c",
            f.add_index(f.mul_index(parameter("pitch"), row), vector * tile.width),
            accumulator,
        )
        for row in range(tile.rows)
        for vector in range(tile.vectors)
    ]
    for row in range(tile.rows):
        f.prefetch(at[row * tile.vectors], 0, accumulator)
        f.prefetch(at[row * tile.vectors], tile.columns - 1, accumulator)
    sums = products_of_slivers(f, tile, accumulator, pitch)
    first, again = f.label(), f.label()
    f.branch(boolean("adds"), again, first)
    f.enter(first)
    for value, place in zip(sums, at, strict=True):
        f.store(value, place, 0)
    f.write("ret void")
    f.enter(again)
    for value, place in zip(sums, at, strict=True):
        f.store(f.add(value, f.load(place, 0, accumulator, tile.width)), place, 0)
    return f


def products_of_slivers(
    f: Function, tile: Tile, accumulator: DType, pitch: int | None
) -> list[Value]:
    """Returns the sums of a tile, of the operands `a` and `b` of a function that takes their
    `count`.
    """
    step, stride = (1, tile.rows) if pitch is None else (pitch, 1)
    lhs = Operand(("%a",), step, (stride,), accumulator)
    rhs = Operand(("%b",), 1, (tile.columns,), accumulator)
    return accumulate(f, tile, lhs, rhs, (parameter("count"),), zeros(tile, accumulator))


def plain_place(tile: Tile, accumulator: DType, target: Target) -> Function:
    """Returns a function that stores the part of a tile that counts, or adds it to what is
    there.
    """
    name = shared_name("place", target, accumulator.short, tile.columns, tile.width)
    f = begin_outlined(name, target, ("tile", "sums"), ("pitch", "rows", "columns"), ("adds",))
    columns = parameter("columns")
    whole = f.bit_and(columns, -tile.width)
    with f.loop(0, parameter("rows")) as row:
        source = f.mul(row.index, tile.columns)
        into = f.mul(row.index, parameter("pitch"))
        for start, end, width in ((0, whole, tile.width), (whole, columns, 1)):
            with f.loop(start, end, width) as loop:
                value = f.load("%tile", f.add(source, loop.index), accumulator, width)
                at = f.add(into, loop.index)

                def summed(value: Value = value, at: Value = at) -> list[Value]:
                    return [f.add(value, f.load("%sums", at, accumulator, value.width))]

                [value] = f.choose(boolean("adds"), summed, lambda value=value: [value])
                f.store(value, "%sums", at)
    return f
