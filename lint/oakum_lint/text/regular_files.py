"""Reads regular files, and nothing else that lies under a name.

A project holds what its authors put there: opening a named pipe waits for a writer, a link to a
device may never end. So every file of a project is opened here.

Invariants:
- Reading never waits, and never takes more than the caller's limit.
- This is imported at every start: nothing but `os` and `stat` is used.
"""

import os
import stat

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from typing import BinaryIO


class RefusedError(OSError):
    """A file that could be read and is not; the message is a clause."""


def read_regular(path: str | os.PathLike[str], largest: int) -> bytes:
    """Returns the bytes of a regular file. Raises `OSError` where there is none such or it has
    more bytes than `largest`, and `ValueError` for a null character in its name.
    """
    with open_regular(path, largest) as stream:
        data = stream.read(largest + 1)
    if len(data) > largest:  # it has grown meanwhile, or tells no size, as in /proc
        raise RefusedError(_too_large(largest))
    return data


def open_regular(path: str | os.PathLike[str], largest: int) -> "BinaryIO":
    """Opens a regular file; raises what `read_regular` raises."""
    # Opening a FIFO would wait for its writer, and opening some devices has effects: look first,
    # and look again at what was opened, which may be another file by then.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    _refuse(os.stat(path), largest)
    stream = open(os.open(path, flags | getattr(os, "O_CLOEXEC", 0)), "rb")  # noqa: SIM115 (returned)
    try:
        _refuse(os.fstat(stream.fileno()), largest)
    except OSError:
        stream.close()
        raise
    return stream


def _refuse(status: os.stat_result, largest: int) -> None:
    mode = status.st_mode
    if not stat.S_ISREG(mode):
        kinds = [name for is_kind, name in _KINDS if is_kind(mode)]
        raise RefusedError(f"it is {kinds[0]}, not a regular file" if kinds else "it is no file")
    if status.st_size > largest:
        raise RefusedError(_too_large(largest))


_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def _too_large(largest: int) -> str:
    return f"it is larger than {largest // 1024 // 1024} MiB"
