"""LU factors: panel after panel, from left to right.

A panel is read from the matrix with its rows in the order that the panels before it gave, what
these know is subtracted, and the rest is eliminated column by column within the panel.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.cpu.elimination.panels import Form, PanelWriter, Strided, form_of
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.problems.elimination import Lu

_MATRIX, _FACTORS, _PIVOTS, _ORDER = "%given0", "%given1", "%given2", "%given3"


def scratch(problem: Lu, target: Target) -> int:
    """Returns the elements of scratch memory: those of a panel."""
    return problem.m * form_of(problem.n, problem.dtype, target).lanes


def write(f: Function, problem: Lu) -> None:
    """Writes the items: matrices."""
    form = form_of(problem.n, problem.dtype, f.target)
    whole = problem.n // form.columns * form.columns
    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        made = _Matrix(f, problem, loop.index)
        made.begin()
        if whole == form.columns:
            made.panel(0, form)
        else:
            with f.loop(0, whole, form.columns) as panels:
                made.panel(panels.index, form)
        if whole < problem.n:
            made.panel(whole, form_of(problem.n - whole, problem.dtype, f.target))


class _Matrix:
    """One item."""

    def __init__(self, f: Function, problem: Lu, item: Index) -> None:
        m, n = problem.m, problem.n
        self._f = f
        self._problem = problem
        self._count = min(m, n)
        self._matrix = f.pointer(_MATRIX, f.mul_index(item, m * n), problem.dtype)
        self._factors = f.pointer(_FACTORS, f.mul_index(item, m * n), problem.dtype)
        self._pivots = f.pointer(_PIVOTS, f.mul_index(item, self._count), dtypes.int32)
        self._order = f.pointer(_ORDER, f.mul_index(item, m), dtypes.int32)

    def begin(self) -> None:
        """No rows are swapped yet."""
        with self._f.loop(0, self._problem.m) as loop:
            self._put(self._order, loop.index, loop.index)

    def _put(self, base: str, place: Index, number: Value) -> None:
        self._f.store(self._f.cast("trunc", number, dtypes.int32), base, place)

    def _get(self, base: str, place: Index) -> Value:
        return self._f.cast("sext", self._f.load(base, place, dtypes.int32), dtypes.int64)

    def panel(self, first: Index, form: Form) -> None:
        """Does the panel that begins with a column."""
        f, problem = self._f, self._problem
        m, n = problem.m, problem.n
        panel = PanelWriter(f, form, problem.dtype, "%scratch")
        with f.loop(0, m) as loop:
            row = self._get(self._order, loop.index)
            values = panel.load_from(self._matrix, f.add_index(f.mul_index(row, n), first))
            panel.store(values, loop.index)
        if first != 0:
            self._reduce(panel, first)
        if first == 0 or not isinstance(first, int) or first < m:
            begin, end = self._eliminate(panel, first)
            if first != 0:
                self._swap(begin, end, first)
        with f.loop(0, m) as loop:
            place = f.add_index(f.mul_index(loop.index, n), first)
            panel.store_to(panel.load(loop.index), self._factors, place)

    def _reduce(self, panel: PanelWriter, first: Index) -> None:
        """Subtracts what earlier panels know."""
        f, m = self._f, self._problem.m
        lower = Strided(self._factors, self._problem.n, 1)
        top: Index
        if isinstance(first, int):
            top = min(first, m)
        else:
            top = f.minimum(first, m) if self._problem.n > m else first

        def solve(start: Index, many: int) -> None:
            rows = [panel.load(f.add_index(start, number)) for number in range(many)]
            rows = panel.reduced(rows, lower, start, start)
            for number, row in enumerate(panel.solved(rows, lower, start, diagonal=False)):
                panel.store(row, f.add_index(start, number))

        def reduce(start: Index, many: int) -> None:
            rows = [panel.load(f.add_index(start, number)) for number in range(many)]
            for number, row in enumerate(panel.reduced(rows, lower, start, top)):
                panel.store(row, f.add_index(start, number))

        panel.in_blocks(0, top, solve)
        panel.in_blocks(top, m, reduce)

    def _eliminate(self, panel: PanelWriter, first: Index) -> tuple[Index, Index]:
        """Eliminates column by column; returns the range of the pivots."""
        f, columns = self._f, panel.form.columns
        end: Index
        if isinstance(first, int):
            end = min(first + columns, self._count)
        else:
            end = f.minimum(f.add(first, columns), self._count)
        with f.loop(first, end) as loop:
            row = loop.index
            column = f.sub(row, first) if first != 0 else row
            chosen = self._largest(panel, row, column)
            self._put(self._pivots, row, chosen)
            self._exchange(panel, row, chosen)
            self._subtract(panel, row, column)
        return first, end

    def _largest(self, panel: PanelWriter, row: Value, column: Value) -> Value:
        """Returns the first row that has the largest element of a column, of those from a row
        on.
        """
        f, dtype = self._f, self._problem.dtype
        # A NaN is greater than nothing: the search passes over it.
        start = [constant(-1.0, dtype), row]
        with f.loop(row, self._problem.m, 1, start) as loop:
            most, place = loop.values
            size = f.abs(f.load(panel.place, panel.element(loop.index, column), dtype))
            larger = f.compare("gt", size, most)
            loop.next = [f.select(larger, size, most), f.select(larger, loop.index, place)]
        return loop.results[1]

    def _exchange(self, panel: PanelWriter, row: Value, other: Value) -> None:
        mine, theirs = panel.load(row), panel.load(other)
        panel.store(theirs, row)
        panel.store(mine, other)
        one, two = self._get(self._order, row), self._get(self._order, other)
        self._put(self._order, row, two)
        self._put(self._order, other, one)

    def _subtract(self, panel: PanelWriter, row: Value, column: Value) -> None:
        """Subtracts multiples of a row from those below, and leaves the factors in the column."""
        f, dtype = self._f, self._problem.dtype
        pivot = f.load(panel.place, panel.element(row, column), dtype)
        divisor = f.select(f.compare("eq", pivot, 0.0), constant(1.0, dtype), pivot)
        known = panel.load(row)
        numbers = panel.numbers()
        kind = numbers[0].dtype
        at = panel.spread(column if kind.itemsize == 8 else f.cast("trunc", column, kind))
        is_later = [f.compare("gt", x, at) for x in numbers]
        is_there = [f.compare("eq", x, at) for x in numbers]
        with f.loop(f.add(row, 1), self._problem.m) as loop:
            here = panel.element(loop.index, column)
            factor = panel.spread(f.div(f.load(panel.place, here, dtype), divisor))
            values: list[Value] = []
            for x, y, later, there in zip(
                panel.load(loop.index), known, is_later, is_there, strict=True
            ):
                rest = f.sub(x, f.mul(factor, y))
                values.append(f.select(later, rest, f.select(there, factor, x)))
            panel.store(values, loop.index)

    def _swap(self, begin: Index, end: Index, columns: Index) -> None:
        """Swaps rows of the factors before the panel as those of the panel were."""
        f, n, dtype = self._f, self._problem.n, self._problem.dtype
        width = f.target.width(dtype)
        with f.loop(begin, end) as loop:
            other = self._get(self._pivots, loop.index)
            with f.when(f.compare("ne", other, loop.index)):
                places = f.mul(loop.index, n), f.mul(other, n)
                with f.loop(0, columns, width) as each:
                    one, two = (f.add(place, each.index) for place in places)
                    mine = f.load(self._factors, one, dtype, width)
                    f.store(f.load(self._factors, two, dtype, width), self._factors, one)
                    f.store(mine, self._factors, two)
