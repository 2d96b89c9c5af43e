"""Files that nothing has touched since they were read: they are not read again.

Invariants:
- A file is taken as untouched where its times, size and number on disk are those of before, and its
  last change lay so long before the run that read it that a second one shows.
- What cannot be read is looked at in each run.
"""

import json
import os
import stat
from typing import TYPE_CHECKING, Final

from oakum_lint.text.reads import digest, digest_of_text

if TYPE_CHECKING:
    from oakum_lint.app.index.folder import CacheFolder

UNSETTLED: Final = 2_000_000_000
"""Nanoseconds within which two changes of a file may have the same time, on any disk."""
_LARGEST: Final = 64 * 1024 * 1024
"""Bytes that the states of the files of one project take at most; those of 240 files take 40 kB."""
_MOST: Final = 200_000
"""Of so many files the states are kept; of more, those of the files of the last run."""
_FEW: Final = 20
"""So many files are read again in each run before their states are written."""


class RealPaths:
    """Paths without links, for one run: those of folders are found once."""

    __slots__ = ("_folders",)

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def look(self, file: str) -> tuple[str, os.stat_result | None]:
        """The real path of a file, and what the disk says of it without reading it; None where it
        says nothing.
        """
        cut = file.rfind(os.sep) + 1
        folder, name = file[:cut], file[cut:]
        try:
            status = os.lstat(file)
            if stat.S_ISLNK(status.st_mode):
                return os.path.realpath(file), os.stat(file)
        except (OSError, ValueError):
            return os.path.realpath(file), None
        if name in ("", os.curdir, os.pardir):
            return os.path.realpath(file), status
        real = self._folders.get(folder)
        if real is None:  # of each file it would cost most of the time
            real = self._folders[folder] = os.path.join(os.path.realpath(folder or "."), "")
        return real + name, status


def state_of(status: os.stat_result | None) -> list[int]:
    """The times, the size and the number on disk of a file; empty where the disk says nothing."""
    if status is None:
        return []
    return [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]


def is_settled(state: list[int], since: int) -> bool:
    """Whether a later change of a file in this state shows, if a run that began then reads it."""
    return bool(state) and max(state[:2]) < since - UNSETTLED


class FileStates:
    """The digests of files by their real paths, with the states in which they were read."""

    __slots__ = ("_folder", "_known", "_new", "_used")

    def __init__(self, folder: "CacheFolder | None" = None) -> None:
        self._folder = folder
        self._known = {} if folder is None else _stored(folder)
        self._used: set[str] = set()
        self._new = 0

    def digest(self, path: str, since: int) -> str:
        """What stands for the text of a file in a run that began at `since`; "" where it cannot be
        read.
        """
        try:
            state = state_of(os.stat(path))
        except (OSError, ValueError):
            state = []
        known = self._known.get(path)
        self._used.add(path)
        if known is not None and known[0] == state:
            return known[1]
        found = _read(path)
        if found and is_settled(state, since):
            self._known[path] = state, found
            self._new += 1
        return found

    def finish(self) -> None:
        """Ends a run: what it has read is kept for later ones, if it is much."""
        if self._folder is None or self._new <= _FEW:
            return
        if len(self._known) > _MOST:
            self._known = {path: self._known[path] for path in self._used & self._known.keys()}
        body = json.dumps(self._known, separators=(",", ":")).encode(errors="surrogatepass")
        self._folder.write("states", _name(self._folder), body)
        self._folder.shrink("states", _LARGEST)
        self._new = 0


def _name(folder: "CacheFolder") -> str:
    return f"{digest(folder.own.encode())}.json"


def _stored(folder: "CacheFolder") -> dict[str, tuple[list[int], str]]:
    """What was kept; nothing where that has another form."""
    body = folder.read("states", _name(folder), _LARGEST)
    if body is None:
        return {}
    try:
        return {str(path): (state, str(found)) for path, (state, found) in json.loads(body).items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _read(path: str) -> str:
    """What stands for the text of a file on disk."""
    from pathlib import Path

    from oakum_lint.text.source import Unreadable, read_source

    source = read_source(Path(path))
    return "" if isinstance(source, Unreadable) else digest_of_text(source.text)
