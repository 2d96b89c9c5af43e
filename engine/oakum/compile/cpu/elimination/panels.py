"""Panels: some columns of a matrix side by side, as many as a few vectors have lanes.

A panel is worked on in scratch memory, where its rows follow one another. What is known of a panel
is subtracted from its later rows some rows at a time, which stay in registers while it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.dtypes import DType
from oakum.values.records import dataclass

Row = list[Value]
"""The vectors of one row of a panel."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a panel: of the lanes of its vectors only the first `columns` count."""

    columns: int
    width: int
    vectors: int

    @property
    def lanes(self) -> int:
        """The elements from one row to the next."""
        return self.width * self.vectors

    @property
    def rows(self) -> int:
        """So many rows are kept in registers."""
        return 4 if self.vectors > 1 else 8


def form_of(columns: int, dtype: DType, target: Target) -> Form:
    """Returns the form of the first panel of so many columns."""
    width = target.width(dtype)
    if columns > width:
        return Form(min(columns, 2 * width), width, 2)
    return Form(columns, 1 << (columns - 1).bit_length(), 1)


def panels_of(columns: int, dtype: DType, target: Target) -> int:
    """Returns the number of panels that so many columns are."""
    return -(-columns // (2 * target.width(dtype)))


@dataclass(frozen=True, slots=True)
class Strided:
    """A matrix in memory: where its first element is, and how far it is to the next ones."""

    base: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class PanelWriter:
    """Writes what is done with a panel."""

    f: Function
    form: Form
    dtype: DType
    place: str
    """Where the panel is."""

    def load(self, row: Index) -> Row:
        """Returns a row of the panel."""
        return self.load_from(self.place, self.f.mul_index(row, self.form.lanes), whole=True)

    def store(self, values: Sequence[Value], row: Index) -> None:
        """Puts a row into the panel."""
        self.store_to(values, self.place, self.f.mul_index(row, self.form.lanes), whole=True)

    def element(self, row: Index, column: Index) -> Index:
        """Returns the place of an element in the panel."""
        return self.f.add_index(self.f.mul_index(row, self.form.lanes), column)

    def load_from(self, base: str, offset: Index, *, whole: bool = False) -> Row:
        """Returns a row of the panel from where its matrix lies; what is no column of it is
        zero.
        """
        return [
            self.f.load(base, self.f.add_index(offset, first), self.dtype, self.form.width, mask)
            for first, mask in self._vectors(whole)
        ]

    def store_to(
        self, values: Sequence[Value], base: str, offset: Index, *, whole: bool = False
    ) -> None:
        """Puts a row of the panel to where its matrix lies."""
        for value, (first, mask) in zip(values, self._vectors(whole), strict=True):
            self.f.store(value, base, self.f.add_index(offset, first), mask)

    def _vectors(self, whole: bool) -> list[tuple[int, Value | None]]:
        """Where the vectors of a row begin, and which lanes of them are columns."""
        form = self.form
        found: list[tuple[int, Value | None]] = []
        for first in range(0, form.lanes, form.width):
            left = form.columns - first
            short = not whole and left < form.width
            found.append((first, self.f.first_lanes(max(left, 0), form.width) if short else None))
        return found

    def numbers(self) -> Row:
        """Returns the numbers of the columns."""
        kind = dtypes.int64 if self.dtype.itemsize == 8 else dtypes.int32
        first = self.f.iota(kind, self.form.width)
        return [first, *[self.f.add(first, n) for n in self._starts()[1:]]]

    def _starts(self) -> list[int]:
        return list(range(0, self.form.lanes, self.form.width))

    def spread(self, x: Value) -> Value:
        """Returns a scalar in all lanes."""
        return self.f.splat(x, self.form.width)

    def reduced(self, rows: Sequence[Row], a: Strided, first: Index, count: Index) -> list[Row]:
        """Rows of the panel, the numbers of which begin with `first`, less the products of so many
        elements of the same rows of a matrix with the first rows of the panel.
        """
        f, vectors = self.f, self.form.vectors
        if count == 0:
            return list(rows)
        starts = self._row_places(a, first, len(rows))
        with f.loop(0, count, 1, [x for row in rows for x in row]) as loop:
            known = self.load(loop.index)
            elements = self._elements(a, starts, loop.index)
            for number, element in enumerate(elements):
                spread = self.spread(element)
                for vector in range(vectors):
                    total = loop.values[number * vectors + vector]
                    loop.next.append(f.sub(total, f.mul(spread, known[vector])))
        return [loop.results[n : n + vectors] for n in range(0, len(loop.results), vectors)]

    def _row_places(self, a: Strided, first: Index, count: int) -> list[str]:
        """Where rows of a matrix begin; the first only where they are next to one another."""
        f = self.f
        place = f.pointer(a.base, f.mul_index(first, a.row), self.dtype)
        near = abs(a.row) == 1
        return [
            place if number == 0 else f.pointer(place, number * a.row, self.dtype)
            for number in range(1 if near else count)
        ] + ([""] * (count - 1) if near else [])

    def _elements(self, a: Strided, starts: Sequence[str], column: Index) -> list[Value]:
        f = self.f
        offset = f.mul_index(column, a.column)
        if abs(a.row) != 1:
            return [f.load(start, offset, self.dtype) for start in starts]
        place = f.pointer(starts[0], offset, self.dtype)
        return [f.load(place, number * a.row, self.dtype) for number in range(len(starts))]

    def solved(self, rows: Sequence[Row], a: Strided, first: Index, diagonal: bool) -> list[Row]:
        """Rows of which all before `first` are known are solved for, one after another."""
        f = self.f
        starts = self._row_places(a, first, len(rows))
        columns = [self._elements(a, starts, f.add_index(first, n)) for n in range(len(rows))]
        found: list[Row] = []
        for number, row in enumerate(rows):
            for other, known in enumerate(found):
                spread = self.spread(columns[other][number])
                row = [f.sub(x, f.mul(spread, y)) for x, y in zip(row, known, strict=True)]
            if diagonal:
                spread = self.spread(columns[number][number])
                row = [f.div(x, spread) for x in row]
            found.append(row)
        return found

    def in_blocks(self, start: Index, stop: Index, body: Callable[[Index, int], None]) -> None:
        """Goes over rows, as many as are kept in registers at a time, the last ones singly."""
        f, many = self.f, self.form.rows
        count = f.add_index(stop, f.mul_index(start, -1)) if start != 0 else stop
        whole = count // many * many if isinstance(count, int) else f.bit_and(count, -many)
        border = f.add_index(start, whole)
        if whole != 0:
            with f.loop(start, border, many) as loop:
                body(loop.index, many)
        if border != stop:
            with f.loop(border, stop) as loop:
                body(loop.index, 1)
