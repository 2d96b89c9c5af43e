"""Filters as tiles read them: packed, for each group and for each column of tiles."""

from __future__ import annotations

from typing import Final

from oakum.compile.cpu.contraction.layouts import aligned
from oakum.compile.cpu.contraction.packing import Pack
from oakum.compile.cpu.contraction.prepack import Preparation, begin_preparation
from oakum.compile.cpu.contraction.result_store import parameter
from oakum.compile.cpu.contraction.tile import Tile
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Contraction
from oakum.values.records import dataclass

_FEWEST: Final = 1 << 13
"""The elements that are worth it that threads wait for one another."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is packed."""

    problem: Contraction
    tile: Tile
    pack: Pack

    @property
    def depth(self) -> int:
        """The summed places of a sliver."""
        return self.pack.operand.count

    @property
    def slivers(self) -> int:
        """The slivers of all groups. Where tiles do not divide the columns, the last begins earlier
        than where the one before it ends.
        """
        return self.problem.b * -(-self.problem.n // self.tile.columns)

    @property
    def is_large(self) -> bool:
        """Whether threads had better pack them together."""
        return self.slivers * self.tile.columns * self.depth >= _FEWEST

    def size(self, target: Target) -> int:
        """Returns the bytes of all slivers."""
        elements = self.slivers * self.tile.columns * self.depth
        return elements * self.problem.accumulator.itemsize + target.vector_bytes

    def write(self, f: Function, filters: str, packed: str, begin: Index, end: Index) -> None:
        """Packs some slivers."""
        problem, columns = self.problem, self.tile.columns
        each = self.slivers // problem.b
        with f.loop(begin, end) as loop:
            group = f.binary("udiv", loop.index, each)
            first = f.mul(f.sub(loop.index, f.mul(group, each)), columns)
            column = first if problem.n % columns == 0 else f.minimum(first, problem.n - columns)
            at = f.mul(loop.index, columns * self.depth)
            sliver = f.pointer(packed, at, problem.accumulator)
            self.pack.call(f, filters, sliver, (group, column, columns, 0, self.depth))

    def preparation(self, target: Target, name: str) -> Preparation:
        """Writes code with which threads pack them together."""
        f = begin_preparation(name, target, self.pack.extras)
        self.write(f, "%operand", "%packed", parameter("begin"), parameter("end"))
        return Preparation(f, 1, self.slivers, aligned(self.size(target)))
