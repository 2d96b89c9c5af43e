"""Tridiagonal systems: elimination in which a row may be swapped with the next."""

from __future__ import annotations

from collections.abc import Callable

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.problems.elimination import Tridiagonal


def scratch(problem: Tridiagonal, target: Target) -> int:
    """Returns the elements of scratch memory: three diagonals of the upper factor."""
    return 3 * problem.m


def write(f: Function, problem: Tridiagonal) -> None:
    """Writes the items: systems."""
    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        _System(f, problem, loop.index).write()


class _System:
    """One item."""

    def __init__(self, f: Function, problem: Tridiagonal, item: Index) -> None:
        self._f = f
        self._dtype = problem.dtype
        self._m, self._n = problem.m, problem.n
        size = problem.m * problem.n
        self._below, self._main, self._above, self._given, self._result = (
            f.pointer(f"%given{number}", f.mul_index(item, stride), problem.dtype)
            for number, stride in enumerate((problem.m, problem.m, problem.m, size, size))
        )
        self._pivots, self._first, self._second = (
            f.pointer("%scratch", number * problem.m, problem.dtype) for number in range(3)
        )

    def write(self) -> None:
        """Eliminates downwards, and solves upwards."""
        f, m = self._f, self._m
        self._span(m * self._n, lambda j, width: self._put(self._get(self._given, j, width), j))
        start = [f.load(place, 0, self._dtype) for place in (self._main, self._above)]
        with f.loop(0, m - 1, 1, start) as loop:
            loop.next = self._eliminate(loop.index, *loop.values)
        f.store(loop.results[0], self._pivots, m - 1)
        self._solve(f.index(m - 1), 0)
        if m > 1:
            self._solve(f.index(m - 2), 1)
        if m > 2:
            with f.loop(2, m) as loop:
                self._solve(f.sub(f.index(m - 1), loop.index), 2)

    def _eliminate(self, k: Value, pivot: Value, after: Value) -> list[Value]:
        """Eliminates below a row; returns what is left of the next one."""
        f, n, dtype = self._f, self._n, self._dtype
        zero = constant(0.0, dtype)
        following = f.add(k, 1)
        # The last element of the upper diagonal does not count.
        beyond = f.select(
            f.compare("eq", following, self._m - 1), zero, f.load(self._above, following, dtype)
        )
        mine = (pivot, after, zero)
        theirs = (
            f.load(self._below, following, dtype),
            f.load(self._main, following, dtype),
            beyond,
        )
        swaps = f.compare("lt", f.abs(mine[0]), f.abs(theirs[0]))
        upper = [f.select(swaps, y, x) for x, y in zip(mine, theirs, strict=True)]
        lower = [f.select(swaps, x, y) for x, y in zip(mine, theirs, strict=True)]
        factor = f.div(lower[0], upper[0])
        for value, place in zip(upper, (self._pivots, self._first, self._second), strict=True):
            f.store(value, place, k)
        one, two = f.mul_index(k, n), f.mul_index(following, n)

        def exchange(j: Index, width: int) -> None:
            here, there = f.add_index(one, j), f.add_index(two, j)
            x, y = self._get(self._result, here, width), self._get(self._result, there, width)
            which = f.splat(swaps, width)
            first, second = f.select(which, y, x), f.select(which, x, y)
            self._put(first, here)
            self._put(f.sub(second, f.mul(f.splat(factor, width), first)), there)

        self._span(n, exchange)
        return [f.sub(x, f.mul(factor, y)) for x, y in zip(lower[1:], upper[1:], strict=True)]

    def _solve(self, k: Value, known: int) -> None:
        """Solves a row, of which so many rows below are known that count."""
        f, n, dtype = self._f, self._n, self._dtype
        factors = [f.load(place, k, dtype) for place in (self._first, self._second)[:known]]
        pivot = f.load(self._pivots, k, dtype)
        row = f.mul_index(k, n)

        def solve(j: Index, width: int) -> None:
            here = f.add_index(row, j)
            x = self._get(self._result, here, width)
            for number, factor in enumerate(factors):
                other = self._get(self._result, f.add_index(here, (number + 1) * n), width)
                x = f.sub(x, f.mul(f.splat(factor, width), other))
            self._put(f.div(x, f.splat(pivot, width)), here)

        self._span(n, solve)

    def _get(self, base: str, place: Index, width: int) -> Value:
        return self._f.load(base, place, self._dtype, width)

    def _put(self, value: Value, place: Index) -> None:
        self._f.store(value, self._result, place)

    def _span(self, count: int, body: Callable[[Index, int], None]) -> None:
        """Goes over elements, in vectors as far as there are enough."""
        f, width = self._f, self._f.target.width(self._dtype)
        whole = count // width * width
        if whole:
            with f.loop(0, whole, width) as loop:
                body(loop.index, width)
        if count - whole == 1:
            body(whole, 1)
        elif whole < count:
            with f.loop(whole, count) as loop:
                body(loop.index, 1)
