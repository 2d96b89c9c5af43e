"""Permutations of rows: swaps in turn."""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.llvm import row_swaps
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.problems.elimination import Permutation


def write(f: Function, problem: Permutation) -> None:
    """Writes the items: permutations."""
    places, counts = ("%given0", "%given1"), (problem.m, problem.n)
    with f.loop(Value("%begin", dtypes.int64), Value("%end", dtypes.int64)) as loop:
        row_swaps.write(f, places, counts, problem.dtype, loop.index)
