"""Which problems have kernels, what scratch memory these take, and the kernels themselves."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Launch
from oakum.compile.nvptx.solvers import (
    cholesky,
    fourier,
    lu,
    permutation,
    qr,
    selection,
    triangular,
    tridiagonal,
)
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

_REAL: Final = (dtypes.float32, dtypes.float64)
_COMPLEX: Final = (dtypes.complex64, dtypes.complex128)


def takes(problem: Solved) -> bool:
    """Returns whether there are kernels for a problem."""
    match problem:
        case Selection():
            return selection.takes(problem)
        case Lu() | Qr() | Reflections() | Tridiagonal():
            return problem.dtype in (*_REAL, *_COMPLEX)
        case Cholesky() | Triangular():
            return problem.dtype in _REAL
        case Fourier():
            return fourier.takes(problem)
        case Permutation():
            return True


def scratch_bytes(problem: Solved) -> int:
    """Returns the bytes of scratch memory that the kernels of a problem take."""
    match problem:
        case Selection():
            return selection.scratch_bytes(problem)
        case Cholesky():
            return cholesky.scratch_bytes(problem)
        case Lu():
            return lu.scratch_bytes(problem)
        case Qr() | Reflections():
            return qr.scratch_bytes(problem)
        case Tridiagonal():
            return tridiagonal.scratch_bytes(problem)
        case Triangular() | Fourier() | Permutation():
            return 0


def launches(problem: Solved, target: Target) -> list[Launch]:
    """Returns the kernels of a problem that is taken, in order."""
    match problem:
        case Selection():
            return selection.launches(problem, target)
        case Cholesky():
            return cholesky.launches(problem, target)
        case Lu():
            return lu.launches(problem, target)
        case Qr() | Reflections():
            return qr.launches(problem, target)
        case Triangular():
            return triangular.launches(problem, target)
        case Fourier():
            return fourier.launches(problem, target)
        case Tridiagonal():
            return tridiagonal.launches(problem, target)
        case Permutation():
            return permutation.launches(problem, target)
