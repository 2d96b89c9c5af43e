"""Object code that was made before: in memory, and on disk for the next process.

An entry is found by the content that it was made of: the text, the processor, the versions. It is
kept in the folder that `OAKUM_CACHE_DIR`, or `config.update("oakum_cache_dir", ...)`, says, else
that of the option `jax_compilation_cache_dir`, else the user's folder for caches;
`OAKUM_ENABLE_COMPILATION_CACHE=0`, or the option `jax_enable_compilation_cache`, switches that off.

Invariants:
- What `lookup` gives is what `store` was given for this key, byte for byte, or None: an entry that
  is truncated, corrupt or of another key is none.
- Code comes only from what is this user's own, or the administrator's: see `Folder`.
- No fault of the folder is an error of the program: where it cannot be read, nothing is found;
  where it cannot be written, nothing is kept.
- An entry is there as a whole or not at all, whoever else writes it, and whenever a process ends.

A file is a mark of the format, the length of the code, a hash of the key with the code, and the
code. It is written beside its place and moved there, so its name never stands for a part of it.
What a hash does not guard against is somebody who may write into the folder: they choose what runs
here. So folder and file have to be the user's own, or the administrator's, whoever chose the folder
(see `oakum.values.file_ownership`); they are looked at whenever they are used, since
their rights may change. For any other folder there is one warning, and nothing is read or written.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import struct
import sys
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from oakum import config
from oakum.errors import CacheWarning
from oakum.tracing import compile_logging
from oakum.values import codes, file_ownership
from oakum.values.file_ownership import Fault
from oakum.version import __version__

MEMORY_BYTES: Final = 64 << 20
"""The object code kept in memory: a thousand programs of 64 KiB each."""

DISK_BYTES: Final = 1 << 30
"""How much is kept on disk where the option `jax_compilation_cache_max_size` sets no other size."""


class Memory:
    """The entries used last, up to a number of bytes."""

    def __init__(self, most: int = MEMORY_BYTES) -> None:
        self.most = most
        self.forget()

    def forget(self) -> None:
        """Lets go of all; in the child of a fork, another thread's change may be half made."""
        self.size = 0
        self._entries: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def lookup(self, key: str) -> bytes | None:
        """Returns an entry, which is then the one used last."""
        with self._lock:
            found = self._entries.get(key)
            if found is not None:
                self._entries.move_to_end(key)
            return found

    def holds(self, key: str) -> bool:
        """Returns whether there is such an entry, which is not used for this."""
        return key in self._entries

    def store(self, key: str, code: bytes) -> None:
        """Keeps an entry, and lets go of those not used for longest."""
        with self._lock:
            self.size += len(code) - len(self._entries.pop(key, b""))
            self._entries[key] = code
            while self.size > self.most:
                _, dropped = self._entries.popitem(last=False)
                self.size -= len(dropped)


@functools.cache
def memory() -> Memory:
    """Returns the entries in the memory of this process."""
    found = Memory()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=found.forget)
    return found


_folders: Final[dict[Path, Folder]] = {}


def key(text: str, *, triple: str, cpu: str, features: str, level: int, llvm: str) -> str:
    """Returns the name of the object that a text becomes: a hash of all that decides it.

    >>> host = {"triple": "x86_64", "cpu": "znver3", "features": "+avx2", "llvm": "22.1.0"}
    >>> one = key("ret void", level=2, **host)
    >>> len(one), one == key("ret void", level=0, **host)
    (64, False)
    """
    parts = (text, triple, cpu, features, str(level), llvm, __version__)
    encoded = [part.encode() for part in parts]
    # The lengths keep apart what would read the same when joined.
    lengths = ",".join(str(len(part)) for part in encoded)
    return hashlib.sha256(b"\0".join((lengths.encode(), *encoded))).hexdigest()


def lookup(key: str) -> bytes | None:
    """Returns the object code of this key; None when it is not known."""
    found = memory().lookup(key)
    if found is None and (folder := _folder()) is not None:
        found = folder.read(key)
        if found is not None:
            memory().store(key, found)
    return found


def store(key: str, code: bytes) -> None:
    """Keeps object code, here and for other processes."""
    memory().store(key, code)
    if (folder := _folder()) is not None:
        folder.write(key, code, _most())


def place() -> Path | None:
    """Where entries are kept on disk; None where they are not."""
    folder = _folder()
    return folder.path if folder is not None and folder.is_own(create=True) else None


def _most() -> int:
    asked = config.compilation_cache_max_size.value
    return DISK_BYTES if asked is None or asked < 0 else int(asked)


def _folder() -> Folder | None:
    """Returns the folder of entries on disk; None where they are not kept."""
    if not config.enable_compilation_cache.value:
        return None
    path = directory()
    if path is None:
        return None
    found = _folders.get(path)
    return _folders.setdefault(path, Folder(path)) if found is None else found


def directory() -> Path | None:
    """Returns the folder of the entries; None where there can be none."""
    if own := config.cache_dir.value:
        return Path(own, "objects")
    shared = config.compilation_cache_dir.value
    if shared and "://" not in shared:  # JAX takes addresses of stores, too
        return Path(shared, "oakum-objects")
    base = _user_caches()
    return None if base is None else base / "oakum" / "objects"


def _user_caches() -> Path | None:
    """Where this system keeps the caches of a user."""
    try:
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA")
            return Path(local) if local else Path.home() / "AppData" / "Local"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches"
        chosen = os.environ.get("XDG_CACHE_HOME", "")
        return Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"
    except RuntimeError:  # the user has no home
        return None


_MARK: Final = b"oakumobj"
_HEAD: Final = struct.Struct("<8sQ32s")
_LARGEST: Final = 256 << 20
"""No file that is larger is read or written."""

_FRESH_SECONDS: Final = 3600
"""A file read again within this time is not marked as used; one being written is not yet stale."""

_QUICK_SECONDS: Final = 0.02
_REST: Final = 100
"""After a sweep that took longer than that, no process that writes little begins one for so many
times as long: of 100,000 files each took 1 to 5 seconds, for which every 64th program waited.
"""

_PATIENCE: Final = 8
"""After so many writes that failed one after another, no more are tried."""


class Folder:
    """The files in one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._warned = False
        self._failures = 0
        self._written = 0

    def is_own(self, *, create: bool = False) -> bool:
        """Returns whether nobody else can choose what is in the folder; False where there is
        none.
        """
        try:
            fault = file_ownership.find_fault(str(self.path), create=create)
        except (OSError, ValueError):  # ValueError: a null character in the folder's name
            return False
        if fault is not None:
            self._warn(f"The compilation cache {self.path} is not used", fault)
        return fault is None

    def _warn(self, consequence: str, fault: Fault) -> None:
        if self._warned:
            return
        self._warned = True
        warnings.warn(
            f"{consequence}: {fault.reason}, and whoever can write there chooses what runs here"
            f"{compile_logging.place()} ({codes.FOREIGN_CACHE}). To have compiled code kept, "
            f"{fault.fix}, or name another folder in OAKUM_CACHE_DIR",
            CacheWarning,
            stacklevel=2,
        )

    def read(self, key: str) -> bytes | None:
        """Returns the code of a key; None where there is no file of it that is whole, and one's
        own.
        """
        if not self.is_own():
            return None
        try:
            return self._read(key)
        except OSError:
            return None

    def _read(self, key: str) -> bytes | None:
        # A pipe of that name would have the process wait for a writer; a link could lead anywhere.
        names = ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY")
        flags = os.O_RDONLY
        for name in names:
            flags |= getattr(os, name, 0)
        place = self._place(key)
        with open(os.open(place, flags), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not _HEAD.size <= found.st_size <= _LARGEST:
                return None
            # Of the opened file: what stands at the place may be another one by now.
            if (fault := file_ownership.fault_of_file(str(place), found)) is not None:
                self._warn(f"The compiled code {place} is made again", fault)
                return None
            content = file.read(found.st_size)
        code = _unpack(key, content)
        if code is not None and time.time() - found.st_mtime > _FRESH_SECONDS:
            with contextlib.suppress(OSError):
                os.utime(place)
        return code

    def write(self, key: str, code: bytes, most: int) -> None:
        """Keeps the code of a key, if that is possible; about `most` bytes stay in the folder."""
        if self._failures >= _PATIENCE or len(code) > min(_LARGEST, most) // 4:
            return
        if not self.is_own(create=True):
            self._failures += 1
            return
        try:
            self._write(key, code)
        except OSError:
            self._failures += 1
            return
        self._failures = 0
        self._written += len(code)
        # Looking at all files has to be rare. Processes that write little each look now and then
        # too: one key in 64 makes them, which needs no count that they share.
        is_seldom = key.startswith(("00", "01", "02", "03")) and not self._rests()
        if self._written > most // 32 or is_seldom:
            self._written = 0
            begun = time.monotonic()
            self.sweep(most)
            self._rest_for(time.monotonic() - begun - _QUICK_SECONDS)

    def _write(self, key: str, code: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        beside = self.path / f"{key[:16]}-{os.getpid()}-{os.urandom(6).hex()}.part"
        descriptor = os.open(beside, flags, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(_HEAD.pack(_MARK, len(code), _digest(key, code)))
                file.write(code)
            os.replace(beside, self._place(key))
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise

    @property
    def _end_of_rest(self) -> Path:
        """The file whose time says when a sweep may begin again; it lies beside the folder."""
        return self.path.with_name(f"{self.path.name}.swept")

    def _rests(self) -> bool:
        """Returns whether some process has swept the folder lately, for its size."""
        try:
            end = os.stat(self._end_of_rest, follow_symlinks=False).st_mtime
        except OSError:
            return False
        return time.time() < end < time.time() + _FRESH_SECONDS

    def _rest_for(self, seconds: float) -> None:
        """Has processes wait for a multiple of a time before they sweep again."""
        if seconds <= 0:
            return
        end = time.time() + min(_REST * seconds, _FRESH_SECONDS / 2)
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        with contextlib.suppress(OSError, NotImplementedError):
            os.close(os.open(self._end_of_rest, flags, 0o600))
            os.utime(self._end_of_rest, (end, end), follow_symlinks=False)

    def sweep(self, most: int) -> None:
        """Deletes the files not used for longest, until a quarter of the allowed bytes is free, and
        what processes left behind that were ended while they wrote.
        """
        try:
            size = sum(size for _, size, _ in self._files())
            if size <= most:
                return
            files = sorted(self._files())
        except (OSError, ValueError):
            return
        for _, each, place in files:
            if size <= most - most // 4:
                break
            with contextlib.suppress(OSError):
                os.unlink(place)
                size -= each

    def _files(self) -> Iterator[tuple[float, int, str]]:
        """Yields when each file of code was used, its size and its place, one after another: there
        may be very many. Parts that nobody can be writing any more are deleted.
        """
        stale = time.time() - _FRESH_SECONDS
        with os.scandir(self.path) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    if entry.name.endswith(".object"):
                        yield found.st_mtime, found.st_size, entry.path
                    elif entry.name.endswith(".part") and found.st_mtime < stale:
                        os.unlink(entry.path)

    def _place(self, key: str) -> Path:
        return self.path / f"{key}.object"


def _digest(key: str, code: bytes) -> bytes:
    return hashlib.sha256(key.encode() + code).digest()


def _unpack(key: str, content: bytes) -> bytes | None:
    mark, length, digest = _HEAD.unpack_from(content)
    code = content[_HEAD.size :]
    whole = mark == _MARK and length == len(code) and digest == _digest(key, code)
    return code if whole else None
