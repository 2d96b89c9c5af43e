"""Planning: how a contraction is cut into blocks and tiles, from its extents and layouts.

The sizes of caches are not asked for: blocks are chosen so that they fit in those of any processor
of the last ten years.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from oakum.compile.contraction.placing import Epilogue, Writer
from oakum.compile.contraction.problem import Contraction
from oakum.compile.contraction.tile import Tile
from oakum.compile.target import Target


class Form(enum.Enum):
    """The forms that code for a contraction has."""

    EMPTY = "empty"
    """Nothing is summed, or nothing results."""
    DIRECT = "direct"
    """Tiles read the operands where they are."""
    PACKED = "packed"
    """Tiles read slivers that operands were packed into."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided for a contraction before code for it is written."""

    contraction: Contraction
    """Simplified, and swapped if that is better."""
    swapped: bool
    form: Form
    tile: Tile
    block_rows: int
    block_columns: int
    block_summed: int
    unit_rows: int
    """The rows of one unit of work."""

    @property
    def units(self) -> int:
        """The units of work of one batch item."""
        return -(-self.contraction.m // self.unit_rows)

    @property
    def is_blocked(self) -> bool:
        """Whether sums are interrupted."""
        return self.block_summed < self.contraction.k


_SUMMED = 1024
"""The bytes of a row of a packed block."""

_ROWS = 1 << 17
"""The bytes of a packed block of the first operand."""

_HELD = 1 << 18
"""The bytes of a second operand that is read where it is."""

_WORTH = 1 << 18
"""The products that are worth a unit of work of their own."""

_COLUMNS = 1 << 21
"""The bytes of a packed block of the second operand."""


def plan(contraction: Contraction, target: Target, *, fixed: bool = False, produced: bool = False) -> Plan:
    """Decides; `fixed` keeps the operands in their order, `produced` says that something is
    computed of their elements before.
    """
    problem = contraction.simplified()
    swapped = not fixed and _is_better_swapped(problem)
    if swapped:
        problem = problem.swapped()
    size = problem.accumulator.itemsize
    tile = _large_tile(problem, target)
    if 0 in (problem.b, problem.m, problem.n, problem.k):
        return Plan(problem, swapped, Form.EMPTY, tile, 1, 1, 1, max(problem.m, 1))
    if not produced and _is_held(problem, tile):
        tile = _small_tile(problem, target)
        unit = _unit_rows(problem, tile)
        return Plan(
            problem, swapped, Form.DIRECT, tile, problem.m, problem.n, problem.k, unit
        )
    unit = _unit_rows(problem, tile)
    summed = _balanced(problem.k, _SUMMED // size, 1)
    rows = _balanced(problem.m, max(_ROWS // (size * summed), tile.rows), tile.rows)
    columns = _balanced(
        problem.n, max(_COLUMNS // (size * summed), tile.columns), tile.columns
    )
    return Plan(problem, swapped, Form.PACKED, tile, rows, columns, summed, unit)


def _unit_rows(problem: Contraction, tile: Tile) -> int:
    """The rows that are worth a unit of their own."""
    worth = -(-_WORTH // (problem.n * problem.k))
    return min(-(-max(worth, 1) // tile.rows) * tile.rows, problem.m)


def _is_held(problem: Contraction, tile: Tile) -> bool:
    """Whether tiles may read the operands where they are."""
    steps = problem.steps("columns", "rhs")
    if len(steps) > 1 or steps[0][1] != 1:
        return problem.n == 1 and problem.m <= tile.rows
    lhs = max((abs(axis.lhs) for axis in problem.summed), default=1)
    rhs = max((abs(axis.rhs) for axis in problem.summed), default=1)
    reads = (lhs, problem.lhs, tile.rows), (rhs, problem.rhs, tile.columns)
    few = problem.m <= 2 * tile.rows
    return few or all(
        _lines(stride * dtype.itemsize) >= problem.k * -(-lanes * dtype.itemsize // 64)
        for stride, dtype, lanes in reads
    ) and problem.k * problem.n * problem.rhs.itemsize <= _HELD


def _lines(stride: int) -> int:
    """How many lines of 64 bytes, each a stride after the other, the second cache can hold."""
    return (1 << 19) // max(stride & -stride, 64)


def _is_better_swapped(problem: Contraction) -> bool:
    rows, columns = (problem.steps(role, "result") for role in ("rows", "columns"))
    contiguous = [len(steps) == 1 and steps[0][1] == 1 for steps in (rows, columns)]
    return contiguous[0] and not contiguous[1]


def _large_tile(problem: Contraction, target: Target) -> Tile:
    """The tile of packed operands."""
    width = target.width(problem.accumulator)
    rows, vectors = (6, 2) if target.registers < 32 else (8, 3)
    rows = _balanced(max(problem.m, 1), rows, 1)
    return Tile(rows, min(vectors, max(-(-problem.n // width), 1)), width)


def _small_tile(problem: Contraction, target: Target) -> Tile:
    """The tile that goes through all rows and columns in the least time."""
    most = target.width(problem.accumulator)
    choices: list[tuple[float, int, int, int]] = []
    width = 1
    while width <= min(most, problem.n):
        for vectors in range(1, min(8, problem.n // width) + 1):
            rows = min((target.registers - 2 - vectors) // vectors, problem.m, 16)
            choices += [
                (_cycles(problem, row, vectors, width), -row * vectors * width, row, vectors)
                for row in range(1, rows + 1)
            ]
        width *= 2
    _, size, rows, vectors = min(choices)
    return Tile(rows, vectors, -size // (rows * vectors))


def _cycles(problem: Contraction, rows: int, vectors: int, width: int) -> float:
    """About how long all tiles take. Two products of vectors are begun in one cycle, a sum can be
    added to again some cycles later, and loads take their time, those of vectors the more so: the
    factors were measured.
    """
    tiles = -(-problem.m // rows) * -(-problem.n // (vectors * width))
    turn = max(rows * vectors / 2, 5.2, 0.68 * (rows + vectors)) + 0.05 * vectors
    return tiles * (turn * problem.k + rows * vectors + 8)


def _balanced(extent: int, most: int, unit: int) -> int:
    """The size of equal parts of an extent, a multiple of the unit and not above the most."""
    most = max(most // unit * unit, unit)
    parts = -(-extent // most)
    return -(-extent // (parts * unit)) * unit


def writer(plan: Plan, epilogue: Epilogue | None) -> Writer:
    """How sums become elements of the result."""
    return Writer(plan.contraction, plan.swapped, epilogue)
