"""Fourier transforms along the last axis, as problems."""

from __future__ import annotations

import math

from oakum.dtypes import DType
from oakum.lax.options import FftType
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Fourier:
    """Transforms along the last axis; `dtype` is that of the parts of complex numbers."""

    batch: int
    length: int
    dtype: DType
    type: FftType

    operands = 1
    results = 1

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.batch * self.length

    @property
    def steps(self) -> float:
        """The number of multiplications."""
        return 2.0 * self.size * math.log2(self.length)

    @property
    def is_inverse(self) -> bool:
        """Whether the transform is an inverse one: conjugate roots, and divided by the length."""
        return self.type in (FftType.IFFT, FftType.IRFFT)

    def __str__(self) -> str:
        return f"{self.type.name} of {self.batch} x {self.length} of {self.dtype}"
