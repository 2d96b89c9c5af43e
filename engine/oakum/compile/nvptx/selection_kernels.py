"""The greatest elements along an axis as a kernel: a thread for each element counts those that come
before it, and stores the element where that is, if it is one of the first.

Elements are compared as integers of the same order: floats by their bits, so that -0 is less than
0, and NaN greater than all numbers. Of equal ones the first comes first.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.loops.operations import NATIVE
from oakum.compile.native.target import Target
from oakum.compile.nvptx.gpu_kernel import Argument, Kernel
from oakum.compile.problems.problem import Selection
from oakum.dtypes import DType, Kind

_LONGEST: Final = 4096
"""The longest line: the comparisons are as many as its square. By judgement, not measured."""

_THREADS: Final = 256

_SOURCE, _VALUES, _PLACES = "%m0", "%m1", "%m2"


def takes(problem: Selection) -> bool:
    """Returns whether lines are short enough."""
    return problem.dtype in NATIVE and problem.length <= _LONGEST


def write(problem: Selection, target: Target) -> tuple[Kernel, int]:
    """Returns the kernel, of a source, the values and their places, and its blocks."""
    size = problem.dtype.itemsize
    arguments = [
        Argument(size, is_written=False),
        Argument(size, is_written=True),
        Argument(dtypes.int32.itemsize, is_written=True),
    ]
    f = Kernel(arguments, target, _THREADS)
    total = problem.lines * problem.length
    number = f.number()
    kind = _kind(problem.dtype)
    with f.when(f.below(number, total)):
        rest, after = f.divide(number, problem.after)
        before, own = f.divide(rest, problem.length)
        line = f.add_index(f.mul_index(before, problem.length * problem.after), after)

        def load(place: Value) -> Value:
            return f.load(_SOURCE, f.add_index(line, f.mul_index(place, problem.after)), kind)

        value = load(own)
        key = _key(f, problem, value)
        with f.loop(0, problem.length, 1, [constant(0, dtypes.int64)]) as loop:
            other = _key(f, problem, load(loop.index))
            equal = f.bit_and(f.compare("eq", other, key), f.compare("lt", loop.index, own))
            comes_before = f.bit_or(f.compare("gt", other, key), equal)
            loop.next = [f.add(loop.values[0], f.cast("zext", comes_before, dtypes.int64))]
        (rank,) = loop.results
        with f.when(f.below(rank, problem.count)):
            first = f.add_index(f.mul_index(before, problem.count * problem.after), after)
            at: Index = f.add_index(first, f.mul_index(rank, problem.after))
            f.store(value, _VALUES, at)
            f.store(f.cast("trunc", own, dtypes.int32), _PLACES, at)
    return f, max(-(-total // _THREADS), 1)


def _kind(dtype: DType) -> DType:
    """Returns the integers that elements are compared as."""
    unsigned = dtype.kind in (Kind.UINT, Kind.BOOL)
    return dtypes.DTYPES[f"{'uint' if unsigned else 'int'}{8 * dtype.itemsize}"]


def _key(f: Kernel, problem: Selection, x: Value) -> Value:
    """Returns an element as an integer of the same order."""
    if not is_float(problem.dtype):
        return x
    bits = 8 * x.dtype.itemsize
    # What is negative is turned around, but for its sign.
    turned = f.bit_and(f.shift_right(x, bits - 1), (1 << (bits - 1)) - 1)
    return f.bit_xor(x, turned)
