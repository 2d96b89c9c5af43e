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
    """What is made of each element: instructions, in which slot 0 is the element, and buffers are
    told by their numbers among what is read.
    """

    extents: tuple[int, ...]
    """Of the dimensions of the result, or parts of them."""
    roles: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    """The dimensions that batch items, rows and columns are counted through."""
    everywhere: Affine
    """The number of the element that is being computed."""
    instructions: tuple[Instruction, ...]
    registers: tuple[int, ...]
    """What is stored: the first in place of the result, others in memory of their own."""
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
