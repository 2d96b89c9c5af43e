"""What becomes of what a check finds: it is raised, or noted while the program goes on.

A program that is run by `oakum run` goes on: all that its checks find is reported at its end.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator

_note: Callable[[Exception], None] | None = None
"""What notes a found error; None where errors are raised."""


def note_by(note: Callable[[Exception], None]) -> None:
    """Has errors of checks noted from now on, and not raised."""
    global _note
    _note = note


def are_noted() -> bool:
    """Whether errors of checks are noted."""
    return _note is not None


def settle(error: Exception) -> None:
    """Raises what a check has found, or notes it: the caller goes on then as without the check."""
    if _note is None:
        raise error
    _note(error)


@contextlib.contextmanager
def noted(note: Callable[[Exception], None]) -> Generator[None]:
    """Has errors of checks noted in a block."""
    global _note
    before, _note = _note, note
    try:
        yield
    finally:
        _note = before


@contextlib.contextmanager
def raised() -> Generator[None]:
    """Has errors of checks raised in a block."""
    global _note
    before, _note = _note, None
    try:
        yield
    finally:
        _note = before
