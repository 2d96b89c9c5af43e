"""Packing: the part of an operand that tiles read, in the order in which they read it.

A sliver holds some lanes (rows of the first operand, columns of the second) for each summed place,
one place after the other, in the dtype of sums. Lanes past the end are zero or repeat others: what
comes of them is not stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from oakum import dtypes
from oakum.compile.contraction.converting import widen
from oakum.compile.contraction.placing import parameter, pieces, store_lanes
from oakum.compile.contraction.problem import BLOCK, Contraction, Steps, offset
from oakum.compile.contraction.shared import call, shared_name
from oakum.compile.contraction.turning import transposed
from oakum.compile.emit import Function, Index
from oakum.compile.target import Target
from oakum.compile.values import Value, constant, is_float
from oakum.dtypes import DType

_TOGETHER: Final = 16
"""The slivers that lanes are copied to in turn."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where elements of an operand come from: those of lane `l` are in row (of the first operand)
    or column (of the second) `free + l * free_step`, and at `summed + l * summed_step` of the
    summed axes.
    """

    batch: Index
    free: Index
    summed: Index
    free_step: int
    summed_step: int
    mask: Value | None
    """The lanes that count; None for all."""


Producer = Callable[[Function, Value, Origin], Value]
"""What is multiplied instead of the elements of an operand; it may load from what the extra
parameters point to.
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One operand, as it is packed."""

    batch: Steps
    free: Steps
    summed: Steps
    dtype: DType
    accumulator: DType
    producer: Producer | None

    @property
    def count(self) -> int:
        """The summed places."""
        return math.prod(extent for extent, _ in self.summed)

    def is_copied(self, lanes: int) -> bool:
        """Whether the lanes of a sliver stand side by side."""
        *outer, (extent, stride) = self.free
        return stride == 1 and (not outer or extent % lanes == 0)

    @property
    def is_turned(self) -> bool:
        """Whether vectors of summed places stand side by side; blocks begin with whole vectors."""
        *outer, (extent, stride) = self.summed
        return stride == 1 and (not outer or extent % BLOCK == 0)

    def is_regular(self, lanes: int) -> bool:
        """Whether a matrix is packed as it is: the code for that does not depend on extents."""
        single = len(self.free) == len(self.summed) == 1
        return self.producer is None and single and (self.is_copied(lanes) or self.is_turned)


def side(contraction: Contraction, *, first: bool, producer: Producer | None) -> Side:
    """The first or the second operand."""
    array = "lhs" if first else "rhs"
    return Side(
        contraction.steps("batch", array),
        contraction.steps("rows" if first else "columns", array),
        contraction.steps("summed", array),
        contraction.lhs if first else contraction.rhs,
        contraction.accumulator,
        producer,
    )


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
        """Packs; the numbers are the batch item, the first lane and the number of them, the first
        summed place and the number of those. A vector more than the slivers have is written to.
        """
        operand, extras = self.operand, [f"%{extra}" for extra in self.extras]
        if self.is_shared:
            batch, free, extent, start, count = numbers
            (_, across), (_, along) = operand.free[0], operand.summed[0]
            at = f.plus(offset(f, operand.batch, batch), f.times(free, across))
            source = f.pointer(source, f.plus(at, f.times(start, along)), operand.dtype)
            numbers = [extent, count, along if operand.is_copied(self.lanes) else across]
            extras = []
        call(f, self.function, [source, slivers], numbers, (), extras)


def packing(operand: Side, target: Target, name: str, lanes: int, extras: tuple[str, ...]) -> Pack:
    """A function that packs into slivers of so many lanes."""
    names = ["batch", "free", "extent", "start", "count"]
    copied, regular = operand.is_copied(lanes), operand.is_regular(lanes)
    if regular:
        word = "copy" if copied else "turn"
        name = shared_name(word, target, operand.dtype.short, operand.accumulator.short, lanes)
        names = ["extent", "count", "stride"]
    f = Function(
        name,
        [
            ("ptr", "source"),
            ("ptr", "slivers"),
            *(("i64", number) for number in names),
            *(("ptr", extra) for extra in extras if not regular),
        ],
        target,
        internal=True,
        attributes="nounwind noinline",
    )
    width = min(target.width(operand.accumulator), target.width(dtypes.float32))
    made = _Packing(f, operand, lanes, width, copied, regular)
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

    def lane(self, number: Index) -> Index:
        """How far the first element of a lane of the block is."""
        f, operand = self.f, self.operand
        if self.regular:
            return number if self.copied else f.times(number, parameter("stride"))
        start = offset(f, operand.batch, parameter("batch"))
        free = f.plus(parameter("free"), number)
        return f.plus(start, offset(f, operand.free, free))

    def place(self, number: Index) -> Index:
        """How far from it that of a summed place of the block is."""
        f, operand = self.f, self.operand
        if self.regular:
            return f.times(number, parameter("stride")) if self.copied else number
        return offset(f, operand.summed, f.plus(parameter("start"), number))

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
            free, summed = f.plus(parameter("free"), lane), f.plus(parameter("start"), place)
            origin = Origin(parameter("batch"), free, summed, *steps, mask)
            value = operand.producer(f, value, origin)
        return widen(f, value, operand.accumulator)

    def copy(self) -> None:
        """Packs lanes that stand side by side: those of some slivers in turn, as they are found."""
        f, lanes, count = self.f, self.lanes, parameter("count")
        rest = f.binary("urem", parameter("extent"), lanes)
        whole = f.sub(parameter("extent"), rest)
        with f.loop(0, whole, _TOGETHER * lanes) as group:
            wide = f.minimum(f.sub(whole, group.index), _TOGETHER * lanes)
            base = self.lane(group.index)
            with f.loop(0, count) as loop:
                place = self.place(loop.index)
                with f.loop(0, wide, lanes) as sliver:
                    first = f.add(group.index, sliver.index)
                    into = f.add(f.mul(first, count), f.mul(loop.index, lanes))
                    single = len(self.operand.free) == 1
                    start = f.plus(base, sliver.index) if single else self.lane(first)
                    self.copy_lanes(first, loop.index, f.plus(place, start), into)
        with f.when(f.compare("gt", rest, 0)):
            base = self.lane(whole)
            with f.loop(0, count) as loop:
                into = f.add(f.mul(whole, count), f.mul(loop.index, lanes))
                source = f.plus(base, self.place(loop.index))
                self.copy_some(whole, loop.index, source, into, rest)

    def copy_lanes(self, first: Value, place: Value, source: Index, into: Index) -> None:
        """Packs the lanes of one sliver at one place."""
        f, lane = self.f, 0
        for size in pieces(self.lanes, self.width):
            at = f.plus(source, lane)
            value = self.load(f.plus(first, lane), place, at, size, (1, 0))
            f.store(value, "%slivers", f.plus(into, lane))
            lane += size

    def copy_some(
        self, first: Value, place: Value, source: Index, into: Index, count: Value
    ) -> None:
        """Packs the lanes of a sliver that has less, and zeros: what was there before may be
        numbers that are slow.
        """
        f, kind = self.f, self.operand.accumulator
        zero = constant(0.0 if is_float(kind) else 0, kind)
        with f.loop(0, count) as lane:
            at = f.plus(source, lane.index)
            value = self.load(f.add(first, lane.index), place, at, 1, (0, 0))
            f.store(value, "%slivers", f.plus(into, lane.index))
        with f.loop(count, self.lanes) as lane:
            f.store(zero, "%slivers", f.plus(into, lane.index))

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
        f, width, count = self.f, self.width, parameter("count")
        start = f.plus(f.mul(sliver, count), block)
        lanes = [self.inside(f.plus(f.plus(sliver, block), row)) for row in range(rows)]
        bases = [self.lane(lane) for lane in lanes]
        whole = f.bit_and(count, -width)
        with f.loop(0, whole, width) as loop:
            vectors: list[Value | None] = []
            for lane, base in zip(lanes, bases, strict=True):
                at = f.plus(base, self.place(loop.index))
                vectors.append(self.load(lane, loop.index, at, width, (0, 1)))
            vectors += [None] * (width - rows)
            into = f.plus(f.mul(loop.index, self.lanes), start)
            for number, vector in enumerate(transposed(f, vectors, self.operand.accumulator)):
                at = f.plus(into, number * self.lanes)
                # Where a sliver has no more lanes, what is too much is overwritten by the next.
                store_lanes(f, vector, "%slivers", at, width if rows == self.lanes else rows)
        with f.loop(whole, count) as loop:
            into = f.plus(f.mul(loop.index, self.lanes), start)
            for row, (lane, base) in enumerate(zip(lanes, bases, strict=True)):
                at = f.plus(base, self.place(loop.index))
                value = self.load(lane, loop.index, at, 1, (0, 0))
                f.store(value, "%slivers", f.plus(into, row))

    def inside(self, lane: Index) -> Value:
        """A lane, or the last."""
        return self.f.minimum(self.f.index(lane), self.f.sub(parameter("extent"), 1))

    def gather(self) -> None:
        """Packs lanes of any layout, one by one."""
        f, count = self.f, parameter("count")
        with f.loop(0, parameter("extent"), self.lanes) as sliver, f.loop(0, self.lanes) as loop:
            lane = self.inside(f.add(sliver.index, loop.index))
            base = self.lane(lane)
            start = f.add(f.mul(sliver.index, count), loop.index)
            with f.loop(0, count) as place:
                at = f.plus(base, self.place(place.index))
                value = self.load(lane, place.index, at, 1, (0, 0))
                f.store(value, "%slivers", f.add(f.mul(place.index, self.lanes), start))
