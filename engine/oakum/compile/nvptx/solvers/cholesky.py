"""Cholesky factors as kernels: panel after panel of 32 columns, from left to right.

A block has a tile of the panel and the tile on the diagonal, which it factors together: so blocks
do not wait for each other. Then what a panel gives is subtracted from the tiles to its right. A
matrix of one tile is one block, and one launch.

A matrix that has no factor becomes NaN as a whole.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel, Launch
from oakum.compile.nvptx.solvers.matrix_tiles import (
    THREADS,
    TILE,
    TileWriter,
    Values,
    leave_step,
    read_step,
    tiles_of,
)
from oakum.compile.problems.elimination import Cholesky

_MATRIX, _FACTORS, _SCRATCH = range(3)
"""The buffers of the step."""

_WORDS: Final = 2
"""The words of the number of the step; behind them is one for each matrix, whether it is bad."""


def _tiles_begin(problem: Cholesky) -> int:
    """Returns where in scratch memory the tiles on the diagonal begin, in bytes."""
    return -(-4 * (_WORDS + problem.batch) // 256) * 256


def scratch_bytes(problem: Cholesky) -> int:
    """Returns the bytes of the words, and of a tile for each matrix."""
    if problem.n <= TILE:
        return 0
    return _tiles_begin(problem) + problem.batch * TILE * TILE * problem.dtype.itemsize


def launches(problem: Cholesky, target: Target) -> list[Launch]:
    """Returns the kernels in order."""
    if problem.n <= TILE:
        return [Launch(_small(problem, target), problem.batch, (_MATRIX, _FACTORS))]
    panel, rest = _panel(problem, target), _subtraction(problem, target)
    blocks = -(-problem.size // THREADS)
    found = [Launch(_begin(problem, target), blocks, (_MATRIX, _FACTORS, _SCRATCH))]
    for tiles in range(tiles_of(problem.n), 0, -1):
        count = problem.batch * tiles
        found.append(Launch(panel, count, (_FACTORS, _SCRATCH)))
        count = problem.batch * ((tiles - 1) ** 2 + 1)
        found.append(Launch(rest, count, (_FACTORS, _SCRATCH)))
    found.append(Launch(_end(problem, target), blocks, (_FACTORS, _SCRATCH)))
    return found


def _writer(problem: Cholesky, target: Target, *, has_source: bool = False) -> TileWriter:
    size = problem.dtype.itemsize
    source = [Argument(size, is_written=False)] if has_source else []
    more = [] if has_source and problem.n <= TILE else [Argument(16, is_written=True)]
    return TileWriter([*source, Argument(size, is_written=True), *more], target, problem.dtype)


def _begin(problem: Cholesky, target: Target) -> Kernel:
    """Copies the lower triangles."""
    writer = _writer(problem, target, has_source=True)
    f, n = writer.f, problem.n
    number = f.number()
    with f.when(f.below(number, problem.size)):
        row, column = f.divide(f.divide(number, n * n)[1], n)
        x = f.load("%m0", number, problem.dtype)
        x = f.select(f.compare("le", column, row), x, writer.zero)
        f.store(x, "%m1", number)
    with f.when(f.below(number, _WORDS + problem.batch)):
        f.store(constant(0, dtypes.int32), "%m2", number)
    return f


def _end(problem: Cholesky, target: Target) -> Kernel:
    """Fills those matrices that have no factor."""
    writer = _writer(problem, target)
    f = writer.f
    number = f.number()
    with f.when(f.below(number, problem.size)):
        item, _ = f.divide(number, problem.n * problem.n)
        is_bad = f.compare("ne", f.load("%m1", f.add(item, _WORDS), dtypes.int32), 0)
        with f.when(is_bad):
            f.store(constant(float("nan"), problem.dtype), "%m0", number)
    return f


def _factor(writer: TileWriter, tile: Values, below: Values) -> tuple[Values, Values, Value]:
    """Factors a tile on the diagonal, and solves for one below it; returns whether the first one
    is positive definite, too.
    """
    f, count = writer.f, len(tile)
    # Columns are left where other threads see them, in two places in turns.
    line = writer.line(4)
    column = writer.column
    with f.loop(0, TILE, 1, [*tile, *below, constant(True, dtypes.bool_)]) as loop:
        k, values = loop.index, loop.values[:-1]
        here = f.pointer(line, f.mul(f.bit_and(k, 1), 2 * TILE), writer.dtype)
        is_there, is_later = f.compare("eq", column, k), f.compare("gt", column, k)
        places = [*writer.rows, *[f.add(row, TILE) for row in writer.rows if below]]
        with f.when(is_there):
            for place, value in zip(places, values, strict=True):
                f.store(value, here, place)
        f.barrier()
        square = f.load(here, k, writer.dtype)
        root = f.sqrt(square)
        inverse = f.div(writer.one, root)
        across = f.mul(f.load(here, column, writer.dtype), inverse)
        for number, (place, value) in enumerate(zip(places, values, strict=True)):
            known = f.mul(f.load(here, place, writer.dtype), inverse)
            rest = f.sub(value, f.mul(known, across))
            if number < count:
                known = f.select(f.compare("eq", place, k), root, known)
            loop.next.append(f.select(is_later, rest, f.select(is_there, known, value)))
        loop.next.append(f.bit_and(loop.values[-1], f.compare("gt", square, 0.0)))
    *found, good = loop.results
    return found[:count], found[count:], good


def _lower(writer: TileWriter, values: Values) -> Values:
    f = writer.f
    return [
        f.select(f.compare("le", writer.column, row), x, writer.zero)
        for row, x in zip(writer.rows, values, strict=True)
    ]


def _small(problem: Cholesky, target: Target) -> Kernel:
    """A block for each matrix of one tile."""
    writer = _writer(problem, target, has_source=True)
    f, n = writer.f, problem.n
    first = f.mul(f.block_number(), n * n)
    matrix, factors = (f.pointer(base, first, problem.dtype) for base in ("%m0", "%m1"))
    at = writer.part((n, n), (0, 0), n)
    tile = writer.load(matrix, at, is_unit=True)
    made, _, good = _factor(writer, _lower(writer, tile), [])
    nan = constant(float("nan"), problem.dtype)
    writer.store([f.select(good, x, nan) for x in _lower(writer, made)], factors, at)
    return f


def _panel(problem: Cholesky, target: Target) -> Kernel:
    """A block for each tile of a panel, the one on the diagonal first."""
    writer = _writer(problem, target)
    f, n = writer.f, problem.n
    tile, item = f.divide(f.block_number(), problem.batch)
    factors = f.pointer("%m0", f.mul(item, n * n), problem.dtype)
    step = read_step(writer, "%m1", 0)
    column, row = f.mul(step, TILE), f.mul(f.add(step, tile), TILE)
    top = writer.load(factors, writer.part((n, n), (column, column), n), is_unit=True)
    at = writer.part((n, n), (row, column), n)
    made, below, good = _factor(writer, top, writer.load(factors, at))
    is_top = f.compare("eq", tile, 0)
    with f.when(is_top):
        # Other blocks read the tile on the diagonal still: the next kernel puts it there.
        place = f.pointer("%m1", _tiles_begin(problem), dtypes.int8)
        place = f.pointer(place, f.mul(item, TILE * TILE), problem.dtype)
        writer.store(made, place, writer.part((TILE, TILE), (0, 0), TILE))
        with f.when(f.bit_and(f.compare("eq", writer.thread, 0), f.bit_not(good))):
            f.store(constant(1, dtypes.int32), "%m1", f.add(item, _WORDS))
    with f.when(f.bit_not(is_top)):
        writer.store(below, factors, at)
    leave_step(writer, "%m1", 1, step)
    return f


def _subtraction(problem: Cholesky, target: Target) -> Kernel:
    """A block for each tile to the right of a panel, and one that leaves the tile on its
    diagonal.
    """
    writer = _writer(problem, target)
    f, n = writer.f, problem.n
    block, item = f.divide(f.block_number(), problem.batch)
    factors = f.pointer("%m0", f.mul(item, n * n), problem.dtype)
    step = read_step(writer, "%m1", 1)
    column = f.mul(step, TILE)
    is_first = f.compare("eq", block, 0)
    with f.when(is_first):
        place = f.pointer("%m1", _tiles_begin(problem), dtypes.int8)
        place = f.pointer(place, f.mul(item, TILE * TILE), problem.dtype)
        made = writer.load(place, writer.part((TILE, TILE), (0, 0), TILE))
        at = writer.part((n, n), (column, column), n)
        writer.store(_lower(writer, made), factors, at)
    rest = f.maximum(f.sub(f.sub(f.index(tiles_of(n)), step), 1), 1)
    number = f.sub(block, 1)
    i, j = f.div(number, rest), f.rem(number, rest)
    with f.when(f.bit_and(f.bit_not(is_first), f.compare("le", j, i))):
        left, right = writer.room(), writer.room()
        behind = f.add(column, TILE)
        rows, columns = (f.add(behind, f.mul(each, TILE)) for each in (i, j))
        writer.put(writer.load(factors, writer.part((n, n), (rows, column), n)), left)
        writer.put(writer.load(factors, writer.part((n, n), (columns, column), n)), right)
        at = writer.part((n, n), (rows, columns), n)
        start = writer.load(factors, at)
        f.barrier()
        made = writer.multiply(start, left, right, is_turned=(False, True), sign=-1)
        on_diagonal = f.compare("eq", i, j)
        # What is above the diagonal stays zero.
        kept = [
            f.select(f.bit_and(on_diagonal, f.compare("gt", writer.column, row)), x, y)
            for row, x, y in zip(writer.rows, start, made, strict=True)
        ]
        writer.store(kept, factors, at)
    leave_step(writer, "%m1", 0, f.add(step, 1))
    return f
