"""Packing: the part of an operand that a row of tiles reads, in the order in which it is read.

A sliver holds some lanes (rows of the first operand, columns of the second) for each summed place,
one place after the other, in the dtype of sums. Lanes past the end repeat the last: what comes of
them is not stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from oakum import dtypes
from oakum.compile.contraction.converting import widen
from oakum.compile.contraction.placing import parameter, pieces, store_lanes
from oakum.compile.contraction.problem import Contraction, Steps, offset
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
    extent: int
    """Of the rows, or of the columns."""
    producer: Producer | None

    @property
    def count(self) -> int:
        """The summed places."""
        return math.prod(extent for extent, _ in self.summed)

    def load(
        self, f: Function, offset: Index, origin: Origin, width: int, accumulator: DType
    ) -> Value:
        """Elements that stand side by side, as they are multiplied."""
        value = f.load("%source", offset, self.dtype, width, origin.mask)
        if self.producer is not None:
            value = self.producer(f, value, origin)
        return widen(f, value, accumulator)


def side(contraction: Contraction, *, first: bool, producer: Producer | None) -> Side:
    """The first or the second operand."""
    array = "lhs" if first else "rhs"
    free = "rows" if first else "columns"
    return Side(
        contraction.steps("batch", array),
        contraction.steps(free, array),
        contraction.steps("summed", array),
        contraction.lhs if first else contraction.rhs,
        contraction.m if first else contraction.n,
        producer,
    )


def emit_pack(
    operand: Side,
    target: Target,
    name: str,
    lanes: int,
    accumulator: DType,
    extras: tuple[str, ...],
) -> Function:
    """A function that packs the slivers of a block, one after the other.

    Its parameters: the operand, the slivers (a vector more is written to), the batch item, the
    first lane and the number of them, the first summed place and the number of those.
    """
    f = Function(
        name,
        [
            ("ptr", "source"),
            ("ptr", "slivers"),
            ("i64", "batch"),
            ("i64", "free"),
            ("i64", "extent"),
            ("i64", "start"),
            ("i64", "count"),
            *(("ptr", extra) for extra in extras),
        ],
        target,
        internal=True,
        attributes="nounwind noinline",
    )
    width = min(target.width(accumulator), target.width(dtypes.float32))
    packing = _Packing(f, operand, lanes, width, accumulator)
    if len(operand.free) == 1 and operand.free[0][1] == 1:
        packing.copy()
    elif len(operand.summed) == 1 and operand.summed[0][1] == 1:
        packing.transpose()
    else:
        packing.gather()
    return f


@dataclass(frozen=True, slots=True)
class _Packing:
    f: Function
    operand: Side
    lanes: int
    width: int
    accumulator: DType

    def copy(self) -> None:
        """Packs lanes that stand side by side: those of some slivers in turn, as they are found."""
        f, lanes = self.f, self.lanes
        rest = f.binary("urem", parameter("extent"), lanes)
        whole = f.sub(parameter("extent"), rest)
        with f.loop(0, whole, _TOGETHER * lanes) as group:
            wide = f.minimum(f.sub(whole, group.index), _TOGETHER * lanes)
            base = self.base(f.add(parameter("free"), group.index))
            with f.loop(0, parameter("count")) as loop:
                place = f.add(parameter("start"), loop.index)
                source = f.plus(base, offset(f, self.operand.summed, place))
                with f.loop(0, wide, lanes) as sliver:
                    first = f.add(group.index, sliver.index)
                    into = f.add(f.mul(first, parameter("count")), f.mul(loop.index, lanes))
                    self.copy_lanes(first, place, f.plus(source, sliver.index), into, lanes)
        if self.operand.extent % lanes:
            with f.when(f.compare("gt", rest, 0)):
                self.copy_rest(whole, self.operand.extent % lanes)

    def copy_rest(self, first: Value, rest: int) -> None:
        """Packs the last sliver, which has less lanes."""
        f = self.f
        base = self.base(f.add(parameter("free"), first))
        with f.loop(0, parameter("count")) as loop:
            place = f.add(parameter("start"), loop.index)
            source = f.plus(base, offset(f, self.operand.summed, place))
            into = f.add(f.mul(first, parameter("count")), f.mul(loop.index, self.lanes))
            self.copy_lanes(first, place, source, into, rest)

    def copy_lanes(
        self, first: Value, place: Value, source: Index, into: Index, lanes: int
    ) -> None:
        """Packs the lanes of one sliver at one place."""
        f, lane = self.f, 0
        for size in pieces(lanes, self.width):
            origin = self.origin(f.plus(first, lane), place, 1, 0)
            value = self.operand.load(f, f.plus(source, lane), origin, size, self.accumulator)
            f.store(value, "%slivers", f.plus(into, lane))
            lane += size
        # What was there before is overwritten, lest it be numbers that are slow.
        zero = constant(0.0 if is_float(self.accumulator) else 0, self.accumulator)
        for rest in range(lane, self.lanes):
            f.store(zero, "%slivers", f.plus(into, rest))

    def transpose(self) -> None:
        """Packs lanes that each have their summed places side by side."""
        whole, rest = divmod(self.lanes, self.width)
        with self.each_sliver() as first:
            if whole:
                with self.f.loop(0, whole * self.width, self.width) as block:
                    self.transpose_lanes(first, block.index, self.width)
            if rest:
                self.transpose_lanes(first, whole * self.width, rest)

    @contextmanager
    def each_sliver(self) -> Generator[Value]:
        """What is written within is done for each sliver, by its first lane."""
        with self.f.loop(0, parameter("extent"), self.lanes) as loop:
            yield loop.index

    def transpose_lanes(self, first: Value, block: Index, rows: int) -> None:
        """Packs as many lanes as a vector has elements, or less."""
        f, operand, width = self.f, self.operand, self.width
        start = f.plus(f.mul(first, parameter("count")), block)
        first = f.index(f.plus(first, block))
        count = parameter("count")
        whole = f.bit_and(count, -width)
        bases = [self.base(self.lane(f.plus(first, row))) for row in range(rows)]
        with f.loop(0, whole, width) as loop:
            place = f.add(parameter("start"), loop.index)
            vectors: list[Value | None] = []
            for row, base in enumerate(bases):
                origin = self.origin(f.plus(first, row), place, 0, 1)
                at = f.plus(base, place)
                vectors.append(operand.load(f, at, origin, width, self.accumulator))
            vectors += [None] * (width - rows)
            target = f.plus(f.mul(loop.index, self.lanes), start)
            for number, vector in enumerate(transposed(f, vectors, self.accumulator)):
                at = f.plus(target, number * self.lanes)
                if rows == self.lanes:
                    # What is too much is overwritten by what comes next.
                    f.store(vector, "%slivers", at)
                else:
                    store_lanes(f, vector, "%slivers", at, rows)
        with f.loop(whole, count) as loop:
            place = f.add(parameter("start"), loop.index)
            target = f.plus(f.mul(loop.index, self.lanes), start)
            for row, base in enumerate(bases):
                origin = self.origin(f.plus(first, row), place, 0, 0)
                value = operand.load(f, f.plus(base, place), origin, 1, self.accumulator)
                f.store(value, "%slivers", f.plus(target, row))

    def gather(self) -> None:
        """Packs lanes of any layout, one by one."""
        f, operand = self.f, self.operand
        with self.each_sliver() as first, f.loop(0, self.lanes) as lane:
            number = f.add(first, lane.index)
            base = self.base(self.lane(number))
            with f.loop(0, parameter("count")) as loop:
                place = f.add(parameter("start"), loop.index)
                source = f.plus(base, offset(f, operand.summed, place))
                value = operand.load(
                    f, source, self.origin(number, place, 0, 0), 1, self.accumulator
                )
                into = f.add(f.mul(first, parameter("count")), f.mul(loop.index, self.lanes))
                f.store(value, "%slivers", f.add(into, lane.index))

    def base(self, free: Index) -> Index:
        """How far from the first element the first of a lane is."""
        f, operand = self.f, self.operand
        start = offset(f, operand.batch, parameter("batch"))
        return f.plus(start, offset(f, operand.free, free))

    def lane(self, number: Index) -> Value:
        """The row or column of a lane of the block."""
        f = self.f
        free = f.add(parameter("free"), number)
        if self.operand.extent % self.lanes == 0:
            return free
        return f.minimum(free, self.operand.extent - 1)

    def origin(self, lane: Index, place: Index, free_step: int, summed_step: int) -> Origin:
        free = self.lane(lane) if self.operand.producer else 0
        return Origin(parameter("batch"), free, place, free_step, summed_step, None)


def transposed(f: Function, rows: list[Value | None], dtype: DType) -> list[Value]:
    """The columns of a square of vectors; rows that are None do not count."""
    width = len(rows)
    part = min(16 // dtype.itemsize, width)
    unit = 1
    rows = list(rows)
    while unit < width:
        for number in range(width):
            if number & unit:
                continue
            pair = rows[number], rows[number | unit]
            low, high = _interleaving(width, part, unit) if unit < part else _swap(width, unit)
            rows[number] = _shuffled(f, pair, low)
            rows[number | unit] = _shuffled(f, pair, high)
        unit *= 2
    columns = [rows[_reversed_bits(number, part)] for number in range(width)]
    return [column for column in columns if column is not None]


def _shuffled(
    f: Function, pair: tuple[Value | None, Value | None], lanes: list[int]
) -> Value | None:
    x, y = pair
    if x is None:
        return None
    if y is None:
        return f.shuffle(x, x, [lane if lane < x.width else -1 for lane in lanes])
    return f.shuffle(x, y, lanes)


def _interleaving(width: int, part: int, unit: int) -> tuple[list[int], list[int]]:
    """The lanes of two vectors in turns, within parts of 16 bytes: what one instruction does."""
    found: tuple[list[int], list[int]] = [], []
    for start in range(0, width, part):
        for half, lanes in enumerate(found):
            for number in range(0, part // 2, unit):
                at = start + half * part // 2 + number
                lanes += [*range(at, at + unit), *range(width + at, width + at + unit)]
    return found


def _swap(width: int, unit: int) -> tuple[list[int], list[int]]:
    """The lanes whose number has a bit not set, of both vectors; and those whose number has."""
    low = [lane if not lane & unit else width + (lane ^ unit) for lane in range(width)]
    high = [lane | unit if not lane & unit else width + lane for lane in range(width)]
    return low, high


def _reversed_bits(number: int, part: int) -> int:
    """The number with its lowest bits, as many as count up to `part`, in the other order."""
    bits = part.bit_length() - 1
    low = sum(1 << (bits - 1 - bit) for bit in range(bits) if number >> bit & 1)
    return number - number % part + low
