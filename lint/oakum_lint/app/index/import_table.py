"""What the files of a project import, kept between runs: of 100,000 files a run reads again only
those that have changed.

Invariants:
- A file whose times, size and number on disk are those of before is not read. One that had changed
  just before it was read is read again: a second change may leave the same times.
- The files that import one another are those that `import_graph` finds among all of them. When
  files come or go, imports of all files are resolved again that have the name of one of these.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, cast

from oakum_lint.app.index.file_states import RealPaths, is_settled, state_of
from oakum_lint.text import sieve
from oakum_lint.text.imports.import_graph import Files, files_of_modules
from oakum_lint.text.names import any_word
from oakum_lint.text.notebook.names import is_joined
from oakum_lint.text.reads import digest
from oakum_lint.text.regular_files import read_regular
from oakum_lint.text.triggers import ImportedModule, imported_modules

if TYPE_CHECKING:
    from oakum_lint.app.index.folder import CacheFolder

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes that the tables of one project take at most. That of 100,000 files takes 21 MB."""
_LARGEST_FILE: Final = 8 * 1024 * 1024
_FEW: Final = 20
"""So many files are read again in each run before the table is written again."""
_FEW_NAMES: Final = 100
"""The names of so many new files are looked for in imports before all imports are resolved."""


class _Stored(TypedDict):
    """The columns of a table, as JSON."""

    import_roots: list[str]
    paths: list[str]
    states: list[list[int]]
    bearing: list[bool]
    imports: list[str]
    imported: list[list[int]]


class ImportTable:
    """The files of a project, by numbers."""

    __slots__ = (
        "_bearing",
        "_import_roots",
        "_imported",
        "_imports",
        "_numbers",
        "_paths",
        "_shown",
        "_states",
    )

    def __init__(self, stored: _Stored) -> None:
        self._import_roots = stored["import_roots"]
        self._paths = stored["paths"]
        """Real paths."""
        self._states = stored["states"]
        """The times, the size and the number on disk of what was read; empty: it is read again."""
        self._bearing = stored["bearing"]
        """Whether a file has the name of a library with tracers in it."""
        self._imports = stored["imports"]
        """The import statements of a file, in the form of `_statements`."""
        self._imported = stored["imported"]
        """The numbers of the files that a file imports."""
        self._numbers = {path: number for number, path in enumerate(self._paths)}
        self._shown: dict[str, int] = {}
        """The numbers of files, by the names that a run has for them."""

    def number(self, file: str) -> int:
        """The number of a file that the run has named or found."""
        return self._shown[file]

    def bears_tracers(self, number: int) -> bool:
        """Whether a file has the name of a library with tracers in it."""
        return self._bearing[number]

    def importing(self, starts: Iterable[int]) -> set[int]:
        """The files that import one of `starts`, directly or through others, and these."""
        importers: list[list[int]] = [[] for _ in self._paths]
        for number, imported in enumerate(self._imported):
            for each in imported:
                importers[each].append(number)
        return _reached(starts, importers)

    def imported_by(self, starts: Iterable[int], closed: Iterable[int]) -> set[int]:
        """The files that `starts` import, directly or through others that are not `closed`."""
        following = [*self._imported]
        for number in closed:
            following[number] = []
        return _reached(starts, following)

    def bring_up_to_date(self, files: Iterable[str], import_roots: Sequence[str]) -> int:
        """Looks at the files of now; how many of what was known has changed."""
        since = time.time_ns()
        places = self._look_at(files)
        come_or_gone = self._numbers.keys() ^ places.keys()
        if come_or_gone:
            self._take_places(list(places))
        self._shown = {
            file: self._numbers[path] for path, (names, _) in places.items() for file in names
        }
        states = [places[path][1] for path in self._paths]
        changed = [
            number
            for number, (now, before) in enumerate(zip(states, self._states, strict=True))
            if now != before or not now
        ]
        stale: set[int] = set()
        count = len(come_or_gone)
        for number in changed:
            path, state = self._paths[number], states[number]
            text = _read(path)
            self._bearing[number] = sieve.names_library(text)
            statements = _statements(text)
            if statements != self._imports[number]:
                self._imports[number] = statements
                stale.add(number)
            settled = is_settled(state, since)
            count += settled
            self._states[number] = state if settled else []
        if self._import_roots != import_roots or len(come_or_gone) > _FEW_NAMES:
            self._import_roots = [*import_roots]
            stale = set(range(len(self._paths)))
        elif come_or_gone:
            stale.update(self._naming(come_or_gone))
        self._resolve(stale)
        return count

    def to_store(self) -> _Stored:
        """The columns."""
        return {
            "import_roots": self._import_roots,
            "paths": self._paths,
            "states": self._states,
            "bearing": self._bearing,
            "imports": self._imports,
            "imported": self._imported,
        }

    def _look_at(self, files: Iterable[str]) -> dict[str, tuple[list[str], list[int]]]:
        """The names and the state of each file, by its real path."""
        found: dict[str, tuple[list[str], list[int]]] = {}
        paths = RealPaths()
        for file in files:
            path, status = paths.look(file)
            names, _ = found.setdefault(path, ([], state_of(status)))
            names.append(file)
        return found

    def _take_places(self, paths: list[str]) -> None:
        """Takes these files in place of those of before, of which it keeps what is known."""
        before = self._numbers
        self._numbers = {path: number for number, path in enumerate(paths)}
        old = [before.get(path) for path in paths]
        new = [self._numbers.get(path) for path in self._paths]
        self._paths = paths
        self._states = [[] if each is None else self._states[each] for each in old]
        self._bearing = [each is not None and self._bearing[each] for each in old]
        self._imports = ["" if each is None else self._imports[each] for each in old]
        self._imported = [
            []
            if each is None
            else [number for other in self._imported[each] if (number := new[other]) is not None]
            for each in old
        ]

    def _naming(self, paths: Iterable[str]) -> Iterator[int]:
        """The files whose imports have the name of one of these in them."""
        says = any_word({_imported_as(path) for path in paths}).search
        return (number for number, text in enumerate(self._imports) if says(text))

    def _resolve(self, numbers: Iterable[int]) -> None:
        """Finds the files that some files import."""
        known = _Paths(self._numbers)
        names = _first_names(self._paths) if numbers else frozenset[str]()
        roots = [Path(root) for root in self._import_roots]
        files = Files(known, names, on_disk=False, import_roots=roots)
        for number in numbers:
            modules = _modules(self._imports[number])
            found = files_of_modules(Path(self._paths[number]), modules, files)
            self._imported[number] = sorted({self._numbers[str(file)] for file in found})


class _Paths(Mapping[str, Path]):
    """Paths by their texts, made when they are asked for: 100,000 take a second."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    def __contains__(self, key: object) -> bool:
        return key in self._numbers

    def __getitem__(self, key: str) -> Path:
        return Path(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def open_table(
    files: Iterable[str],
    roots: Sequence[str],
    import_roots: Sequence[str],
    folder: "CacheFolder | None",
) -> ImportTable:
    """The table of the files of a project as they are now."""
    if folder is None:
        table = ImportTable(_nothing())
        table.bring_up_to_date(files, import_roots)
        return table
    own = "\0".join((folder.own, *(os.path.realpath(root) for root in roots)))
    name = f"{digest(own.encode(errors='surrogatepass'))}.json"
    table = ImportTable(_stored(folder.read("imports", name, _LARGEST)))
    if table.bring_up_to_date(files, import_roots) > _FEW:
        body = json.dumps(table.to_store(), separators=(",", ":")).encode()
        folder.write("imports", name, body)
        folder.shrink("imports", _LARGEST)
    return table


def _stored(body: bytes | None) -> _Stored:
    """The columns that were kept; none where they have another form."""
    if body is None:
        return _nothing()
    try:
        stored = cast(_Stored, json.loads(body))
        columns = ("paths", "states", "bearing", "imports", "imported")
        is_whole = len({len(stored[column]) for column in columns}) == 1
    except (ValueError, KeyError, TypeError, RecursionError):
        return _nothing()
    return stored if is_whole and "import_roots" in stored else _nothing()


def _nothing() -> _Stored:
    return {
        "import_roots": [],
        "paths": [],
        "states": [],
        "bearing": [],
        "imports": [],
        "imported": [],
    }


def _reached(starts: Iterable[int], following: Sequence[Sequence[int]]) -> set[int]:
    reached: set[int] = set()
    stack = [*starts]
    while stack:
        number = stack.pop()
        if number not in reached:
            reached.add(number)
            stack += following[number]
    return reached


def _imported_as(file: str) -> str:
    """The last part of the name by which a file is imported."""
    stem = os.path.splitext(os.path.basename(file))[0]
    return os.path.basename(os.path.dirname(file)) if stem == "__init__" else stem


def _first_names(paths: Iterable[str]) -> frozenset[str]:
    """The names with which a dotted name of one of these files may begin."""
    folders: set[str] = set()
    names: set[str] = set()
    for path in paths:
        folder, _, name = path.rpartition(os.sep)
        folders.add(folder)
        names.add(os.path.splitext(name)[0])
    for folder in folders:
        names.update(folder.split(os.sep))
    return frozenset(names)


def _statements(text: str) -> str:
    """The imports of a text, a line each: the dots, the module, and the names taken from it."""
    return "\n".join(
        " ".join(("." * module.level + module.path, *module.names))
        for module in imported_modules(text)
    )


def _modules(statements: str) -> Iterator[ImportedModule]:
    """The imports of a text, from these lines."""
    for line in statements.split("\n") if statements else ():
        module, *names = line.split(" ")
        path = module.lstrip(".")
        yield ImportedModule(path, len(module) - len(path), tuple(names))


def _read(file: str) -> str:
    """The text of a file as far as import lines need it; "" where it cannot be read."""
    try:
        data = read_regular(file, _LARGEST_FILE)
    except (OSError, ValueError):
        return ""
    if is_joined(file):
        from oakum_lint.text.source import Undecodable, decode_file

        text = decode_file(file, data)
        return "" if isinstance(text, Undecodable) else text
    return data.decode(errors="replace")
