"""Kernels for problems that no nest solves.

A problem has independent items, which threads can share; each thread has scratch memory of its own.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.cpu.elimination import (
    cholesky,
    costs,
    lu,
    permutation,
    qr,
    triangular,
    tridiagonal,
)
from oakum.compile.cpu.elimination.panels import panels_of
from oakum.compile.cpu.kernels import fft, top_k
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native import threads
from oakum.compile.native.target import Target
from oakum.compile.problems.elimination import (
    Cholesky,
    Lu,
    Permutation,
    Qr,
    Reflections,
    Triangular,
    Tridiagonal,
)
from oakum.compile.problems.problem import Fourier, Selection, Solved

_SHARE_NS: Final = 40_000.0
"""The least work (in ns) for one more thread, as for running reductions."""


def takes(problem: Solved) -> bool:
    """Returns whether there is a kernel for a problem."""
    match problem:
        case Selection():
            return top_k.takes(problem)
        case Fourier():
            return fft.takes(problem)
        case _:
            return costs.takes(problem)


def cost_ns(problem: Solved) -> float:
    """Returns the estimated time on one thread."""
    match problem:
        case Selection():
            return top_k.cost_ns(problem)
        case Fourier():
            return fft.cost_ns(problem)
        case _:
            return costs.cost_ns(problem)


def items_of(problem: Solved, target: Target) -> int:
    """Returns the number of items, which threads can share: matrices, panels, arrays or lines."""
    match problem:
        case Selection():
            return problem.lines
        case Triangular():
            return problem.batch * panels_of(problem.sides, problem.dtype, target)
        case _:
            return problem.batch


def shares_of(problem: Solved, target: Target) -> int:
    """Returns how many threads a problem is worth."""
    worth = int(cost_ns(problem) / _SHARE_NS)
    return max(min(worth, items_of(problem, target), threads.count()), 1)


def write(problem: Solved, target: Target, name: str) -> Function:
    """Writes `void name(ptr operands..., ptr results..., ptr scratch, i64 begin, i64 end)`: a range
    of the items of a problem.
    """
    count = problem.operands + problem.results
    places = [("ptr noalias", f"given{number}") for number in range(count)]
    span = [("ptr noalias", "scratch"), ("i64", "begin"), ("i64", "end")]
    f = Function(name, [*places, *span], target, internal=True)
    if not problem.size:
        return f
    match problem:
        case Lu():
            lu.write(f, problem)
        case Cholesky():
            cholesky.write(f, problem)
        case Triangular():
            triangular.write(f, problem)
        case Tridiagonal():
            tridiagonal.write(f, problem)
        case Qr() | Reflections():
            qr.write(f, problem)
        case Permutation():
            permutation.write(f, problem)
        case Selection():
            top_k.write(f, problem)
        case Fourier():
            fft.write(f, problem)
    return f


def scratch_stride(problem: Solved, target: Target) -> int:
    """Returns the bytes from one thread's scratch memory to the next."""
    match problem:
        case Lu():
            count = lu.scratch(problem, target)
        case Cholesky():
            count = cholesky.scratch(problem, target)
        case Triangular():
            count = triangular.scratch(problem, target)
        case Tridiagonal():
            count = tridiagonal.scratch(problem, target)
        case Qr() | Reflections():
            count = qr.scratch(problem, target)
        case Fourier():
            count = fft.scratch(problem, target)
        case Selection() | Permutation():
            return 64
    return -(-count * problem.dtype.itemsize // 64) * 64 + 64


def write_share(f: Function, problem: Solved, name: str) -> None:
    """Writes one chunk of the work into a function of its number and the number of chunks."""
    chunk, chunks = Value("%chunk", dtypes.int64), Value("%chunks", dtypes.int64)
    count = problem.operands + problem.results + 1
    places = [f.load_pointer("%buffers", number) for number in range(count)]
    stride = scratch_stride(problem, f.target)
    places[-1] = f.pointer(places[-1], f.mul_index(chunk, stride), dtypes.int8)
    borders = [
        f.div(f.mul(x, items_of(problem, f.target)), chunks) for x in (chunk, f.add(chunk, 1))
    ]
    arguments = [*[f"ptr {p}" for p in places], *[b.typed for b in borders]]
    f.write(f"call void @{name}({', '.join(arguments)})")
