"""Positions that are known at run time only, as lowering rules compute them with a builder.

The registers are those of the builder that the rules receive (`oakum.primitives.rules.lowering`).
"""

from __future__ import annotations

from typing import Final

from oakum.dtypes import DType, bool_, int64, uint64
from oakum.primitives.rules.lowering import Builder

_GREATEST: Final = 2**63 - 1


def position(builder: Builder, index: int, dtype: DType) -> int:
    """Returns an integer of any dtype as one of 64 bits with a sign, the greatest for what is
    greater.
    """
    if dtype is uint64:
        greatest = builder.constant(_GREATEST, uint64)
        index = builder.operation("min", uint64, index, greatest)
    return index if dtype is int64 else builder.operation("convert_element_type", int64, index)


def moved_inside(builder: Builder, at: int, room: int) -> int:
    """Returns the position between 0 and `room` that is nearest."""
    raised = builder.operation("max", int64, at, builder.constant(0, int64))
    return builder.operation("min", int64, raised, builder.constant(room, int64))


def inside(builder: Builder, at: int, room: int) -> int:
    """Whether a position is between 0 and `room`."""
    low = builder.operation("ge", bool_, at, builder.constant(0, int64))
    high = builder.operation("le", bool_, at, builder.constant(room, int64))
    return builder.operation("and", bool_, low, high)
