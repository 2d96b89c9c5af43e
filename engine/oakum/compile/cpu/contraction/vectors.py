"""Few rows times a matrix: there is nothing to keep in caches, and memory is what takes the time.

The matrix is read once, in the order in which it stands.
"""

from __future__ import annotations

import math
from typing import Final

from oakum.compile.cpu.contraction.operands import offset
from oakum.compile.cpu.contraction.planning import Form, Plan, Span, each_item
from oakum.compile.cpu.contraction.result_store import Writer
from oakum.compile.cpu.contraction.tile import Tile, zeros
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, is_float
from oakum.values.records import dataclass


def emit_vector(f: Function, plan: Plan, writer: Writer) -> int:
    """Writes the function; returns the scratch memory that it needs."""
    made = _Vector(f, plan, writer)
    each_item(f, plan, made.dots if plan.form is Form.DOTS else made.sweeps)
    if plan.form is not Form.SWEEPS:
        return 0
    rooms = 2 if made.in_chunks else 1
    return rooms * made.room * plan.contraction.accumulator.itemsize


_APART: Final = 512
"""The rows that a sweep adds one after another, as many as a packed block has: with 100,000, sums
of float32 had an error of 2e-5, and have 5e-7 in chunks, at the same speed.
"""


@dataclass(frozen=True, slots=True)
class _Vector:
    f: Function
    plan: Plan
    writer: Writer

    def bases(self, batch: Index) -> tuple[Index, Index]:
        """Where the operands of a batch item begin."""
        f, problem = self.f, self.plan.contraction
        lhs, rhs = (offset(f, problem.steps("batch", array), batch) for array in ("lhs", "rhs"))
        return lhs, rhs

    def dots(self, batch: Index, rows: Span, columns: Span) -> None:
        """Columns that are contiguous, some at a time."""
        f, problem, many = self.f, self.plan.contraction, self.plan.tile.rows
        lhs, rhs = self.bases(batch)
        with f.loop(*columns, many) as loop:
            column: Index = loop.index
            if problem.n % many:
                column = f.minimum(loop.index, problem.n - many)
            places = [
                f.add_index(
                    rhs, offset(f, problem.steps("columns", "rhs"), f.add_index(column, number))
                )
                for number in range(many)
            ]
            sums = [f.reduce("add", value) for value in self.products(lhs, places)]
            value = sums[0]
            if many > 1:
                value = Value("poison", problem.accumulator, many)
                for lane, one in enumerate(sums):
                    value = f.with_lane(value, lane, one)
            self.writer.write(f, value, (batch, 0, column), many)

    def products(self, lhs: Index, places: list[Index]) -> list[Value]:
        """Vectors whose elements, summed, are the products of columns with the row."""
        f, problem, tile = self.f, self.plan.contraction, self.plan.tile
        step = tile.width * tile.vectors
        whole = problem.k // step * step
        sums = zeros(tile, problem.accumulator)
        if whole:
            with f.loop(0, whole, step, sums) as loop:
                turned = list(loop.values)
                for vector in range(tile.vectors):
                    at = f.add_index(loop.index, vector * tile.width)
                    mine = slice(vector, None, tile.vectors)
                    turned[mine] = self.multiplied(lhs, places, at, tile.width, turned[mine])
                loop.next = turned
            sums = loop.results
        totals: list[Value] = []
        for number in range(tile.rows):
            mine = sums[number * tile.vectors : (number + 1) * tile.vectors]
            while len(mine) > 1:
                mine = [f.add(x, y) for x, y in zip(mine[::2], mine[1::2], strict=True)]
            totals += mine
        for at in range(whole, problem.k, tile.width):
            lanes = min(problem.k - at, tile.width)
            totals = self.multiplied(lhs, places, at, lanes, totals)
        return totals

    def multiplied(
        self, lhs: Index, places: list[Index], at: Index, lanes: int, sums: list[Value]
    ) -> list[Value]:
        """Sums with products of the row's elements there added."""
        f, problem, width = self.f, self.plan.contraction, self.plan.tile.width
        mask = f.first_lanes(lanes, width) if lanes < width else None
        row = f.load("%lhs", f.add_index(lhs, at), problem.lhs, width, mask)
        found: list[Value] = []
        for place, total in zip(places, sums, strict=True):
            column = f.load("%rhs", f.add_index(place, at), problem.rhs, width, mask)
            found.append(f.add(f.mul(row, column), total))
        return found

    def sweeps(self, batch: Index, rows: Span, columns: Span) -> None:
        """Rows that are contiguous, some at a time, a block of columns after the other."""
        f, problem, plan = self.f, self.plan.contraction, self.plan
        width, many = plan.tile.width, plan.tile.vectors
        lhs, rhs = self.bases(batch)
        summed = problem.summed[0]
        with f.loop(*columns, plan.block_columns) as block:
            wide = f.minimum(f.sub(f.index(columns[1]), block.index), plan.block_columns)
            zero = zeros(Tile(1, 1, width), problem.accumulator)[0]
            for row in range(0, self.total + self.room, plan.block_columns):
                with f.loop(0, wide, width) as loop:
                    f.store(zero, "%scratch", f.add_index(loop.index, row))

            def turn(number: Value, step: int) -> None:
                first = f.add_index(rhs, f.add_index(f.mul_index(number, summed.rhs), block.index))
                places = [f.add_index(first, n * summed.rhs) for n in range(step)]
                for some in range(0, problem.m, plan.tile.rows):
                    group = range(some, min(some + plan.tile.rows, problem.m))
                    numbers = [f.add_index(number, n) for n in range(step)]
                    spread = [self.spread(lhs, group, number) for number in numbers]
                    self.sweep(group, places, spread, wide)

            whole = problem.k // many * many
            if whole < problem.k:
                turn(f.index(whole), problem.k - whole)
            if self.in_chunks:
                # The first chunk takes what is there already, the last one may be shorter.
                chunk = _chunk(whole, many)
                with f.loop(0, whole, chunk) as chunks:
                    end = f.minimum(f.add(chunks.index, chunk), whole)
                    with f.loop(chunks.index, end, many) as loop:
                        turn(loop.index, many)
                    self.collect(wide, zero)
            elif whole:
                with f.loop(0, whole, many) as loop:
                    turn(loop.index, many)
            for row in range(problem.m):
                self.finish(batch, row, block.index, wide)

    @property
    def in_chunks(self) -> bool:
        """Whether sweeps add chunks of rows apart, and then to totals."""
        problem = self.plan.contraction
        return is_float(problem.accumulator) and problem.k > _APART

    @property
    def room(self) -> int:
        """The sums of a block of columns."""
        return self.plan.contraction.m * self.plan.block_columns

    @property
    def total(self) -> int:
        """Where the totals of a block of columns begin."""
        return self.room if self.in_chunks else 0

    def collect(self, wide: Value, zero: Value) -> None:
        """Adds the sums of a chunk to the totals, and begins again."""
        f, plan, width = self.f, self.plan, self.plan.tile.width
        accumulator = plan.contraction.accumulator
        for row in range(0, self.room, plan.block_columns):
            with f.loop(0, wide, width) as loop:
                here, there = (f.add_index(loop.index, n) for n in (row, self.total + row))
                part, total = (f.load("%scratch", at, accumulator, width) for at in (here, there))
                f.store(f.add(total, part), "%scratch", there)
                f.store(zero, "%scratch", here)

    def spread(self, lhs: Index, rows: range, number: Index) -> list[Value]:
        """Returns the elements of rows of a number, in all lanes."""
        f, problem = self.f, self.plan.contraction
        at = f.add_index(lhs, f.mul_index(number, problem.summed[0].lhs))
        steps = problem.steps("rows", "lhs")
        places = [f.add_index(at, offset(f, steps, row)) for row in rows]
        loaded = [f.load("%lhs", place, problem.lhs) for place in places]
        return [f.splat(value, self.plan.tile.width) for value in loaded]

    def sweep(
        self, rows: range, places: list[Index], spread: list[list[Value]], wide: Value
    ) -> None:
        """Adds products with some rows of the second operand to the sums of a block of columns."""
        f, width = self.f, self.plan.tile.width
        whole = f.bit_and(wide, -width)
        with f.loop(0, whole, width) as loop:
            self.add_rows(rows, places, spread, loop.index, None)
        with f.when(f.compare("lt", whole, wide)):
            lanes = f.first_lanes(f.sub(wide, whole), width)
            self.add_rows(rows, places, spread, whole, lanes)

    def add_rows(
        self,
        rows: range,
        places: list[Index],
        spread: list[list[Value]],
        at: Value,
        mask: Value | None,
    ) -> None:
        f, problem, width = self.f, self.plan.contraction, self.plan.tile.width
        kept = [f.add_index(at, row * self.plan.block_columns) for row in rows]
        totals = [f.load("%scratch", each, problem.accumulator, width) for each in kept]
        for place, elements in zip(places, spread, strict=True):
            value = f.load("%rhs", f.add_index(place, at), problem.rhs, width, mask)
            pairs = zip(elements, totals, strict=True)
            totals = [f.add(f.mul(element, value), total) for element, total in pairs]
        for total, each in zip(totals, kept, strict=True):
            f.store(total, "%scratch", each)

    def finish(self, batch: Index, row: int, column: Value, wide: Value) -> None:
        f, accumulator, width = self.f, self.plan.contraction.accumulator, self.plan.tile.width
        whole = f.bit_and(wide, -width)
        for start, end, lanes in ((0, whole, width), (whole, wide, 1)):
            with f.loop(start, end, lanes) as loop:
                kept = f.add_index(loop.index, self.total + row * self.plan.block_columns)
                value = f.load("%scratch", kept, accumulator, lanes)
                self.writer.write(f, value, (batch, row, f.add(column, loop.index)), lanes)


def _chunk(rows: int, step: int) -> int:
    """Returns the rows of a chunk, a multiple of the step: of very many rows, there are about as
    many chunks as rows of each.

    >>> _chunk(2000, 8), _chunk(1000000, 8)
    (512, 1000)
    """
    return -(-max(_APART, math.isqrt(rows)) // step) * step
