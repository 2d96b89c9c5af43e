"""The operands of a product as they lie in memory."""

from __future__ import annotations

from typing import Literal

from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.problems.contraction import Axis, Contraction
from oakum.dtypes import DType
from oakum.values.records import dataclass

Array = Literal["lhs", "rhs", "result"]


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand of a product as it lies in memory."""

    array: Array
    dtype: DType
    batch: tuple[Axis, ...]
    outer: tuple[Axis, ...]
    """The axes of rows, or of columns."""
    summed: tuple[Axis, ...]
    offset: int = 0
    """The first element."""
    alignment: int = ACCESS
    """The bytes that the address is a multiple of."""

    def step(self, axis: Axis) -> int:
        """Returns the elements from one position along an axis to the next."""
        found: int = getattr(axis, self.array)
        return found

    @property
    def is_along_products(self) -> bool:
        """Whether products lie side by side in memory, rather than rows or columns."""
        if self.summed and self.step(self.summed[-1]) == 1:
            return True
        return not (self.outer and self.step(self.outer[-1]) == 1)

    @property
    def width(self) -> int:
        """The elements of an access: all accesses begin at multiples of them."""
        inner = self.summed if self.is_along_products else self.outer
        if not inner or self.step(inner[-1]) != 1:
            return 1
        steps = [self.step(axis) for axis in (*self.batch, *self.outer, *self.summed)]
        steps.remove(1)
        aligned = (self.offset, inner[-1].extent, *steps)
        width = min(ACCESS, self.alignment) // self.dtype.itemsize
        while width > 1 and any(number % width for number in aligned):
            width //= 2
        return max(width, 1)

    @property
    def last(self) -> int:
        """The greatest offset of an element, and that of steps backwards."""
        axes = (*self.batch, *self.outer, *self.summed)
        return self.offset + sum((axis.extent - 1) * abs(self.step(axis)) for axis in axes)

    @property
    def is_wide(self) -> bool:
        """Whether accesses are of 16 bytes."""
        return self.width * self.dtype.itemsize == ACCESS


def operands_of(
    problem: Contraction,
    offsets: tuple[int, int] = (0, 0),
    alignments: tuple[int, int] = (ACCESS, ACCESS),
) -> tuple[Operand, Operand]:
    """Returns both operands; `offsets` are their first elements, `alignments` the bytes that their
    addresses are multiples of.
    """
    batch, summed = problem.batch, problem.summed
    return (
        Operand("lhs", problem.lhs, batch, problem.rows, summed, offsets[0], alignments[0]),
        Operand("rhs", problem.rhs, batch, problem.columns, summed, offsets[1], alignments[1]),
    )
