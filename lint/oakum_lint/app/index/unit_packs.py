"""Lowered units on disk: a unit whose text has not changed is not parsed again.

LibCST takes a third of a run over flax and optax, 4.3 of 12.5 seconds; their 3,900 units are
written in 0.4 seconds and read in 0.2.

Invariants:
- A pack holds the units of one file, by the digests of their texts, and how its text is split.
- A unit is read from its pack when its statements are first asked for: after an edit these are a
  third of all.
- The first run over a project writes none, as it may be the only one: writing takes 6% of it. One
  that tries fixes is not the only one, if it finds some.
- Reading a pack makes nodes and plain values, whatever is in it: no other class is looked up.
"""

import contextlib
import io
import json
import pickle
from pathlib import Path
from typing import Final, TypedDict, cast

from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.syntax import expression_nodes, nodes, statement_nodes
from oakum_lint.syntax.cache import OutlinedUnit
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.parse import Lowered
from oakum_lint.text.bindings import UnitKind
from oakum_lint.text.reads import digest, digest_of_text
from oakum_lint.text.split_units import Unit

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes that the packs of one project take at most. Of 95,000 lines they take 11 MB."""

_LARGEST_PACK: Final = 64 * 1024 * 1024


class PackedUnit:
    """The statements of one unit as a pack holds them."""

    __slots__ = ("blob", "digest")

    def __init__(self, digest: str, blob: bytes) -> None:
        self.digest = digest
        self.blob = blob

    def read(self) -> Lowered | None:
        """Makes the statements; None where they cannot be read."""
        return _read(self.blob)


class UnitPack:
    """The units of one file that were lowered before."""

    __slots__ = ("_outline", "_packed", "digest")

    def __init__(self, body: bytes | None = None) -> None:
        self.digest = ""
        """What stands for the text of the file; "" where nothing is known."""
        self._outline: list[_Row] = []
        self._packed: dict[str, PackedUnit] = {}
        if body is not None:
            with contextlib.suppress(ValueError, KeyError, TypeError):  # of another form
                self._open(body)

    def _open(self, body: bytes) -> None:
        header, _, blobs = body.partition(b"\n")
        stored = cast(_Header, json.loads(header))
        position = 0
        for row in stored["units"]:
            key, size = row[-2:]
            if key:
                self._packed[key] = PackedUnit(key, blobs[position : position + size])
            position += size
        self._outline, self.digest = stored["units"], stored["text"]

    def outline(self, text: str) -> list[OutlinedUnit] | None:
        """The units of the file if it had this very text; None where that is not known."""
        if not self._outline or digest_of_text(text) != self.digest:
            return None
        found: list[OutlinedUnit] = []
        ends = [*(row[0] for row in self._outline[1:]), len(text)]
        for (start, statement, longest, deepest, kind, binds, key, _), end in zip(
            self._outline, ends, strict=True
        ):
            unit = Unit(start, text[start:end], statement, longest, deepest)
            binding = (kind, None if binds is None else frozenset(binds))
            found.append(OutlinedUnit(unit, binding, self._packed.get(key)))
        return found

    def take(self, text: str) -> PackedUnit | None:
        """Hands out the statements of a unit with this very text, nodes that nobody else has."""
        return self._packed.get(digest_of_text(text)) if self._packed else None


_Row = tuple[int, int, int, int, UnitKind, list[str] | None, str, int]
"""A unit in a pack: its outline, its kind and the names it binds, the digest of its text and the
size of its blob; "" and 0 where it was not lowered."""


class _Header(TypedDict):
    """What stands before the blobs of a pack, as JSON."""

    text: str
    units: list[_Row]


class UnitPacks:
    """The packs of a project; for one run, or as long as an editor is open. Without `writes` they
    are read alone.
    """

    __slots__ = ("_folder", "_has_new", "_opened", "writes")

    def __init__(self, folder: CacheFolder, *, writes: bool) -> None:
        self._folder = folder
        self.writes = writes
        self._opened: dict[Path, UnitPack] = {}
        self._has_new = False

    def open(self, path: Path) -> UnitPack:
        """The pack of a file, by its real path; an empty one where none is kept."""
        body = self._folder.read("units", self._name(path), _LARGEST_PACK)
        pack = self._opened[path] = UnitPack(body)
        return pack

    def keep(self, path: Path, facts: ModuleFacts) -> None:
        """Keeps the units of a file that are lowered now, or were before, if its pack is open."""
        pack = self._opened.get(path) if self.writes else None
        if pack is None:
            return
        text = digest_of_text(facts.source.text)
        is_new = any(unit.kept is None and _is_whole(unit) for unit in facts.units)
        if text == pack.digest and not is_new:
            return
        self._has_new = True
        self._folder.write("units", self._name(path), packed(facts))

    def finish(self) -> None:
        """Ends the run: what was not used for longest goes, if there is too much."""
        if self._has_new:
            self._folder.shrink("units", _LARGEST)

    def _name(self, path: Path) -> str:
        return digest(f"{self._folder.own}\0{path}".encode(errors="surrogatepass"))


def packed(facts: ModuleFacts) -> bytes:
    """The pack of a file: a line that outlines it, and what its units were lowered to."""
    rows: list[_Row] = []
    blobs: list[bytes] = []
    for unit in facts.units:
        kept = unit.kept if isinstance(unit.kept, PackedUnit) else _pack(unit)
        outline, (kind, binds) = unit.outline, unit.binding
        row = (outline.start, outline.statement, outline.longest_line, outline.deepest)
        names = None if binds is None else sorted(binds)
        rows.append((*row, kind, names, kept.digest, len(kept.blob)))
        blobs.append(kept.blob)
    header: _Header = {"text": digest_of_text(facts.source.text), "units": rows}
    return b"".join((json.dumps(header, separators=(",", ":")).encode(), b"\n", *blobs))


def _pack(unit: UnitFacts) -> PackedUnit:
    """What a unit was lowered to, in the form in which it is kept; nothing where it is parsed
    again.
    """
    blob = _pickled(unit.lowered) if _is_whole(unit) else None
    return PackedUnit("", b"") if blob is None else PackedUnit(digest_of_text(unit.raw), blob)


def _is_whole(unit: UnitFacts) -> bool:
    """Whether a unit was lowered, and from its own text alone."""
    lowered = unit.lowered
    return lowered is not None and lowered.problem is None and not lowered.from_whole


def _pickled(lowered: Lowered | None) -> bytes | None:
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
