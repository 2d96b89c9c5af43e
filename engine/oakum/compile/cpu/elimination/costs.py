"""Which factorizations and systems have code, and what they cost."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.problems.elimination import Elimination, Permutation, Qr, Reflections


def takes(problem: Elimination) -> bool:
    """Returns whether there is code for a problem."""
    if isinstance(problem, Permutation):
        return True
    if isinstance(problem, Qr) and problem.pivoting:
        return False
    if isinstance(problem, Qr | Reflections):
        size = problem.m * problem.n * min(problem.m, problem.n)
        if size > _MOST_OF_QR:
            return False
    return problem.dtype in (dtypes.float32, dtypes.float64)


def cost_ns(problem: Elimination) -> float:
    """Returns the estimated time on one thread."""
    columns = problem.batch * problem.n * _COLUMN_NS
    return problem.steps * _STEP_NS + problem.size * _ELEMENT_NS + columns


_STEP_NS: Final = 0.04
"""The time of one multiplication. With the two below it estimates 31 us for LU of order 96 (18
measured), 31 for Cholesky (14), 37 for a triangular system (10), 161 for QR (192).
"""

_ELEMENT_NS: Final = 2.0
"""The time to copy one element in and out."""

_COLUMN_NS: Final = 10.0
"""The time of the division and the search that each column takes."""

_MOST_OF_QR: Final = 160**3
"""The largest size m * n * min(m, n) with code. Measured: 190 x 190 takes 1.00 ms in NumPy and 1.06
ms in code, 140 x 140 0.51 ms and 0.47 ms (one thread each).
"""
