"""Triangular systems as a kernel: a block solves for 32 right-hand sides, tile after tile of rows.

Whatever the form of the system, a lower one is solved: rows and columns may be taken backwards, and
rows for columns.
"""

from __future__ import annotations

from typing import Final

from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel, Launch
from oakum.compile.nvptx.solvers.matrix_tiles import (
    TILE,
    At,
    TileWriter,
    Values,
    tiles_of,
)
from oakum.compile.problems.elimination import Triangular
from oakum.dtypes import Kind

_RESIDENT: Final = 3
"""The blocks of a multiprocessor, with 80 registers a thread: with 64, 44 of 64 forms of systems
had some in memory.
"""

_RESIDENT_COMPLEX: Final = 2
"""Those of systems of complex numbers: with 80 registers, 23 of 32 forms had some in memory."""


def launches(problem: Triangular, target: Target) -> list[Launch]:
    """Returns the one kernel."""
    blocks = problem.batch * tiles_of(problem.sides)
    return [Launch(_write(problem, target), blocks, (0, 1, 2))]


def _write(problem: Triangular, target: Target) -> Kernel:
    size = problem.dtype.itemsize
    arguments = [Argument(size, is_written=n == 2) for n in range(3)]
    resident = _RESIDENT_COMPLEX if problem.dtype.kind is Kind.COMPLEX else _RESIDENT
    writer = TileWriter(arguments, target, problem.dtype, resident)
    return _Solver(problem, writer).write()


class _Solver:
    def __init__(self, problem: Triangular, writer: TileWriter) -> None:
        self._problem, self._writer = problem, writer
        # The transposed system has its rows for columns; solutions on the right are such ones too.
        self._is_turned = problem.transposed == problem.left
        self._is_backward = problem.lower == self._is_turned
        f = writer.f
        panel, item = f.divide(f.block_number(), problem.batch)
        self._first = f.mul(panel, TILE)
        sizes = (problem.order**2, problem.m * problem.n, problem.m * problem.n)
        self._matrix, self._sides, self._result = (
            f.pointer(f"%m{number}", f.mul(item, each), problem.dtype)
            for number, each in enumerate(sizes)
        )

    def write(self) -> Kernel:
        writer, f, order = self._writer, self._writer.f, self._problem.order
        known, factors, rows = writer.room(), writer.room(), writer.line(2)
        with f.loop(0, order, TILE) as loop:
            first = loop.index
            # Rows of right-hand sides that lie along columns are turned in shared memory.
            values = self._fetch(self._sides, self._of_sides(first), known)
            with f.loop(0, first, TILE, values) as before:
                self._put(self._result, self._of_sides(before.index), known)
                self._put(self._matrix, self._of_matrix(first, before.index), factors)
                f.barrier()
                made = writer.multiply(
                    before.values, factors, known, is_turned=(False, False), sign=-1
                )
                before.next = made
                f.barrier()
            self._put(self._matrix, self._of_matrix(first, first), factors, is_unit=True)
            solved = writer.solve(before.results, factors, rows, is_unit=self._problem.unit)
            self._leave(solved, self._of_sides(first), known)
            f.barrier()
        return f

    def _of_matrix(self, first: Index, second: Index) -> At:
        """Returns where the elements of a tile of the lower matrix are."""
        f, order = self._writer.f, self._problem.order

        def at(row: Index, column: Index) -> tuple[Value, Value]:
            i, j = (f.index(f.add_index(x, y)) for x, y in ((first, row), (second, column)))
            is_there = f.bit_and(f.compare("lt", i, order), f.compare("lt", j, order))
            if self._is_backward:
                i, j = (f.sub(f.index(order - 1), each) for each in (i, j))
            if self._is_turned:
                i, j = j, i
            return f.add(f.mul(i, order), j), is_there

        return at

    def _of_sides(self, first: Index) -> At:
        """Returns where the elements of a tile are that has a right-hand side in each column."""
        f, problem = self._writer.f, self._problem

        def at(row: Index, column: Index) -> tuple[Value, Value]:
            i, j = (f.index(f.add_index(x, y)) for x, y in ((first, row), (self._first, column)))
            is_there = f.bit_and(
                f.compare("lt", i, problem.order), f.compare("lt", j, problem.sides)
            )
            if self._is_backward:
                i = f.sub(f.index(problem.order - 1), i)
            if not problem.left:
                i, j = j, i
            return f.add(f.mul(i, problem.n), j), is_there

        return at

    def _put(self, base: str, at: At, room: str, *, is_unit: bool = False) -> None:
        """Puts a tile into shared memory: threads side by side load what lies side by side."""
        is_turned = self._is_turned if base == self._matrix else not self._problem.left
        values = self._writer.load(base, _turned(at) if is_turned else at, is_unit=is_unit)
        self._writer.put(values, room, is_turned=is_turned)

    def _fetch(self, base: str, at: At, room: str) -> Values:
        """Returns a tile of right-hand sides."""
        if self._problem.left:
            return self._writer.load(base, at)
        self._put(base, at, room)
        self._writer.f.barrier()
        values = self._writer.take(room)
        self._writer.f.barrier()
        return values

    def _leave(self, solved: Values, at: At, room: str) -> None:
        """Stores a tile of solutions: threads side by side store what lies side by side."""
        writer = self._writer
        if self._problem.left:
            writer.store(solved, self._result, at)
            return
        writer.put(solved, room)
        writer.f.barrier()
        values = [writer.get(room, writer.column, row) for row in writer.rows]
        writer.store(values, self._result, _turned(at))


def _turned(at: At) -> At:
    """Returns where the elements of the transposed tile are."""
    return lambda row, column: at(column, row)
