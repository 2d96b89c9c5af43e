"""What an analysis reads of the texts that it is about: a later one need not be made again where
nothing of that has changed.

Invariants:
- What is read of a function's body is seen where the body is asked for, whoever asks: its
  statements, and the text that they stand in. So is that of a function in it, by itself.
- What is derived from a text once and kept is noted whenever it is asked for.
"""

import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from oakum_lint.syntax.module import ModuleFacts, UnitFacts
    from oakum_lint.syntax.statement_nodes import FunctionDefinition

Place = tuple[str, int, int, int]
"""A file, the number of a unit in it, and a function in that, or what this writes (see
`app/index/places`)."""

WHOLE: Final = 1 << 62
"""Behind the end of every text."""

DERIVED: Final = "<derived>"
"""Stands for the classes that are derived from one among the names that are read."""


class Reading:
    """What was read by one piece of work."""

    __slots__ = ("bodies", "files", "names", "placed", "spans", "wordings", "written")

    def __init__(self) -> None:
        self.bodies: set[FunctionDefinition] = set()
        """The functions whose statements were asked for."""
        self.written: set[FunctionDefinition] = set()
        """The functions of which it was asked what they write: they may compute it otherwise."""
        self.spans: set[tuple[UnitFacts, int, int]] = set()
        """The parts of units whose text was asked for."""
        self.files: set[ModuleFacts] = set()
        """The files of which it was asked which names they bind."""
        self.placed: set[ModuleFacts] = set()
        """The files of which it was asked on which line something stands."""
        self.wordings: set[re.Pattern[str]] = set()
        """What was looked for in whole files."""
        self.names: set[tuple[object, str]] = set()
        """The names of modules that were looked up, bound or not, and the classes of which those
        derived from them were asked for."""

    def take_texts(self, other: "Reading") -> None:
        """Takes what another piece of work has read of texts."""
        self.bodies |= other.bodies
        self.written |= other.written
        self.spans |= other.spans
        self.files |= other.files
        self.placed |= other.placed
        self.wordings |= other.wordings


class _Readings(threading.local):
    now: Reading | None = None


READINGS: Final = _Readings()
"""The reading that this thread keeps; None where nobody asks for one."""


@contextmanager
def keeping(reading: Reading | None) -> Generator[None]:
    """Has what the block reads noted there, or nowhere."""
    before, READINGS.now = READINGS.now, reading
    try:
        yield
    finally:
        READINGS.now = before


def note_span(unit: "UnitFacts", start: int, end: int) -> None:
    """Notes that a part of a unit's text is read."""
    reading = READINGS.now
    if reading is not None:
        reading.spans.add((unit, start, end))


def note_written(function: "FunctionDefinition") -> None:
    """Notes that it is asked what a function writes."""
    reading = READINGS.now
    if reading is not None:
        reading.written.add(function)


def note_name(cell: tuple[object, str]) -> None:
    """Notes that a name of a module is looked up: 390,000 times in a check of flax and optax."""
    reading = READINGS.now
    if reading is not None:
        reading.names.add(cell)


def note_file(module: "ModuleFacts") -> None:
    """Notes that it is asked which names a file binds."""
    reading = READINGS.now
    if reading is not None:
        reading.files.add(module)


def note_wording(pattern: re.Pattern[str]) -> None:
    """Notes that something is looked for in whole files."""
    reading = READINGS.now
    if reading is not None:
        reading.wordings.add(pattern)
