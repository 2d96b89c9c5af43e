"""The folder in which runs keep what later ones can use: `.oakum_cache` at the root of a project.

Invariants:
- Only a folder is used that no other user may write to, and a file in it that none could have
  written. Nothing in an entry is run.
- An entry is written beside its place and moved there, and has a checksum: a half-written or
  damaged one counts as missing. Of two runs that write one, one wins; those that change one wait
  for each other.
- A disk that is full or closed is no reason to fail.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Generator
from typing import Final

from oakum_lint.text.reads import digest
from oakum_lint.text.regular_files import open_regular

FOLDER: Final = ".oakum_cache"
KINDS: Final = ("calls", "groups", "imports", "parts", "runs", "states", "units")
"""The folders in it, one for each kind of entry."""


class CacheFolder:
    """The folder of one project."""

    __slots__ = ("own", "path")

    def __init__(self, path: str, own: str) -> None:
        self.path = path
        self.own = own
        """What stands for the programs that make entries: these are of use for the same alone."""

    def read(self, kind: str, name: str, largest: int) -> bytes | None:
        """The content of an entry; None where there is none that is whole and of this user."""
        data = _read_own(os.path.join(self.path, kind, name), largest)
        if data is None:
            return None
        checksum, _, body = data.partition(b"\n")
        return body if checksum == checksum_of(kind, name, body) else None

    def versions(self, kind: str, name: str, largest: int) -> list[bytes]:
        """What is there of an entry, the last first."""
        body = self.read(kind, name, largest)
        return [] if body is None else [body]

    def write(self, kind: str, name: str, body: bytes) -> None:
        """Keeps an entry."""
        from oakum_lint.app.signals import hold_ends

        with contextlib.suppress(OSError), hold_ends():
            file = os.path.join(self.path, kind, name)
            _write(file, checksum_of(kind, name, body) + b"\n" + body)

    def change(
        self, kind: str, name: str, largest: int, changed: Callable[[bytes | None], bytes]
    ) -> None:
        """Keeps what becomes of an entry, with no other process between reading and writing."""
        with contextlib.suppress(OSError), _locked(os.path.join(self.path, f"{kind}.lock")):
            self.write(kind, name, changed(self.read(kind, name, largest)))

    def holds(self, kind: str) -> bool:
        """Whether there is any entry of a kind."""
        with contextlib.suppress(OSError), os.scandir(os.path.join(self.path, kind)) as entries:
            return any(True for _ in entries)
        return False

    def shrink(self, kind: str, largest: int) -> None:
        """Removes the entries that were not used for longest, until the rest is small enough."""
        from oakum_lint.app.signals import hold_ends

        with contextlib.suppress(OSError), hold_ends():
            _shrink(os.path.join(self.path, kind), largest)


class HeldFolder(CacheFolder):
    """A folder that is only read: what is written is held by this process, and read from it."""

    __slots__ = ("_held",)

    def __init__(self, below: CacheFolder) -> None:
        super().__init__(below.path, below.own)
        self._held: dict[tuple[str, str], bytes] = {}

    def read(self, kind: str, name: str, largest: int) -> bytes | None:
        """The content of an entry that is held, or is in the folder."""
        held = self._held.get((kind, name))
        return super().read(kind, name, largest) if held is None else held

    def versions(self, kind: str, name: str, largest: int) -> list[bytes]:
        """The content of an entry that is held, then the one that is in the folder."""
        held = self._held.get((kind, name))
        below = super().read(kind, name, largest)
        return [body for body in (held, below) if body is not None]

    def write(self, kind: str, name: str, body: bytes) -> None:
        """Holds an entry."""
        self._held[kind, name] = body

    def holds(self, kind: str) -> bool:
        """Whether there is any entry of a kind."""
        return any(kind == each for each, _ in self._held) or super().holds(kind)

    def shrink(self, kind: str, largest: int) -> None:
        """Removes nothing: it is gone with the run."""


def open_folder(root: str) -> CacheFolder | None:
    """The folder of the project at a root, made if it is missing; None where others could write to
    it: that is said on standard error.
    """
    from oakum.values.file_ownership import find_fault
    from oakum_lint.text.lines import one_line

    folder = os.path.join(root, FOLDER)
    try:
        if not os.access(root, os.W_OK):
            return None
        for kind in KINDS:
            fault = find_fault(os.path.join(folder, kind), create=True)
            if fault is not None:
                note = f"oakum: note: nothing is kept in {folder}: {fault.reason}; {fault.fix}"
                print(one_line(note), file=sys.stderr)
                return None
        _sign(folder)
        return CacheFolder(folder, _own_files())
    except OSError:
        return None


def clean(root: str) -> str | None:
    """Removes what is kept for a project; the folder that is gone, or None where there was none."""
    import shutil

    folder = os.path.join(root, FOLDER)
    if not os.path.isdir(folder) or os.path.islink(folder):
        return None
    shutil.rmtree(folder)
    return folder


def _sign(folder: str) -> None:
    """Says to Git, and to backup programs, that nothing in a folder is worth keeping."""
    for name, text in (
        (".gitignore", "*\n"),
        ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
    ):
        place = os.path.join(folder, name)
        if not os.path.lexists(place):
            with contextlib.suppress(FileExistsError), open(place, "x", encoding="ascii") as stream:
                stream.write(text)


def _own_files() -> str:
    """What stands for the code of oakum itself, which changes without its version in a checkout,
    for the Python and for LibCST.
    """
    from importlib.util import find_spec

    import oakum
    import oakum_lint

    states = [sys.version]
    parser = find_spec("libcst")
    if parser is not None and parser.origin is not None:
        status = os.stat(parser.origin)
        states.append(f"{parser.origin} {status.st_size} {status.st_mtime_ns}")
    for package in (oakum, oakum_lint):
        base = os.path.dirname(package.__file__ or "")
        stack = [base]
        while stack:
            with os.scandir(stack.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        status = entry.stat()
                        states.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
                    elif entry.name != "__pycache__" and entry.is_dir():
                        stack.append(entry.path)
    return digest("\n".join(sorted(states)).encode(errors="surrogatepass"))


def checksum_of(kind: str, name: str, body: bytes) -> bytes:
    """The first line of an entry: that of another name is not taken for it, though it is whole."""
    return digest(f"{kind}/{name}\n".encode() + body).encode()


def _read_own(file: str, largest: int) -> bytes | None:
    """The bytes of a file that no other user could have written; None where there is none such."""
    from oakum.values.file_ownership import fault_of_file

    try:
        with open_regular(file, largest) as stream:
            if fault_of_file(file, os.fstat(stream.fileno())) is not None:
                return None
            data = stream.read()
        os.utime(file)  # the entries that are used last stay longest
    except OSError:
        return None
    return data


def _write(file: str, data: bytes) -> None:
    import tempfile  # 3 ms with what it imports, which a run that changes nothing does without

    descriptor, draft = tempfile.mkstemp(dir=os.path.dirname(file), prefix="draft-")
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


@contextlib.contextmanager
def _locked(file: str) -> Generator[None]:
    """Holds a lock; where the system has no such locks, one of two writers wins."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _shrink(folder: str, largest: int) -> None:
    entries: list[tuple[int, int, str]] = []
    with os.scandir(folder) as scan:
        for entry in scan:
            status = entry.stat(follow_symlinks=False)
            entries.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= largest:
            return
        with contextlib.suppress(OSError):  # no file, or gone by another process
            os.unlink(path)
            total -= size
