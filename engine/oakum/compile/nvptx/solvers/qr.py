"""QR factors and their reflections as kernels: of panels of 32 columns, from left to right.

A block finds the reflections of a panel, column by column, with the triangle T by which they are
one: I - V T V^T. Then a block for each 32 columns to its right applies them all at once. In the
end they are applied to the unit matrix, the last panel first, which gives the first factor.

With pivoting the next column is known when all columns are reflected: the block of a panel does
that too.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel, Launch
from oakum.compile.nvptx.solvers.matrix_tiles import (
    THREADS,
    TILE,
    TileWriter,
    leave_step,
    read_step,
    tiles_of,
)
from oakum.compile.nvptx.solvers.numbers import Numbers
from oakum.compile.nvptx.solvers.qr_panels import (
    SQUARE,
    WORDS_BYTES,
    Panel,
    Problem,
    is_pivoted,
    panels_of,
    work_begin,
)
from oakum.compile.problems.elimination import Qr, Reflections

_MATRIX, _FIRST, _SECOND, _ORDER = range(4)
"""The buffers of the step: results are two factors, or the matrix with the vectors, and factors of
the reflections. The order of columns is there with pivoting; scratch memory is the last.
"""


def scratch_bytes(problem: Problem) -> int:
    """Returns the bytes of the words, of the triangles and of the matrices."""
    return work_begin(problem) + problem.size * problem.dtype.itemsize


def launches(problem: Problem, target: Target) -> list[Launch]:
    """Returns the kernels in order."""
    blocks = -(-problem.size // THREADS)
    scratch = problem.operands + problem.results
    panels, across = panels_of(problem), tiles_of(problem.n)
    if is_pivoted(problem):
        found = [Launch(_begin(problem, target), blocks, (_MATRIX, scratch, _ORDER))]
        ring = [Panel(problem, target, word).write() for word in range(2)]
        for number in range(panels):
            found.append(Launch(ring[number % 2], problem.batch, (scratch, _ORDER)))
    else:
        found = [Launch(_begin(problem, target), blocks, (_MATRIX, scratch))]
        panel, rest = Panel(problem, target).write(), _apply(problem, target)
        for number in range(panels):
            found.append(Launch(panel, problem.batch, (scratch,)))
            # Even where there is nothing to the right: it counts the steps.
            count = problem.batch * max(across - number - 1, 1)
            found.append(Launch(rest, count, (scratch,)))
    results = (scratch, _FIRST, _SECOND)
    if isinstance(problem, Reflections):
        return [*found, Launch(_leave(problem, target), blocks, results)]
    size = problem.batch * max(problem.m * problem.inner, problem.inner * problem.n)
    found.append(Launch(_end(problem, target), -(-size // THREADS), results))
    backward = [_gather(problem, target, word) for word in range(2)]
    for number in reversed(range(panels)):
        count = problem.batch * (tiles_of(problem.inner) - number)
        kernel = backward[(panels - 1 - number) % 2]
        found.append(Launch(kernel, count, (scratch, _FIRST)))
    return found


def _begin(problem: Problem, target: Target) -> Kernel:
    """Copies the matrices; with pivoting their columns are in order at first."""
    arguments = [Argument(problem.dtype.itemsize, is_written=False), Argument(16, is_written=True)]
    if is_pivoted(problem):
        arguments.append(Argument(4, is_written=True))
    f = Kernel(arguments, target, THREADS)
    work = f.pointer("%m1", work_begin(problem), dtypes.int8)
    number = f.number()
    with f.when(f.below(number, problem.size)):
        numbers = Numbers(f, problem.dtype)
        numbers.leave(numbers.fetch("%m0", number), work, number)
    if is_pivoted(problem):
        with f.when(f.below(number, problem.batch * problem.n)):
            column = f.divide(number, problem.n)[1]
            f.store(f.cast("trunc", column, dtypes.int32), "%m2", number)
    with f.when(f.compare("eq", number, 0)):
        f.store(constant(0, dtypes.int32), "%m1", 0)
    return f


def _leave(problem: Reflections, target: Target) -> Kernel:
    """Leaves the matrices with their vectors, and the factors, which the triangles begin with."""
    size = problem.dtype.itemsize
    arguments = [Argument(16, is_written=False), *[Argument(size, is_written=True)] * 2]
    f = Kernel(arguments, target, THREADS)
    work = f.pointer("%m0", work_begin(problem), dtypes.int8)
    triangles = f.pointer("%m0", WORDS_BYTES, dtypes.int8)
    numbers = Numbers(f, problem.dtype)
    number = f.number()
    with f.when(f.below(number, problem.size)):
        numbers.leave(numbers.fetch(work, number), "%m1", number)
    count = min(problem.m, problem.n)
    with f.when(f.below(number, problem.batch * count)):
        item, column = f.divide(number, count)
        panel, place = f.divide(column, TILE)
        first = f.mul(f.add(f.mul(item, panels_of(problem)), panel), SQUARE)
        at = f.add(first, f.mul(place, TILE + 1))
        numbers.leave(numbers.fetch(triangles, at), "%m2", number)
    return f


def _end(problem: Qr, target: Target) -> Kernel:
    """Leaves the upper triangles, and begins with unit matrices."""
    size = problem.dtype.itemsize
    arguments = [Argument(16, is_written=True), *[Argument(size, is_written=True)] * 2]
    f = Kernel(arguments, target, THREADS)
    m, n, inner = problem.m, problem.n, problem.inner
    work = f.pointer("%m0", work_begin(problem), dtypes.int8)
    numbers = Numbers(f, problem.dtype)
    number = f.number()
    with f.when(f.below(number, problem.batch * m * inner)):
        row, column = f.divide(f.divide(number, m * inner)[1], inner)
        x = f.select(f.compare("eq", row, column), numbers.one, numbers.zero)
        numbers.leave(x, "%m1", number)
    with f.when(f.below(number, problem.batch * inner * n)):
        item, place = f.divide(number, inner * n)
        row, column = f.divide(place, n)
        x = numbers.fetch(work, f.add(f.mul(item, m * n), place))
        numbers.leave(f.select(f.compare("lt", column, row), numbers.zero, x), "%m2", number)
    with f.when(f.compare("eq", number, 0)):
        f.store(constant(panels_of(problem) - 1, dtypes.int32), "%m0", 0)
    return f


def _reflect(
    problem: Problem,
    writer: TileWriter,
    places: tuple[str, str, str],
    sizes: tuple[int, int],
    starts: tuple[Value, Value],
    *,
    is_turned: bool,
) -> None:
    """Applies the reflections of a panel to 32 columns: of vectors, a triangle and a matrix at some
    places; the matrix has so many columns, of which some have to be changed.
    """
    f = writer.f
    vectors, triangle, matrix = places
    columns, pitch = sizes
    first, start = starts
    m, n = problem.m, problem.n
    count = min(m, n)
    one, two = writer.room(), writer.room()
    zeros = [writer.zero] * len(writer.rows)

    def put_vectors(row: Index) -> None:
        values = writer.load(vectors, writer.part((m, count), (row, first), n))
        # On and above the diagonal are other numbers.
        kept: list[Value] = []
        column = f.add(first, writer.column)
        for each, value in zip(writer.rows, values, strict=True):
            place = f.add(f.index(row), each)
            value = f.select(f.compare("gt", place, column), value, writer.zero)
            is_one = f.bit_and(f.compare("eq", place, column), f.compare("lt", column, count))
            kept.append(f.select(is_one, writer.one, value))
        writer.put(kept, one)

    with f.loop(first, m, TILE, zeros) as loop:
        put_vectors(loop.index)
        at = writer.part((m, columns), (loop.index, start), pitch)
        writer.put(writer.load(matrix, at), two)
        f.barrier()
        loop.next = writer.multiply(loop.values, one, two, is_turned=(True, False))
        f.barrier()
    writer.put(writer.load(triangle, writer.part((TILE, TILE), (0, 0), TILE)), one)
    writer.put(loop.results, two)
    f.barrier()
    made = writer.multiply(zeros, one, two, is_turned=(is_turned, False))
    f.barrier()
    writer.put(made, two)
    with f.loop(first, m, TILE) as loop:
        put_vectors(loop.index)
        f.barrier()
        at = writer.part((m, columns), (loop.index, start), pitch)
        rest = writer.load(matrix, at)
        rest = writer.multiply(rest, one, two, is_turned=(False, False), sign=-1)
        writer.store(rest, matrix, at)
        f.barrier()


def _places(problem: Problem, writer: TileWriter, item: Value, step: Value) -> tuple[str, str]:
    """Returns where the vectors and the triangle of a panel are."""
    f = writer.f
    work = f.pointer("%m0", work_begin(problem), dtypes.int8)
    triangles = f.pointer("%m0", WORDS_BYTES, dtypes.int8)
    number = f.add(f.mul(item, panels_of(problem)), step)
    vectors = writer.pointer(work, f.mul(item, problem.m * problem.n))
    return vectors, writer.pointer(triangles, f.mul(number, SQUARE))


def _apply(problem: Problem, target: Target) -> Kernel:
    """A block for each 32 columns to the right of a panel."""
    writer = TileWriter([Argument(16, is_written=True)], target, problem.dtype)
    f, n = writer.f, problem.n
    tile, item = f.divide(f.block_number(), problem.batch)
    step = read_step(writer, "%m0", 1)
    first = f.mul(step, TILE)
    start = f.add(first, f.mul(f.add(tile, 1), TILE))
    vectors, triangle = _places(problem, writer, item, step)
    with f.when(f.compare("lt", start, n)):
        places = vectors, triangle, vectors
        _reflect(problem, writer, places, (n, n), (first, start), is_turned=True)
    leave_step(writer, "%m0", 0, f.add(step, 1))
    return f


def _gather(problem: Qr, target: Target, word: int) -> Kernel:
    """A block for each 32 columns of the first factor that a panel changes."""
    size = problem.dtype.itemsize
    arguments = [Argument(16, is_written=True), Argument(size, is_written=True)]
    writer = TileWriter(arguments, target, problem.dtype)
    f, inner = writer.f, problem.inner
    tile, item = f.divide(f.block_number(), problem.batch)
    step = read_step(writer, "%m0", word)
    first = f.mul(step, TILE)
    start = f.add(first, f.mul(tile, TILE))
    vectors, triangle = _places(problem, writer, item, step)
    matrix = writer.pointer("%m1", f.mul(item, problem.m * inner))
    places = vectors, triangle, matrix
    _reflect(problem, writer, places, (inner, inner), (first, start), is_turned=False)
    leave_step(writer, "%m0", 1 - word, f.sub(step, 1))
    return f
