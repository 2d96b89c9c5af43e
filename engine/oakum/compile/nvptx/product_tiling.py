"""How large products are divided: tiles of the result, of which each is computed by one block, and
parts of long sums, of which each block takes one where tiles are few.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Literal

from oakum import dtypes
from oakum.compile.nvptx import contraction_nests, library_products
from oakum.compile.nvptx.contraction_nests import LEAST, Planned
from oakum.compile.nvptx.product_operands import operands_of
from oakum.compile.problems.contraction import Contraction
from oakum.compile.problems.problem import Epilogue, Product
from oakum.values.records import dataclass

THREADS: Final = 256
"""The threads of a block: each has 64 elements of the largest tile."""

_PROCESSORS: Final = 132
"""The multiprocessors to have work for. Fixed, so that sums have the same bits on every GPU."""

_SHORTEST_PART: Final = 256
"""The products of a part of a sum: fewer are not worth another pass over the result."""

_MOST_PARTS: Final = 16

Unit = Literal["lanes", "tensor cores"]

WIDEST: Final = 128
"""The rows and columns of the largest tiles."""

SIDES: Final[dict[Unit, tuple[int, ...]]] = {
    "lanes": (WIDEST, 64, 32),
    "tensor cores": (WIDEST, 64),
}
"""Those that there are."""

_STRIPS: Final[dict[tuple[Unit, int], int]] = {
    ("lanes", 128): 8,
    ("lanes", 64): 16,
    ("lanes", 32): 16,
    ("tensor cores", 128): 64,
    ("tensor cores", 64): 64,
}
"""The products of a strip: what is on its way takes registers, where it is not copied. Of tensor
cores, the bytes.
"""

_COSTS: Final = {128: 1.0, 64: 1.5, 32: 3.0}
"""What a product costs in a tile of such a side: small ones load each element more often."""

_GROUPED: Final = (8, 4, 2, 1)
"""The rows of tiles that are gone through together, so that both operands stay in the cache."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a product is divided."""

    unit: Unit
    """What multiplies: each lane for itself, or the warp by its matrix instruction."""
    side: int
    """The rows and columns of a tile."""
    strip: int
    """The products that are loaded at a time."""
    down: int
    across: int
    """The tiles of a result, from top to bottom and from left to right."""
    batch: int
    grouped: int
    """The rows of tiles that blocks go through together."""
    parts: int
    """The parts of each sum."""
    part: int
    """The products of a part."""

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self.batch * self.down * self.across * self.parts

    def __str__(self) -> str:
        parts = f", {self.parts} parts of {self.part} products" if self.parts > 1 else ""
        return f"tiles of {self.side} x {self.side} by {self.unit}{parts}"


def unit_of(problem: Contraction) -> Unit:
    """Returns what multiplies: matrix instructions take halves, whose products are exact in the
    float32 that they are summed in. Those of float32 are rounded, where that is asked for.
    """
    if problem.lhs is not problem.rhs or problem.accumulator is not dtypes.float32:
        return "lanes"
    if problem.lhs is dtypes.float32:
        return "tensor cores" if problem.is_rough else "lanes"
    return "tensor cores" if problem.lhs in (dtypes.bfloat16, dtypes.float16) else "lanes"


def tiling_of(planned: Planned) -> Tiling | None:
    """Returns how a product is divided: in the way that is estimated to take the least time. None
    for small ones, and for those of padded images.
    """
    problem = planned.problem
    if planned.windows or min(problem.m, problem.n, problem.k) < LEAST:
        return None
    unit = unit_of(problem)
    # A lane has room for 64 words, and for eight on their way, where they are not single ones.
    widest = WIDEST if problem.accumulator is dtypes.float32 else 64
    if not all(operand.is_wide for operand in operands_of(problem.simplified())):
        widest = 64
    ways = [_with_side(problem, unit, side) for side in SIDES[unit] if side <= widest]
    return min(ways, key=_cost)


def scratch_bytes(
    problem: Product, epilogue: Epilogue | None, has_library: Callable[[], bool]
) -> int:
    """Returns the bytes of what a kernel leaves of a product for another one, or a library does
    where there is one, which is looked for if a product is worth it.
    """
    planned = contraction_nests.plan(problem)
    tiling, product = tiling_of(planned), planned.problem
    size, is_followed = product.b * product.m * product.n, epilogue is not None
    parts, whole = 0, size * product.result.itemsize
    if tiling is None:
        return whole if is_followed else 0
    if tiling.parts > 1:
        parts = tiling.parts * size * product.accumulator.itemsize
    if planned.copied is not None:
        return planned.copied.nbytes + parts
    by_library = is_followed and library_products.call_of(planned, is_followed=True) is not None
    return max(parts, whole) if by_library and has_library() else parts


def _with_side(problem: Contraction, unit: Unit, side: int) -> Tiling:
    down, across = -(-problem.m // side), -(-problem.n // side)
    strip = _STRIPS[unit, side]
    if unit == "tensor cores":
        strip //= problem.lhs.itemsize
    tiles = problem.b * down * across
    most = min(2 * _PROCESSORS // max(tiles, 1), problem.k // _SHORTEST_PART, _MOST_PARTS)
    parts = max(most, 1)
    part = -(-problem.k // (parts * strip)) * strip
    parts = -(-problem.k // part)
    grouped = next(count for count in _GROUPED if down % count == 0)
    return Tiling(unit, side, strip, down, across, problem.b, grouped, parts, part)


def _cost(way: Tiling) -> float:
    """Returns the estimated time, in products of the busiest multiprocessor."""
    waves = math.ceil(way.blocks / _PROCESSORS)
    return waves * way.side**2 * way.part * _COSTS[way.side]
