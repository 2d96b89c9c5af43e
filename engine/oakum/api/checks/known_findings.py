"""The findings of tests that a project knows: tests do not fail by them.

An entry holds for all tests in which its line is found: a leak of one line fails many.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterable
from typing import Final

from oakum.values.checks.baseline_entries import Entry, entries_of, inside, line_text, text_of
from oakum.values.checks.check_outcomes import Found


class KnownFindings:
    """The entries of a baseline; none where `file` is empty. With `writes` all that is found counts
    as known, and becomes the baseline.
    """

    def __init__(self, file: str, writes: bool) -> None:
        self._file: Final = file
        self.writes: Final = writes
        self._entries: Final[set[Entry]] = set()
        if file and not writes:
            with open(file, "rb") as stream:
                try:
                    self._entries.update(entries_of(stream.read()))
                except (KeyError, TypeError, AttributeError, RecursionError):
                    raise ValueError("it has not the form of a baseline") from None

    def entry(self, found: Found) -> Entry:
        """Returns the entry that would know a finding."""
        text = line_text(linecache.getline(found.file, found.line))
        return inside(found.file, os.path.dirname(self._file)), found.code, text

    def knows(self, found: Found) -> bool:
        """Whether a finding is known."""
        return bool(self._entries) and self.entry(found) in self._entries

    def write(self, entries: Iterable[Entry]) -> None:
        """Writes what was found as the baseline."""
        with open(self._file, "w", encoding="utf-8") as file:
            file.write(text_of(dict.fromkeys(entries, 1)))
