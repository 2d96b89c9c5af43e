"""Lines that have a function traced again and again: the option `check_retraces`.

Traces are counted for each line of the program and each code: wrappers of one function, and the
functions that a loop makes, count together. What is traced within a trace is part of it.

Invariants:
- Nothing here is called while the option is off.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from oakum import config
from oakum.errors import Frame, RetraceError
from oakum.transforms.jit import explain_cache_misses, signature_diff
from oakum.transforms.jit.signature_diff import Signature
from oakum.values import codes
from oakum.values.checks import check_outcomes
from oakum.values.user_frames import name_of, user_frame

_SHOWN: Final = 3
"""The most changes that an error lists."""


class _Count:
    """How often a line has had a code traced, and the function of the last time."""

    __slots__ = ("function", "number")

    def __init__(self) -> None:
        self.number = 0
        self.function: Callable[[], object] = lambda: None

    def add(self, function: Callable[..., Any]) -> bool:
        """Counts a trace; returns whether the function is another one than the last time."""
        self.number += 1
        is_new = self.function() is not function
        try:
            self.function = weakref.ref(function)
        except TypeError:
            self.function = lambda: None
        return is_new


_counts: Final[dict[object, _Count]] = {}


def forget() -> None:
    """Begins to count from nothing."""
    _counts.clear()


def note(
    function: Callable[..., Any],
    transform: str,
    key: Signature,
    names: Sequence[str],
    kept: Iterable[tuple[str, Signature]],
) -> None:
    """Counts a trace for a signature, and settles the error of one too many, once for a line.

    `names` are those of the leaves, and `kept` the signatures that have programs.
    """
    place = user_frame()
    code = explain_cache_misses.code_of(function)
    if place is None or not code:
        return
    count = _counts.setdefault((str(place), transform, code), _Count())
    is_new = count.add(function)
    if count.number != config.retrace_limit.value + 1:
        return
    earlier = [each for of, each in kept if of == transform]
    if earlier:
        nearest = min(reversed(earlier), key=lambda each: signature_diff.distance(key, each))
        found = signature_diff.differences(function, key, nearest, names)
        error = _error(function, transform, count.number, place, found)
    elif is_new:
        error = RetraceError(
            _headline(function, transform, count.number),
            detail="It is another function with the same code each time",
            code=codes.COMPILED_IN_LOOP,
            frame=place,
            hint=f"Define the function once, apply {transform} to it there, and pass what changes "
            "as an argument.",
        )
    else:  # Its programs were forgotten, as caches were cleared.
        return
    check_outcomes.settle(error)


def _error(
    function: Callable[..., Any],
    transform: str,
    number: int,
    place: Frame,
    found: Sequence[signature_diff.Change],
) -> RetraceError:
    texts = [each.text for each in found[:_SHOWN]]
    if len(found) > _SHOWN:
        texts.append(f"{len(found) - _SHOWN} changes more")
    hints = dict.fromkeys(each.hint for each in found if each.hint)
    return RetraceError(
        _headline(function, transform, number),
        detail=f"The last time {', and '.join(texts)}",
        frame=place,
        hint=next(iter(hints), None),
    )


def _headline(function: Callable[..., Any], transform: str, number: int) -> str:
    return f"`{name_of(function)}` is traced for {transform} {number} times by one line"
