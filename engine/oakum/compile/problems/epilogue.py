"""Epilogues: what is done with each element of a contraction before it is stored.

An epilogue goes over the dimensions of the result, or over parts of them. Each is one of batch
items, rows or columns: a back end that numbers those finds the position along a dimension as a
digit of the number.
"""

from __future__ import annotations

from oakum.compile.loops.affine import Affine
from oakum.compile.loops.cost_model import weight
from oakum.compile.loops.loop_ir import Instruction, Operation
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Epilogue:
    """The work on each result element. Slot 0 is the element; buffers are indices into what the
    step reads.
    """

    extents: tuple[int, ...]
    """The extents of the result's dimensions, or of parts of them."""
    roles: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    """The dimensions that batch items, rows and columns are numbered through."""
    everywhere: Affine
    """The row-major number of the element."""
    instructions: tuple[Instruction, ...]
    registers: tuple[int, ...]
    """The registers stored: the first in place of the result, each other in a buffer of its own."""
    reads: int
    """The number of buffers that are read."""

    @property
    def cost_ns(self) -> float:
        """The estimated time for one element."""
        return sum(weight(x.name) if isinstance(x, Operation) else 0.1 for x in self.instructions)

    @property
    def operations(self) -> int:
        """The operations on one element."""
        return sum(isinstance(each, Operation) for each in self.instructions)
