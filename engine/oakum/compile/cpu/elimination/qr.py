"""QR factors of small matrices by reflections, whose vectors stay below the diagonal meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.problems.elimination import Qr, Reflections


def scratch(problem: Qr | Reflections, target: Target) -> int:
    """Returns the elements of scratch memory: those of a matrix, and the factors of the
    reflections, where these are no results.
    """
    if isinstance(problem, Reflections):
        return 0
    return problem.m * problem.n + min(problem.m, problem.n)


def write(f: Function, problem: Qr | Reflections) -> None:
    """Writes the items: matrices."""
    m, n, count = problem.m, problem.n, min(problem.m, problem.n)

    def of_item(number: int, size: int) -> str:
        return f.pointer(f"%given{number}", f.mul_index(loop.index, size), problem.dtype)

    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        source = of_item(0, m * n)
        if isinstance(problem, Reflections):
            _Matrix(f, problem, of_item(1, m * n), of_item(2, count)).reduce(source)
        else:
            factors = f.pointer("%scratch", m * n, problem.dtype)
            matrix = _Matrix(f, problem, "%scratch", factors)
            matrix.reduce(source)
            matrix.leave(
                of_item(1, m * problem.inner), of_item(2, problem.inner * n), problem.inner
            )


class _Matrix:
    """One item, with a place for the matrix that is worked on, and one for the factors of the
    reflections.
    """

    def __init__(self, f: Function, problem: Qr | Reflections, work: str, factors: str) -> None:
        self._f, self._dtype = f, problem.dtype
        self._m, self._n = problem.m, problem.n
        self._count = min(problem.m, problem.n)
        self._work, self._factors = work, factors

    def reduce(self, source: str) -> None:
        """Reflects column by column."""
        f, n = self._f, self._n

        def copy(at: Index, width: int) -> None:
            f.store(f.load(source, at, self._dtype, width), self._work, at)

        self._across(0, self._m * n, copy)
        with f.loop(0, self._count) as loop:
            factor = self._find(loop.index)
            f.store(factor, self._factors, loop.index)
            self._reflect(self._work, n, loop.index, f.add(loop.index, 1), factor)

    def leave(self, q: str, r: str, inner: int) -> None:
        """Leaves the triangle, and reflects the unit matrix, the last column first."""
        f = self._f
        self._leave_upper(r, inner)
        self._begin_unit(q, inner)
        with f.loop(0, self._count) as loop:
            column = f.sub(f.index(self._count - 1), loop.index)
            factor = f.load(self._factors, column, self._dtype)
            self._reflect(q, inner, column, column, factor)

    def _element(self, row: Index, column: Index) -> Index:
        return self._f.add_index(self._f.mul_index(row, self._n), column)

    def _find(self, k: Value) -> Value:
        """Finds the reflection that leaves of a column only its upper part."""
        f, m, dtype = self._f, self._m, self._dtype
        zero, one = constant(0.0, dtype), constant(1.0, dtype)
        first = f.load(self._work, self._element(k, k), dtype)
        with f.loop(f.add(k, 1), m, 1, [zero]) as loop:
            size = f.abs(f.load(self._work, self._element(loop.index, k), dtype))
            larger = f.compare("gt", size, loop.values[0])
            loop.next = [f.select(larger, size, loop.values[0])]
        most = loop.results[0]
        nothing = f.compare("eq", most, 0.0)
        # Squares of what is huge or tiny are not representable: all is scaled.
        size = f.abs(first)
        scale = f.select(f.compare("gt", size, most), size, most)
        scale = f.select(nothing, one, scale)
        start = f.div(first, scale)
        with f.loop(f.add(k, 1), m, 1, [f.mul(start, start)]) as loop:
            x = f.div(f.load(self._work, self._element(loop.index, k), dtype), scale)
            loop.next = [f.add(loop.values[0], f.mul(x, x))]
        norm = f.mul(scale, f.sqrt(loop.results[0]))
        last = f.neg(f.copysign(norm, first))
        factor = f.select(nothing, zero, f.div(f.sub(last, first), last))
        divisor = f.select(nothing, one, f.sub(first, last))
        with f.loop(f.add(k, 1), m) as loop:
            at = self._element(loop.index, k)
            f.store(f.div(f.load(self._work, at, dtype), divisor), self._work, at)
        f.store(f.select(nothing, first, last), self._work, self._element(k, k))
        return factor

    def _reflect(self, base: str, columns: int, k: Value, start: Value, factor: Value) -> None:
        """Reflects columns of a matrix; the first element of the vector is one."""
        f, m, dtype = self._f, self._m, self._dtype
        row = f.mul(k, columns)

        def reflect(j: Index, width: int) -> None:
            top = f.load(base, f.add_index(row, j), dtype, width)
            with f.loop(f.add(k, 1), m, 1, [top]) as loop:
                x, y = self._pair(base, columns, k, loop.index, j, width)
                loop.next = [f.add(loop.values[0], f.mul(x, y))]
            total = f.mul(loop.results[0], f.splat(factor, width))
            f.store(f.sub(top, total), base, f.add_index(row, j))
            with f.loop(f.add(k, 1), m) as loop:
                x, y = self._pair(base, columns, k, loop.index, j, width)
                place = f.add_index(f.mul(loop.index, columns), j)
                f.store(f.sub(y, f.mul(x, total)), base, place)

        self._across(start, columns, reflect)

    def _pair(
        self, base: str, columns: int, k: Value, row: Value, j: Index, width: int
    ) -> tuple[Value, Value]:
        """Returns an element of the vector, in all lanes, and a row of the matrix."""
        f, dtype = self._f, self._dtype
        x = f.splat(f.load(self._work, self._element(row, k), dtype), width)
        return x, f.load(base, f.add_index(f.mul(row, columns), j), dtype, width)

    def _leave_upper(self, r: str, inner: int) -> None:
        f, n, dtype = self._f, self._n, self._dtype
        zero = constant(0.0, dtype)
        with f.loop(0, inner) as row, f.loop(0, n) as column:
            at = self._element(row.index, column.index)
            below = f.compare("lt", column.index, row.index)
            f.store(f.select(below, zero, f.load(self._work, at, dtype)), r, at)

    def _begin_unit(self, q: str, inner: int) -> None:
        f, dtype = self._f, self._dtype
        self._across(
            0, self._m * inner, lambda at, width: f.store(constant(0.0, dtype, width), q, at)
        )
        with f.loop(0, inner) as loop:
            f.store(constant(1.0, dtype), q, f.mul(loop.index, inner + 1))

    def _across(self, start: Index, stop: int, body: Callable[[Index, int], None]) -> None:
        """Goes over elements, in vectors as far as there are enough."""
        f, width = self._f, self._f.target.width(self._dtype)
        count = stop - start if isinstance(start, int) else f.sub(f.index(stop), start)
        whole = count // width * width if isinstance(count, int) else f.bit_and(count, -width)
        border = f.add_index(start, whole)
        with f.loop(start, border, width) as loop:
            body(loop.index, width)
        with f.loop(border, stop) as loop:
            body(loop.index, 1)
