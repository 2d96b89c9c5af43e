"""Tridiagonal systems as kernels: elimination in which a row may be swapped with the next.

A thread eliminates the diagonals of a system, and leaves by what rows are multiplied and which are
swapped; then a thread for each right-hand side goes down and up its column.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel, Launch
from oakum.compile.nvptx.solvers.numbers import Numbers
from oakum.compile.problems.elimination import Tridiagonal

_BELOW, _MAIN, _ABOVE, _SIDES, _RESULT, _SCRATCH = range(6)
"""The buffers of the step."""

_THREADS: Final = 64
"""Threads of a block: systems are few where they are long, and go to many multiprocessors so."""

_LINES: Final = 4
"""The lines of a system in scratch memory: pivots, both diagonals above them, and factors."""


def scratch_bytes(problem: Tridiagonal) -> int:
    """Returns the bytes of the lines, and of a byte for each row: whether it was swapped."""
    return problem.batch * problem.m * (_LINES * problem.dtype.itemsize + 1)


def launches(problem: Tridiagonal, target: Target) -> list[Launch]:
    """Returns the kernels in order."""
    columns = problem.batch * problem.n
    return [
        Launch(
            _Elimination(problem, target).write(),
            -(-problem.batch // _THREADS),
            (_BELOW, _MAIN, _ABOVE, _SCRATCH),
        ),
        Launch(
            _Substitution(problem, target).write(),
            -(-columns // _THREADS),
            (_SIDES, _RESULT, _SCRATCH),
        ),
    ]


class _System:
    """A thread of a system, with the lines in scratch memory."""

    def __init__(self, problem: Tridiagonal, target: Target, written: tuple[bool, ...]) -> None:
        size = problem.dtype.itemsize
        given = [Argument(size, is_written=each) for each in written]
        self.f = f = Kernel([*given, Argument(16, is_written=True)], target, _THREADS)
        self.numbers = Numbers(f, problem.dtype)
        self.m, self.n = problem.m, problem.n
        self._scratch = f"%m{len(written)}"
        self._end = problem.batch * problem.m * _LINES * size
        self.number = f.number()

    def place(self, item: Value) -> None:
        """Finds the lines of a system."""
        f, m = self.f, self.m
        first = self.numbers.pointer(self._scratch, f.mul(item, _LINES * m))
        self.lines = [self.numbers.pointer(first, line * m) for line in range(_LINES)]
        flags = f.pointer(self._scratch, self._end, dtypes.int8)
        self.flags = f.pointer(flags, f.mul(item, m), dtypes.int8)


class _Elimination(_System):
    def __init__(self, problem: Tridiagonal, target: Target) -> None:
        super().__init__(problem, target, (False, False, False))
        self._batch = problem.batch

    def write(self) -> Kernel:
        f, m, numbers = self.f, self.m, self.numbers
        with f.when(f.below(self.number, self._batch)):
            self.place(self.number)
            start = f.mul(self.number, m)
            self._below, self._main, self._above = (
                numbers.pointer(f"%m{diagonal}", start) for diagonal in range(3)
            )
            first = [numbers.fetch(place, 0) for place in (self._main, self._above)]
            with f.loop(0, m - 1, 1, first) as loop:
                loop.next = self._eliminate(loop.index, *loop.values)
            # All elements are written: several are loaded at a time.
            rest = [numbers.zero] * (_LINES - 1)
            self._leave(f.index(m - 1), [loop.results[0], *rest], constant(0, dtypes.int8))
        return f

    def _eliminate(self, k: Value, pivot: Value, after: Value) -> list[Value]:
        """Eliminates below a row; returns what is left of the next one."""
        f, numbers = self.f, self.numbers
        following = f.add(k, 1)
        # The last element of the upper diagonal does not count.
        is_last = f.compare("eq", following, self.m - 1)
        beyond = f.select(is_last, numbers.zero, numbers.fetch(self._above, following))
        mine = (pivot, after, numbers.zero)
        theirs = (
            numbers.fetch(self._below, following),
            numbers.fetch(self._main, following),
            beyond,
        )
        swaps = f.compare("lt", numbers.size(mine[0]), numbers.size(theirs[0]))
        upper = [f.select(swaps, y, x) for x, y in zip(mine, theirs, strict=True)]
        lower = [f.select(swaps, x, y) for x, y in zip(mine, theirs, strict=True)]
        factor = numbers.div(lower[0], upper[0])
        self._leave(k, [*upper, factor], f.cast("zext", swaps, dtypes.int8))
        return [f.sub(x, numbers.mul(factor, y)) for x, y in zip(lower[1:], upper[1:], strict=True)]

    def _leave(self, row: Value, values: list[Value], swaps: Value) -> None:
        for value, line in zip(values, self.lines, strict=True):
            self.numbers.leave(value, line, row)
        self.f.store(swaps, self.flags, row)


class _Substitution(_System):
    def __init__(self, problem: Tridiagonal, target: Target) -> None:
        super().__init__(problem, target, (False, True))
        self._columns = problem.batch * problem.n

    def write(self) -> Kernel:
        f, m, n, numbers = self.f, self.m, self.n, self.numbers
        with f.when(f.below(self.number, self._columns)):
            item, column = f.divide(self.number, n)
            self.place(item)
            start = f.add(f.mul(item, m * n), column)
            given, self._result = (numbers.pointer(place, start) for place in ("%m0", "%m1"))
            with f.loop(0, m - 1, 1, [numbers.fetch(given, 0)]) as loop:
                k, mine = loop.index, loop.values[0]
                theirs = numbers.fetch(given, f.mul(f.add(k, 1), n))
                swaps = f.compare("ne", f.load(self.flags, k, dtypes.int8), 0)
                upper, lower = f.select(swaps, theirs, mine), f.select(swaps, mine, theirs)
                numbers.leave(upper, self._result, f.mul(k, n))
                factor = numbers.fetch(self.lines[3], k)
                loop.next = [f.sub(lower, numbers.mul(factor, upper))]
            last = f.index(m - 1)
            start_up = [self._solve(last, loop.results[0], []), numbers.zero]
            with f.loop(1, m, 1, start_up) as loop:
                row = f.sub(last, loop.index)
                x = numbers.fetch(self._result, f.mul(row, n))
                loop.next = [self._solve(row, x, loop.values), loop.values[0]]
        return f

    def _solve(self, row: Value, x: Value, below: list[Value]) -> Value:
        """Solves a row, of which those below are known; what is beyond the last one is zero."""
        f, numbers = self.f, self.numbers
        for line, known in zip(self.lines[1:3], below, strict=False):
            x = f.sub(x, numbers.mul(numbers.fetch(line, row), known))
        x = numbers.div(x, numbers.fetch(self.lines[0], row))
        numbers.leave(x, self._result, f.mul(row, self.n))
        return x
