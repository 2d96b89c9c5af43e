"""Operands as they are packed: where elements come from, and what is computed from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.problems.contraction import Contraction, Steps
from oakum.dtypes import DType
from oakum.values.records import dataclass

BLOCK: Final = 16
"""Blocks of summed places begin at multiples of this number, if there are several."""


def offset(f: Function, steps: Steps, number: Index) -> Index:
    """Returns the distance of the element of a number from the first one."""
    total: Index = 0
    for place, (extent, stride) in enumerate(reversed(steps)):
        last = place == len(steps) - 1
        digit = number if last else _divide(f, "urem", number, extent)
        number = number if last else _divide(f, "udiv", number, extent)
        total = f.add_index(total, f.mul_index(digit, stride))
    return total


def _divide(f: Function, word: str, number: Index, by: int) -> Index:
    if isinstance(number, int):
        return number % by if word == "urem" else number // by
    return f.binary(word, number, by)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where elements of an operand come from: those of lane `l` are in row (of the first operand)
    or column (of the second) `free + l * free_step`, and at `summed + l * summed_step` of the
    summed axes.
    """

    batch: Index
    free: Index
    summed: Index
    free_step: int
    summed_step: int
    mask: Value | None
    """The lanes that count; None for all."""


Producer = Callable[[Function, Value, Origin], Value]
"""Computes what is multiplied in place of an operand's elements; it may load from the extra
parameters.
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One operand, as it is packed."""

    batch: Steps
    free: Steps
    summed: Steps
    dtype: DType
    accumulator: DType
    producer: Producer | None

    @property
    def count(self) -> int:
        """The summed places."""
        return math.prod(extent for extent, _ in self.summed)

    def is_copied(self, lanes: int) -> bool:
        """Returns whether the lanes of a sliver are contiguous in the operand."""
        *outer, (extent, stride) = self.free
        return stride == 1 and (not outer or extent % lanes == 0)

    @property
    def is_turned(self) -> bool:
        """Whether vectors of summed places are contiguous; blocks begin with whole vectors."""
        *outer, (extent, stride) = self.summed
        return stride == 1 and (not outer or extent % BLOCK == 0)

    def is_regular(self, lanes: int) -> bool:
        """Returns whether a matrix is packed as it is, by code that does not depend on extents."""
        single = len(self.free) == len(self.summed) == 1
        if self.producer is not None or not single:
            return False
        # More may be read than the lanes of a sliver, which has to be there.
        return self.summed[0][1] >= BLOCK if self.is_copied(lanes) else self.is_turned


def side(contraction: Contraction, *, first: bool, producer: Producer | None) -> Side:
    """Returns the first or the second operand."""
    array = "lhs" if first else "rhs"
    return Side(
        contraction.steps("batch", array),
        contraction.steps("rows" if first else "columns", array),
        contraction.steps("summed", array),
        contraction.lhs if first else contraction.rhs,
        contraction.accumulator,
        producer,
    )
