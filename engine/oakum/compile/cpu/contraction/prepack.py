"""Packing beforehand: an operand that all units of work read is packed once, before any of them
begins.

Units split from the rows all read the second operand, those split from the columns the first.
Threads divide the packing of it among them, rather than each pack it for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from oakum.compile.cpu.contraction.packing import Pack
from oakum.compile.cpu.contraction.planning import Demands, Plan
from oakum.compile.cpu.contraction.result_store import parameter
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.native.target import Target
from oakum.values.records import dataclass

_FEWEST: Final = 1 << 17
"""The elements for which it pays that threads wait for each other's packing. By judgement."""

_MOST: Final = 1 << 22
"""The most elements packed in advance, which bounds the scratch memory."""

_REUSED: Final = 96
"""The most rows or columns in a unit that reads everything packed. Half and double are within 1%
for 128 x 512 x 2048.
"""


@dataclass(frozen=True, slots=True)
class Preparation:
    """Code that packs an operand.

    The function is `void NAME(ptr operand, ptr packed, i64 begin, i64 end, ptr EXTRA...)`, for some
    of its units. The contraction is then given the packed elements in place of the operand.
    """

    function: Function
    operand: int
    """The number of the operand that is packed."""
    units: int
    size: int
    """The bytes that it needs for the packed elements, aligned to 64."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An operand packed as a whole: blocks of summed places, one after the other."""

    plan: Plan
    is_first: bool

    @property
    def lanes(self) -> int:
        """The lanes of a sliver."""
        return self.plan.tile.rows if self.is_first else self.plan.tile.columns

    @property
    def extent(self) -> int:
        """The rows or columns."""
        problem = self.plan.contraction
        return problem.m if self.is_first else problem.n

    @property
    def units(self) -> int:
        """The slivers of each block."""
        return -(-self.extent // self.lanes)

    @property
    def parts(self) -> int:
        """The parts of the other operand that are worth it to go through all of this one."""
        problem = self.plan.contraction
        return (problem.n if self.is_first else problem.m) // _REUSED

    def at(self, f: Function, summed: Index, lane: Index, count: Index) -> Index:
        """Where a sliver is, in elements, by the first summed place of its block, by its first
        lane, and by how many places the block has.
        """
        block = f.mul_index(self.turns(f, summed), self.units * self.lanes)
        return f.add_index(block, f.mul_index(lane, self.turns(f, count)))

    def turns(self, f: Function, count: Index) -> Index:
        """Returns the elements of a lane, of so many summed places."""
        return turns_of(f, self.plan, count)

    def size(self, target: Target) -> int:
        """Returns the bytes of all slivers."""
        problem = self.plan.contraction
        elements = self.units * self.lanes * (problem.k + 1)
        return -(-(elements * problem.accumulator.itemsize + target.vector_bytes) // 64) * 64


def prepared(plan: Plan, demands: Demands, *, reads: bool) -> Prepared | None:
    """What is packed before; None where each unit had better pack what it needs. `reads` says that
    the first operand is not packed at all.
    """
    problem = plan.contraction
    if demands.threads < 2 or problem.b > 1 or plan.units < 2:
        return None
    found = Prepared(plan, plan.unit_rows == problem.m)
    if (found.is_first and reads) or not _FEWEST <= found.extent * problem.k <= _MOST:
        return None
    return found


def begin_preparation(name: str, target: Target, extras: Iterable[str]) -> Function:
    """Returns a function of the form that `Preparation` states, without its body."""
    return Function(
        name,
        [
            ("ptr", "operand"),
            ("ptr", "packed"),
            ("i64", "begin"),
            ("i64", "end"),
            *(("ptr", extra) for extra in extras),
        ],
        target,
        attributes="nounwind noinline optnone",
    )


def emit_preparation(
    name: str, target: Target, made: Prepared, pack: Pack, extras: tuple[str, ...], *, swapped: bool
) -> Preparation:
    """Writes the code; `swapped` says that the plan's operands are the caller's exchanged."""
    plan = made.plan
    problem = plan.contraction
    f = begin_preparation(name, target, extras)
    first = f.mul(parameter("begin"), made.lanes)
    last = f.minimum(f.mul(parameter("end"), made.lanes), made.extent)
    with f.loop(0, problem.k, plan.block_summed) as summed:
        deep = f.minimum(f.sub(f.index(problem.k), summed.index), plan.block_summed)
        at = made.at(f, summed.index, first, deep)
        slivers = f.pointer("%packed", at, problem.accumulator)
        pack.call(f, "%operand", slivers, (0, first, f.sub(last, first), summed.index, deep))
    operand = int(made.is_first == swapped)
    return Preparation(f, operand, made.units, made.size(target))


def turns_of(f: Function, plan: Plan, count: Index) -> Index:
    """Returns the elements of a lane of slivers, of so many summed places."""
    if not plan.tile.is_paired:
        return count
    if isinstance(count, int):
        return (count + 1) // 2
    return f.shift_right(f.add(count, 1), 1)
