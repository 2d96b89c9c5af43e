"""The scratch memory of contractions of packed operands."""

from __future__ import annotations

from typing import Final

from oakum.compile.cpu.contraction.operands import Producer
from oakum.compile.cpu.contraction.planning import Plan
from oakum.compile.native.target import Target
from oakum.values.records import dataclass, replace

_FEW: Final = 4
"""The columns of tiles for which it does not pay to pack the first operand."""

_NARROW: Final = 1 << 17
"""The bytes of the second operand packed for one block of rows. Half and double are within 1% for
2048 x 256 x 96.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of scratch memory begin, in bytes, and what is not kept in them."""

    lhs: int
    rhs: int
    tile: int
    sums: int
    end: int
    is_apart: bool
    """Whether interrupted sums are kept here, and not in the result."""
    packs: tuple[bool, bool]
    """Whether units pack the first operand, and the second one."""


def lay_out(plan: Plan, target: Target, *, apart: bool, packs: tuple[bool, bool]) -> Layout:
    """Returns the scratch memory of a plan."""
    size, vector = plan.contraction.accumulator.itemsize, target.vector_bytes
    rows = -(-plan.block_rows // plan.tile.rows) * plan.tile.rows if packs[0] else 0
    columns = -(-plan.block_columns // plan.tile.columns) * plan.tile.columns
    # Vectors that reach beyond the last element find memory there.
    lhs = aligned((columns if packs[1] else 0) * plan.block_summed * size + vector)
    tile = aligned(lhs + rows * plan.block_summed * size + vector)
    sums = aligned(tile + plan.tile.rows * plan.tile.columns * size)
    kept = plan.contraction.m * columns * size if apart else 0
    return Layout(lhs, 0, tile, sums, sums + kept, apart, packs)


def aligned(size: int) -> int:
    """Returns the next multiple of a line of the cache."""
    return (size + 63) // 64 * 64


def is_read(plan: Plan, producer: Producer | None) -> bool:
    """Returns whether tiles read the first operand where it is: there are few of them beside each
    other.
    """
    problem = plan.contraction
    rows, summed = problem.steps("rows", "lhs"), problem.steps("summed", "lhs")
    same = producer is None and problem.lhs is problem.accumulator
    few = problem.n <= _FEW * plan.tile.columns
    return few and same and len(rows) == 1 and summed == ((problem.k, 1),)


def narrowed(plan: Plan) -> Plan:
    """Returns the plan with blocks of columns that are multiplied while they are in the second
    cache.
    """
    size, columns = plan.contraction.accumulator.itemsize, plan.tile.columns
    most = max(_NARROW // (plan.block_summed * size), 1)
    return replace(plan, block_columns=min(plan.block_columns, -(-most // columns) * columns))
