"""Contractions of large operands: packed block by block, and multiplied from there.

The loops are ordered as in BLIS: a sliver of the second operand stays in the first cache while a
block of the first operand, which stays in the second cache, goes past it.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction.layouts import Layout, is_read, lay_out, narrowed
from oakum.compile.cpu.contraction.operands import Producer, offset, side
from oakum.compile.cpu.contraction.packing import Pack, packing
from oakum.compile.cpu.contraction.planning import Demands, Plan, Span, each_item
from oakum.compile.cpu.contraction.prepack import (
    Preparation,
    Prepared,
    emit_preparation,
    prepared,
    turns_of,
)
from oakum.compile.cpu.contraction.result_store import Writer
from oakum.compile.cpu.contraction.shared import call, plain_place, tile_function
from oakum.compile.cpu.contraction.tiles_in_memory import emit_place
from oakum.compile.cpu.contraction.tiles_in_registers import emit_fetch, emit_finish
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.values.records import dataclass, replace

_SHORT: Final = 24
"""The most lines of an epilogue that is written for each vector of a tile."""


def emit_packed(
    f: Function,
    plan: Plan,
    writer: Writer,
    producers: tuple[Producer | None, Producer | None],
    extras: tuple[str, ...],
    demands: Demands,
) -> Packed:
    """Writes the functions."""
    if producers != (None, None):
        plan = replace(plan, tile=replace(plan.tile, is_paired=False))
    problem, tile = plan.contraction, plan.tile
    reads = is_read(plan, producers[0])
    packs: list[Pack] = []
    for first, producer in zip((True, False), producers, strict=True):
        operand = side(problem, first=first, producer=producer)
        name = f"{f.name}_{'lhs' if first else 'rhs'}"
        lanes = tile.rows if first else tile.columns
        made = packing(operand, f.target, name, lanes, extras, paired=tile.is_paired)
        packs.append(made)
    plain = writer.is_simple and writer.stored is problem.accumulator
    apart = plan.is_blocked and (demands.in_place or not plain)
    low = problem.m <= plan.block_rows and not apart
    if low:
        plan = narrowed(plan)
    ready = prepared(plan, demands, reads=reads)
    packs_first = not reads and not (ready and ready.is_first)
    needed = packs_first, ready is None or ready.is_first
    layout = lay_out(plan, f.target, apart=apart, packs=needed)
    f.attributes = "nounwind noinline optnone"
    pitch = problem.steps("rows", "lhs")[0][1] if reads else None
    multiply = tile_function(tile, problem.accumulator, f.target, pitch)
    driver = _Driver(f, plan, writer, extras, layout, packs[0], packs[1], multiply, reads, ready)
    used = [pack.function for pack in packs[reads:] if not pack.is_shared]
    if driver.is_direct:
        place = plain_place(tile, problem.accumulator, f.target)
    else:
        name, shape = f"{f.name}_place", (tile.rows, tile.columns, tile.width)
        place = emit_place(writer, f.target, name, shape, extras, blocked=plan.is_blocked)
        used.append(place)
        if writer.epilogue is not None and writer.is_simple:
            if writer.lines <= _SHORT:
                finish = emit_finish(writer, f.target, f"{f.name}_tile", tile, extras, pitch)
                driver = replace(driver, finish=finish)
                used.append(finish)
            else:
                fetch = emit_fetch(writer, f.target, f"{f.name}_fetch", tile, extras)
                driver = replace(driver, fetch=fetch)
                used.append(fetch)
    driver = replace(driver, place=place)
    each_item(f, plan, driver.low_item if low else driver.item)
    preparation = None
    if ready is not None:
        given = f"{f.name}_prepare", f.target, ready, packs[not ready.is_first], extras
        preparation = emit_preparation(*given, swapped=writer.swapped)
        used.append(preparation.function)
    return Packed((*used, f), layout.end, preparation, ready.parts if ready else problem.b)


@dataclass(frozen=True, slots=True)
class Packed:
    """The code of a packed contraction."""

    functions: tuple[Function, ...]
    """The function is the last, after those that it calls."""
    scratch_bytes: int
    preparation: Preparation | None
    parts: int
    """The parts into which the work can be cut without anything being packed twice."""


@dataclass(frozen=True, slots=True)
class _Driver:
    f: Function
    plan: Plan
    writer: Writer
    extras: tuple[str, ...]
    layout: Layout
    pack_lhs: Pack
    pack_rhs: Pack
    multiply: Function
    reads: bool
    """Whether the first operand is read where it is."""
    ready: Prepared | None
    """The operand that was packed beforehand."""
    place: Function | None = None
    finish: Function | None = None
    """Multiplies and stores what the epilogue makes of it."""
    fetch: Function | None = None
    """Prefetches the memory of a tile."""

    def item(self, batch: Index, rows: Span, columns: Span) -> None:
        """Writes the blocks of some rows and columns of a batch item."""
        f, plan = self.f, self.plan
        problem = plan.contraction
        with f.loop(*columns, plan.block_columns) as across:
            wide = self.part(across.index, plan.block_columns, columns)
            with f.loop(0, problem.k, plan.block_summed) as summed:
                deep = self.part(summed.index, plan.block_summed, (0, problem.k))
                self.pack((batch, across.index, wide, summed.index, deep), first=False)
                with f.loop(*rows, plan.block_rows) as down:
                    tall = self.part(down.index, plan.block_rows, rows)
                    self.pack((batch, down.index, tall, summed.index, deep), first=True)
                    start = down.index, across.index, summed.index
                    self.block(batch, rows[0], start, (tall, wide, deep))

    def low_item(self, batch: Index, rows: Span, columns: Span) -> None:
        """Writes the same for one block of rows, which is packed once for all columns."""
        f, plan = self.f, self.plan
        problem = plan.contraction
        first = f.index(rows[0])
        tall = self.part(first, plan.block_rows, rows)
        with f.loop(0, problem.k, plan.block_summed) as summed:
            deep = self.part(summed.index, plan.block_summed, (0, problem.k))
            self.pack((batch, first, tall, summed.index, deep), first=True)
            with f.loop(*columns, plan.block_columns) as across:
                wide = self.part(across.index, plan.block_columns, columns)
                self.pack((batch, across.index, wide, summed.index, deep), first=False)
                start = first, across.index, summed.index
                self.block(batch, first, start, (tall, wide, deep))

    def part(self, start: Value, most: int, span: Span) -> Index:
        """Returns the size of a block that starts there."""
        f, (first, last) = self.f, span
        if isinstance(first, int) and isinstance(last, int) and (last - first) % most == 0:
            return most
        return f.minimum(f.sub(f.index(last), start), most)

    def pack(self, numbers: tuple[Index, Index, Index, Index, Index], *, first: bool) -> None:
        """Packs a block of an operand, if it was not packed beforehand."""
        if self.layout.packs[0 if first else 1]:
            pack = self.pack_lhs if first else self.pack_rhs
            source = "%lhs" if first else "%rhs"
            pack.call(self.f, source, self.packed(0, numbers[-1], first=first), numbers)

    def packed(self, number: Index, count: Index, *, first: bool) -> str:
        """Returns a sliver of the block that was packed here, by its first lane."""
        f = self.f
        start = self.layout.lhs if first else self.layout.rhs
        base = f.pointer("%scratch", start, dtypes.int8)
        at = f.mul_index(number, turns_of(f, self.plan, count))
        return f.pointer(base, at, self.plan.contraction.accumulator)

    def sliver(
        self, lane: Value, number: Value, summed: Value, count: Index, *, first: bool
    ) -> str:
        """Returns a sliver, by its first lane, and by the number of that in the block."""
        ready = self.ready
        if ready is None or ready.is_first != first:
            return self.packed(number, count, first=first)
        at = ready.at(self.f, summed, lane, count)
        pointer = "%lhs" if first else "%rhs"
        return self.f.pointer(pointer, at, self.plan.contraction.accumulator)

    def block(
        self,
        batch: Index,
        first: Index,
        start: tuple[Value, Value, Value],
        extent: tuple[Index, Index, Index],
    ) -> None:
        """Writes the tiles of a block."""
        f, plan = self.f, self.plan
        row, column, summed = start
        tall, wide, deep = extent
        adds = f.compare("ne", summed, 0)
        last = f.compare("ge", f.add(summed, plan.block_summed), plan.contraction.k)
        with f.loop(0, wide, plan.tile.columns) as across:
            j = f.add(column, across.index)
            b = self.sliver(j, across.index, summed, deep, first=False)
            with f.loop(0, tall, plan.tile.rows) as down:
                i = f.add(row, down.index)
                left = f.minimum(f.sub(f.index(tall), down.index), plan.tile.rows)
                a = self.rows(batch, i, left, down.index, summed, deep)
                sums, pitch = self.sums(batch, i, j, f.sub(i, f.index(first)), across.index)
                self.tile(a, b, sums, pitch, (batch, i, j, left), deep, (adds, last))

    def rows(
        self, batch: Index, i: Value, left: Value, down: Value, summed: Value, deep: Index
    ) -> str:
        """Returns the first operand of a tile. Where it has less rows, those before them are read
        too.
        """
        f, problem = self.f, self.plan.contraction
        if not self.reads:
            return self.sliver(i, down, summed, deep, first=True)
        if problem.m % self.plan.tile.rows:
            i = f.sub(f.add(i, left), self.plan.tile.rows)
        base = offset(f, problem.steps("batch", "lhs"), batch)
        at = f.add_index(
            f.add_index(base, f.mul_index(i, problem.steps("rows", "lhs")[0][1])), summed
        )
        return f.pointer("%lhs", at, problem.lhs)

    def sums(self, batch: Index, i: Value, j: Value, row: Index, column: Index) -> tuple[str, int]:
        """Where the sums of a tile are kept, and the elements between rows of them."""
        f, plan, problem = self.f, self.plan, self.plan.contraction
        if self.layout.is_apart:
            base = f.pointer("%scratch", self.layout.sums, dtypes.int8)
            pitch = -(-plan.block_columns // plan.tile.columns) * plan.tile.columns
            at = f.add_index(f.mul_index(row, pitch), column)
            return f.pointer(base, at, problem.accumulator), pitch
        if not self.writer.is_simple:
            return "%result", 0
        at = self.writer.offset(f, batch, i, j)
        return f.pointer("%result", at, problem.accumulator), problem.steps("rows", "result")[0][1]

    def tile(
        self,
        a: str,
        b: str,
        sums: str,
        pitch: int,
        place: tuple[Index, Index, Index, Value],
        count: Index,
        flags: tuple[Value, Value],
    ) -> None:
        f, plan, problem = self.f, self.plan, self.plan.contraction
        adds, last = flags
        _, _, j, left = place
        full = f.bit_and(
            f.compare("eq", left, plan.tile.rows),
            f.compare("le", f.add(f.index(j), plan.tile.columns), problem.n),
        )
        turns = turns_of(f, plan, count)
        extras = [f"%{extra}" for extra in self.extras]
        direct, indirect, after = f.label(), f.label(), f.label()
        if self.is_direct:
            f.branch(full, direct, indirect)
        elif plan.is_blocked:
            f.branch(f.bit_and(full, f.bit_not(last)), direct, indirect)
        else:
            f.jump(indirect)
        f.enter(direct)
        call(f, self.multiply, [a, b, sums], [pitch, turns], [adds])
        f.jump(after)
        f.enter(indirect)
        if self.finish is not None:
            finish, other = f.label(), f.label()
            f.branch(full, finish, other)
            f.enter(finish)
            numbers = [pitch, turns, *place[:3]]
            call(f, self.finish, [a, b, sums, "%result"], numbers, [adds], extras)
            f.jump(after)
            f.enter(other)
        if self.fetch is not None:
            call(f, self.fetch, ["%result"], place[:3], (), extras)
        tile = f.pointer("%scratch", self.layout.tile, dtypes.int8)
        false = constant(False, dtypes.bool_)
        call(f, self.multiply, [a, b, tile], [plan.tile.columns, turns], [false])
        if self.reads and problem.m % plan.tile.rows:
            skipped = f.mul(f.sub(f.index(plan.tile.rows), left), plan.tile.columns)
            tile = f.pointer(tile, skipped, problem.accumulator)
        assert self.place is not None
        if self.is_direct:
            wide = f.minimum(f.sub(f.index(problem.n), f.index(j)), plan.tile.columns)
            call(f, self.place, [tile, sums], [pitch, left, wide], [adds])
        else:
            numbers = [pitch, *place]
            call(f, self.place, [tile, sums, "%result"], numbers, [adds, last], extras)
        f.jump(after)
        f.enter(after)

    @property
    def is_direct(self) -> bool:
        """Whether tiles stand in the result as they leave the registers."""
        return self.writer.is_plain and self.writer.is_simple and not self.layout.is_apart
