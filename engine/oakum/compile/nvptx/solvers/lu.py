"""LU factors as kernels: panel after panel of 32 columns, from left to right.

A block eliminates a panel, column by column, in memory that the second cache holds. Then a block
for each 32 other columns swaps their rows as those of the panel were, and solves for those of the
upper factor; and a block for each tile below subtracts the product of both factors. A matrix of one
panel is one block, and one launch.
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
from oakum.compile.problems.elimination import Lu

_MATRIX, _FACTORS, _PIVOTS, _ORDER, _SCRATCH = range(5)
"""The buffers of the step."""

_WORDS: Final = 4
"""The words of the number of the step, which three kernels hand on."""

_INT: Final = 4


def scratch_bytes(problem: Lu) -> int:
    """Returns the bytes of the words."""
    return 0 if problem.n <= TILE else _WORDS * _INT


def launches(problem: Lu, target: Target) -> list[Launch]:
    """Returns the kernels in order."""
    if problem.n <= TILE:
        buffers = (_MATRIX, _FACTORS, _PIVOTS, _ORDER)
        return [Launch(_Panel(problem, target, is_alone=True).write(), problem.batch, buffers)]
    blocks = -(-problem.size // THREADS)
    begin = _begin(problem, target)
    found = [Launch(begin, blocks, (_MATRIX, _FACTORS, _ORDER, _SCRATCH))]
    panel = _Panel(problem, target, is_alone=False).write()
    rows, rest = _rows(problem, target), _subtraction(problem, target)
    panels = tiles_of(min(problem.m, problem.n))
    for number in range(panels):
        found.append(Launch(panel, problem.batch, (_SCRATCH, _FACTORS, _PIVOTS, _ORDER)))
        count = problem.batch * tiles_of(problem.n)
        found.append(Launch(rows, count, (_FACTORS, _PIVOTS, _SCRATCH)))
        if number + 1 < panels:
            end = (number + 1) * TILE
            count = problem.batch * tiles_of(problem.m - end) * tiles_of(problem.n - end)
            found.append(Launch(rest, count, (_FACTORS, _SCRATCH)))
    return found


def _begin(problem: Lu, target: Target) -> Kernel:
    """Copies the matrices; no rows are swapped yet."""
    size = problem.dtype.itemsize
    written = (size, _INT, 16)
    arguments = [Argument(size, is_written=False), *[Argument(n, is_written=True) for n in written]]
    f = Kernel(arguments, target, THREADS)
    number = f.number()
    with f.when(f.below(number, problem.size)):
        numbers = Numbers(f, problem.dtype)
        numbers.leave(numbers.fetch("%m0", number), "%m1", number)
    with f.when(f.below(number, problem.batch * problem.m)):
        _, row = f.divide(number, problem.m)
        f.store(f.cast("trunc", row, dtypes.int32), "%m2", number)
    with f.when(f.below(number, _WORDS)):
        f.store(constant(0, dtypes.int32), "%m3", number)
    return f


class _Panel:
    """A block for a panel of each matrix."""

    def __init__(self, problem: Lu, target: Target, *, is_alone: bool) -> None:
        size = problem.dtype.itemsize
        first = Argument(size, is_written=False) if is_alone else Argument(16, is_written=True)
        arguments = [first, *[Argument(n, is_written=True) for n in (size, _INT, _INT)]]
        self._problem, self._is_alone = problem, is_alone
        f = self._f = Kernel(arguments, target, panel_threads(problem.m))
        self._numbers = Numbers(f, problem.dtype)
        m, n = problem.m, problem.n
        item = f.block_number()
        count = min(m, n)
        size = f.mul(item, m * n)
        self._matrix = self._numbers.pointer("%m0", size if is_alone else 0)
        self._factors = self._numbers.pointer("%m1", size)
        self._pivots = f.pointer("%m2", f.mul(item, count), dtypes.int32)
        self._order = f.pointer("%m3", f.mul(item, m), dtypes.int32)
        self._thread = f.thread()
        self._row, self._lane = f.divide(self._thread, WARP)

    def write(self) -> Kernel:
        f, problem = self._f, self._problem
        first: Index = 0
        end: Index = min(problem.m, problem.n)
        if self._is_alone:
            self._copy()
        else:
            step = f.cast("sext", f.load("%m0", 0, dtypes.int32), dtypes.int64)
            first = f.mul(step, TILE)
            end = f.minimum(f.add(first, TILE), end)
            is_leader = f.compare("eq", self._thread, 0)
            with f.when(f.bit_and(f.compare("eq", f.block_number(), 0), is_leader)):
                f.store(f.cast("trunc", step, dtypes.int32), "%m0", 1)
        column = f.add(f.index(first), self._lane)
        is_column = f.compare("lt", column, problem.n if self._is_alone else end)
        warps = f.threads // WARP
        numbers = self._numbers
        room = f.shared_memory(warps * numbers.real.itemsize), f.shared_memory(8 * warps)
        with f.loop(first, end) as loop:
            k = loop.index
            chosen = self._largest(k, room)
            self._exchange(k, chosen, column, is_column)
            f.barrier()
            pivot = numbers.fetch(self._factors, self._at(k, k))
            divisor = f.select(numbers.is_zero(pivot), numbers.one, pivot)
            with f.when(f.bit_and(is_column, f.compare("gt", column, k))):
                known = numbers.fetch(self._factors, self._at(k, column))
                with f.loop(f.add(f.add(k, 1), self._row), problem.m, warps) as rows:
                    factor = numbers.fetch(self._factors, self._at(rows.index, k))
                    factor = numbers.div(factor, divisor)
                    at = self._at(rows.index, column)
                    value = numbers.fetch(self._factors, at)
                    rest = f.sub(value, numbers.mul(factor, known))
                    numbers.leave(rest, self._factors, at)
            f.barrier()
            # The next column is searched meanwhile.
            with f.loop(f.add(f.add(k, 1), self._thread), problem.m, f.threads) as rows:
                at = self._at(rows.index, k)
                factor = numbers.div(numbers.fetch(self._factors, at), divisor)
                numbers.leave(factor, self._factors, at)
        return f

    def _copy(self) -> None:
        f, problem = self._f, self._problem
        with f.loop(self._thread, problem.m * problem.n, f.threads) as loop:
            x = self._numbers.fetch(self._matrix, loop.index)
            self._numbers.leave(x, self._factors, loop.index)
        with f.loop(self._thread, problem.m, f.threads) as loop:
            f.store(f.cast("trunc", loop.index, dtypes.int32), self._order, loop.index)
        f.barrier()

    def _at(self, row: Value, column: Value) -> Value:
        return self._f.add(self._f.mul(row, self._problem.n), column)

    def _largest(self, k: Value, room: tuple[str, str]) -> Value:
        """Returns the first row that has the largest element of a column, of those from a row
        on.
        """
        f, dtype = self._f, self._numbers.real
        # A NaN is greater than nothing: the search passes over it.
        start = [constant(-1.0, dtype), k]
        with f.loop(f.add(k, self._thread), self._problem.m, f.threads, start) as loop:
            most, place = loop.values
            size = self._numbers.size(self._numbers.fetch(self._factors, self._at(loop.index, k)))
            is_larger = f.compare("gt", size, most)
            loop.next = [f.select(is_larger, size, most), f.select(is_larger, loop.index, place)]
        most, place = loop.results
        most, place = self._of_warp(most, place, WARP)
        warps = f.threads // WARP
        with f.when(f.compare("eq", self._lane, 0)):
            f.store(most, room[0], self._row)
            f.store(place, room[1], self._row)
        f.barrier()
        mine = f.bit_and(self._lane, warps - 1)
        most, place = f.load(room[0], mine, dtype), f.load(room[1], mine, dtypes.int64)
        return self._of_warp(most, place, warps)[1]

    def _of_warp(self, most: Value, place: Value, lanes: int) -> tuple[Value, Value]:
        """Returns the largest of some lanes side by side, in each of them."""
        f = self._f
        distance = lanes // 2
        while distance:
            other, where = (f.exchange("bfly", x, distance) for x in (most, place))
            tied = f.bit_and(f.compare("eq", other, most), f.compare("lt", where, place))
            is_larger = f.bit_or(f.compare("gt", other, most), tied)
            most, place = f.select(is_larger, other, most), f.select(is_larger, where, place)
            distance //= 2
        return most, place

    def _exchange(self, k: Value, chosen: Value, column: Value, is_column: Value) -> None:
        f, numbers = self._f, self._numbers
        with f.when(f.bit_and(is_column, f.compare("eq", self._row, 0))):
            one, two = self._at(k, column), self._at(chosen, column)
            mine, theirs = (numbers.fetch(self._factors, at) for at in (one, two))
            numbers.leave(theirs, self._factors, one)
            numbers.leave(mine, self._factors, two)
        with f.when(f.compare("eq", self._thread, 0)):
            f.store(f.cast("trunc", chosen, dtypes.int32), self._pivots, k)
            mine, theirs = (f.load(self._order, at, dtypes.int32) for at in (k, chosen))
            f.store(theirs, self._order, k)
            f.store(mine, self._order, chosen)


def _rows(problem: Lu, target: Target) -> Kernel:
    """A block for each 32 columns: those of the panel itself are done already."""
    m, n, size = problem.m, problem.n, problem.dtype.itemsize
    count = min(m, n)
    arguments = [
        Argument(size, is_written=True),
        Argument(_INT, is_written=False),
        Argument(16, is_written=True),
    ]
    writer = TileWriter(arguments, target, problem.dtype)
    f = writer.f
    tile, item = f.divide(f.block_number(), problem.batch)
    factors = writer.pointer("%m0", f.mul(item, m * n))
    pivots = f.pointer("%m1", f.mul(item, count), dtypes.int32)
    step = read_step(writer, "%m2", 1)
    first = f.mul(step, TILE)
    end = f.minimum(f.add(first, TILE), count)
    start = f.mul(tile, TILE)
    column = f.add(start, writer.column)
    is_behind = f.bit_and(f.compare("ge", column, end), f.compare("lt", column, n))
    is_other = f.bit_or(is_behind, f.compare("lt", column, first))
    with (
        f.when(f.bit_and(is_other, f.compare("eq", writer.row, 0))),
        f.loop(first, end) as loop,
    ):
        other = f.cast("sext", f.load(pivots, loop.index, dtypes.int32), dtypes.int64)
        one, two = (f.add(f.mul(row, n), column) for row in (loop.index, other))
        mine, theirs = (writer.fetch(factors, at) for at in (one, two))
        writer.leave(theirs, factors, one)
        writer.leave(mine, factors, two)
    with f.when(f.compare("gt", f.add(start, TILE), end)):
        room, line = writer.room(), writer.line(2)
        lower = writer.part((count, count), (first, first), n)
        writer.put(writer.load(factors, lower, is_unit=True), room)
        f.barrier()
        at = writer.part((count, n), (first, start), n)
        solved = writer.solve(writer.load(factors, at), room, line, is_unit=True)
        with f.when(is_behind):
            writer.store(solved, factors, at)
    leave_step(writer, "%m2", 2, step)
    return f


def _subtraction(problem: Lu, target: Target) -> Kernel:
    """A block for each tile behind a panel."""
    m, n = problem.m, problem.n
    arguments = [Argument(problem.dtype.itemsize, is_written=True), Argument(16, is_written=True)]
    writer = TileWriter(arguments, target, problem.dtype)
    f = writer.f
    block, item = f.divide(f.block_number(), problem.batch)
    factors = writer.pointer("%m0", f.mul(item, m * n))
    step = read_step(writer, "%m1", 2)
    first = f.mul(step, TILE)
    behind = f.add(first, TILE)
    across = f.sub(f.index(tiles_of(n) - 1), step)
    row, column = (
        f.add(behind, f.mul(each, TILE)) for each in (f.div(block, across), f.rem(block, across))
    )
    left, right = writer.room(), writer.room()
    writer.put(writer.load(factors, writer.part((m, n), (row, first), n)), left)
    writer.put(writer.load(factors, writer.part((m, n), (first, column), n)), right)
    at = writer.part((m, n), (row, column), n)
    start = writer.load(factors, at)
    f.barrier()
    made = writer.multiply(start, left, right, is_turned=(False, False), sign=-1)
    writer.store(made, factors, at)
    leave_step(writer, "%m1", 0, f.add(step, 1))
    return f
