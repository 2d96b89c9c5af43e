"""`Slice`: a start, which may be traced, and a size, which may not; an index of references."""

from __future__ import annotations

from typing import Any

from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Slice:
    """The elements `start`, `start + stride`, ... of an axis, `size` of them."""

    start: Any
    size: int
    stride: int = 1

    def __post_init__(self) -> None:
        if self.stride < 0:
            raise ValueError(f"`stride` must be >= 0, and is {self.stride}")
