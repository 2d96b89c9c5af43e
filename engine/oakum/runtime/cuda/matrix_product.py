"""Products of matrices as libraries know them: each operand lies in rows, or is turned."""

from __future__ import annotations

from oakum.dtypes import DType
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix of each item of a batch."""

    dtype: DType
    pitch: int
    """The elements from one row to the next, or from one column where it is turned."""
    stride: int
    """The elements from one item to the next."""
    first: int = 0
    """The first element."""
    is_turned: bool = False
    """Whether columns, rather than rows, lie side by side in memory."""


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """`m` rows of `k` elements times `n` columns, for each item of a batch."""

    batch: int
    m: int
    n: int
    k: int
    lhs: Matrix
    rhs: Matrix
    result: Matrix
    accumulator: DType
    is_rough: bool = False
    """Whether operands of float32 may be rounded."""

    def __str__(self) -> str:
        batch = f"{self.batch} of " if self.batch > 1 else ""
        return f"{batch}{self.m} x {self.k} x {self.n} of {self.lhs.dtype}"
