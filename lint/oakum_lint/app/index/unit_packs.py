"""Lowered units on disk: a unit whose text has not changed is not parsed again.

LibCST takes a third of a run over flax and optax, 4.3 of 12.5 seconds; their 3,900 units are
written in 0.4 seconds and read in 0.2.

Invariants:
- A pack holds the units of one file, by the digests of their texts.
- The first run over a project writes none, as it may be the only one: writing takes 6% of it.
- Reading a pack makes nodes and plain values, whatever is in it: no other class is looked up.
"""

import io
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.syntax import expression_nodes, nodes, statement_nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.syntax.parse import Lowered
from oakum_lint.text.reads import digest, digest_of_text

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes that the packs of one project take at most. Of 95,000 lines they take 11 MB."""

_LARGEST_PACK: Final = 64 * 1024 * 1024

_KEY: Final = 40
"""Characters of a digest."""


class UnitPack:
    """The units of one file that were lowered before."""

    __slots__ = ("_blobs", "given")

    def __init__(self, blobs: dict[str, bytes]) -> None:
        self._blobs = blobs
        self.given: dict[str, bytes] = {}
        """What was handed out, by text."""

    def take(self, text: str) -> Lowered | None:
        """Hands out the statements of a unit with this very text, nodes that nobody else has."""
        blob = self._blobs.get(digest_of_text(text))
        if blob is None:
            return None
        lowered = _read(blob)
        if lowered is not None:
            self.given[text] = blob
        return lowered

    @property
    def size(self) -> int:
        """How many units it holds."""
        return len(self._blobs)


class UnitPacks:
    """The packs of a project; for one run."""

    __slots__ = ("_folder", "_has_new", "_is_first_run", "_opened")

    def __init__(self, folder: CacheFolder) -> None:
        self._folder = folder
        self._is_first_run = not folder.holds("parts")
        self._opened: dict[Path, UnitPack] = {}
        self._has_new = False

    def open(self, path: Path) -> UnitPack:
        """The pack of a file, by its real path; an empty one where none is kept."""
        body = self._folder.read("units", self._name(path), _LARGEST_PACK)
        pack = UnitPack({} if body is None else dict(_split(body)))
        self._opened[path] = pack
        return pack

    def keep(self, path: Path, facts: ModuleFacts) -> None:
        """Keeps the units of a file that are lowered now."""
        if self._is_first_run:
            return
        pack = self._opened[path]
        blobs: dict[str, bytes] = {}
        is_new = False
        for unit in facts.units:
            lowered = unit.lowered
            if lowered is None or lowered.problem is not None or lowered.from_whole:
                continue
            blob = pack.given.get(unit.raw)
            if blob is None:
                blob = pickled(lowered)
                is_new = True
            if blob is not None:
                blobs[unit.raw] = blob
        if is_new:
            self._has_new = True
            self._folder.write("units", self._name(path), b"".join(_joined(blobs)))

    def finish(self) -> None:
        """Ends the run: what was not used for longest goes, if there is too much."""
        if self._has_new:
            self._folder.shrink("units", _LARGEST)

    def _name(self, path: Path) -> str:
        return digest(f"{self._folder.own}\0{path}".encode(errors="surrogatepass"))


def _joined(blobs: dict[str, bytes]) -> Iterator[bytes]:
    for text, blob in blobs.items():
        yield digest_of_text(text).encode()
        yield len(blob).to_bytes(4, "big")
        yield blob


def _split(body: bytes) -> Iterator[tuple[str, bytes]]:
    position = 0
    while position < len(body):
        start = position + _KEY + 4
        size = int.from_bytes(body[position + _KEY : start], "big")
        yield (
            body[position : position + _KEY].decode("ascii", "replace"),
            body[start : start + size],
        )
        position = start + size


def pickled(lowered: Lowered) -> bytes | None:
    """The form in which a unit is kept; None where there is none, and it is parsed again."""
    try:
        return pickle.dumps(lowered, pickle.HIGHEST_PROTOCOL)
    except (RecursionError, pickle.PicklingError, OverflowError):
        return None


def _read(blob: bytes) -> Lowered | None:
    try:
        found = _Reader(io.BytesIO(blob)).load()
    except Exception:  # whatever is in it, the unit is parsed
        return None
    return found if isinstance(found, Lowered) else None


_MODULES: Final = {module.__name__: module for module in (expression_nodes, statement_nodes)}
_VALUES: Final = {"Ellipsis": Ellipsis, "complex": complex}


class _Reader(pickle.Unpickler):
    """Reads nodes and plain values."""

    def find_class(self, module_name: str, global_name: str, /) -> object:
        if module_name in _MODULES:
            found = getattr(_MODULES[module_name], global_name)
            if isinstance(found, type) and issubclass(found, nodes.Node):
                return found
        elif module_name == Lowered.__module__ and global_name == "Lowered":
            return Lowered
        elif module_name == "builtins" and global_name in _VALUES:
            return _VALUES[global_name]
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is no part of a unit")
