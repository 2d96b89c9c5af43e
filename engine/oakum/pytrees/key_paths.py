"""Paths to the leaves of trees, and functions as trees.

A path is a tuple of keys, one for each step from the root. Custom containers may have keys of
any class that can be written as text.
"""

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from oakum.values.records import dataclass

KeyEntry = Hashable
"""A step of a path: one of the keys below, or one of a container of the user's."""

KeyPath = tuple[KeyEntry, ...]


@dataclass(frozen=True, slots=True)
class DictKey:
    """The step of a path into a mapping."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True, slots=True)
class SequenceKey:
    """The step of a path into a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True, slots=True)
class GetAttrKey:
    """The step of a path into an attribute."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True, slots=True)
class FlattenedIndexKey:
    """The step of a path into a container whose children have only numbers."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"

    def __hash__(self) -> int:
        # The hash of a dataclass is that of its fields: `SequenceKey(1)` must have another one.
        return hash((FlattenedIndexKey, self.key))


def keystr(keys: Iterable[KeyEntry], *, simple: bool = False, separator: str = "") -> str:
    """Writes a path as text.

    >>> path = (DictKey("layers"), SequenceKey(0), GetAttrKey("bias"))
    >>> keystr(path), keystr(path, simple=True, separator="/")
    ("['layers'][0].bias", 'layers/0/bias')
    """
    return separator.join(map(_simple_text if simple else str, keys))


def _simple_text(key: KeyEntry) -> str:
    """Returns a key without the signs that say what kind of step it is."""
    match key:
        case DictKey(key=value) | FlattenedIndexKey(key=value):
            return str(value)
        case SequenceKey(idx=value) | GetAttrKey(name=value):
            return str(value)
        case _:
            return str(key)


class Partial(functools.partial[Any]):
    """A function with some arguments filled in, which are the leaves of a tree.

    >>> Partial(max, 3)(2, 5)
    5
    >>> Partial(functools.partial(max, 3), 4).args
    (4,)
    """

    def __new__(cls, func: Callable[..., Any], /, *args: object, **keywords: object) -> "Partial":
        """Makes a function whose leaves are exactly the arguments given here."""
        if not isinstance(func, functools.partial):
            return super().__new__(cls, func, *args, **keywords)
        # Given a partial function, `functools.partial` takes over its arguments, which would make
        # them leaves: they are part of the function.
        made: Any = super().__new__(cls, _never_called)
        made.__setstate__((func, args, keywords, None))
        return made


def _never_called() -> None:
    """Stands where a partial function is put afterwards."""
