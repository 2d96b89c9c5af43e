"""Paths to the leaves of trees, and functions as trees."""

import functools
from dataclasses import dataclass
from typing import Any

__all__ = ["DictKey", "FlattenedIndexKey", "GetAttrKey", "Partial", "SequenceKey"]


@dataclass(frozen=True)
class DictKey:
    """The step of a path into a mapping."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True)
class SequenceKey:
    """The step of a path into a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True)
class GetAttrKey:
    """The step of a path into an attribute."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True)
class FlattenedIndexKey:
    """The step of a path into a container whose children have only numbers."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


class Partial(functools.partial[Any]):
    """A function with some arguments filled in, which are the leaves of a tree.

    >>> Partial(max, 3)(2, 5)
    5
    """
