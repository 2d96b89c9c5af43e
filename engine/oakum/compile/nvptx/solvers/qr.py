"""QR factors as kernels: reflections of panels of 32 columns, from left to right.

A block finds the reflections of a panel, column by column, with the triangle T by which they are
one: I - V T V^T. Then a block for each 32 columns to its right applies them all at once. In the
end they are applied to the unit matrix, the last panel first, which gives the first factor.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Argument, Kernel, Launch
from oakum.compile.nvptx.solvers.matrix_tiles import (
    THREADS,
    TILE,
    TileWriter,
    leave_step,
    panel_threads,
    read_step,
    tiles_of,
)
from oakum.compile.nvptx.solvers.numbers import Numbers
from oakum.compile.problems.elimination import Qr

_MATRIX, _Q, _R, _SCRATCH = range(4)
"""The buffers of the step."""

_WORDS_BYTES: Final = 256
"""Room for the number of the step, which two kernels hand on."""

_SQUARE: Final = TILE * TILE


def _work_begin(problem: Qr) -> int:
    """Returns where in scratch memory the matrices begin that are worked on, in bytes; before them
    are the triangles of all panels.
    """
    triangles = problem.batch * _panels(problem) * _SQUARE * problem.dtype.itemsize
    return _WORDS_BYTES + triangles


def _panels(problem: Qr) -> int:
    return tiles_of(min(problem.m, problem.n))


def scratch_bytes(problem: Qr) -> int:
    """Returns the bytes of the words, of the triangles and of the matrices."""
    return _work_begin(problem) + problem.size * problem.dtype.itemsize


def launches(problem: Qr, target: Target) -> list[Launch]:
    """Returns the kernels in order."""
    blocks = -(-problem.size // THREADS)
    found = [Launch(_begin(problem, target), blocks, (_MATRIX, _SCRATCH))]
    panel, rest = _Panel(problem, target).write(), _apply(problem, target)
    panels, across = _panels(problem), tiles_of(problem.n)
    for number in range(panels):
        found.append(Launch(panel, problem.batch, (_SCRATCH,)))
        # Even where there is nothing to the right: it counts the steps.
        count = problem.batch * max(across - number - 1, 1)
        found.append(Launch(rest, count, (_SCRATCH,)))
    size = problem.batch * max(problem.m * problem.inner, problem.inner * problem.n)
    found.append(Launch(_end(problem, target), -(-size // THREADS), (_SCRATCH, _Q, _R)))
    backward = [_gather(problem, target, word) for word in range(2)]
    for number in reversed(range(panels)):
        count = problem.batch * (tiles_of(problem.inner) - number)
        kernel = backward[(panels - 1 - number) % 2]
        found.append(Launch(kernel, count, (_SCRATCH, _Q)))
    return found


def _begin(problem: Qr, target: Target) -> Kernel:
    """Copies the matrices."""
    arguments = [Argument(problem.dtype.itemsize, is_written=False), Argument(16, is_written=True)]
    f = Kernel(arguments, target, THREADS)
    work = f.pointer("%m1", _work_begin(problem), dtypes.int8)
    number = f.number()
    with f.when(f.below(number, problem.size)):
        numbers = Numbers(f, problem.dtype)
        numbers.leave(numbers.fetch("%m0", number), work, number)
    with f.when(f.compare("eq", number, 0)):
        f.store(constant(0, dtypes.int32), "%m1", 0)
    return f


def _end(problem: Qr, target: Target) -> Kernel:
    """Leaves the upper triangles, and begins with unit matrices."""
    size = problem.dtype.itemsize
    arguments = [Argument(16, is_written=True), *[Argument(size, is_written=True)] * 2]
    f = Kernel(arguments, target, THREADS)
    m, n, inner = problem.m, problem.n, problem.inner
    work = f.pointer("%m0", _work_begin(problem), dtypes.int8)
    numbers = Numbers(f, problem.dtype)
    number = f.number()
    with f.when(f.below(number, problem.batch * m * inner)):
        row, column = f.divide(f.divide(number, m * inner)[1], inner)
        x = f.select(f.compare("eq", row, column), numbers.one, numbers.zero)
        numbers.leave(x, "%m1", number)
    with f.when(f.below(number, problem.batch * inner * n)):
        item, place = f.divide(number, inner * n)
        row, column = f.divide(place, n)
        x = numbers.fetch(work, f.add(f.mul(item, m * n), place))
        numbers.leave(f.select(f.compare("lt", column, row), numbers.zero, x), "%m2", number)
    with f.when(f.compare("eq", number, 0)):
        f.store(constant(_panels(problem) - 1, dtypes.int32), "%m0", 0)
    return f


class _Panel:
    """A block for a panel of each matrix; the vectors stay below the diagonal, without their first
    elements, which are one.
    """

    def __init__(self, problem: Qr, target: Target) -> None:
        self._problem = problem
        f = self._f = Kernel([Argument(16, is_written=True)], target, panel_threads(problem.m))
        numbers = self._numbers = Numbers(f, problem.dtype)
        self._thread = f.thread()
        self._row, self._lane = f.divide(self._thread, WARP)
        self._warps = f.threads // WARP
        size = problem.dtype.itemsize
        self._sums = f.shared_memory(self._warps * numbers.real.itemsize)
        self._totals = f.shared_memory(f.threads * size)
        self._triangle = f.shared_memory(_SQUARE * size)
        self._dots = f.shared_memory(TILE * size)

    def write(self) -> Kernel:
        f, problem, numbers = self._f, self._problem, self._numbers
        m, n, count = problem.m, problem.n, min(problem.m, problem.n)
        item = f.block_number()
        work = f.pointer("%m0", _work_begin(problem), dtypes.int8)
        self._work = numbers.pointer(work, f.mul(item, m * n))
        step = f.cast("sext", f.load("%m0", 0, dtypes.int32), dtypes.int64)
        first = f.mul(step, TILE)
        end = f.minimum(f.add(first, TILE), count)
        column = f.add(first, self._lane)
        is_column = f.compare("lt", column, n)
        with f.loop(self._thread, _SQUARE, f.threads) as loop:
            numbers.leave(numbers.zero, self._triangle, loop.index)
        with f.loop(first, end) as loop:
            k = loop.index
            factor = self._find(k)
            f.barrier()
            # What each column of the panel has along the vector; the columns before, too.
            with f.loop(f.add(f.add(k, 1), self._row), m, self._warps, [numbers.zero]) as rows:
                x = numbers.conjugate(self._known(rows.index, k))
                y = self._element(rows.index, column, is_column)
                rows.next = [f.add(rows.values[0], numbers.mul(x, y))]
            numbers.leave(rows.results[0], self._totals, self._thread)
            f.barrier()
            top = self._element(k, column, is_column)
            with f.loop(0, self._warps, 1, [top]) as parts:
                at = f.add(f.mul(parts.index, WARP), self._lane)
                parts.next = [f.add(parts.values[0], numbers.fetch(self._totals, at))]
            total = parts.results[0]
            f.barrier()
            # The adjoint is applied: that leaves the upper triangle.
            along = numbers.mul(total, numbers.conjugate(factor))
            self._change(k, column, along, is_column)
            self._grow(f.sub(k, first), numbers.conjugate(total), factor)
            f.barrier()
        place = f.pointer("%m0", _WORDS_BYTES, dtypes.int8)
        number = f.add(f.mul(item, _panels(problem)), step)
        place = numbers.pointer(place, f.mul(number, _SQUARE))
        with f.loop(self._thread, _SQUARE, f.threads) as loop:
            numbers.leave(numbers.fetch(self._triangle, loop.index), place, loop.index)
        is_leader = f.compare("eq", self._thread, 0)
        with f.when(f.bit_and(f.compare("eq", f.block_number(), 0), is_leader)):
            f.store(f.cast("trunc", step, dtypes.int32), "%m0", 1)
        return f

    def _at(self, row: Value, column: Value) -> Value:
        return self._f.add(self._f.mul(row, self._problem.n), column)

    def _known(self, row: Value, column: Value) -> Value:
        return self._numbers.fetch(self._work, self._at(row, column))

    def _element(self, row: Value, column: Value, is_column: Value) -> Value:
        (found,) = self._f.choose(
            is_column, lambda: [self._known(row, column)], lambda: [self._numbers.zero]
        )
        return found

    def _combine(self, monoid: str, x: Value) -> Value:
        """Returns what all threads have, combined, in each of them."""
        f, warps = self._f, self._warps
        x = f.combine_warp(monoid, x)
        with f.when(f.compare("eq", self._lane, 0)):
            f.store(x, self._sums, self._row)
        f.barrier()
        part = f.load(self._sums, f.bit_and(self._lane, warps - 1), self._numbers.real)
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
        most = self._combine("max", loop.results[0])
        f.barrier()
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
        squares = f.add(self._combine("add", loop.results[0]), squares)
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
        """Reflects the columns of the panel behind the one of the vector."""
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
        with f.when(f.bit_and(is_first, f.compare("eq", self._lane, 0))):
            numbers.leave(self._last, self._work, self._at(k, k))

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


def _reflect(
    problem: Qr,
    writer: TileWriter,
    places: tuple[str, str, str],
    sizes: tuple[int, int],
    starts: tuple[Value, Value],
    *,
    is_turned: bool,
) -> None:
    """Applies the reflections of a panel to 32 columns: of vectors, a triangle and a matrix at some
    places; the matrix has so many columns, of which some have to be changed.
    """
    f = writer.f
    vectors, triangle, matrix = places
    columns, pitch = sizes
    first, start = starts
    m, n = problem.m, problem.n
    count = min(m, n)
    one, two = writer.room(), writer.room()
    zeros = [writer.zero] * len(writer.rows)

    def put_vectors(row: Index) -> None:
        values = writer.load(vectors, writer.part((m, count), (row, first), n))
        # On and above the diagonal are other numbers.
        kept: list[Value] = []
        column = f.add(first, writer.column)
        for each, value in zip(writer.rows, values, strict=True):
            place = f.add(f.index(row), each)
            value = f.select(f.compare("gt", place, column), value, writer.zero)
            is_one = f.bit_and(f.compare("eq", place, column), f.compare("lt", column, count))
            kept.append(f.select(is_one, writer.one, value))
        writer.put(kept, one)

    with f.loop(first, m, TILE, zeros) as loop:
        put_vectors(loop.index)
        at = writer.part((m, columns), (loop.index, start), pitch)
        writer.put(writer.load(matrix, at), two)
        f.barrier()
        loop.next = writer.multiply(loop.values, one, two, is_turned=(True, False))
        f.barrier()
    writer.put(writer.load(triangle, writer.part((TILE, TILE), (0, 0), TILE)), one)
    writer.put(loop.results, two)
    f.barrier()
    made = writer.multiply(zeros, one, two, is_turned=(is_turned, False))
    f.barrier()
    writer.put(made, two)
    with f.loop(first, m, TILE) as loop:
        put_vectors(loop.index)
        f.barrier()
        at = writer.part((m, columns), (loop.index, start), pitch)
        rest = writer.load(matrix, at)
        rest = writer.multiply(rest, one, two, is_turned=(False, False), sign=-1)
        writer.store(rest, matrix, at)
        f.barrier()


def _places(problem: Qr, writer: TileWriter, item: Value, step: Value) -> tuple[str, str]:
    """Returns where the vectors and the triangle of a panel are."""
    f = writer.f
    work = f.pointer("%m0", _work_begin(problem), dtypes.int8)
    triangles = f.pointer("%m0", _WORDS_BYTES, dtypes.int8)
    number = f.add(f.mul(item, _panels(problem)), step)
    vectors = writer.pointer(work, f.mul(item, problem.m * problem.n))
    return vectors, writer.pointer(triangles, f.mul(number, _SQUARE))


def _apply(problem: Qr, target: Target) -> Kernel:
    """A block for each 32 columns to the right of a panel."""
    writer = TileWriter([Argument(16, is_written=True)], target, problem.dtype)
    f, n = writer.f, problem.n
    tile, item = f.divide(f.block_number(), problem.batch)
    step = read_step(writer, "%m0", 1)
    first = f.mul(step, TILE)
    start = f.add(first, f.mul(f.add(tile, 1), TILE))
    vectors, triangle = _places(problem, writer, item, step)
    with f.when(f.compare("lt", start, n)):
        places = vectors, triangle, vectors
        _reflect(problem, writer, places, (n, n), (first, start), is_turned=True)
    leave_step(writer, "%m0", 0, f.add(step, 1))
    return f


def _gather(problem: Qr, target: Target, word: int) -> Kernel:
    """A block for each 32 columns of the first factor that a panel changes."""
    size = problem.dtype.itemsize
    arguments = [Argument(16, is_written=True), Argument(size, is_written=True)]
    writer = TileWriter(arguments, target, problem.dtype)
    f, inner = writer.f, problem.inner
    tile, item = f.divide(f.block_number(), problem.batch)
    step = read_step(writer, "%m0", word)
    first = f.mul(step, TILE)
    start = f.add(first, f.mul(tile, TILE))
    vectors, triangle = _places(problem, writer, item, step)
    matrix = writer.pointer("%m1", f.mul(item, problem.m * inner))
    places = vectors, triangle, matrix
    _reflect(problem, writer, places, (inner, inner), (first, start), is_turned=False)
    leave_step(writer, "%m0", 1 - word, f.sub(step, 1))
    return f
