"""The options and traces in force where a function is called, as one object compared by identity.

Native code that was made for one situation may run where the same object is current, in the same
generation. So a call reads one context variable and one number, whatever options there are, and is
right in threads, in tasks and in copied contexts.

Invariants:
- Blocks that set the same options give the same situation, as long as not too many are known.
- `Situation.evaluates` is false wherever operations are traced, or named axes are in force.
- Setting an option of the process begins a new generation.
- Importing this module imports only the standard library.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final


class Situation:
    """The options that blocks have set here, and whether operations are evaluated."""

    __slots__ = ("_following", "evaluates", "options", "other")

    def __init__(self, options: dict[object, object], other: Situation | None = None) -> None:
        self.options = options
        """The values that blocks have set, by option."""
        self.evaluates = other is None
        self.other: Situation = Situation(options, self) if other is None else other
        """The situation with the same options where operations are traced if they are evaluated
        here, and evaluated if they are traced here.
        """
        self._following: dict[tuple[object, ...], Situation] = {}

    def with_option(self, option: object, value: object, unset: object) -> Situation:
        """Returns the situation where a block sets an option; with the value `unset`, none does."""
        step = (option, type(value), value)
        try:
            found = self._following.get(step)
        except TypeError:  # A value without a hash is never the same.
            return self._like(Situation({**self.options, option: value}))
        if found is None:
            options = {key: each for key, each in self.options.items() if key is not option}
            if value is not unset:
                options[option] = value
            if len(self._following) >= _MOST:
                self._following.clear()
            found = self._following[step] = self._known(options)
        return found

    def _known(self, options: dict[object, object]) -> Situation:
        """Returns the situation of these options; values that are equal and of one type are the
        same.
        """
        key = frozenset((option, type(value), value) for option, value in options.items())
        if len(_situations) >= _MOST:
            _situations.clear()
            _situations[frozenset()] = PLAIN
        found = _situations.get(key)
        if found is None:
            found = _situations.setdefault(key, Situation(options))
        return self._like(found)

    def _like(self, evaluating: Situation) -> Situation:
        """Returns a situation where operations are evaluated, or its other one where they are
        traced here.
        """
        return evaluating if self.evaluates else evaluating.other


_MOST: Final = 256

PLAIN: Final = Situation({})
"""No block is in force."""

_situations: Final[dict[frozenset[object], Situation]] = {frozenset(): PLAIN}

CURRENT: Final[ContextVar[Situation]] = ContextVar("oakum_situation", default=PLAIN)

generation: int = 0
"""The number of times that something of the process was set."""

_renewing: Final = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_renewing.acquire,
        after_in_parent=_renewing.release,
        after_in_child=_renewing.release,
    )
_followers: Final[list[Callable[[int], None]]] = []


def set_option(option: object, value: object, unset: object) -> None:
    """Notes that a block sets an option in this context; `unset` is the value when it has ended."""
    CURRENT.set(CURRENT.get().with_option(option, value, unset))


def renew() -> None:
    """Begins a generation: native code that was made before is not run any more."""
    global generation
    with _renewing:
        generation += 1
        for follow in _followers:
            follow(generation)


def follow(follower: Callable[[int], None]) -> None:
    """Has a function called with the number of each generation that begins."""
    _followers.append(follower)
    follower(generation)
