"""Few rows times a matrix: there is nothing to keep in caches, and memory is what takes the time.

The matrix is read once, in the order in which it stands.
"""

from __future__ import annotations

from oakum.compile.cpu.contraction.operands import offset
from oakum.compile.cpu.contraction.planning import Form, Plan, Span, each_item
from oakum.compile.cpu.contraction.result_store import Writer
from oakum.compile.cpu.contraction.tile import Tile, zeros
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.values.records import dataclass


def emit_vector(f: Function, plan: Plan, writer: Writer) -> int:
    """Writes the function; returns the scratch memory that it needs."""
    made = _Vector(f, plan, writer)
    each_item(f, plan, made.dots if plan.form is Form.DOTS else made.sweeps)
    size = plan.contraction.accumulator.itemsize
    return plan.contraction.m * plan.block_columns * size if plan.form is Form.SWEEPS else 0


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
            for row in range(problem.m):
                with f.loop(0, wide, width) as loop:
                    f.store(zero, "%scratch", f.add_index(loop.index, row * plan.block_columns))
            for start, end, step in _parts(problem.k, many):
                with f.loop(start, end, step) as loop:
                    first = f.add_index(
                        rhs, f.add_index(f.mul_index(loop.index, summed.rhs), block.index)
                    )
                    places = [f.add_index(first, n * summed.rhs) for n in range(step)]
                    for some in range(0, problem.m, plan.tile.rows):
                        group = range(some, min(some + plan.tile.rows, problem.m))
                        numbers = [f.add_index(loop.index, n) for n in range(step)]
                        spread = [self.spread(lhs, group, number) for number in numbers]
                        self.sweep(group, places, spread, wide)
            for row in range(problem.m):
                self.finish(batch, row, block.index, wide)

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
                kept = f.add_index(loop.index, row * self.plan.block_columns)
                value = f.load("%scratch", kept, accumulator, lanes)
                self.writer.write(f, value, (batch, row, f.add(column, loop.index)), lanes)


def _parts(extent: int, step: int) -> list[tuple[int, int, int]]:
    whole = extent // step * step
    parts = [(0, whole, step)] if whole else []
    return parts + ([(whole, extent, extent - whole)] if whole < extent else [])
