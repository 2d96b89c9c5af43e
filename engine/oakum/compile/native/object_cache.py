"""Object code that was made before: in memory, and on disk for the next process.

An entry is found by the content that it was made of: the text, the processor, the versions. It is
kept in the folder that `OAKUM_CACHE_DIR`, or `config.update("oakum_cache_dir", ...)`, says, else
that of the option `jax_compilation_cache_dir`, else the user's folder for caches;
`OAKUM_ENABLE_COMPILATION_CACHE=0`, or the option `jax_enable_compilation_cache`, switches that off.

Invariants:
- What `lookup` gives is what `store` was given for this key, byte for byte, or None: an entry that
  is truncated, corrupt or of another key is none.
- Code comes only from what is this user's own, or the administrator's: see `disk_cache`.
- No fault of the folder is an error of the program: where it cannot be read, nothing is found;
  where it cannot be written, nothing is kept.
- An entry is there as a whole or not at all, whoever else writes it, and whenever a process ends.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

from oakum import config
from oakum.compile.native.disk_cache import Folder
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
