"""Placing results: finished sums become elements of the result, through an epilogue where one is
given.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction.offsets import offset
from oakum.compile.cpu.contraction.operand_conversions import narrow
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Contraction, Steps
from oakum.dtypes import DType
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where finished elements stand: those of lane `l` are in row `row + l * row_step` and column
    `column + l * column_step`, and `offset + l * stride` elements after the first of the result.

    Rows, columns and batch items are counted through all their axes.
    """

    batch: Index
    row: Index
    column: Index
    row_step: int
    column_step: int
    offset: Index
    stride: int
    mask: Value | None
    """The lanes that count; None for all."""


WriteEpilogue = Callable[[Function, Value, Place], Value]
"""What is made of finished elements, which have the result's dtype; what it gives is stored, in a
dtype of its own. It may load from what the extra parameters of the function point to, and from the
result at its place, if that is asked for.
"""


Fetch = Callable[[Function, Index], None]
"""Asks for what an epilogue loads and stores of an element's own, by the element's offset."""


@dataclass(frozen=True, slots=True)
class Writer:
    """How sums become elements of the result."""

    contraction: Contraction
    swapped: bool
    """Whether the contraction's rows are the user's columns."""
    epilogue: WriteEpilogue | None
    stored: DType
    """The dtype of what is stored."""
    lines: int
    """The length of the epilogue."""
    origin: tuple[Index, Index, Index] = (0, 0, 0)
    """The row and the column that come first, and their offset, where this is a part."""
    grouped: bool = False
    """Whether the columns of a batch item are told as those after the columns of the last."""
    numbers: Steps | None = None
    """How far apart the numbers of rows are that are told, if they are not told as they are."""
    fetch: Fetch | None = None

    @property
    def is_plain(self) -> bool:
        """Whether sums are elements of the result as they are."""
        return self.epilogue is None and self.contraction.result is self.contraction.accumulator

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements of a row stand side by side in the result."""
        steps = self.contraction.steps("columns", "result")
        return len(steps) == 1 and (steps[0][1] == 1 or steps[0][0] == 1)

    @property
    def is_simple(self) -> bool:
        """Whether the rows of the result are evenly spaced, too."""
        return self.is_contiguous and len(self.contraction.steps("rows", "result")) == 1

    @property
    def is_turned(self) -> bool:
        """Whether it is the elements of a column that stand side by side."""
        rows = self.contraction.steps("rows", "result")
        beside = len(rows) == 1 and rows[0][1] == 1 and self.numbers is None
        return beside and not self.is_contiguous

    def row(self, f: Function, batch: Index, row: Index) -> Index:
        """How far the first element of a row is from the first one of the result."""
        problem = self.contraction
        start = f.plus(self.origin[2], offset(f, problem.steps("batch", "result"), batch))
        return f.plus(start, offset(f, problem.steps("rows", "result"), row))

    def offset(self, f: Function, batch: Index, row: Index, column: Index) -> Index:
        """How far an element is from the first one of the result."""
        steps = self.contraction.steps("columns", "result")
        return f.plus(self.row(f, batch, row), offset(f, steps, column))

    def finish(self, f: Function, value: Value, place: Place) -> Value:
        """What is stored for finished sums."""
        value = narrow(f, value, self.contraction.result)
        return value if self.epilogue is None else self.epilogue(f, value, place)

    def write(
        self,
        f: Function,
        value: Value,
        place: tuple[Index, Index, Index],
        lanes: int,
        start: Index | None = None,
    ) -> None:
        """Stores the first lanes of finished sums of a batch item, a row, and columns from one on;
        `start` is where the row begins, if that is known already.
        """
        batch, row, column = place
        if start is None:
            start = self.row(f, batch, row)
        steps = self.contraction.steps("columns", "result")
        count = 1 if self.is_contiguous else lanes
        for lane in range(count):
            one = value if count == 1 else f.lane(value, lane)
            at = f.plus(start, offset(f, steps, f.plus(column, lane)))
            here = self._place(f, batch, row, f.plus(column, lane), at, lanes // count, one.width)
            store_lanes(f, self.finish(f, one, here), "%result", at, lanes // count)

    def write_down(
        self, f: Function, value: Value, place: tuple[Index, Index, Index], lanes: int
    ) -> None:
        """Stores the first lanes of finished sums of a batch item, of rows from one on, and of a
        column, whose elements stand side by side.
        """
        at = self.offset(f, *place)
        here = self._place(f, *place, at, lanes, value.width, down=True)
        store_lanes(f, self.finish(f, value, here), "%result", at, lanes)

    def prefetch(
        self, f: Function, place: tuple[Index, Index, Index], rows: int, columns: int
    ) -> None:
        """Asks for the memory of a tile."""
        batch, row, column = place
        for down in range(rows):
            start = self.offset(f, batch, f.plus(row, down), column)
            for at in (start, f.plus(start, columns - 1)):
                f.prefetch("%result", at, self.stored, written=True)
                if self.fetch is not None:
                    self.fetch(f, at)

    def _place(
        self,
        f: Function,
        batch: Index,
        row: Index,
        column: Index,
        at: Index,
        lanes: int,
        width: int,
        *,
        down: bool = False,
    ) -> Place:
        if self.epilogue is None:
            return Place(0, 0, 0, 0, 1, at, 1, None)
        mask = f.first_lanes(lanes, width) if lanes < width else None
        if self.numbers is not None:
            row = offset(f, self.numbers, row)
        row, column = f.plus(self.origin[0], row), f.plus(self.origin[1], column)
        if self.grouped:
            column = f.plus(f.times(batch, self.contraction.n), column)
            batch = 0
        if self.swapped:
            row, column = column, row
        along = (1, 0) if down != self.swapped else (0, 1)
        return Place(batch, row, column, *along, at, 1, mask)


def probed(
    contraction: Contraction, target: Target, epilogue: WriteEpilogue | None
) -> tuple[DType, int]:
    """The dtype of what an epilogue gives, and how long it is, in lines."""
    if epilogue is None:
        return contraction.result, 0
    f = Function("probe", [], target)
    value = epilogue(f, Value("%value", contraction.result), Place(0, 0, 0, 0, 1, 0, 1, None))
    constants = {number for line in f.lines for number in _CONSTANT.findall(line)}
    return value.dtype, len(f.lines) + _REGISTER * len(constants - {_CONSTANT_ZERO})


_CONSTANT: Final = re.compile(r"\b0x[0-9A-F]{16}\b")
_CONSTANT_ZERO: Final = "0x0000000000000000"
_REGISTER: Final = 8
"""The lines that a constant is worth, which takes a register of the loop around it."""


def store_lanes(f: Function, value: Value, base: str, offset: Index, lanes: int) -> None:
    """Stores the first lanes of a vector, in pieces of two's powers: masked stores are slow where
    the number is known.
    """
    start = 0
    for size in pieces(lanes, value.width):
        part = value
        if size < value.width:
            part = f.shuffle(value, value, range(start, start + size)) if size > 1 else None
            part = part or f.lane(value, start)
        f.store(part, base, f.plus(offset, start))
        start += size


def pieces(count: int, width: int) -> list[int]:
    """A number as the sum of widths and lesser powers of two.

    >>> pieces(22, 8), pieces(6, 8), pieces(0, 8)
    ([8, 8, 4, 2], [4, 2], [])
    """
    parts = [width] * (count // width)
    count %= width
    size = width
    while count:
        size //= 2
        if count >= size:
            parts.append(size)
            count -= size
    return parts


def parameter(name: str) -> Value:
    """A parameter of 64 bits."""
    return Value(f"%{name}", dtypes.int64)


def boolean(name: str) -> Value:
    """A parameter that is true or false."""
    return Value(f"%{name}", dtypes.bool_)
