"""Integers that the user passes: sizes, axes and counts, whatever type of integer they have.

Invariants:
- No array has a negative size, whatever function the size was given to.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from oakum.errors import OakumError, ShapeError
from oakum.values.records import dataclass


def index(value: Any, what: str = "a size, an axis or a count") -> int:
    """Returns the integer that a value is; an error for anything else, a tracer's own for a tracer.

    >>> index(True), index(3)
    (1, 3)
    """
    try:
        return operator.index(value)
    except OakumError:
        raise
    except TypeError:
        raise ShapeError(
            f"An integer is needed for {what}, got {value!r} of type {type(value).__name__}",
            hint="Give an integer.",
        ) from None


def described(primitive: Any, avals: Sequence[Any], params: dict[str, Any]) -> Any:
    """Returns the aval or avals of a result; an error where a size that was asked for is
    negative.
    """
    found: Any = primitive.abstract(*avals, **params)
    for aval in found if primitive.multiple_results else (found,):
        if any(isinstance(size, int) and size < 0 for size in aval.shape or ()):
            raise ShapeError(
                f"{primitive.name} would make an array with a negative size: {aval.shape}",
                hint="Give sizes from zero on.",
            )
    return found


@dataclass(frozen=True, slots=True)
class Slice:
    """The elements `start`, `start + stride`, ... of an axis, `size` of them.

    The start may be traced, the size may not.
    """

    start: Any
    size: int
    stride: int = 1

    def __post_init__(self) -> None:
        if self.stride < 0:
            raise ValueError(f"`stride` must be >= 0, and is {self.stride}")
