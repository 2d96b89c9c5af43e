"""Files on disk that are not read again as long as nothing has touched them.

Invariant: a file is taken as untouched where its times, size and number on disk are those of
before, and its last change lay so long before the run that read it that a second one shows.
"""

import os
from pathlib import Path
from typing import NamedTuple

from oakum_lint.app.index.import_table import UNSETTLED
from oakum_lint.app.texts import Texts


class _State(NamedTuple):
    """What the disk says of a file without reading it."""

    modified: int
    changed: int
    size: int
    number: int


class SettledFiles:
    """The digests of files, with the states in which they were read."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_State, str]] = {}

    def digest(self, texts: Texts, path: Path) -> str:
        """What stands for the text of a file in a run, by its real path."""
        if texts.is_open(path):
            return texts.digest(path)
        state = _state_of(path)
        known = self._known.get(path)
        if known is not None and known[0] == state:
            return known[1]
        found = texts.digest(path)
        if state is not None and max(state.modified, state.changed) < texts.since - UNSETTLED:
            self._known[path] = state, found
        return found


def _state_of(path: Path) -> _State | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return _State(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
