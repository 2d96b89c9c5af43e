"""Contractions of operands that the caches hold: tiles read them where they are.

There is one tile, written in place, so that nothing is called and all offsets are known. Where it
does not divide the rows or the columns, the last one begins earlier and computes some elements a
second time: that costs less than a tile of its own, in time and in code.
"""

from __future__ import annotations

from dataclasses import dataclass

from oakum.compile.contraction.items import Span, each_item
from oakum.compile.contraction.placing import Writer
from oakum.compile.contraction.planning import Plan
from oakum.compile.contraction.problem import offset
from oakum.compile.contraction.tile import Operand, accumulate, zeros
from oakum.compile.emit import Function, Index
from oakum.compile.values import Value

_UNROLLED = 48
"""The most multiplications of vectors that are written one after the other."""


_INLINE = 6
"""The most lines of an epilogue that is written for each vector of the tile."""


def emit_direct(f: Function, plan: Plan, writer: Writer) -> int:
    """Writes the function; gives the scratch memory that it needs."""
    apart = writer.lines > _INLINE or not writer.is_contiguous
    each_item(f, plan, _Direct(f, plan, writer, apart).item)
    tile = plan.tile
    return tile.rows * tile.columns * plan.contraction.accumulator.itemsize if apart else 0


@dataclass(frozen=True, slots=True)
class _Direct:
    f: Function
    plan: Plan
    writer: Writer
    apart: bool
    """Whether sums are put into memory before the epilogue."""

    def item(self, batch: Index, rows: Span, columns: Span) -> None:
        """Goes through the tiles of a batch item, one column of tiles at a time."""
        tile, problem = self.plan.tile, self.plan.contraction
        with self.f.loop(*columns, tile.columns) as across:
            column = self.start(across.index, tile.columns, problem.n)
            with self.f.loop(*rows, tile.rows) as down:
                self.tile(batch, self.start(down.index, tile.rows, problem.m), column)

    def start(self, number: Index, size: int, extent: int) -> Index:
        """Where a tile begins, so that it does not end behind the last element."""
        if extent % size == 0:
            return number
        return self.f.minimum(self.f.index(number), extent - size)

    def tile(self, batch: Index, row: Index, column: Index) -> None:
        f, problem, tile = self.f, self.plan.contraction, self.plan.tile
        start = zeros(tile, problem.accumulator)
        counts = [axis.extent for axis in problem.summed] or [1]
        room = max(_UNROLLED // (tile.rows * tile.vectors), 1)
        operands = self.lhs(batch, row), self.rhs(batch, column)
        sums = accumulate(f, tile, *operands, counts, start, room)
        if self.apart:
            self.finish(sums, batch, row, column)
            return
        for number, value in enumerate(sums):
            down, across = divmod(number, tile.vectors)
            place = f.plus(row, down), f.plus(column, across * tile.width)
            self.writer.write(f, value, batch, *place, tile.width)

    def finish(self, sums: list[Value], batch: Index, row: Index, column: Index) -> None:
        f, tile = self.f, self.plan.tile
        accumulator = self.plan.contraction.accumulator
        width = tile.width if self.writer.is_contiguous else 1
        for number, value in enumerate(sums):
            f.store(value, "%scratch", number * tile.width)
        with f.loop(0, tile.rows) as down, f.loop(0, tile.columns, width) as across:
            at = f.add(f.mul(down.index, tile.columns), across.index)
            value = f.load("%scratch", at, accumulator, width)
            place = f.add(down.index, row), f.add(across.index, column)
            self.writer.write(f, value, batch, *place, width)

    def lhs(self, batch: Index, row: Index) -> Operand:
        f, problem, tile = self.f, self.plan.contraction, self.plan.tile
        strides = tuple(axis.lhs for axis in problem.summed) or (0,)
        base = offset(f, problem.steps("batch", "lhs"), batch)
        steps = problem.steps("rows", "lhs")
        if len(steps) == 1:
            at = f.plus(base, f.times(row, steps[0][1]))
            return Operand((f.pointer("%lhs", at, problem.lhs),), steps[0][1], strides, problem.lhs)
        bases = tuple(
            f.pointer("%lhs", f.plus(base, offset(f, steps, f.plus(row, down))), problem.lhs)
            for down in range(tile.rows)
        )
        return Operand(bases, 0, strides, problem.lhs)

    def rhs(self, batch: Index, column: Index) -> Operand:
        f, problem = self.f, self.plan.contraction
        strides = tuple(axis.rhs for axis in problem.summed) or (0,)
        at = f.plus(offset(f, problem.steps("batch", "rhs"), batch), column)
        return Operand((f.pointer("%rhs", at, problem.rhs),), 0, strides, problem.rhs)
