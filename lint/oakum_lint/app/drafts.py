"""Drafts: new texts beside their files, on the way there; and what a killed run has left of them.

A draft is locked by the process that writes it, and the system takes the lock from a process that
dies: what is called a draft and is not locked is nobody's, and the next run removes it.

A file with several names (hard links) can only be written in place, which is not atomic. Its draft
is a journal, with the old text and the new, and has the file's inode in its name: after a run that
was killed while it wrote, the next one finds a mixture of both in the file, and puts the old text
back. What anyone else has written meanwhile stays.
"""

import errno
import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from typing import Final

PREFIX: Final = ".oakum-"
_HERE: Final = -100
"""`AT_FDCWD`: paths are those of the process."""
_EXCHANGE: Final = 2
"""`RENAME_EXCHANGE`."""
_JOURNAL: Final = f"{PREFIX}journal-"
_DIGITS: Final = 20
"""Width of the number in a journal that says how long the old text is."""


@contextmanager
def draft(directory: str, data: bytes, name: str = "") -> Generator[tuple[int, str]]:
    """A locked file that holds `data`, on the disk for certain: its descriptor and its path. It is
    gone at the end, unless it was moved.

    Where the system can, it has no name until all of it is written.
    """
    descriptor, path = _unnamed(directory), ""
    try:
        if descriptor is None:
            import tempfile  # which most systems do without

            descriptor, path = tempfile.mkstemp(prefix=name or PREFIX, dir=directory)
        _lock(descriptor)
        with open(descriptor, "wb", closefd=False) as stream:
            stream.write(data)
        os.fsync(descriptor)
        if not path:
            path = _named(descriptor, directory, name)
        yield descriptor, path
    finally:
        if path:
            with suppress(FileNotFoundError):
                os.unlink(path)
        if descriptor is not None:
            os.close(descriptor)


def exchange(first: str, second: str) -> bool:
    """Gives two files each other's name at once; whether the system can."""
    rename = _renameat2()
    if rename is None:
        return False
    done: int = rename(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE)
    return done == 0


def _renameat2() -> Callable[..., int] | None:
    """Linux's call; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    # Of the C library of the process: older ones do not have it.
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)


def journal_name(status: os.stat_result) -> str:
    """How the name of the journal of a file begins."""
    return f"{_JOURNAL}{status.st_ino}-"


def journal(old: bytes, new: bytes) -> bytes:
    """Returns the text of a journal."""
    return f"{len(old):0{_DIGITS}}".encode() + old + new


def write_in_place(descriptor: int, data: bytes) -> None:
    """Writes over an open file; it is on the disk afterwards."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)


def clean(directories: Iterable[str]) -> bool:
    """Removes the drafts of dead processes; whether a half written text was put back."""
    put_back = False
    for directory in directories:
        with suppress(OSError), os.scandir(directory or ".") as entries:
            for entry in list(entries):
                if entry.name.startswith(PREFIX) and entry.is_file(follow_symlinks=False):
                    put_back |= _remove(directory, entry.path)
    return put_back


# --- drafts ---------------------------------------------------------------------------------------


def _unnamed(directory: str) -> int | None:
    """A file without a name, or None where the system has none."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(directory, flag | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            return None  # this file system has none, or this kernel
        raise


def _named(descriptor: int, directory: str, name: str) -> str:
    """Links an unnamed file under a new name, and returns its path."""
    chosen = f"{name or PREFIX}{os.urandom(8).hex()}"
    folder = os.open(directory, os.O_RDONLY)
    try:
        # Only with a folder does `link` follow the link that stands for the descriptor.
        os.link(f"/proc/self/fd/{descriptor}", chosen, dst_dir_fd=folder)
    finally:
        os.close(folder)
    return os.path.join(directory, chosen)


def _lock(descriptor: int) -> bool:
    """Takes the lock of a draft; whether nobody else has it."""
    try:
        import fcntl
    except ImportError:  # a system without such locks: then drafts are not cleaned
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# --- what was left --------------------------------------------------------------------------------


def _remove(directory: str, path: str) -> bool:
    put_back = False
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        if not _lock(descriptor):
            return False
        if os.path.basename(path).startswith(_JOURNAL):
            with open(descriptor, "rb", closefd=False) as stream:
                put_back = _put_back(directory, os.path.basename(path), stream.read())
        os.unlink(path)
    finally:
        os.close(descriptor)
    return put_back


def _put_back(directory: str, name: str, data: bytes) -> bool:
    """Puts the old text into the file of a journal, if what is there is half of each."""
    inode, size = name[len(_JOURNAL) :].partition("-")[0], data[:_DIGITS]
    if not (inode.isdigit() and size.isdigit()):
        return False
    texts = data[_DIGITS:]
    old, new = texts[: int(size)], texts[int(size) :]
    with os.scandir(directory or ".") as entries:
        found = [entry.path for entry in entries if entry.inode() == int(inode)]
    for path in found[:1]:
        with open(path, "r+b", buffering=0) as stream:
            if _is_mixture(stream.read(), old, new):
                write_in_place(stream.fileno(), old)
                return True
    return False


def _is_mixture(data: bytes, old: bytes, new: bytes) -> bool:
    """Whether data begin as the new text and go on as the old one, and are neither."""
    if data in (old, new):
        return False
    if len(data) > len(old):
        return data == new[: len(data)]
    same = next((i for i, (a, b) in enumerate(zip(data, new, strict=False)) if a != b), len(new))
    return len(data) == len(old) and data[same:] == old[same:]
