"""Permutations of rows as a kernel: a thread makes the swaps of one in turn."""

from __future__ import annotations

from typing import Final

from oakum.compile.llvm import row_swaps
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel, Launch
from oakum.compile.problems.elimination import Permutation

_THREADS: Final = 64
"""Threads of a block: permutations are few where they are long."""


def launches(problem: Permutation, target: Target) -> list[Launch]:
    """Returns the one kernel."""
    size = problem.dtype.itemsize
    f = Kernel([Argument(size, is_written=n == 1) for n in range(2)], target, _THREADS)
    item = f.number()
    with f.when(f.below(item, problem.batch)):
        counts = problem.m, problem.n
        row_swaps.write(f, ("%m0", "%m1"), counts, problem.dtype, item)
    return [Launch(f, -(-problem.batch // _THREADS), (0, 1))]
