"""What the fixes of a file ask of it again and again: found once, and forgotten when all its
findings have got their fixes.

Invariant: nothing here outlives the text that it was found in.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_FORGETTING: list[Callable[[], None]] = []


def keep(largest: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Has the last results of a function kept, so many of them."""

    def kept(function: Callable[P, T]) -> Callable[P, T]:
        found = lru_cache(maxsize=largest)(function)
        _FORGETTING.append(found.cache_clear)
        return found  # pyright: ignore[reportReturnType] what is passed on is what is hashed

    return kept


def forget_files() -> None:
    """Lets go of the files whose findings have got their fixes."""
    for forget in _FORGETTING:
        forget()
