"""Products that a library of the device computes: those that are large, and of plain matrices.

Where there is no library the product has a kernel of its own; what follows it is then in the same
kernel, here it is a kernel behind the product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.nvptx.contraction_nests import Planned
from oakum.compile.nvptx.product_operands import Operand, operands_of
from oakum.compile.problems.contraction import Axis, Contraction
from oakum.runtime.cuda.matrix_product import Matrix, MatrixProduct
from oakum.values.records import dataclass

FEWEST: Final = 1 << 27
"""The multiplications of a product that is worth a call of a library: those of 512 x 512 x 512. By
judgement: nothing is measured.
"""

SHORTEST_WITH_EPILOGUE: Final = 512
"""The products of a sum whose result a second kernel goes on with: to write it and to read it takes
as long as our own kernels lose in so many products. By judgement.
"""


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """A product as a library computes it."""

    product: MatrixProduct
    is_exchanged: bool
    """Whether its first operand is the second of the step."""

    def ordered(self, lhs: Buffer, rhs: Buffer, result: Buffer) -> tuple[Buffer, Buffer, Buffer]:
        """Returns the buffers of a step in the order that the library takes them."""
        return (rhs, lhs, result) if self.is_exchanged else (lhs, rhs, result)


_TYPES: Final = (dtypes.float32, dtypes.float16, dtypes.bfloat16)


def call_of(planned: Planned, *, is_followed: bool) -> LibraryCall | None:
    """Returns a product as a library computes it; None where it does not, or is not worth while.
    `is_followed` says whether a second kernel goes on with its elements.
    """
    problem = planned.problem.simplified()
    if planned.windows or planned.copied is not None:
        return None
    if not _is_worthwhile(problem, is_followed=is_followed):
        return None
    lhs, rhs = operands_of(problem, planned.offsets)
    # Rows and columns change places where rows of the result lie side by side.
    for is_exchanged, pair in ((False, (lhs, rhs)), (True, (rhs, lhs))):
        found = _product(problem, *pair)
        if found is not None:
            return LibraryCall(found, is_exchanged)
    return None


def _is_worthwhile(problem: Contraction, *, is_followed: bool) -> bool:
    if problem.lhs is not problem.rhs or problem.lhs not in _TYPES:
        return False
    if problem.accumulator is not dtypes.float32:
        return False
    if problem.result not in (problem.lhs, dtypes.float32):
        return False
    if is_followed and problem.k < SHORTEST_WITH_EPILOGUE:
        return False
    return problem.b * problem.m * problem.n * problem.k >= FEWEST


def _product(problem: Contraction, lhs: Operand, rhs: Operand) -> MatrixProduct | None:
    axes = _single(problem.batch), _single(lhs.outer), _single(rhs.outer), _single(problem.summed)
    batch, rows, columns, summed = axes
    if batch is None or rows is None or columns is None or summed is None:
        return None
    stride = batch.result if batch.extent > 1 else 0
    result = Matrix(problem.result, rows.result, stride)
    if columns.result != 1 or rows.result < columns.extent:
        return None
    first = _matrix(lhs, batch, rows, summed)
    second = _matrix(rhs, batch, summed, columns)
    if first is None or second is None:
        return None
    counts = batch.extent, rows.extent, columns.extent, summed.extent
    return MatrixProduct(*counts, first, second, result, problem.accumulator, problem.is_rough)


def _single(axes: Sequence[Axis]) -> Axis | None:
    """Returns the one axis of a role; None where there are more."""
    if not axes:
        return Axis(1)
    return axes[0] if len(axes) == 1 else None


def _matrix(operand: Operand, batch: Axis, rows: Axis, columns: Axis) -> Matrix | None:
    """Returns an operand as a matrix; None where neither rows nor columns are contiguous."""
    down, across = operand.step(rows), operand.step(columns)
    stride = operand.step(batch) if batch.extent > 1 else 0
    if across == 1 and down >= columns.extent:
        return Matrix(operand.dtype, down, stride, operand.offset)
    if down == 1 and across >= rows.extent:
        return Matrix(operand.dtype, across, stride, operand.offset, is_turned=True)
    return None
