"""Cholesky factors: panel after panel, from left to right, of lower triangles.

A matrix that has no factor becomes NaN as a whole.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.cpu.contraction.transpose_in_registers import transpose
from oakum.compile.cpu.elimination.panels import Form, PanelWriter, Strided, form_of
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.problems.elimination import Cholesky

_MATRIX, _FACTORS = "%given0", "%given1"


def scratch(problem: Cholesky, target: Target) -> int:
    """Returns the elements of scratch memory: those of a panel, and of what it is reduced by."""
    return 2 * problem.n * form_of(problem.n, problem.dtype, target).lanes


def write(f: Function, problem: Cholesky) -> None:
    """Writes the items: matrices."""
    n, dtype = problem.n, problem.dtype
    form = form_of(n, dtype, f.target)
    whole = n // form.columns * form.columns
    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        made = _Matrix(f, problem, loop.index)
        good = constant(True, dtypes.bool_)
        if whole == form.columns:
            good = made.panel(0, form, good)
        else:
            with f.loop(0, whole, form.columns, [good]) as panels:
                panels.next = [made.panel(panels.index, form, panels.values[0])]
            good = panels.results[0]
        if whole < n:
            good = made.panel(whole, form_of(n - whole, dtype, f.target), good)
        with f.when(f.bit_not(good)):
            made.fill(constant(float("nan"), dtype))


class _Matrix:
    """One item."""

    def __init__(self, f: Function, problem: Cholesky, item: Index) -> None:
        n = problem.n
        self._f = f
        self._n = n
        self._dtype = problem.dtype
        self._matrix = f.pointer(_MATRIX, f.mul_index(item, n * n), problem.dtype)
        self._factors = f.pointer(_FACTORS, f.mul_index(item, n * n), problem.dtype)
        lanes = form_of(n, problem.dtype, f.target).lanes
        self._known = f.pointer("%scratch", n * lanes, problem.dtype)

    def fill(self, x: Value) -> None:
        """Has all elements the same."""
        with self._f.loop(0, self._n * self._n) as loop:
            self._f.store(x, self._factors, loop.index)

    def panel(self, first: Index, form: Form, good: Value) -> Value:
        """Factors the panel that begins with a column; returns whether it was positive definite."""
        f, n = self._f, self._n
        panel = PanelWriter(f, form, self._dtype, "%scratch")
        if first != 0:
            self._clear(panel, first)
            self._turn(form, first)
        known = PanelWriter(f, form, self._dtype, self._known)
        factors = Strided(self._factors, n, 1)

        def reduce(start: Index, many: int) -> None:
            numbers = [f.add_index(start, number) for number in range(many)]
            rows = [
                panel.load_from(self._matrix, f.add_index(f.mul_index(row, n), first))
                for row in numbers
            ]
            for row, values in zip(
                numbers, known.reduced(rows, factors, start, first), strict=True
            ):
                panel.store(values, row)

        panel.in_blocks(first, n, reduce)
        self._mirror(panel, first)
        good = self._eliminate(panel, first, good)
        self._leave(panel, first)
        return good

    def _clear(self, panel: PanelWriter, first: Index) -> None:
        """What is above the panel is zero."""
        f = self._f
        zero = [constant(0.0, self._dtype, panel.form.width)] * panel.form.vectors
        with f.loop(0, first) as loop:
            panel.store_to(zero, self._factors, f.add_index(f.mul(loop.index, self._n), first))

    def _turn(self, form: Form, first: Index) -> None:
        """Has the factors beside the panel's own rows as columns."""
        f, n, dtype, width = self._f, self._n, self._dtype, form.width
        for vector in range(form.vectors):
            count = min(form.columns - vector * width, width)
            # What comes before is whole panels, of which these may be wider than the last one.
            with f.loop(0, first, width) as loop:
                rows = [
                    f.load(
                        self._factors,
                        f.add_index(
                            f.mul_index(f.add_index(first, vector * width + number), n), loop.index
                        ),
                        dtype,
                        width,
                    )
                    for number in range(count)
                ]
                rows += [rows[0]] * (width - count)
                for number, column in enumerate(transpose(f, list(rows), dtype)):
                    place = f.mul_index(f.add_index(loop.index, number), form.lanes)
                    f.store(column, self._known, f.add_index(place, vector * width))

    def _mirror(self, panel: PanelWriter, first: Index) -> None:
        """Has the panel's own rows symmetric: only the lower triangle was given."""
        f, columns = self._f, panel.form.columns
        if columns == 1:
            return
        with f.loop(0, columns) as row, f.loop(0, row.index) as column:
            place = panel.element(f.add_index(first, row.index), column.index)
            other = panel.element(f.add_index(first, column.index), row.index)
            f.store(f.load(panel.place, place, self._dtype), panel.place, other)

    def _eliminate(self, panel: PanelWriter, first: Index, good: Value) -> Value:
        f, dtype, n = self._f, self._dtype, self._n
        numbers = panel.numbers()
        kind = numbers[0].dtype
        with f.loop(0, panel.form.columns, 1, [good]) as loop:
            column = loop.index
            row = f.add(column, f.index(first))
            square = f.load(panel.place, panel.element(row, column), dtype)
            loop.next = [f.bit_and(loop.values[0], f.compare("gt", square, 0.0))]
            root = f.sqrt(square)
            spread = panel.spread(root)
            at = panel.spread(column if kind.itemsize == 8 else f.cast("trunc", column, kind))
            is_later = [f.compare("gt", x, at) for x in numbers]
            is_there = [f.compare("eq", x, at) for x in numbers]
            mine = panel.load(row)
            known = [f.div(x, spread) for x in mine]
            panel.store(
                [f.select(there, spread, x) for x, there in zip(mine, is_there, strict=True)], row
            )
            with f.loop(f.add(row, 1), n) as below:
                place = panel.element(below.index, column)
                factor = panel.spread(f.div(f.load(panel.place, place, dtype), root))
                values: list[Value] = []
                for x, y, later, there in zip(
                    panel.load(below.index), known, is_later, is_there, strict=True
                ):
                    rest = f.sub(x, f.mul(factor, y))
                    values.append(f.select(later, rest, f.select(there, factor, x)))
                panel.store(values, below.index)
        return loop.results[0]

    def _leave(self, panel: PanelWriter, first: Index) -> None:
        """Copies the panel to the result, zeros above the diagonal."""
        f, n, dtype = self._f, self._n, self._dtype
        numbers = panel.numbers()
        kind = numbers[0].dtype
        zero = constant(0.0, dtype, panel.form.width)
        with f.loop(0, panel.form.columns) as loop:
            number = loop.index
            at = panel.spread(number if kind.itemsize == 8 else f.cast("trunc", number, kind))
            row = f.add_index(first, number)
            values = [
                f.select(f.compare("le", x, at), value, zero)
                for x, value in zip(numbers, panel.load(row), strict=True)
            ]
            panel.store_to(values, self._factors, f.add_index(f.mul_index(row, n), first))
        with f.loop(f.add_index(first, panel.form.columns), n) as loop:
            place = f.add_index(f.mul_index(loop.index, n), first)
            panel.store_to(panel.load(loop.index), self._factors, place)
