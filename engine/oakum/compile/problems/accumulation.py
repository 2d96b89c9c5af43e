"""Running reductions, as problems: each element is combined with all before it along an axis."""

from __future__ import annotations

from oakum.dtypes import DType
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Accumulation:
    """The running reduction of an array along an axis.

    `before` and `after` are the sizes of what lies before and after the axis.
    """

    before: int
    length: int
    after: int
    dtype: DType
    monoid: str
    reverse: bool

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.before * self.length * self.after

    def __str__(self) -> str:
        shape = f"{self.before}x{self.length}x{self.after}"
        return f"running {self.monoid} along the second of {shape} of {self.dtype}"
