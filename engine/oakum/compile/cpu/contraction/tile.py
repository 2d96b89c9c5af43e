"""The register tile: products of a few rows with a few vectors of columns, summed in registers.

An element of the first operand is spread over a vector and multiplied with vectors of the second.
Every contraction is made of such tiles; what differs is where the operands stand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from oakum.compile.cpu.contraction.operand_conversions import (
    has_pair_products,
    multiply_pairs,
    widen,
)
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.loops.summation import ChunkLoop, loops_of_sum
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Contraction
from oakum.dtypes import DType
from oakum.values.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Tile:
    """The extents of a register tile."""

    rows: int
    vectors: int
    width: int
    """The elements of a vector."""
    is_paired: bool = False
    """Whether an element of an operand is two of 16 bits, whose products are added at once."""

    @property
    def columns(self) -> int:
        """The columns of all vectors of a row."""
        return self.vectors * self.width


@dataclass(frozen=True, slots=True)
class Operand:
    """Where the elements of one operand of a tile stand."""

    bases: tuple[str, ...]
    """The address of the first element; or one for each row."""
    step: int
    """The elements from one row or column to the next, where there is one address."""
    strides: tuple[int, ...]
    """The elements from one to the next in each summed loop."""
    dtype: DType
    is_spread: bool = True
    """Whether a row has one element for all columns, and not one for each."""

    def advanced(self, f: Function, level: int, number: Index) -> Operand:
        """Returns the operand at a place in one summed loop."""
        offset = f.mul_index(number, self.strides[level])
        bases = tuple(f.pointer(base, offset, self.dtype) for base in self.bases)
        return replace(self, bases=bases)

    def row(self, f: Function, number: int) -> str:
        """Returns the address of an element, by its row."""
        first, *others = self.bases
        if others:
            return self.bases[number]
        return f.pointer(first, number * self.step, self.dtype)


def zeros(tile: Tile, accumulator: DType) -> list[Value]:
    """What a tile's sums begin with."""
    number = 0.0 if is_float(accumulator) else 0
    return [constant(number, accumulator, tile.width)] * (tile.rows * tile.vectors)


def accumulate(
    f: Function,
    tile: Tile,
    lhs: Operand,
    rhs: Operand,
    counts: Sequence[Index],
    sums: list[Value],
    unroll: int = 1,
) -> list[Value]:
    """Adds the products over the summed loops, of which there may be so many turns in a row; sums
    are row by row, vector by vector. Long sums of known extents are added in chunks.
    """
    known = [count for count in counts if isinstance(count, int)]
    if len(known) == len(counts) and math.prod(known) <= unroll:
        for place in itertools.product(*map(range, known)):
            operands = lhs, rhs
            for level, number in enumerate(place):
                operands = _advance(f, operands, level, number)
            sums = _add_products(f, tile, *operands, sums)
        return sums
    in_chunks = len(known) == len(counts) and is_float(sums[0].dtype)
    loops = loops_of_sum(known) if in_chunks else [(ChunkLoop(1),) for _ in counts]
    return _nested(f, tile, (lhs, rhs), list(zip(counts, loops, strict=True)), sums, 0)


def _nested(
    f: Function,
    tile: Tile,
    operands: tuple[Operand, Operand],
    axes: Sequence[tuple[Index, Sequence[ChunkLoop]]],
    sums: list[Value],
    level: int,
) -> list[Value]:
    if level == len(axes):
        return _add_products(f, tile, *operands, sums)

    def turn(number: Index, sums: list[Value]) -> list[Value]:
        at = _advance(f, operands, level, number)
        return _nested(f, tile, at, axes, sums, level + 1)

    count, chunks = axes[level]
    return turn(0, sums) if count == 1 else _chunked(f, tile, chunks, (0, count), sums, turn)


def _chunked(
    f: Function,
    tile: Tile,
    chunks: Sequence[ChunkLoop],
    span: tuple[Index, Index],
    sums: list[Value],
    turn: Callable[[Index, list[Value]], list[Value]],
) -> list[Value]:
    """Writes the loops over one axis, the outermost first."""
    chunk, *inner = chunks
    start, stop = span
    with f.loop(start, stop, chunk.step, sums) as loop:
        before = zeros(tile, sums[0].dtype) if chunk.apart else loop.values
        if inner:
            end = f.add_index(loop.index, chunk.step)
            if not chunk.even:
                end = f.minimum(f.index(end), f.index(stop))
            after = _chunked(f, tile, inner, (loop.index, end), before, turn)
        else:
            after = turn(loop.index, before)
        if chunk.apart:
            after = [f.add(total, part) for total, part in zip(loop.values, after, strict=True)]
        loop.next = after
    return loop.results


def _advance(
    f: Function, operands: tuple[Operand, Operand], level: int, number: Index
) -> tuple[Operand, Operand]:
    return operands[0].advanced(f, level, number), operands[1].advanced(f, level, number)


def _add_products(
    f: Function, tile: Tile, lhs: Operand, rhs: Operand, sums: list[Value]
) -> list[Value]:
    accumulator = sums[0].dtype
    columns: list[Value] = []
    for number in range(tile.vectors):
        at = f.pointer(rhs.bases[0], number * tile.width * rhs.step, rhs.dtype)
        columns.append(widen(f, f.load(at, 0, rhs.dtype, tile.width), accumulator))
    result: list[Value] = []
    factor = columns[0]
    for row in range(tile.rows):
        base, width = lhs.row(f, row), 1 if lhs.is_spread else tile.width
        for number, column in enumerate(columns):
            if number == 0 or not lhs.is_spread:
                loaded = f.load(base, number * width, lhs.dtype, width)
                factor = f.splat(widen(f, loaded, accumulator), tile.width)
            total = sums[row * tile.vectors + number]
            product = multiply_pairs(f, factor, column) if tile.is_paired else f.mul(factor, column)
            result.append(f.add(product, total))
    return result


def large_tile(problem: Contraction, target: Target) -> Tile:
    """Returns the tile of packed operands."""
    width = target.width(problem.accumulator)
    rows, vectors = (6, 2) if target.registers < 32 else (8, 3)
    parts = -(-problem.m // rows)
    paired = has_pair_products(target, problem.lhs, problem.rhs, problem.accumulator)
    return Tile(-(-problem.m // parts), min(vectors, -(-problem.n // width)), width, paired)


def small_tile(
    problem: Contraction, target: Target, *, exact: bool, lines: int = 0, widest: int = 64
) -> Tile:
    """Returns the tile that goes through all rows and columns in the least time; `exact` if it has
    to divide them, and an epilogue of so many lines comes after it. Vectors are none beyond
    `widest`.
    """
    choices: list[tuple[float, int, int, int]] = []
    width = 1
    while width <= min(target.width(problem.accumulator), problem.n, widest):
        for vectors in range(1, min(8, problem.n // width) + 1):
            rows = min((target.registers - 2 - vectors) // vectors, problem.m, 16)
            choices += [
                (_cycles(problem, row, vectors, width, lines), -row * vectors * width, row, vectors)
                for row in range(1, rows + 1)
                if not exact or not (problem.m % row or problem.n % (vectors * width))
            ]
        width *= 2
    _, size, rows, vectors = min(choices)
    return Tile(rows, vectors, -size // (rows * vectors))


def featured_tile(problem: Contraction, target: Target, *, exact: bool) -> Tile:
    """Returns the tile where each column has rows of its own: there is as much to load as to
    multiply.
    """
    width = target.width(problem.accumulator)
    while width > problem.n or (exact and problem.n % width):
        width //= 2
    vectors = 2 if problem.n >= 2 * width and not (exact and problem.n % (2 * width)) else 1
    rows = min(problem.m, 12 // vectors if target.registers < 32 else 24 // vectors)
    while exact and problem.m % rows:
        rows -= 1
    return Tile(rows, vectors, width)


def _cycles(problem: Contraction, rows: int, vectors: int, width: int, lines: int) -> float:
    """About how long all tiles take. Two products of vectors are begun in one cycle, a sum can be
    added to again some cycles later, and loads take their time, those of vectors the more so: the
    factors were measured.
    """
    tiles = -(-problem.m // rows) * -(-problem.n // (vectors * width))
    turn = max(rows * vectors / 2, 5.2, 0.68 * (rows + vectors)) + 0.05 * vectors
    return tiles * (turn * problem.k + rows * vectors * (1 + 0.3 * lines) + 8)
