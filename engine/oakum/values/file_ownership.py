"""Whether other users could put something at a path: what is kept there for later is then theirs.

A folder is one's own where each folder on the way to it, links followed, belongs to this user or to
the system's administrator, and no other user may write there. Where the sticky bit stands, as on
/tmp, others may make entries but not replace those of this user, so such a folder may lie on the
way; it cannot be the folder itself.

By induction from the root, no other user can change what a path means that was found to be one's
own: so there is no race between the check and the use of the path.

On Windows the rights of files are lists that `os.stat` does not show, and the folders of a user are
closed to others by default: there, every path is taken as one's own.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import Final

from oakum.values.records import dataclass

_MOST_LINKS: Final = 40
"""Linux follows no more on one path either."""

_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Fault:
    """Why what stands at a path may be another user's: a clause, and what can be done."""

    reason: str
    fix: str


def find_fault(folder: str, *, create: bool = False) -> Fault | None:
    """Finds what lets others choose what is in a folder; None where nothing does.

    With `create`, folders that are missing are made, closed to others. Raises `OSError` where there
    is no such folder, and `ValueError` for a null character in its name.
    """
    if not hasattr(os, "geteuid"):
        if create:
            os.makedirs(folder, exist_ok=True)
        return None
    if not os.path.isabs(folder):
        folder = os.path.join(os.getcwd(), folder)
    rest = folder.split("/")[::-1]
    here, found, links = "/", os.lstat("/"), 0
    while True:
        fault = _fault_of_folder(here, found, is_last=not any(rest))
        if fault is not None or not any(rest):
            return fault
        name = rest.pop()
        if name in ("", ".", ".."):
            here = os.path.dirname(here) if name == ".." else here
            found = os.lstat(here)
            continue
        place = os.path.join(here, name)
        entry = _entry(place, create=create)
        if stat.S_ISLNK(entry.st_mode):
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), folder)
            if (fault := fault_of_owner(place, entry)) is not None:
                return fault
            target = os.readlink(place)
            rest += target.split("/")[::-1]
            here = "/" if target.startswith("/") else here
            found = os.lstat(here)
            continue
        here, found = place, entry


def _entry(place: str, *, create: bool) -> os.stat_result:
    try:
        return os.lstat(place)
    except FileNotFoundError:
        if not create:
            raise
    with contextlib.suppress(FileExistsError):  # another process was faster
        os.mkdir(place, 0o700)
    return os.lstat(place)


def _fault_of_folder(place: str, found: os.stat_result, *, is_last: bool) -> Fault | None:
    if not stat.S_ISDIR(found.st_mode):
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), place)
    if (fault := fault_of_owner(place, found)) is not None:
        return fault
    if not found.st_mode & _OTHERS or (found.st_mode & stat.S_ISVTX and not is_last):
        return None
    return _open_to_others(place)


def fault_of_file(place: str, found: os.stat_result) -> Fault | None:
    """Finds what lets others choose what is in a file in a folder of one's own; None where nothing
    does. `found` is of the opened file.
    """
    if not hasattr(os, "geteuid"):
        return None
    if (fault := fault_of_owner(place, found)) is not None:
        return fault
    return _open_to_others(place) if found.st_mode & _OTHERS else None


def fault_of_owner(place: str, found: os.stat_result) -> Fault | None:
    """Whether another user than this one and the administrator owns what is at a place."""
    if found.st_uid in (0, os.geteuid()):
        return None
    return Fault(
        f"{place} belongs to another user (number {found.st_uid})", "choose a folder of your own"
    )


def _open_to_others(place: str) -> Fault:
    return Fault(f"other users may write to {place}", f"run `chmod go-w {place}`")
