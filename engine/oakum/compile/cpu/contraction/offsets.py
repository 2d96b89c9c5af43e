"""Offsets of elements, as code: from the number along the axes of a role to a place in an array."""

from __future__ import annotations

from typing import Final

from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.problems.contraction import Steps

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
