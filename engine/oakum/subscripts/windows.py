"""Slices of a static size at a start that may be traced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Slice:
    """`size` elements from `start`, `stride` apart."""

    start: Any
    size: Any
    stride: int = 1

    def __post_init__(self) -> None:
        if self.stride < 0:
            raise ValueError("`stride` must be >= 0.")


def window(start: Any, size: Any = None, stride: int | None = None) -> Any:
    """The slice of `size` elements from `start`; with one number, that many from zero.

    >>> window(4), window(None)
    (Slice(start=0, size=4, stride=1), slice(None, None, None))
    """
    if start is None:
        return slice(None)
    step = 1 if stride is None else stride
    if size is None:
        if not isinstance(start, int):
            raise ValueError("Non-static `dslice`")
        return Slice(0, start, step)
    return Slice(start, size, step)
