"""Packing: the part of an operand that tiles read, in the order in which they read it.

A sliver holds some lanes (rows of the first operand, columns of the second) for each summed place,
one place after the other, in the dtype of sums. Lanes past the end are zero or repeated: their
results are not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction.operand_conversions import joined, neighbours, widen
from oakum.compile.cpu.contraction.operands import Origin, Side, offset
from oakum.compile.cpu.contraction.result_store import (
    begin_outlined,
    parameter,
    pieces,
    store_lanes,
)
from oakum.compile.cpu.contraction.shared import call, shared_name
from oakum.compile.cpu.contraction.transpose_in_registers import transpose
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.native.target import Target
from oakum.values.records import dataclass

_TOGETHER: Final = 16
"""The slivers that are filled in turn: as many write streams as stay in the first cache. By
judgement.
"""

_IN_TURN: Final = 8
"""The places copied to a sliver before the next. By judgement."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A function that packs the slivers of a block, one after the other."""

    function: Function
    operand: Side
    lanes: int
    extras: tuple[str, ...]

    @property
    def is_shared(self) -> bool:
        """Whether the function is one that comes with those that call it."""
        return self.operand.is_regular(self.lanes)

    def call(self, f: Function, source: str, slivers: str, numbers: Sequence[Index]) -> None:
        """Packs. The numbers are the batch item, the first lane and their count, the first summed
        place and their count.
        """
        operand, extras = self.operand, [f"%{extra}" for extra in self.extras]
        if self.is_shared:
            batch, free, extent, start, count = numbers
            (_, across), (_, along) = operand.free[0], operand.summed[0]
            at = f.add_index(offset(f, operand.batch, batch), f.mul_index(free, across))
            source = f.pointer(source, f.add_index(at, f.mul_index(start, along)), operand.dtype)
            numbers = [extent, count, along if operand.is_copied(self.lanes) else across]
            extras = []
        call(f, self.function, [source, slivers], numbers, (), extras)


def packing(
    operand: Side,
    target: Target,
    name: str,
    lanes: int,
    extras: tuple[str, ...],
    *,
    paired: bool = False,
) -> Pack:
    """Returns a function that packs into slivers of so many lanes, of pairs if so asked."""
    names = ["batch", "free", "extent", "start", "count"]
    copied, regular = operand.is_copied(lanes), operand.is_regular(lanes)
    if regular:
        word = "copy" if copied else "turn"
        kind = "pairs" if paired else operand.accumulator.short
        name = shared_name(word, target, operand.dtype.short, kind, lanes)
        names = ["extent", "count", "stride"]
    f = begin_outlined(name, target, ("source", "slivers"), names, (), () if regular else extras)
    width = min(target.width(operand.accumulator), target.width(dtypes.float32))
    turns = parameter("count")
    if paired:
        turns = f.shift_right(f.add(parameter("count"), 1), 1)
    made = _Packing(f, operand, lanes, width, copied, regular, paired, turns)
    if copied:
        made.copy()
    elif operand.is_turned:
        made.turn()
    else:
        made.gather()
    return Pack(f, operand, lanes, extras)


@dataclass(frozen=True, slots=True)
class _Packing:
    f: Function
    operand: Side
    lanes: int
    width: int
    copied: bool
    regular: bool
    paired: bool
    turns: Value
    """The elements of a lane."""

    @property
    def spanned(self) -> int:
        """Into how many places of a sliver a vector reaches that begins with one."""
        return -(-self.width // self.lanes)

    def lane(self, number: Index) -> Index:
        """How far the first element of a lane of the block is."""
        f, operand = self.f, self.operand
        if self.regular:
            return number if self.copied else f.mul_index(number, parameter("stride"))
        start = offset(f, operand.batch, parameter("batch"))
        free = f.add_index(parameter("free"), number)
        return f.add_index(start, offset(f, operand.free, free))

    def place(self, number: Index) -> Index:
        """How far from it that of a summed place of the block is."""
        f, operand = self.f, self.operand
        if self.regular:
            return f.mul_index(number, parameter("stride")) if self.copied else number
        return offset(f, operand.summed, f.add_index(parameter("start"), number))

    def load(
        self,
        lane: Index,
        place: Index,
        at: Index,
        width: int,
        steps: tuple[int, int],
        mask: Value | None = None,
    ) -> Value:
        """Elements that stand side by side, as they are multiplied."""
        f, operand = self.f, self.operand
        value = f.load("%source", at, operand.dtype, width, mask)
        if operand.producer is not None:
            free, summed = (
                f.add_index(parameter("free"), lane),
                f.add_index(parameter("start"), place),
            )
            origin = Origin(parameter("batch"), free, summed, *steps, mask)
            value = operand.producer(f, value, origin)
        if self.paired and steps == (0, 1):
            return neighbours(f, value, operand.accumulator)
        return widen(f, value, operand.accumulator)

    def element(
        self, lane: Index, turn: Value, base: Index, width: int, steps: tuple[int, int]
    ) -> Value:
        """Elements of slivers: of lanes side by side, the first of which begins at a base."""
        f = self.f
        if not self.paired:
            return self.load(lane, turn, f.add_index(base, self.place(turn)), width, steps)
        low = f.shift_left(turn, 1)
        high = f.minimum(f.add(low, 1), f.sub(parameter("count"), 1))
        first, second = (
            self.load(lane, place, f.add_index(base, self.place(place)), width, steps)
            for place in (low, high)
        )
        odd = f.splat(f.compare("eq", low, high), width)
        return joined(f, first, f.select(odd, 0, second))

    def copy(self) -> None:
        """Packs lanes that stand side by side: those of some slivers in turn, as they are found. Of
        lanes that do not fill vectors some places are packed at once, which fill lines of a cache.
        """
        f, lanes, turns = self.f, self.lanes, self.turns
        rest = f.binary("urem", parameter("extent"), lanes)
        whole = f.sub(parameter("extent"), rest)
        # What is too much for a place is overwritten by the next ones, but for that of the last.
        sizes = [self.width] if self.regular and lanes < self.width else None
        end = turns if sizes is None else f.sub(turns, f.minimum(turns, self.spanned - 1))
        places = _IN_TURN if lanes % self.width else 1
        with f.loop(0, whole, _TOGETHER * lanes) as group:
            stop = f.minimum(whole, f.add(group.index, _TOGETHER * lanes))
            with f.loop(0, end, places) as block:
                last = f.minimum(end, f.add(block.index, places))
                with f.loop(group.index, stop, lanes) as sliver:
                    base = self.lane(sliver.index)
                    with f.loop(block.index, last) as turn:
                        self.copy_lanes(sliver.index, base, turn.index, sizes)
        if sizes is not None:
            with f.loop(0, whole, lanes) as sliver:
                base = self.lane(sliver.index)
                with f.loop(end, turns) as turn:
                    self.copy_lanes(sliver.index, base, turn.index, None)
        with f.when(f.compare("gt", rest, 0)), f.loop(0, turns) as turn:
            into = f.add(f.mul(whole, turns), f.mul(turn.index, lanes))
            self.copy_some(whole, turn.index, into, rest)

    def copy_lanes(self, first: Value, base: Index, turn: Value, sizes: list[int] | None) -> None:
        """Packs one place of a whole sliver, in vectors of these sizes."""
        f, lane = self.f, 0
        into = f.add(f.mul(first, self.turns), f.mul(turn, self.lanes))
        for size in sizes or pieces(self.lanes, self.width):
            value = self.element(
                f.add_index(first, lane), turn, f.add_index(base, lane), size, (1, 0)
            )
            f.store(value, "%slivers", f.add_index(into, lane))
            lane += size

    def copy_some(self, first: Value, turn: Value, into: Value, count: Value) -> None:
        """Packs the lanes of a narrow sliver, and zeros: leftover memory may hold subnormal
        numbers, which are slow.
        """
        f, kind = self.f, self.operand.accumulator
        zero = constant(0.0 if is_float(kind) else 0, kind)
        base = self.lane(first)
        with f.loop(0, count) as lane:
            at = f.add_index(base, lane.index)
            value = self.element(f.add(first, lane.index), turn, at, 1, (0, 0))
            f.store(value, "%slivers", f.add(into, lane.index))
        with f.loop(count, self.lanes) as lane:
            f.store(zero, "%slivers", f.add(into, lane.index))

    def turn(self) -> None:
        """Packs lanes that each have their summed places side by side."""
        f = self.f
        whole, rest = divmod(self.lanes, self.width)
        with f.loop(0, parameter("extent"), self.lanes) as sliver:
            if whole:
                with f.loop(0, whole * self.width, self.width) as block:
                    self.turn_lanes(sliver.index, block.index, self.width)
            if rest:
                self.turn_lanes(sliver.index, whole * self.width, rest)

    def turn_lanes(self, sliver: Value, block: Index, rows: int) -> None:
        """Packs as many lanes as a vector has elements, or less."""
        f, width, turns = self.f, self.width, self.turns
        each = 2 if self.paired else 1
        start = f.add_index(f.mul(sliver, turns), block)
        lanes = [self.inside(f.add_index(f.add_index(sliver, block), row)) for row in range(rows)]
        bases = [self.lane(lane) for lane in lanes]
        # The last pair may be half a pair, which is no part of a vector.
        whole = f.bit_and(f.shift_right(parameter("count"), each - 1), -width)
        with f.loop(0, whole, width) as loop:
            vectors: list[Value | None] = []
            place = f.shift_left(loop.index, each - 1)
            for lane, base in zip(lanes, bases, strict=True):
                at = f.add_index(base, self.place(place))
                vectors.append(self.load(lane, place, at, each * width, (0, 1)))
            vectors += [None] * (width - rows)
            into = f.add_index(f.mul(loop.index, self.lanes), start)
            for number, vector in enumerate(transpose(f, vectors, self.operand.accumulator)):
                at = f.add_index(into, number * self.lanes)
                # What is too much for a place is overwritten by the next, which must be its own.
                beyond = rows == self.lanes and number + self.spanned <= width
                store_lanes(f, vector, "%slivers", at, width if beyond else rows)
        with f.loop(whole, turns) as loop:
            into = f.add_index(f.mul(loop.index, self.lanes), start)
            for row, (lane, base) in enumerate(zip(lanes, bases, strict=True)):
                value = self.element(lane, loop.index, base, 1, (0, 0))
                f.store(value, "%slivers", f.add_index(into, row))

    def inside(self, lane: Index) -> Value:
        """Returns a lane, or the last."""
        return self.f.minimum(self.f.index(lane), self.f.sub(parameter("extent"), 1))

    def gather(self) -> None:
        """Packs lanes of any layout, one by one."""
        f, turns = self.f, self.turns
        with f.loop(0, parameter("extent"), self.lanes) as sliver, f.loop(0, self.lanes) as loop:
            lane = self.inside(f.add(sliver.index, loop.index))
            base = self.lane(lane)
            start = f.add(f.mul(sliver.index, turns), loop.index)
            with f.loop(0, turns) as turn:
                value = self.element(lane, turn.index, base, 1, (0, 0))
                f.store(value, "%slivers", f.add(f.mul(turn.index, self.lanes), start))
