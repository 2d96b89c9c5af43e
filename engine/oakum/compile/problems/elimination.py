"""Factorizations of matrices and triangular systems, as problems."""

from __future__ import annotations

from oakum.dtypes import DType
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
    def steps(self) -> float:
        """The number of multiplications."""
        return self.batch * self.m * self.n * min(self.m, self.n) / 3


@dataclass(frozen=True, slots=True)
class Lu(_Matrices):
    """LU factors with partial pivoting: factors, pivots, and the permutation of rows."""

    operands = 1
    results = 3

    def __str__(self) -> str:
        return f"LU factors of {self.batch} x {self.m} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Cholesky(_Matrices):
    """Lower Cholesky factors of matrices whose lower triangles are read."""

    operands = 1
    results = 1

    def __str__(self) -> str:
        return f"Cholesky factors of {self.batch} x {self.n} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Triangular(_Matrices):
    """Triangular systems with `m` x `n` right-hand sides."""

    left: bool
    lower: bool
    """Whether the matrix in memory is lower triangular."""
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
    def steps(self) -> float:
        """The number of multiplications."""
        return self.batch * self.order**2 * self.sides / 2

    def __str__(self) -> str:
        sides = f"{self.batch} x {self.m} x {self.n}"
        return f"triangular systems of order {self.order} for {sides} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Tridiagonal(_Matrices):
    """Tridiagonal systems with `m` x `n` right-hand sides."""

    operands = 4
    results = 1

    @property
    def steps(self) -> float:
        """The number of multiplications."""
        return self.batch * self.m * (3.0 * self.n + 20)

    def __str__(self) -> str:
        return f"tridiagonal systems for {self.batch} x {self.m} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Reflections(_Matrices):
    """Reflections that leave upper triangles: these, with the vectors below, and the factors."""

    operands = 1
    results = 2

    @property
    def steps(self) -> float:
        """The number of multiplications."""
        return 2.0 * self.batch * self.m * min(self.m, self.n) * self.n

    def __str__(self) -> str:
        return f"reflections of {self.batch} x {self.m} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Qr(_Matrices):
    """QR factors; the first has `inner` columns, the second `inner` rows. With pivoting the column
    of which most is left is next, and the order of columns is a third result.
    """

    inner: int
    pivoting: bool

    operands = 1

    @property
    def results(self) -> int:
        """The number of results."""
        return 3 if self.pivoting else 2

    @property
    def steps(self) -> float:
        """The number of multiplications."""
        return 2.0 * self.batch * self.m * min(self.m, self.n) * (self.n + self.inner)

    def __str__(self) -> str:
        return f"QR factors of {self.batch} x {self.m} x {self.n} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Permutation(_Matrices):
    """The orders of `n` rows after `m` swaps: of the first with another, of the second, ..."""

    operands = 1
    results = 1

    @property
    def size(self) -> int:
        """The number of places."""
        return self.batch * self.n

    @property
    def steps(self) -> float:
        """The number of swaps."""
        return float(self.batch * self.m)

    def __str__(self) -> str:
        return f"orders of {self.batch} x {self.n} rows after {self.m} swaps"


Elimination = Lu | Cholesky | Triangular | Tridiagonal | Reflections | Qr | Permutation
