"""Running reductions as kernels: a block for each line of contiguous elements, else a thread for
each line.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.instructions import is_small
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.native.target import Target
from oakum.compile.nvptx.gpu_kernel import WARP, Argument, Kernel
from oakum.compile.problems.problem import Accumulation

_THREADS: Final = 128
"""The threads of a block whose threads do not meet."""

_MOST: Final = 256
"""The threads that share a line: each adds up the totals of all warps before it."""


def write(problem: Accumulation, target: Target) -> tuple[Kernel, int]:
    """Returns the kernel of a running reduction, of a source and a result, and its blocks."""
    if problem.after > 1 or problem.length < WARP:
        return _by_threads(problem, target)
    return _by_blocks(problem, target)


def _arguments(problem: Accumulation) -> list[Argument]:
    alignment = problem.dtype.itemsize
    return [Argument(alignment, is_written=False), Argument(alignment, is_written=True)]


def _wide(problem: Accumulation) -> dtypes.DType:
    return dtypes.float32 if is_small(problem.dtype) else problem.dtype


def _start(problem: Accumulation) -> Value:
    wide = _wide(problem)
    return constant(operations.identity(problem.monoid, wide), wide)


def _by_threads(problem: Accumulation, target: Target) -> tuple[Kernel, int]:
    f = Kernel(_arguments(problem), target, _THREADS)
    lines = problem.before * problem.after
    number = f.number()
    with f.when(f.below(number, lines)):
        before, after = f.divide(number, problem.after)
        first = f.add_index(f.mul_index(before, problem.length * problem.after), after)
        with f.loop(0, problem.length, 1, [_start(problem)]) as loop:
            place = f.sub(problem.length - 1, loop.index) if problem.reverse else loop.index
            at = f.add_index(first, f.mul_index(place, problem.after))
            x = operations.convert(f, f.load("%m0", at, problem.dtype), _wide(problem))
            total = operations.combine(f, problem.monoid, loop.values[0], x)
            f.store(operations.convert(f, total, problem.dtype), "%m1", at)
            loop.next = [total]
    return f, max(-(-lines // _THREADS), 1)


def _by_blocks(problem: Accumulation, target: Target) -> tuple[Kernel, int]:
    """A block goes over its line by as many elements as it has threads, and carries the total."""
    threads = min(_MOST, max(WARP, 1 << (problem.length - 1).bit_length()))
    f = Kernel(_arguments(problem), target, threads)
    wide, monoid, length = _wide(problem), problem.monoid, problem.length
    thread = f.thread()
    warp, lane = f.divide(thread, WARP)
    first = f.mul(f.block_number(), length)
    room = f.shared_memory(threads // WARP * wide.itemsize)
    with f.loop(0, length, threads, [_start(problem)]) as loop:
        place = f.add(loop.index, thread)
        inside = f.below(place, length)
        place = f.select(inside, place, length - 1)
        at = f.add(first, f.sub(length - 1, place) if problem.reverse else place)
        x = operations.convert(f, f.load("%m0", at, problem.dtype), wide)
        x = _scan_warp(f, monoid, f.select(inside, x, _start(problem)), lane)
        with f.when(f.compare("eq", lane, WARP - 1)):
            f.store(x, room, warp)
        f.barrier()
        carried = total = loop.values[0]
        for number in range(threads // WARP):
            part = f.load(room, number, wide)
            before = f.compare("gt", warp, number)
            carried = f.select(before, operations.combine(f, monoid, carried, part), carried)
            total = operations.combine(f, monoid, total, part)
        f.barrier()  # All have read what the next iteration overwrites.
        result = operations.combine(f, monoid, carried, x)
        with f.when(inside):
            f.store(operations.convert(f, result, problem.dtype), "%m1", at)
        loop.next = [total]
    return f, problem.before


def _scan_warp(f: Kernel, monoid: str, x: Value, lane: Value) -> Value:
    """Returns what the lanes up to each one have, combined."""
    distance = 1
    while distance < WARP:
        before = operations.combine(f, monoid, f.exchange("up", x, distance), x)
        x = f.select(f.compare("ge", lane, distance), before, x)
        distance *= 2
    return x
