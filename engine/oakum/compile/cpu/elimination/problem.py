"""What is to be factored or solved: sizes, dtypes, and what it costs.

Each problem has items that do not depend on each other, which threads can share.
"""

from __future__ import annotations

import math
from typing import Final

from oakum import dtypes
from oakum.compile.cpu.elimination.panels import panels_of
from oakum.compile.loops.elements import shape_of
from oakum.compile.native import target
from oakum.dtypes import DType
from oakum.primitives.rules.lowering import Kernel
from oakum.tracing.ir import Equation
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class _Matrices:
    """Matrices of `m` rows and `n` columns."""

    batch: int
    m: int
    n: int
    dtype: DType

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.batch * self.m * self.n

    @property
    def items(self) -> int:
        """The number of items."""
        return self.batch

    @property
    def steps(self) -> float:
        """How many multiplications there are."""
        return self.batch * self.m * self.n * min(self.m, self.n) / 3

    @property
    def cost_ns(self) -> float:
        """The estimated time on one thread."""
        return self.steps * _STEP_NS + self.size * _ELEMENT_NS + self.batch * self.n * _COLUMN_NS


@dataclass(frozen=True, slots=True)
class Lu(_Matrices):
    """LU factors with partial pivoting; gives factors, pivots, and the order of rows."""

    operands = 1
    results = 3

    def __str__(self) -> str:
        return f"LU factors of {self.batch} x {self.m} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Cholesky(_Matrices):
    """Lower Cholesky factors of what the lower triangles say."""

    operands = 1
    results = 1

    def __str__(self) -> str:
        return f"Cholesky factors of {self.batch} x {self.n} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Triangular(_Matrices):
    """Triangular systems, of which `m` x `n` are the right-hand sides."""

    left: bool
    lower: bool
    """Whether the matrix, as it lies in memory, is the lower one."""
    transposed: bool
    unit: bool

    operands = 2
    results = 1

    @property
    def order(self) -> int:
        """The rows of the matrix."""
        return self.m if self.left else self.n

    @property
    def sides(self) -> int:
        """The number of right-hand sides."""
        return self.n if self.left else self.m

    @property
    def items(self) -> int:
        """The number of items: panels of right-hand sides."""
        return self.batch * panels_of(self.sides, self.dtype, target.host())

    @property
    def steps(self) -> float:
        """How many multiplications there are."""
        return self.batch * self.order**2 * self.sides / 2

    def __str__(self) -> str:
        sides = f"{self.batch} x {self.m} x {self.n}"
        return f"triangular systems of order {self.order} for {sides} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Tridiagonal(_Matrices):
    """Tridiagonal systems, of which `m` x `n` are the right-hand sides."""

    operands = 4
    results = 1

    @property
    def steps(self) -> float:
        """How many multiplications there are."""
        return self.batch * self.m * (3.0 * self.n + 20)

    def __str__(self) -> str:
        return f"tridiagonal systems for {self.batch} x {self.m} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Qr(_Matrices):
    """QR factors; the first has `inner` columns, the second so many rows."""

    inner: int

    operands = 1
    results = 2

    @property
    def steps(self) -> float:
        """How many multiplications there are."""
        return 2.0 * self.batch * self.m * min(self.m, self.n) * (self.n + self.inner)

    def __str__(self) -> str:
        return f"QR factors of {self.batch} x {self.m} x {self.n} of {self.dtype}"


Problem = Lu | Cholesky | Triangular | Tridiagonal | Qr


_STEP_NS: Final = 0.04
_ELEMENT_NS: Final = 2.0
_COLUMN_NS: Final = 10.0


_MOST_OF_QR: Final = 160**3
"""The size of larger matrices, above which the host's blocks are faster."""

_NAMES: Final = ("lu", "cholesky", "triangular_solve", "tridiagonal_solve", "qr")


def problem_of(eqn: Equation) -> Problem | None:
    """What an equation asks for; None where there is no native code for it."""
    lower = eqn.primitive.lower
    if not isinstance(lower, Kernel) or lower.name not in _NAMES:
        return None
    last = eqn.inputs[-1].aval
    if last.dtype not in (dtypes.float32, dtypes.float64):
        return None
    *batch, m, n = shape_of(last)
    if 0 in (m, n):
        return None
    sizes = math.prod(batch), m, n, last.dtype
    if lower.name == "lu":
        return Lu(*sizes)
    if lower.name == "cholesky":
        return Cholesky(*sizes)
    params = eqn.params
    if lower.name == "qr":
        if params["pivoting"] or m * n * min(m, n) > _MOST_OF_QR:
            return None
        return Qr(*sizes, m if params["full_matrices"] else min(m, n))
    if lower.name == "tridiagonal_solve":
        return None if params["perturb_singular"] else Tridiagonal(*sizes)
    return Triangular(
        *sizes,
        params["left_side"],
        params["lower"],
        params["transpose_a"],
        params["unit_diagonal"],
    )
