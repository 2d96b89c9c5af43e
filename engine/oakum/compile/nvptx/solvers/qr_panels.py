"""Panels of 32 columns in QR factorizations: the kernel that finds their reflections, and where
they are in scratch memory.

Scratch memory has the number of the step, the triangles of all panels, and the matrices that are
worked on, in which the vectors of reflections stay below the diagonal.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Argument, Kernel
from oakum.compile.nvptx.solvers.matrix_tiles import TILE, panel_threads, tiles_of
from oakum.compile.nvptx.solvers.numbers import Numbers
from oakum.compile.problems.elimination import Qr, Reflections

Problem = Qr | Reflections

WORDS_BYTES: Final = 256
"""Room for the number of the step, which two kernels hand on."""

SQUARE: Final = TILE * TILE
"""The elements of a triangle, with what is zero."""


def work_begin(problem: Problem) -> int:
    """Returns where in scratch memory the matrices begin that are worked on, in bytes; before them
    are the triangles of all panels.
    """
    triangles = problem.batch * panels_of(problem) * SQUARE * problem.dtype.itemsize
    return WORDS_BYTES + triangles


def panels_of(problem: Problem) -> int:
    """Returns the number of panels of a matrix."""
    return tiles_of(min(problem.m, problem.n))


def is_pivoted(problem: Problem) -> bool:
    """Returns whether the columns are taken in the order of what is left of them."""
    return isinstance(problem, Qr) and problem.pivoting


def _resident_threads(problem: Problem) -> int:
    """Returns the threads of a multiprocessor, so that each has 64 registers, or 128. Where nothing
    is said, sm_80 gets 32 and keeps some in memory; with 64, sm_120 does for complex128.
    """
    real = dtypes.to_real(problem.dtype)
    return 512 if real is dtypes.float64 else 1024


class Panel:
    """A block for a panel of each matrix; the vectors stay below the diagonal, without their first
    elements, which are one.
    """

    def __init__(self, problem: Problem, target: Target, word: int = 0) -> None:
        self._problem, self._word = problem, word
        self._is_pivoted = is_pivoted(problem)
        arguments = [Argument(16, is_written=True)]
        if self._is_pivoted:
            arguments.append(Argument(4, is_written=True))
        threads = panel_threads(problem.m)
        resident = max(_resident_threads(problem) // threads, 1)
        f = self._f = Kernel(arguments, target, threads, resident)
        numbers = self._numbers = Numbers(f, problem.dtype)
        self._thread = f.thread()
        self._row, self._lane = f.divide(self._thread, WARP)
        self._warps = f.threads // WARP
        size = problem.dtype.itemsize
        self._sums, self._largest_sizes = (
            f.shared_memory(self._warps * numbers.real.itemsize) for _ in range(2)
        )
        self._totals = f.shared_memory(f.threads * size)
        self._triangle = f.shared_memory(SQUARE * size)
        self._dots = f.shared_memory(TILE * size)

    def write(self) -> Kernel:
        """Writes the kernel."""
        f, problem, numbers = self._f, self._problem, self._numbers
        m, n, count = problem.m, problem.n, min(problem.m, problem.n)
        item = f.block_number()
        work = f.pointer("%m0", work_begin(problem), dtypes.int8)
        self._work = numbers.pointer(work, f.mul(item, m * n))
        step = f.cast("sext", f.load("%m0", self._word, dtypes.int32), dtypes.int64)
        first = f.mul(step, TILE)
        end = f.minimum(f.add(first, TILE), count)
        column = f.add(first, self._lane)
        with f.loop(self._thread, SQUARE, f.threads) as loop:
            numbers.leave(numbers.zero, self._triangle, loop.index)
        with f.loop(first, end) as loop:
            k = loop.index
            if self._is_pivoted:
                self._exchange(k, self._largest(k), f.mul(item, n))
            factor = self._find(k)
            f.barrier()
            total = self._reflect(k, column, factor)
            with f.when(f.compare("eq", self._thread, 0)):
                numbers.leave(self._last, self._work, self._at(k, k))
            # All have changed their columns before its barrier.
            self._grow(f.sub(k, first), numbers.conjugate(total), factor)
            if self._is_pivoted:
                with f.loop(f.add(first, TILE), n, TILE) as tiles:
                    self._reflect(k, f.add(tiles.index, self._lane), factor)
                    f.barrier()
        f.barrier()
        place = f.pointer("%m0", WORDS_BYTES, dtypes.int8)
        number = f.add(f.mul(item, panels_of(problem)), step)
        place = numbers.pointer(place, f.mul(number, SQUARE))
        with f.loop(self._thread, SQUARE, f.threads) as loop:
            numbers.leave(numbers.fetch(self._triangle, loop.index), place, loop.index)
        is_leader = f.compare("eq", self._thread, 0)
        with f.when(f.bit_and(f.compare("eq", f.block_number(), 0), is_leader)):
            # With pivoting, the next step; else this one, for the kernel of the rest.
            following = f.add(step, 1) if self._is_pivoted else step
            f.store(f.cast("trunc", following, dtypes.int32), "%m0", 1 - self._word)
        return f

    def _total(self, at: Value, first: Value) -> Value:
        """Returns what all warps have for the column of a lane, and a first term; callers have a
        barrier before the next total.
        """
        f, numbers = self._f, self._numbers
        numbers.leave(at, self._totals, self._thread)
        f.barrier()
        with f.loop(0, self._warps, 1, [first]) as parts:
            at = f.add(f.mul(parts.index, WARP), self._lane)
            parts.next = [f.add(parts.values[0], numbers.fetch(self._totals, at))]
        return parts.results[0]

    def _reflect(self, k: Value, column: Value, factor: Value) -> Value:
        """Reflects the columns of a tile that are behind the one of the vector; returns what each
        has along the vector, those before too.
        """
        f, numbers, m = self._f, self._numbers, self._problem.m
        is_column = f.compare("lt", column, self._problem.n)
        with f.loop(f.add(f.add(k, 1), self._row), m, self._warps, [numbers.zero]) as rows:
            x = numbers.conjugate(self._known(rows.index, k))
            y = self._element(rows.index, column, is_column)
            rows.next = [f.add(rows.values[0], numbers.mul(x, y))]
        total = self._total(rows.results[0], self._element(k, column, is_column))
        # The adjoint is applied: that leaves the upper triangle.
        self._change(k, column, numbers.mul(total, numbers.conjugate(factor)), is_column)
        return total

    def _largest(self, k: Value) -> Value:
        """Returns the column of which most is left, of several the first."""
        f, numbers, problem = self._f, self._numbers, self._problem
        none = constant(-1.0, numbers.real)
        with f.loop(k, problem.n, TILE, [none, k]) as tiles:
            column = f.add(tiles.index, self._lane)
            is_column = f.compare("lt", column, problem.n)
            with f.loop(f.add(k, self._row), problem.m, self._warps, [numbers.zero]) as rows:
                x = numbers.square(self._element(rows.index, column, is_column))
                rows.next = [f.add(rows.values[0], numbers.from_real(x))]
            size = numbers.real_part(self._total(rows.results[0], numbers.zero))
            f.barrier()
            size = f.select(is_column, size, none)
            is_larger = f.compare("gt", size, tiles.values[0])
            tiles.next = [
                f.select(is_larger, size, tiles.values[0]),
                f.select(is_larger, column, tiles.values[1]),
            ]
        size, column = tiles.results
        is_largest = f.compare("eq", size, f.combine_warp("max", size))
        # No column is the largest where there is a NaN: then all stays as it is.
        found = f.combine_warp("min", f.select(is_largest, column, f.index(problem.n)))
        return f.select(f.compare("lt", found, problem.n), found, k)

    def _exchange(self, k: Value, other: Value, first: Value) -> None:
        """Exchanges two columns, and their numbers, which begin at a place."""
        f, numbers = self._f, self._numbers
        with f.loop(self._thread, self._problem.m, f.threads) as rows:
            places = [self._at(rows.index, column) for column in (k, other)]
            x, y = (numbers.fetch(self._work, at) for at in places)
            numbers.leave(y, self._work, places[0])
            numbers.leave(x, self._work, places[1])
        with f.when(f.compare("eq", self._thread, 0)):
            places = [f.add(first, column) for column in (k, other)]
            x, y = (f.load("%m1", at, dtypes.int32) for at in places)
            f.store(y, "%m1", places[0])
            f.store(x, "%m1", places[1])
        f.barrier()

    def _at(self, row: Value, column: Value) -> Value:
        return self._f.add(self._f.mul(row, self._problem.n), column)

    def _known(self, row: Value, column: Value) -> Value:
        return self._numbers.fetch(self._work, self._at(row, column))

    def _element(self, row: Value, column: Value, is_column: Value) -> Value:
        (found,) = self._f.choose(
            is_column, lambda: [self._known(row, column)], lambda: [self._numbers.zero]
        )
        return found

    def _combine(self, monoid: str, x: Value, room: str) -> Value:
        """Returns what all threads have, combined, in each of them; there is room for a number of
        each warp.
        """
        f, warps = self._f, self._warps
        x = f.combine_warp(monoid, x)
        with f.when(f.compare("eq", self._lane, 0)):
            f.store(x, room, self._row)
        f.barrier()
        part = f.load(room, f.bit_and(self._lane, warps - 1), self._numbers.real)
        return f.combine_warp(monoid, part, warps)

    def _find(self, k: Value) -> Value:
        """Finds the reflection that leaves of a column only its upper part, and of that a real
        number on the diagonal; returns its factor.
        """
        f, m, numbers = self._f, self._problem.m, self._numbers
        zero, one = constant(0.0, numbers.real), constant(1.0, numbers.real)
        start = f.add(f.add(k, 1), self._thread)
        first = self._known(k, k)
        with f.loop(start, m, f.threads, [zero]) as loop:
            size = numbers.size(self._known(loop.index, k))
            is_larger = f.compare("gt", size, loop.values[0])
            loop.next = [f.select(is_larger, size, loop.values[0])]
        most = self._combine("max", loop.results[0], self._largest_sizes)
        upper = numbers.real_part(first)
        nothing = f.compare("eq", most, 0.0)
        if numbers.width > 1:
            nothing = f.bit_and(nothing, f.compare("eq", f.lane(first, 1), 0.0))
        # Squares of what is huge or tiny are not representable: all is scaled.
        size = numbers.size(first)
        scale = f.select(f.compare("gt", size, most), size, most)
        scale = f.select(nothing, one, scale)
        with f.loop(start, m, f.threads, [zero]) as loop:
            x = numbers.scaled(self._known(loop.index, k), scale)
            loop.next = [f.add(loop.values[0], numbers.square(x))]
        squares = numbers.square(numbers.scaled(first, scale))
        squares = f.add(self._combine("add", loop.results[0], self._sums), squares)
        norm = f.mul(scale, f.sqrt(squares))
        last = f.neg(f.copysign(norm, upper))
        reflected = numbers.scaled(f.sub(numbers.from_real(last), first), last)
        factor = f.select(nothing, numbers.zero, reflected)
        divisor = f.select(nothing, numbers.one, f.sub(first, numbers.from_real(last)))
        with f.loop(start, m, f.threads) as loop:
            at = self._at(loop.index, k)
            numbers.leave(numbers.div(numbers.fetch(self._work, at), divisor), self._work, at)
        # All have read the element on the diagonal before the barrier of the sum.
        self._last = numbers.from_real(f.select(nothing, upper, last))
        return factor

    def _change(self, k: Value, column: Value, along: Value, is_column: Value) -> None:
        """Subtracts what columns behind the one of the vector have along it."""
        f, numbers = self._f, self._numbers
        is_first = f.compare("eq", self._row, 0)
        with f.when(f.bit_and(is_column, f.compare("gt", column, k))):
            with f.when(is_first):
                at = self._at(k, column)
                numbers.leave(f.sub(numbers.fetch(self._work, at), along), self._work, at)
            with f.loop(f.add(f.add(k, 1), self._row), self._problem.m, self._warps) as rows:
                at = self._at(rows.index, column)
                part = numbers.mul(self._known(rows.index, k), along)
                numbers.leave(f.sub(numbers.fetch(self._work, at), part), self._work, at)

    def _grow(self, k: Value, along: Value, factor: Value) -> None:
        """Adds a column to the triangle: the product of the triangle so far and of what this vector
        has along those before, times the factor, and below it the factor.
        """
        f, numbers = self._f, self._numbers
        is_first = f.compare("eq", self._row, 0)
        with f.when(is_first):
            numbers.leave(along, self._dots, self._lane)
        f.barrier()
        with f.when(is_first):
            line = f.mul(self._lane, TILE)
            with f.loop(0, k, 1, [numbers.zero]) as loop:
                x = numbers.fetch(self._triangle, f.add(line, loop.index))
                y = numbers.fetch(self._dots, loop.index)
                loop.next = [f.add(loop.values[0], numbers.mul(x, y))]
            known = f.neg(numbers.mul(loop.results[0], factor))
            is_there = f.compare("eq", self._lane, k)
            value = f.select(is_there, factor, known)
            with f.when(f.compare("le", self._lane, k)):
                numbers.leave(value, self._triangle, f.add(line, k))
