"""The greatest elements along an axis, as a problem."""

from __future__ import annotations

from oakum.dtypes import DType
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """Finds the `count` greatest elements along an axis, with their places.

    `before` and `after` are the sizes of what lies before and after the axis.
    """

    before: int
    length: int
    after: int
    count: int
    dtype: DType

    operands = 1
    results = 2

    @property
    def size(self) -> int:
        """The number of elements that are found."""
        return self.before * self.count * self.after

    @property
    def lines(self) -> int:
        """The number of lines along the axis."""
        return self.before * self.after

    @property
    def steps(self) -> float:
        """The number of comparisons."""
        return float(self.lines * self.length)

    def __str__(self) -> str:
        shape = f"{self.before}x{self.length}x{self.after}"
        return f"{self.count} greatest along the second of {shape} of {self.dtype}"
