"""Contractions of operands that the caches hold: tiles read them where they are.

There is one tile, written in place, so that nothing is called and all offsets are known. Where it
does not divide the rows or the columns, the last one begins earlier and computes some elements a
second time: that costs less than a tile of its own, in time and in code.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.cpu.contraction.layouts import aligned
from oakum.compile.cpu.contraction.operands import offset
from oakum.compile.cpu.contraction.planning import Plan, Span, each_item
from oakum.compile.cpu.contraction.result_store import Writer
from oakum.compile.cpu.contraction.shared import call
from oakum.compile.cpu.contraction.tile import Operand, Tile, accumulate, zeros
from oakum.compile.cpu.contraction.tiles_in_memory import emit_finisher
from oakum.compile.cpu.contraction.transpose_in_registers import turned_bytes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.problems.contraction import Contraction
from oakum.values.records import dataclass, field, replace

_UNROLLED = 48
"""The most multiplications of vectors that are written one after the other."""

_INLINE = 24
"""The most lines of an epilogue that is written for each vector of the tile."""


def emit_direct(f: Function, plan: Plan, writer: Writer, extras: tuple[str, ...]) -> int:
    """Writes the function; returns the scratch memory that it needs."""
    problem = plan.contraction
    tiles = Tiles(f, problem, plan.tile, writer, extras=extras)
    if len(problem.steps("rows", "lhs")) == 1:
        each_item(f, plan, tiles.item)
        return tiles.scratch_bytes
    start = aligned(tiles.scratch_bytes)
    table = f.pointer("%scratch", start, dtypes.int8)
    tiles.write_table(table, (0, problem.m))
    tiles = replace(tiles, places=Places(table=table))
    each_item(f, plan, tiles.item)
    return start + 8 * problem.m


@dataclass(frozen=True, slots=True)
class Places:
    """Where tiles find their operands, and memory of their own."""

    lhs: str = "%lhs"
    rhs: str = "%rhs"
    depth: int = 0
    """The summed places of slivers, where the second operand is one for each column of tiles;
    strides of summed axes are then counted in summed places.
    """
    memory: str = "%scratch"
    table: str | None = None
    """How far each row is from the first one of the first operand, if that was computed before."""
    counts: tuple[Index, ...] | None = None
    """The turns of the summed loops, if they are not those of the axes."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """Writes the tiles of a contraction."""

    f: Function
    problem: Contraction
    tile: Tile
    writer: Writer
    places: Places = field(default_factory=Places)
    extras: tuple[str, ...] = ()

    @property
    def is_apart(self) -> bool:
        """Whether sums are put into memory before the epilogue."""
        return self.writer.lines > _INLINE or not self.writer.is_contiguous

    @property
    def is_turned(self) -> bool:
        """Whether vectors of rows are stored."""
        return self.writer.is_turned and self.tile.width > 1

    @property
    def scratch_bytes(self) -> int:
        """The memory that tiles need."""
        return turned_bytes(self.problem, self.tile) if self.is_apart else 0

    def item(self, batch: Index, rows: Span, columns: Span) -> None:
        """Goes through the tiles of a batch item, one column of tiles at a time."""
        tile, problem = self.tile, self.problem
        with self.f.loop(*columns, tile.columns) as across:
            column = last_start(self.f, across.index, tile.columns, problem.n)
            rhs = self.rhs(batch, across.index, column)
            with self.f.loop(*rows, tile.rows) as down:
                row = last_start(self.f, down.index, tile.rows, problem.m)
                self.write(batch, row, column, rhs)

    def write(self, batch: Index, row: Index, column: Index, rhs: Operand) -> None:
        """One tile."""
        f, tile = self.f, self.tile
        start = zeros(tile, self.problem.accumulator)
        counts = self.places.counts or [axis.extent for axis in self.problem.summed] or [1]
        room = max(_UNROLLED // (tile.rows * tile.vectors), 1)
        sums = accumulate(f, tile, self.lhs(batch, row, column), rhs, counts, start, room)
        if self.is_apart:
            self.finish(sums, batch, row, column)
            return
        for down in range(tile.rows):
            here = f.add_index(row, down)
            start = self.writer.row(f, batch, here)
            for across in range(tile.vectors):
                value = sums[down * tile.vectors + across]
                place = batch, here, f.add_index(column, across * tile.width)
                self.writer.write(f, value, place, tile.width, start)

    def finish(self, sums: list[Value], batch: Index, row: Index, column: Index) -> None:
        f, tile, memory = self.f, self.tile, self.places.memory
        for number, value in enumerate(sums):
            f.store(value, memory, number * tile.width)
        if self.writer.epilogue is not None or self.is_turned:
            name = f"{f.name}_place"
            finisher = emit_finisher(
                self.writer, f.target, name, tile, self.extras, turned=self.is_turned
            )
            numbers = batch, row, column, *self.writer.origin
            extras = [f"%{extra}" for extra in self.extras]
            call(f, finisher, [memory, "%result"], numbers, (), extras)
            f.require(finisher)
            return
        with f.loop(0, tile.rows) as down, f.loop(0, tile.columns) as across:
            at = f.add(f.mul(down.index, tile.columns), across.index)
            value = f.load(memory, at, self.problem.accumulator)
            place = batch, f.add_index(row, down.index), f.add_index(column, across.index)
            self.writer.write(f, value, place, 1)

    def lhs(self, batch: Index, row: Index, column: Index) -> Operand:
        """Returns the rows of a tile."""
        f, problem, first = self.f, self.problem, self.places.lhs
        strides = tuple(axis.lhs for axis in problem.summed) or (0,)
        base = offset(f, problem.steps("batch", "lhs"), batch)
        spread = not any(axis.lhs for axis in problem.columns)
        if not spread:
            base = f.add_index(base, column)
        steps = problem.steps("rows", "lhs")
        if len(steps) == 1:
            step = steps[0][1]
            at = f.pointer(first, f.add_index(base, f.mul_index(row, step)), problem.lhs)
            return Operand((at,), step, strides, problem.lhs, spread)
        first = f.pointer(first, base, problem.lhs)
        bases = tuple(
            f.pointer(first, self.row(f.add_index(row, down)), problem.lhs)
            for down in range(self.tile.rows)
        )
        return Operand(bases, 0, strides, problem.lhs, spread)

    def row(self, row: Index) -> Index:
        """How far a row is from the first one of the first operand."""
        if self.places.table is not None:
            return self.f.load(self.places.table, row, dtypes.int64)
        return offset(self.f, self.problem.steps("rows", "lhs"), row)

    def write_table(self, table: str, rows: Span) -> None:
        """Writes down how far rows are, if that takes divisions."""
        with self.f.loop(*rows) as loop:
            far = self.f.index(self.row(loop.index))
            self.f.store(far, table, loop.index)

    def rhs(self, batch: Index, number: Index, column: Index) -> Operand:
        """Returns the columns of a tile, whose number is that of the first column it would have if
        no tile began earlier.
        """
        f, problem, tile = self.f, self.problem, self.tile
        if self.places.depth:
            strides = tuple(axis.rhs * tile.columns for axis in problem.summed) or (0,)
            wide = -(-problem.n // tile.columns) * tile.columns
            at = f.mul_index(f.add_index(f.mul_index(batch, wide), number), self.places.depth)
            base = f.pointer(self.places.rhs, at, problem.accumulator)
            return Operand((base,), 1, strides, problem.accumulator)
        strides = tuple(axis.rhs for axis in problem.summed) or (0,)
        [*_, (_, step)] = problem.steps("columns", "rhs")
        at = f.add_index(offset(f, problem.steps("batch", "rhs"), batch), f.mul_index(column, step))
        return Operand((f.pointer(self.places.rhs, at, problem.rhs),), step, strides, problem.rhs)


def last_start(f: Function, number: Index, size: int, extent: int) -> Index:
    """Where a tile begins, so that it does not end behind the last element."""
    if extent % size == 0:
        return number
    return f.minimum(f.index(number), extent - size)
