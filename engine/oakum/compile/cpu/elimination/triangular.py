"""Triangular systems: each panel of right-hand sides is solved from its first row to its last.

Whatever the form of the system, a lower one is solved: rows and columns may be taken backwards, and
rows for columns. Right-hand sides that are rows are turned when they come to the panel, and when
they leave it.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.cpu.contraction.transpose_in_registers import transpose
from oakum.compile.cpu.elimination.panels import Form, PanelWriter, Strided, form_of, panels_of
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.compile.problems.elimination import Triangular

_MATRIX, _SIDES, _RESULT = "%given0", "%given1", "%given2"


def scratch(problem: Triangular, target: Target) -> int:
    """Returns the elements of scratch memory: those of a panel."""
    return problem.order * form_of(problem.sides, problem.dtype, target).lanes


def write(f: Function, problem: Triangular) -> None:
    """Writes the items: panels of right-hand sides."""
    count = panels_of(problem.sides, problem.dtype, f.target)
    form = form_of(problem.sides, problem.dtype, f.target)
    rest = problem.sides % form.columns
    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        if count == 1:
            _Solver(f, problem, form).write(loop.index, 0)
            return
        item, panel = f.div(loop.index, count), f.rem(loop.index, count)
        if not rest:
            _Solver(f, problem, form).write(item, f.mul(panel, form.columns))
            return
        with f.when(f.compare("lt", panel, count - 1)):
            _Solver(f, problem, form).write(item, f.mul(panel, form.columns))
        with f.when(f.compare("eq", panel, count - 1)):
            last = form_of(rest, problem.dtype, f.target)
            _Solver(f, problem, last).write(item, problem.sides - rest)


class _Solver:
    def __init__(self, f: Function, problem: Triangular, form: Form) -> None:
        self._f = f
        self._problem = problem
        self._panel = PanelWriter(f, form, problem.dtype, "%scratch")
        # The transposed system has its rows for columns; solutions on the right are such ones too.
        self._turned = problem.transposed == problem.left
        self._backwards = problem.lower == self._turned

    def write(self, item: Index, first: Index) -> None:
        """Solves for the panel that begins with a right-hand side."""
        f, problem, panel = self._f, self._problem, self._panel
        order = problem.order
        matrix, sides, result = (
            f.pointer(base, f.mul_index(item, size), problem.dtype)
            for base, size in (
                (_MATRIX, order * order),
                (_SIDES, problem.m * problem.n),
                (_RESULT, problem.m * problem.n),
            )
        )
        a = self._view(matrix)
        if not problem.left:
            self._turn(sides, first, into=True)

        def solve(start: Index, many: int) -> None:
            places = [self._place(f.add_index(start, n), first) for n in range(many)]
            if problem.left:
                rows = [panel.load_from(sides, place) for place in places]
            else:
                rows = [panel.load(f.add_index(start, n)) for n in range(many)]
            rows = panel.reduced(rows, a, start, start)
            rows = panel.solved(rows, a, start, not problem.unit)
            for number, (row, place) in enumerate(zip(rows, places, strict=True)):
                panel.store(row, f.add_index(start, number))
                if problem.left:
                    panel.store_to(row, result, place)

        whole = order // panel.form.rows * panel.form.rows
        if whole == panel.form.rows:
            solve(0, whole)
        elif whole:
            with f.loop(0, whole, panel.form.rows) as loop:
                solve(loop.index, panel.form.rows)
        if whole < order:
            solve(whole, order - whole)
        if not problem.left:
            self._turn(result, first, into=False)

    def _view(self, matrix: str) -> Strided:
        """Returns the matrix as a lower one."""
        order = self._problem.order
        row, column = (1, order) if self._turned else (order, 1)
        if not self._backwards:
            return Strided(matrix, row, column)
        last = self._f.pointer(matrix, order * order - 1, self._problem.dtype)
        return Strided(last, -row, -column)

    def _row(self, number: Index) -> Index:
        """Where a row of the panel is among those of the right-hand sides."""
        if not self._backwards:
            return number
        return self._f.add_index(self._problem.order - 1, self._f.mul_index(number, -1))

    def _place(self, row: Index, first: Index) -> Index:
        return self._f.add_index(self._f.mul_index(self._row(row), self._problem.n), first)

    def _turn(self, base: str, first: Index, *, into: bool) -> None:
        """Copies right-hand sides that are rows into the panel, or the panel to the result."""
        f, order, width = self._f, self._problem.order, self._panel.form.width
        whole = order // width * width
        for vector in range(self._panel.form.vectors):
            if whole:
                with f.loop(0, whole, width) as loop:
                    self._square(base, first, vector, loop.index, width, into)
            if whole < order:
                self._square(base, first, vector, whole, order - whole, into)

    def _square(
        self, base: str, first: Index, vector: int, start: Index, count: int, into: bool
    ) -> None:
        """Turns what is the same vector in some rows of the panel."""
        f, problem, form = self._f, self._problem, self._panel.form
        width = form.width
        sides = min(form.columns - vector * width, width)
        if sides <= 0:
            return
        mask = f.first_lanes(count, width) if count < width else None
        begin = f.add_index(f.mul_index(f.add_index(first, vector * width), problem.n), start)
        outside = [f.add_index(begin, number * problem.n) for number in range(sides)]
        inside = [
            f.add_index(f.mul_index(self._row(f.add_index(start, n)), form.lanes), vector * width)
            for n in range(count)
        ]
        if into:
            rows: list[Value | None] = [
                f.load(base, place, problem.dtype, width, mask) for place in outside
            ]
            rows += [None] * (width - sides)
            turned = _square(f, rows, problem)
            for place, value in zip(inside, turned, strict=False):
                f.store(value, "%scratch", place)
        else:
            rows = [f.load("%scratch", place, problem.dtype, width) for place in inside]
            rows += [None] * (width - count)
            turned = _square(f, rows, problem)
            for place, value in zip(outside, turned, strict=False):
                f.store(value, base, place, mask)


def _square(f: Function, rows: list[Value | None], problem: Triangular) -> list[Value]:
    zero = next(row for row in rows if row is not None)
    return transpose(f, [zero if row is None else row for row in rows], problem.dtype)
