"""What becomes of what a check finds: it is raised, or noted while the program goes on.

A program that is run by `oakum run` goes on: all that its checks find is reported at its end. The
command, the process of the program and the pytest plugin have the names of the checks, and the form
of what they find, from here. Importing this module imports the standard library and `records`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Final

from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """A check: the context manager of `oakum.config` that turns it on, None where it only hears
    what the program does; JAX may have it, too.
    """

    option: str | None
    is_of_jax: bool = True


CHECKS: Final[Mapping[str, Check]] = {
    "leaks": Check("check_tracer_leaks"),
    "keys": Check("debug_key_reuse"),
    "nans": Check("debug_nans"),
    "infs": Check("debug_infs"),
    "retraces": Check("check_retraces", is_of_jax=False),
    "impurity": Check("check_impurity", is_of_jax=False),
    "transfers": Check(None, is_of_jax=False),
}
"""The checks by their names."""
MARKER: Final = "oakum_ignore"
"""The marker of pytest that leaves checks out for a test."""


def misspelt(names: Iterable[str]) -> str:
    """Returns what is wrong with a choice of checks; "" where nothing is.

    >>> misspelt(["leaks"]), misspelt(["leak"])
    ('', 'leak: the checks are leaks, keys, nans, infs, retraces, impurity, transfers')
    """
    wrong = next((name for name in names if name not in CHECKS), None)
    return "" if wrong is None else f"{wrong}: the checks are {', '.join(CHECKS)}"


@dataclass(frozen=True, slots=True)
class Found:
    """What a check has found: an error of oakum or of JAX, at a line of the user's; line 0 is none.

    `ended` says that it has ended the program.
    """

    code: str
    name: str
    file: str
    line: int
    error: str
    message: str
    notes: Sequence[str]
    hint: str
    ended: bool = False


_note: Callable[[Exception], None] | None = None
"""What notes a found error; None where errors are raised."""
_is_unheard: Final = ContextVar("_is_unheard", default=False)


def note_by(note: Callable[[Exception], None] | None) -> None:
    """Has errors of checks noted by `note` from now on; None has them raised, as at the start."""
    global _note
    _note = note


def are_noted() -> bool:
    """Whether errors of checks are noted."""
    return _note is not None or _is_unheard.get()


def settle(error: Exception) -> None:
    """Raises what a check has found, or notes it: the caller goes on then as without the check."""
    if _is_unheard.get():
        return
    if _note is None:
        raise error
    _note(error)


@contextlib.contextmanager
def unheard() -> Generator[None]:
    """Has errors of checks in this thread be forgotten in a block."""
    token = _is_unheard.set(True)
    try:
        yield
    finally:
        _is_unheard.reset(token)


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
