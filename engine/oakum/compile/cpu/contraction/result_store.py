"""Storing results: finished sums become elements of the result, through an epilogue if there is
one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction.operand_conversions import narrow
from oakum.compile.cpu.contraction.operands import offset
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
"""Writes what is done with finished elements, which have the result's dtype, and returns what is
stored, of any dtype. It may load through the extra parameters, and from the result at its place if
that is asked for.
"""


Fetch = Callable[[Function, Index], None]
"""Prefetches what an epilogue loads and stores for an element, by the element's offset."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Turns sums into elements of the result."""

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
    """Whether the columns of a batch item are numbered behind the columns of the one before."""
    numbers: Steps | None = None
    """The strides of the row numbers passed to the epilogue, if they are not consecutive."""
    fetch: Fetch | None = None

    @property
    def is_plain(self) -> bool:
        """Whether sums are elements of the result as they are."""
        return self.epilogue is None and self.contraction.result is self.contraction.accumulator

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements of a row are contiguous in the result."""
        steps = self.contraction.steps("columns", "result")
        return len(steps) == 1 and (steps[0][1] == 1 or steps[0][0] == 1)

    @property
    def is_simple(self) -> bool:
        """Whether the rows of the result are evenly spaced, too."""
        return self.is_contiguous and len(self.contraction.steps("rows", "result")) == 1

    @property
    def is_turned(self) -> bool:
        """Whether the elements of a column are contiguous in the result."""
        rows = self.contraction.steps("rows", "result")
        beside = len(rows) == 1 and rows[0][1] == 1 and self.numbers is None
        return beside and not self.is_contiguous

    def row(self, f: Function, batch: Index, row: Index) -> Index:
        """Returns the distance of a row's first element from the result's first one."""
        problem = self.contraction
        start = f.add_index(self.origin[2], offset(f, problem.steps("batch", "result"), batch))
        return f.add_index(start, offset(f, problem.steps("rows", "result"), row))

    def offset(self, f: Function, batch: Index, row: Index, column: Index) -> Index:
        """Returns the distance of an element from the result's first one."""
        steps = self.contraction.steps("columns", "result")
        return f.add_index(self.row(f, batch, row), offset(f, steps, column))

    def finish(self, f: Function, value: Value, place: Place) -> Value:
        """Returns what is stored for finished sums."""
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
            at = f.add_index(start, offset(f, steps, f.add_index(column, lane)))
            here = self._place(
                f, batch, row, f.add_index(column, lane), at, lanes // count, one.width
            )
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
            start = self.offset(f, batch, f.add_index(row, down), column)
            for at in (start, f.add_index(start, columns - 1)):
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
        row, column = f.add_index(self.origin[0], row), f.add_index(self.origin[1], column)
        if self.grouped:
            column = f.add_index(f.mul_index(batch, self.contraction.n), column)
            batch = 0
        if self.swapped:
            row, column = column, row
        along = (1, 0) if down != self.swapped else (0, 1)
        return Place(batch, row, column, *along, at, 1, mask)


def probed(
    contraction: Contraction, target: Target, epilogue: WriteEpilogue | None
) -> tuple[DType, int]:
    """Returns the dtype of an epilogue's result, and its length in lines."""
    if epilogue is None:
        return contraction.result, 0
    f = Function("probe", [], target)
    value = epilogue(f, Value("%value", contraction.result), Place(0, 0, 0, 0, 1, 0, 1, None))
    constants = {number for line in f.lines for number in _CONSTANT.findall(line)}
    return value.dtype, len(f.lines) + _REGISTER * len(constants - {_CONSTANT_ZERO})


_CONSTANT: Final = re.compile(r"\b0x[0-9A-F]{16}\b")
_CONSTANT_ZERO: Final = "0x0000000000000000"
_REGISTER: Final = 8
"""The lines that a constant counts for: it takes a register of the loop around it. By judgement."""


def store_lanes(f: Function, value: Value, base: str, offset: Index, lanes: int) -> None:
    """Stores the first lanes of a vector in pieces of powers of two: masked stores are slower if
    the number is known.
    """
    start = 0
    for size in pieces(lanes, value.width):
        part = value
        if size < value.width:
            part = f.shuffle(value, value, range(start, start + size)) if size > 1 else None
            part = part or f.lane(value, start)
        f.store(part, base, f.add_index(offset, start))
        start += size


def pieces(count: int, width: int) -> list[int]:
    """Returns a number as the sum of widths and lesser powers of two.

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


def begin_outlined(
    name: str,
    target: Target,
    pointers: Sequence[str],
    numbers: Sequence[str],
    flags: Sequence[str] = (),
    extras: Sequence[str] = (),
) -> Function:
    """Returns a function to write, which stays one of its own: its parameters are pointers, 64-bit
    integers, booleans, and the pointers `extras`.
    """
    groups = (("ptr", pointers), ("i64", numbers), ("i1", flags), ("ptr", extras))
    parameters = [(kind, each) for kind, names in groups for each in names]
    return Function(name, parameters, target, internal=True, attributes="nounwind noinline")


def parameter(name: str) -> Value:
    """Returns a parameter of 64 bits."""
    return Value(f"%{name}", dtypes.int64)


def boolean(name: str) -> Value:
    """Returns a parameter that is true or false."""
    return Value(f"%{name}", dtypes.bool_)
