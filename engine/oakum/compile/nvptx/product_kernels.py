"""Large products as kernels: a block computes a square of the result, from strips of both operands
that it keeps in shared memory, so that each element is loaded once for 32 products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.native.target import Target
from oakum.compile.nvptx.gpu_kernel import WARP, Argument, Kernel
from oakum.compile.problems.contraction import Axis, Contraction
from oakum.dtypes import DType
from oakum.values.records import dataclass

SIDE: Final = 32
"""The rows and columns of the square of a block, and the products of its strips."""

_ROWS: Final = 8
"""The rows of threads; each thread has every eighth row of one column."""

_PADDED: Final = SIDE + 1
"""The elements from one row of a strip to the next: threads side by side meet no bank twice."""

_LEAST: Final = 16
"""Smaller products leave more than half of a square empty. By judgement: nothing is measured."""


def is_large(problem: Contraction) -> bool:
    """Returns whether a product is computed by squares."""
    return min(problem.m, problem.n, problem.k) >= _LEAST


def write(problem: Contraction, offsets: tuple[int, int], target: Target) -> tuple[Kernel, int]:
    """Returns the kernel of a product, of both operands and the result, and its blocks."""
    simple = problem.simplified()
    writer = _Squares(simple, offsets, target)
    return writer.write(), writer.blocks


@dataclass(frozen=True, slots=True)
class _Strip:
    """An operand, and the part of it that is in shared memory: rows by products, or products by
    columns.
    """

    pointer: str
    array: str
    dtype: DType
    shared: str
    outer: tuple[Axis, ...]
    """The axes of rows or of columns."""
    first: Value
    """The first of them."""
    start: Index
    """Where the batch begins."""
    has_products_last: bool
    """Whether products lie side by side in a row of the strip."""


class _Squares:
    def __init__(self, problem: Contraction, offsets: tuple[int, int], target: Target) -> None:
        self._problem = problem
        self._offsets = offsets
        self._down, self._across = (-(-count // SIDE) for count in (problem.m, problem.n))
        self.blocks = problem.b * self._down * self._across
        arguments = [
            Argument(problem.lhs.itemsize, is_written=False),
            Argument(problem.rhs.itemsize, is_written=False),
            Argument(problem.result.itemsize, is_written=True),
        ]
        self._f = Kernel(arguments, target, WARP * _ROWS)
        wide = problem.accumulator
        self._zero = constant(operations.identity("add", wide), wide)

    def write(self) -> Kernel:
        f, problem = self._f, self._problem
        row, lane = f.divide(f.thread(), WARP)
        rest, across = f.divide(f.block_number(), self._across)
        batch, down = f.divide(rest, self._down)
        first_row, first_column = f.mul(down, SIDE), f.mul(across, SIDE)
        room = _PADDED * SIDE * problem.accumulator.itemsize
        starts = [
            f.add_index(self._place(batch, problem.batch, array), offset)
            for array, offset in zip(("lhs", "rhs"), self._offsets, strict=True)
        ]
        rows = problem.rows, first_row, starts[0]
        columns = problem.columns, first_column, starts[1]
        lhs = _Strip(
            "%m0", "lhs", problem.lhs, f.shared_memory(room), *rows, has_products_last=True
        )
        rhs = _Strip(
            "%m1", "rhs", problem.rhs, f.shared_memory(room), *columns, has_products_last=False
        )
        with f.loop(0, problem.k, SIDE, [self._zero] * (SIDE // _ROWS)) as loop:
            for strip in (lhs, rhs):
                self._fill(strip, loop.index, row, lane)
            f.barrier()
            loop.next = self._multiply(lhs, rhs, row, lane, loop.values)
            f.barrier()  # All have read the strips that the next iteration overwrites.
        self._store(batch, f.add(first_row, row), f.add(first_column, lane), loop.results)
        return f

    def _place(self, number: Value, axes: Sequence[Axis], array: str) -> Index:
        """Returns how far the position of a number along some axes is in an array."""
        f = self._f
        found: Index = 0
        for place, axis in reversed(list(enumerate(axes))):
            position = number
            if place:
                number, position = f.divide(number, axis.extent)
            step: int = getattr(axis, array)
            found = f.add_index(found, f.mul_index(position, step))
        return found

    def _fill(self, strip: _Strip, product: Value, row: Value, lane: Value) -> None:
        """Loads a strip; threads side by side take what lies side by side in memory."""
        f, problem = self._f, self._problem
        count = problem.m if strip.has_products_last else problem.n
        last_step: int = getattr(problem.summed[-1], strip.array) if problem.summed else 0
        along_products = abs(last_step) == 1
        for part in range(0, SIDE, _ROWS):
            other = f.add(row, part)
            outer, inner = (other, lane) if along_products else (lane, other)
            at, number = f.add(strip.first, outer), f.add(product, inner)
            inside = f.bit_and(f.below(at, count), f.below(number, problem.k))
            near = f.select(inside, at, 0), f.select(inside, number, 0)
            place = f.add_index(
                self._place(near[0], strip.outer, strip.array),
                self._place(near[1], problem.summed, strip.array),
            )
            x = f.load(strip.pointer, f.add_index(strip.start, place), strip.dtype)
            x = operations.convert(f, x, problem.accumulator)
            # Beyond the operands there are zeros, which change no sum.
            x = f.select(inside, x, self._zero)
            rows, columns = (outer, inner) if strip.has_products_last else (inner, outer)
            f.store(x, strip.shared, f.add(f.mul(rows, _PADDED), columns))

    def _multiply(
        self, lhs: _Strip, rhs: _Strip, row: Value, lane: Value, totals: Sequence[Value]
    ) -> list[Value]:
        f, wide = self._f, self._problem.accumulator
        with f.loop(0, SIDE, 1, totals) as loop:
            y = f.load(rhs.shared, f.add(f.mul(loop.index, _PADDED), lane), wide)
            for number, total in enumerate(loop.values):
                at = f.add(row, number * _ROWS)
                x = f.load(lhs.shared, f.add(f.mul(at, _PADDED), loop.index), wide)
                loop.next.append(f.add(total, f.mul(x, y)))
        return loop.results

    def _store(self, batch: Value, row: Value, column: Value, totals: Sequence[Value]) -> None:
        f, problem = self._f, self._problem
        start = self._place(batch, problem.batch, "result")
        for number, total in enumerate(totals):
            at = f.add(row, number * _ROWS)
            with f.when(f.bit_and(f.below(at, problem.m), f.below(column, problem.n))):
                place = f.add_index(
                    self._place(at, problem.rows, "result"),
                    self._place(column, problem.columns, "result"),
                )
                value = operations.convert(f, total, problem.result)
                f.store(value, "%m2", f.add_index(start, place))
