"""Running reductions as kernels: a block for each line of contiguous elements, else a thread for
each line.

A few long lines are done in chunks. The first kernel puts the total of each chunk where its last
result belongs, the second makes these totals running ones, and the third does the elements of each
chunk from what is before it. So no other memory is needed, and the elements are read twice.
"""

from __future__ import annotations

from typing import Final, Literal

from oakum import dtypes
from oakum.compile.llvm.instructions import is_small
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.loops import operations
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Argument, Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.problems.problem import Accumulation
from oakum.values.records import dataclass

_THREADS: Final = 128
"""The threads of a block whose threads do not meet."""

_MOST: Final = 256
"""The threads that share a line: each adds up the totals of all warps before it."""


_FEW: Final = 264
"""With fewer lines than two for each multiprocessor of an H100, long ones are done in chunks."""

_CHUNK: Final = 8192
"""The least elements of a chunk, 32 for each thread of a block: three launches take longer than a
block takes for the same number of elements.
"""

_CHUNKS: Final = 1024
"""The chunks of a line at most: one block makes their totals running ones."""

_APART: Final = 128
"""The elements that a thread adds up apart from what is before them, where it adds floats: one
after another, 30,000 had an error of 5e-6, and have 5e-7 so (`loops/summation` has the reason).
"""

_WIDTH: Final = 4
"""The elements side by side that a thread adds up before it meets others: 16 bytes of float32."""


def write(
    problem: Accumulation, target: Target, alignment: int
) -> list[tuple[Kernel, int, Operands]]:
    """Returns the kernels of a running reduction, each with its blocks and its operands, whose
    addresses are multiples of so many bytes.
    """
    if problem.after > 1 or problem.length < WARP:
        return [_with(_BOTH, _by_threads(problem, target))]
    lines = Lines(problem, target, alignment)
    if problem.before < _FEW and problem.length > 2 * _CHUNK:
        return _in_chunks(lines)
    return [_with(_BOTH, _by_blocks(lines, problem.length))]


@dataclass(frozen=True, slots=True)
class Lines:
    """A running reduction along lines of contiguous elements."""

    problem: Accumulation
    target: Target
    alignment: int
    """The bytes that the addresses of both operands are multiples of."""

    @property
    def width(self) -> int:
        """The elements side by side of a thread, where all lines begin at their alignment."""
        problem = self.problem
        nbytes = min(_WIDTH * problem.dtype.itemsize, ACCESS)
        is_wide = problem.length >= _WIDTH * WARP and problem.length % _WIDTH == 0
        return _WIDTH if is_wide and self.alignment >= nbytes else 1

    def kernel(self, threads: int) -> Kernel:
        """Begins a kernel of both operands."""
        written = False, True
        return Kernel([Argument(self.alignment, each) for each in written], self.target, threads)


Operands = tuple[Literal["source", "result"], ...]

_BOTH: Final[Operands] = ("source", "result")


def _with(operands: Operands, made: tuple[Kernel, int]) -> tuple[Kernel, int, Operands]:
    return made[0], made[1], operands


def _arguments(problem: Accumulation) -> list[Argument]:
    alignment = problem.dtype.itemsize
    return [Argument(alignment, is_written=False), Argument(alignment, is_written=True)]


def _wide(problem: Accumulation) -> dtypes.DType:
    return dtypes.float32 if is_small(problem.dtype) else problem.dtype


def _start(problem: Accumulation) -> Value:
    wide = _wide(problem)
    return constant(operations.identity(problem.monoid, wide), wide)


def _turned(f: Kernel, problem: Accumulation, place: Value) -> Value:
    """Returns where the element of a place in the order of the reduction lies in its line."""
    return f.sub(problem.length - 1, place) if problem.reverse else place


def _by_threads(problem: Accumulation, target: Target) -> tuple[Kernel, int]:
    f = Kernel(_arguments(problem), target, _THREADS)
    lines = problem.before * problem.after
    number = f.number()
    with f.when(f.below(number, lines)):
        before, after = f.divide(number, problem.after)
        first = f.add_index(f.mul_index(before, problem.length * problem.after), after)
        is_sum = problem.monoid == "add" and is_float(_wide(problem))
        if is_sum and problem.length > _APART:
            with f.loop(0, problem.length, _APART, [_start(problem)]) as loop:
                end = f.minimum(f.add(loop.index, _APART), f.index(problem.length))
                total = _along(f, problem, first, (loop.index, end), loop.values[0])
                loop.next = [operations.combine(f, problem.monoid, loop.values[0], total)]
        else:
            _along(f, problem, first, (0, problem.length), None)
    return f, max(-(-lines // _THREADS), 1)


def _along(
    f: Kernel, problem: Accumulation, first: Index, span: tuple[Index, Index], before: Value | None
) -> Value:
    """Writes one thread's elements of a line one after another, and returns their total; `before`
    is combined with what is stored, and not with this total.
    """
    with f.loop(*span, 1, [_start(problem)]) as loop:
        place = _turned(f, problem, loop.index)
        at = f.add_index(first, f.mul_index(place, problem.after))
        x = operations.convert(f, f.load("%m0", at, problem.dtype), _wide(problem))
        total = operations.combine(f, problem.monoid, loop.values[0], x)
        stored = total
        if before is not None:
            stored = operations.combine(f, problem.monoid, before, total)
        f.store(operations.convert(f, stored, problem.dtype), "%m1", at)
        loop.next = [total]
    return loop.results[0]


def _threads_of(length: int) -> int:
    return min(_MOST, max(WARP, 1 << (length - 1).bit_length()))


def _by_blocks(lines: Lines, chunk: int) -> tuple[Kernel, int]:
    """A block goes over its line, or a chunk of it, by some elements for each of its threads, and
    carries the total. Chunks find the total before them in the result, and leave their last result
    as it is.
    """
    problem, width = lines.problem, lines.width
    threads, length = _threads_of(-(-chunk // width)), problem.length
    chunks = -(-length // chunk)
    f = lines.kernel(threads)
    line, number = f.divide(f.block_number(), chunks)
    base, start = f.mul(line, length), f.mul(number, chunk)

    total = _start(problem)
    if chunks > 1:
        is_first = f.compare("eq", number, 0)
        known = f.select(is_first, constant(chunk - 1, dtypes.int64), f.sub(start, 1))
        before = f.load("%m1", f.add(base, _turned(f, problem, known)), problem.dtype)
        total = f.select(is_first, total, operations.convert(f, before, total.dtype))
    with f.loop(0, min(chunk, length), threads * width, [total]) as loop:
        place = f.add(f.add(start, loop.index), f.mul(f.thread(), width))
        inside = f.below(place, length)
        first = f.select(inside, place, length - width)
        here = [f.add(base, _turned(f, problem, f.add(first, n))) for n in range(width)]
        sums: list[Value] = []
        for at in here:
            x = operations.convert(f, f.load("%m0", at, problem.dtype), total.dtype)
            x = f.select(inside, x, _start(problem))
            sums.append(operations.combine(f, problem.monoid, sums[-1], x) if sums else x)
        before, after = _scan_block(f, problem, sums[-1], loop.values[0])
        results = [operations.combine(f, problem.monoid, before, x) for x in sums]
        stored = [operations.convert(f, x, problem.dtype) for x in results]
        known = inside
        if chunks > 1:
            end = f.add(place, width)
            is_last = f.compare("eq", end, f.add(start, chunk))
            is_known = f.bit_and(is_last, f.below(end, length))
            known = f.bit_and(inside, f.compare("eq", is_known, False))
        for condition, several in ((inside, slice(width - 1)), (known, slice(width - 1, width))):
            with f.when(condition):
                for x, at in zip(stored[several], here[several], strict=True):
                    f.store(x, "%m1", at)
        loop.next = [after]
    return f, problem.before * chunks


def _in_chunks(lines: Lines) -> list[tuple[Kernel, int, Operands]]:
    problem, target = lines.problem, lines.target
    chunk = max(_CHUNK, 1 << (-(-problem.length // _CHUNKS) - 1).bit_length())
    return [
        _with(_BOTH, _totals(problem, target, chunk)),
        _with(("result",), _running_totals(problem, target, chunk)),
        _with(_BOTH, _by_blocks(lines, chunk)),
    ]


def _totals(problem: Accumulation, target: Target, chunk: int) -> tuple[Kernel, int]:
    """A block for each chunk but the last of a line."""
    f = Kernel(_arguments(problem), target, _MOST)
    length, chunks = problem.length, -(-problem.length // chunk) - 1
    line, number = f.divide(f.block_number(), chunks)
    base, start = f.mul(line, length), f.mul(number, chunk)

    with f.loop(0, chunk, _MOST, [_start(problem)]) as loop:
        place = f.add(f.add(start, loop.index), f.thread())
        x = operations.convert(
            f, f.load("%m0", f.add(base, _turned(f, problem, place)), problem.dtype), _wide(problem)
        )
        loop.next = [operations.combine(f, problem.monoid, loop.values[0], x)]
    total = f.combine_block(problem.monoid, loop.results[0])
    with f.when(f.compare("eq", f.thread(), 0)):
        there = f.add(base, _turned(f, problem, f.add(start, chunk - 1)))
        f.store(operations.convert(f, total, problem.dtype), "%m1", there)
    return f, problem.before * chunks


def _running_totals(problem: Accumulation, target: Target, chunk: int) -> tuple[Kernel, int]:
    """A block for each line goes over the last results of its chunks."""
    length, count = problem.length, -(-problem.length // chunk) - 1
    threads = _threads_of(count)
    f = Kernel([Argument(problem.dtype.itemsize, is_written=True)], target, threads)
    base = f.mul(f.block_number(), length)
    with f.loop(0, count, threads, [_start(problem)]) as loop:
        number = f.add(loop.index, f.thread())
        inside = f.below(number, count)
        place = f.sub(f.mul(f.add(f.select(inside, number, count - 1), 1), chunk), 1)
        at = f.add(base, _turned(f, problem, place))
        x = operations.convert(f, f.load("%m0", at, problem.dtype), _wide(problem))
        x = f.select(inside, x, _start(problem))
        before, after = _scan_block(f, problem, x, loop.values[0])
        result = operations.combine(f, problem.monoid, before, x)
        with f.when(inside):
            f.store(operations.convert(f, result, problem.dtype), "%m0", at)
        loop.next = [after]
    return f, problem.before


def _scan_block(f: Kernel, problem: Accumulation, x: Value, carried: Value) -> tuple[Value, Value]:
    """Returns what the threads before each one have, combined behind what is carried, and the total
    of all.
    """
    monoid = problem.monoid
    warp, lane = f.divide(f.thread(), WARP)
    room = f.shared_memory(f.threads // WARP * x.dtype.itemsize)
    x = _scan_warp(f, monoid, x, lane)
    with f.when(f.compare("eq", lane, WARP - 1)):
        f.store(x, room, warp)
    f.barrier()
    total = carried
    for number in range(f.threads // WARP):
        part = f.load(room, number, x.dtype)
        before = f.compare("gt", warp, number)
        carried = f.select(before, operations.combine(f, monoid, carried, part), carried)
        total = operations.combine(f, monoid, total, part)
    f.barrier()  # All have read what the next iteration overwrites.
    before = f.select(f.compare("eq", lane, 0), _start(problem), f.exchange("up", x, 1))
    return operations.combine(f, monoid, carried, before), total


def _scan_warp(f: Kernel, monoid: str, x: Value, lane: Value) -> Value:
    """Returns what the lanes up to each one have, combined."""
    distance = 1
    while distance < WARP:
        before = operations.combine(f, monoid, f.exchange("up", x, distance), x)
        x = f.select(f.compare("ge", lane, distance), before, x)
        distance *= 2
    return x
