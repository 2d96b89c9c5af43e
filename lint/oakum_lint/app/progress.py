"""What a terminal shows of a run that takes a while: how far it is, and at which file.

Nothing is shown in the first second, and nothing is left when the report begins.
"""

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from pathlib import Path

TICK: Final = 0.1
"""Seconds between two looks at how far it is."""

_QUIET: Final = 1.0
"""Seconds in which nothing is shown."""


class Progress:
    """The progress of one run."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream = stream
        self._total = total
        self._since = time.monotonic()
        self._seen: set[Path] = set()
        self._last = ""
        self._shown = ""

    def note(self, *files: "Path") -> None:
        """Notes files that the analysis has come to."""
        self._seen.update(files)
        if files:
            self._last = str(files[-1])

    def show(self) -> None:
        """Shows how far the run is, if that has changed."""
        seconds = time.monotonic() - self._since
        if seconds < _QUIET:
            return
        done = min(len(self._seen), self._total)
        text = f"oakum: {done} of {self._total} files, {seconds:.0f} s: {_end_of(self._last)}"
        if text != self._shown:
            self._shown = text
            self._write(f"\r{text}\x1b[K")

    def end(self) -> None:
        """Takes away what is shown."""
        if self._shown:
            self._shown = ""
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # nobody is there any more
            return


def _end_of(path: str) -> str:
    """The last part of a path that fits into a line."""
    shown = os.path.relpath(path) if os.path.isabs(path) else path
    return shown if len(shown) <= _WIDTH else f"...{shown[3 - _WIDTH :]}"


_WIDTH: Final = 40


def progress_for(stream: TextIO, files: Sequence[str]) -> Progress | None:
    """The progress of a run over some files; None where no terminal shows it."""
    shown = stream.isatty() and os.environ.get("TERM") != "dumb"
    return Progress(stream, len(files)) if shown else None
