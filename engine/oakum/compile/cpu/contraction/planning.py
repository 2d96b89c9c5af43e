"""Planning: how a contraction is split into blocks and tiles, from its extents and layouts.

Cache sizes are not queried: blocks fit the caches of any processor of the last ten years.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from oakum import dtypes
from oakum.compile.cpu.contraction.operands import BLOCK
from oakum.compile.cpu.contraction.result_store import parameter
from oakum.compile.cpu.contraction.tile import Tile, large_tile, small_tile
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Contraction
from oakum.dtypes import DType
from oakum.values.records import dataclass, replace


class Form(enum.Enum):
    """The forms that code for a contraction has."""

    EMPTY = "empty"
    """The result has no elements."""
    DIRECT = "direct"
    """Tiles read the operands in place."""
    PACKED = "packed"
    """Tiles read packed slivers."""
    DOTS = "dots"
    """One row; each column of the second operand is read from beginning to end."""
    SWEEPS = "sweeps"
    """Few rows; each row of the second operand is read from beginning to end."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The decisions for a contraction, before code is written."""

    contraction: Contraction
    """Simplified, and swapped if that is better."""
    swapped: bool
    """Whether the operands were exchanged."""
    form: Form
    tile: Tile
    block_rows: int
    block_columns: int
    block_summed: int
    unit_rows: int
    """The rows of one unit of work; if they are all rows, units split the columns."""
    unit_columns: int

    @property
    def units(self) -> int:
        """The units of work of one batch item."""
        rows = -(-self.contraction.m // self.unit_rows)
        return rows * -(-self.contraction.n // self.unit_columns)

    @property
    def is_blocked(self) -> bool:
        """Whether the summed axis is split into blocks."""
        return self.block_summed < self.contraction.k


@dataclass(frozen=True, slots=True)
class Demands:
    """What the code has to do beside the product."""

    produced: bool = False
    """Whether a producer computes the operands' elements."""
    in_place: bool = False
    """Whether the epilogue reads the result's elements, so that they must be written once."""
    lines: int = 0
    """The length of the epilogue."""
    threads: int = 1
    """How many threads share the work."""


_SUMMED = 2048
"""The bytes of a row of a packed block. Half is within 1%, double 4% slower, for 512 x 4096 x 512.
"""

_ROWS = 1 << 18
"""The bytes of a packed block of the first operand, half of the second cache. Half and double are
within 1% for 1024^3.
"""

_COLUMNS = 1 << 21
"""The bytes of a packed block of the second operand, which stays in the third cache. Half and
double are within 1% for 128 x 512 x 4096.
"""

_HELD = 1 << 18
"""The bytes of a second operand that tiles read without packing. Half and double are within 1% for
192^3 and 320^3.
"""

_FIRST = 1 << 15
"""The bytes of the first data cache."""

_SECOND = 1 << 19
"""The bytes of the first and the second data cache, those of the smallest common machines."""

_AGAIN = 16
"""The rows of tiles that may read an unpacked second operand from the second cache. Half and double
are within 1% for 48 to 192 rows of 512 x 512.
"""

_TINY = 1 << 12
"""The products up to which elements are converted at each use rather than packed converted. By
judgement.
"""

_SCALAR = 1 << 7
"""The products up to which scalar code is used rather than packing columns. By judgement."""

_WORTH = 1 << 18
"""The products of one unit of work: about 5 us at 0.018 ns."""

_SWEPT = 1 << 12
"""The f32 sums kept in the first cache by a sweep, 16 KiB. Measured: half is 10% faster for 2 x 512
x 3072 and x 6144, double up to 11% slower.
"""

_FEW = 4
"""The most rows whose elements stay in registers. Measured: six rows of 512 x 512 are 28% faster at
half of this, and 1.8 times slower at double.
"""

_SOME = 12
"""The most rows for which the second operand is neither packed nor read by tiles. Measured: eight
rows of 512 x 512 are 29% faster at half of this; 16 rows are the same at double.
"""


def plan(contraction: Contraction, target: Target, demands: Demands | None = None) -> Plan:
    """Returns the plan of a contraction."""
    demands = demands or Demands()
    problem = contraction.simplified()
    swapped = _is_better_swapped(problem)
    if swapped:
        problem = problem.swapped()
    made = Plan(
        problem,
        swapped,
        Form.EMPTY,
        Tile(1, 1, 1),
        problem.m,
        problem.n,
        problem.k,
        max(problem.m, 1),
        max(problem.n, 1),
    )
    if 0 in (problem.b, problem.m, problem.n):
        return made
    for form in (_vector_form, _direct_form):
        found = form(made, target, demands)
        if found is not None:
            return found
    return _packed_form(made, target)


def _is_better_swapped(problem: Contraction) -> bool:
    """Returns whether vectors should be made of rows: if those are contiguous in the result, or if
    a matrix is multiplied with a vector.
    """
    if problem.n == 1 or problem.m == 1:
        return problem.n == 1 and problem.m > 1
    rows, columns = (problem.steps(role, "result") for role in ("rows", "columns"))
    contiguous = [len(steps) == 1 and steps[0][1] == 1 for steps in (rows, columns)]
    return contiguous[0] and not contiguous[1]


def _vector_form(made: Plan, target: Target, demands: Demands) -> Plan | None:
    problem = made.contraction
    same = problem.lhs is problem.rhs is problem.accumulator
    if problem.m > _SOME or demands.produced or not same or len(problem.summed) != 1:
        return None
    width = target.width(problem.accumulator)
    summed = problem.summed[0]
    if problem.m == 1 and summed.rhs == 1 and summed.lhs == 1 and problem.k >= width:
        rows = 1 if demands.in_place else min(problem.n, 4)
        unit = _unit(problem.k, problem.n, rows)
        return replace(made, form=Form.DOTS, tile=Tile(rows, 8 // rows, width), unit_columns=unit)
    [*outer, (_, step)] = problem.steps("columns", "rhs")
    held = _HELD if problem.m <= 2 * _FEW else _COLUMNS
    large = problem.k * problem.n * problem.rhs.itemsize > held
    if outer or step != 1 or not large or problem.n < 8 * width:
        return None
    rows = min(problem.m, _FEW)
    most = _SWEPT * target.width(dtypes.float32) // (width * problem.m)
    block = max(most // (8 * width), 1) * 8 * width
    unit = min(_unit(problem.k * problem.m, problem.n, 8 * width), block)
    tile = Tile(rows, 8 // rows, width)
    return replace(made, form=Form.SWEEPS, tile=tile, block_columns=block, unit_columns=unit)


def _direct_form(made: Plan, target: Target, demands: Demands) -> Plan | None:
    problem = made.contraction
    held = _is_held(problem, large_tile(problem, target))
    if problem.k and (demands.produced or not held):
        return None
    widest = 64 if problem.is_read_in_rows else 1
    tile = small_tile(problem, target, exact=demands.in_place, lines=demands.lines, widest=widest)
    if problem.m <= tile.rows < problem.n:
        unit = _unit(problem.k * problem.m, problem.n, tile.columns)
        return replace(made, form=Form.DIRECT, tile=tile, unit_columns=unit)
    unit = _unit(problem.k * problem.n, problem.m, tile.rows)
    return replace(made, form=Form.DIRECT, tile=tile, unit_rows=unit)


def _is_held(problem: Contraction, tile: Tile) -> bool:
    """Returns whether tiles may read the operands in place."""
    if problem.k == 0:
        return True
    products = problem.m * problem.n * problem.k
    if not problem.is_read_in_rows:
        if problem.n == 1:
            return problem.m <= tile.rows
        return products <= _SCALAR and len(problem.steps("columns", "rhs")) == 1
    narrow = problem.lhs is not problem.accumulator or problem.rhs is not problem.accumulator
    if narrow and products > _TINY:
        return False
    if problem.m <= 2 * tile.rows:
        return True
    lhs = abs(problem.summed[-1].lhs) if problem.summed else 1
    return is_rhs_held(problem, tile) and _is_near(lhs, problem.lhs, problem.k, tile.rows)


def is_rhs_held(problem: Contraction, tile: Tile) -> bool:
    """Returns whether tiles may read the second operand in place repeatedly."""
    rhs = abs(problem.summed[-1].rhs) if problem.summed else 1
    return (
        problem.is_read_in_rows
        and problem.rhs is problem.accumulator
        and problem.k * problem.n * problem.rhs.itemsize <= _HELD
        and _is_near(rhs, problem.rhs, problem.k, tile.columns)
        and (
            problem.m <= _AGAIN * tile.rows
            or _is_near(rhs, problem.rhs, problem.k, tile.columns, _FIRST)
        )
    )


def _is_near(stride: int, dtype: DType, count: int, elements: int, cache: int = _SECOND) -> bool:
    """Returns whether a cache can hold so many groups of elements at a stride: at a power of two it
    can hold few, which share its sets.
    """
    each = -(-elements * dtype.itemsize // 64)
    step = stride * dtype.itemsize
    return count * each <= cache // max(step & -step, 64)


def _packed_form(made: Plan, target: Target) -> Plan:
    problem = made.contraction
    tile = large_tile(problem, target)
    size = problem.accumulator.itemsize
    summed = _balance(problem.k, _SUMMED // size, BLOCK)
    rows = _balance(problem.m, max(_ROWS // (size * summed), tile.rows), tile.rows)
    columns = _balance(problem.n, max(_COLUMNS // (size * summed), tile.columns), tile.columns)
    made = replace(
        made,
        form=Form.PACKED,
        tile=tile,
        block_rows=rows,
        block_columns=columns,
        block_summed=min(summed, problem.k),
    )
    if problem.n > problem.m:
        unit = _unit(problem.k * problem.m, problem.n, tile.columns)
        return replace(made, unit_columns=unit)
    return replace(made, unit_rows=_unit(problem.k * problem.n, problem.m, tile.rows))


def _unit(worth: int, extent: int, size: int) -> int:
    """Returns the rows or columns, of so many products each, of a unit of work."""
    least = -(-_WORTH // max(worth, 1))
    return min(-(-least // size) * size, extent)


def _balance(extent: int, most: int, unit: int) -> int:
    """Returns the size of equal parts of an extent, a multiple of the unit and not above the
    most.
    """
    most = max(most // unit * unit, unit)
    parts = -(-extent // most)
    return -(-extent // (parts * unit)) * unit


Span = tuple[Index, Index]
"""The first row or column, and the one after the last."""

Body = Callable[[Index, Span, Span], None]
"""Writes what is done for a batch item: some of its rows, and some of its columns."""


def signature(extras: tuple[str, ...], *, swapped: bool) -> list[tuple[str, str]]:
    """Returns the parameters of a contraction; the names are those after operands were
    exchanged.
    """
    return [
        ("ptr", "rhs" if swapped else "lhs"),
        ("ptr", "lhs" if swapped else "rhs"),
        ("ptr", "result"),
        ("ptr", "scratch"),
        ("i64", "begin"),
        ("i64", "end"),
        *(("ptr", extra) for extra in extras),
    ]


def each_item(f: Function, plan: Plan, body: Body) -> None:
    """Writes the body for the units from `begin` to `end`."""
    problem, units = plan.contraction, plan.units
    begin, end = parameter("begin"), parameter("end")
    rows, columns = (0, problem.m), (0, problem.n)
    if units == 1 and problem.b == 1:
        with f.when(f.compare("lt", begin, end)):
            body(0, rows, columns)
    elif units == 1:
        with f.loop(begin, end) as loop:
            body(loop.index, rows, columns)
    elif problem.b == 1:
        body(0, *_spans(f, plan, begin, end))
    else:
        first = f.binary("udiv", begin, units)
        last = f.binary("udiv", f.add(end, units - 1), units)
        with f.loop(first, last) as loop:
            start = f.mul(loop.index, units)
            some = f.maximum(f.sub(begin, start), 0)
            many = f.minimum(f.sub(end, start), units)
            body(loop.index, *_spans(f, plan, some, many))


def _spans(f: Function, plan: Plan, begin: Index, end: Index) -> tuple[Span, Span]:
    problem = plan.contraction
    if plan.unit_columns < problem.n:
        return (0, problem.m), _span(f, begin, end, plan.unit_columns, problem.n)
    return _span(f, begin, end, plan.unit_rows, problem.m), (0, problem.n)


def _span(f: Function, begin: Index, end: Index, unit: int, extent: int) -> Span:
    last = f.mul_index(end, unit)
    if extent % unit:
        last = f.minimum(f.index(last), extent)
    return f.mul_index(begin, unit), last
