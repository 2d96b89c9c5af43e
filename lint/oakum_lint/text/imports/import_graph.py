"""Which files of a project import which, by their import lines alone."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from oakum_lint.models.host.pytest_hooks import HOOKS_FILE, TEST_FILE
from oakum_lint.text.reads import Reads
from oakum_lint.text.triggers import ImportedModule, imported_modules

MAX_ANCESTORS = 8
"""So many folders above an importing file are looked in for a module."""
_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Files:
    """The files among which a dotted name is looked for: the known ones, or with `on_disk` any.

    Folders are listed once and remembered: most names of import statements are of installed
    packages, and must not cost a look at the disk for each folder above each file. `import_roots`
    are folders from which modules are imported wherever the importing file lies. `listed` are the
    folders that were listed before, and will be: a run of a thousand parts lists none twice.
    """

    def __init__(
        self,
        known: Mapping[str, Path],
        names: frozenset[str],
        *,
        on_disk: bool,
        import_roots: Sequence[Path] = (),
        reads: Reads | None = None,
        listed: dict[str, frozenset[str]] | None = None,
    ) -> None:
        self._known = known
        """By their texts: a path takes far longer to make and to look up."""
        self._names = names
        self._on_disk = on_disk
        self._import_roots = import_roots
        self._reads = reads
        self._listed: dict[str, frozenset[str]] = {} if listed is None else listed
        self._above: dict[str, tuple[str, ...]] = {}
        """A folder and those above it in which a module may lie, by the folder."""
        self._located: dict[tuple[str, str], Path | None] = {}
        self._held: dict[str, set[str]] | None = None

    def locate(self, folder: str, dotted: str) -> Path | None:
        """The file of a dotted name: beside the importing file, in the folders above it, or below
        an import root.

        Installed packages never count.
        """
        key = (folder, dotted)
        if key not in self._located:
            self._located[key] = self._locate(folder, dotted.split("."))
        return self._located[key]

    def _locate(self, folder: str, parts: Sequence[str]) -> Path | None:
        if not self._on_disk and parts[0] not in self._names:
            return None
        is_standard = parts[0] in sys.stdlib_module_names
        for ancestor in self._above.get(folder) or self._look_above(folder):
            if self._may_hold(ancestor, parts[0]):
                if is_standard and self._holds_package(ancestor):
                    # `import dataclasses` in a package that has a `dataclasses.py` is Python's.
                    continue
                found = self.beside(ancestor, parts)
                if found is not None:
                    return found
        return None

    def _look_above(self, folder: str) -> tuple[str, ...]:
        """The folders in which a module that is imported in a folder may lie."""
        found: list[str] = []
        path = Path(folder)
        for ancestor in (path, *path.parents)[:MAX_ANCESTORS]:
            if ancestor.name in _INSTALLED:
                break
            found.append(str(ancestor))
        else:
            found += [str(root) for root in self._import_roots]
        above = self._above[folder] = tuple(found)
        return above

    def beside(self, folder: str, parts: Sequence[str]) -> Path | None:
        """The file of a module, or of a package, below a folder."""
        base = os.path.join(folder, *parts)
        holder = folder if len(parts) == 1 else os.path.dirname(base)
        lies_there = self._on_disk and self._lists(holder, parts[-1])
        for candidate in (f"{base}.py", f"{base}{os.sep}__init__.py"):
            if candidate in self._known:
                return self._known[candidate]
            if lies_there:
                is_file = os.path.isfile(candidate)
                if self._reads is not None:
                    self._reads.note_place(candidate, is_file)
                if is_file:
                    return Path(candidate)
        return None

    def _may_hold(self, folder: str, name: str) -> bool:
        if not self._on_disk:
            return name in self._below().get(folder, ())
        return name in self._names or self._lists(folder, name)

    def _below(self) -> dict[str, set[str]]:
        """What the known files have for names in each folder. Most of what is looked for lies in
        one of the eight folders above a file, if in any: to look for it in each of them took a
        twentieth of a check.
        """
        if self._held is None:
            self._held = {}
            for text in self._known:
                folder, name = os.path.split(os.path.splitext(text)[0])
                while name and name not in (names := self._held.setdefault(folder, set())):
                    names.add(name)
                    folder, name = os.path.split(folder)
        return self._held

    def _lists(self, folder: str, name: str) -> bool:
        """Whether a folder has a module or a package of that name."""
        listed = self._listed.get(folder)
        if listed is None:
            try:
                listed = frozenset(os.listdir(folder))
            except OSError:
                listed = frozenset[str]()
            self._listed[folder] = listed
        is_there = name in listed or f"{name}.py" in listed
        if self._reads is not None:
            self._reads.note_name(folder, name, is_there)
        return is_there

    def is_package(self, folder: Path) -> bool:
        """Whether a folder has an `__init__.py`."""
        return self._lists(str(folder), "__init__")

    def has_hooks(self, folder: Path) -> bool:
        """Whether pytest runs a file of a folder before the tests in it."""
        return self._lists(str(folder), Path(HOOKS_FILE).stem)

    def _holds_package(self, folder: str) -> bool:
        """Whether a folder is a package, as far as files count here."""
        known = os.path.join(folder, "__init__.py") in self._known
        return known or (self._on_disk and self._lists(folder, "__init__"))


def by_text(paths: Iterable[Path]) -> dict[str, Path]:
    """Paths by their texts."""
    return {str(path): path for path in paths}


def module_names(paths: Iterable[Path]) -> frozenset[str]:
    """The names with which a dotted name of one of these files may begin."""
    names: set[str] = set()
    for path in paths:
        names.add(path.stem)
        names.update(path.parent.parts[-MAX_ANCESTORS:])
    return frozenset(names)


def imported_files(path: Path, text: str, files: Files) -> Iterator[Path]:
    """The known files that the import lines of a file name."""
    return files_of_modules(path, imported_modules(text), files)


def files_of_modules(path: Path, modules: Iterable[ImportedModule], files: Files) -> Iterator[Path]:
    """The known files that a file imports by some import statements."""
    beside = str(path.parent)
    for module in modules:
        if module.level:
            above = path.parents
            folder = str(above[min(module.level, len(above)) - 1])
            names = [module.path] if module.path else []
            names += [f"{module.path}.{name}".lstrip(".") for name in module.names]
            found = (files.beside(folder, name.split(".")) for name in names)
        else:
            names = [module.path, *(f"{module.path}.{name}" for name in module.names)]
            found = (files.locate(beside, name) for name in names)
        yield from (file for file in found if file is not None)


def packages_of(path: Path, disk: Files) -> Iterator[Path]:
    """The folders of the packages that a file is in, the innermost first."""
    folder = path.parent
    while folder.name and disk.is_package(folder):
        yield folder
        folder = folder.parent


def initialisers(path: Path, disk: Files) -> Iterator[Path]:
    """What runs before a file where it is imported: the `__init__.py` of the packages that it is
    in, also of one around a folder that has none.
    """
    return (each / "__init__.py" for each in path.parents if disk.is_package(each))


def hooks_before(path: Path, disk: Files) -> Iterator[Path]:
    """What pytest runs before a file of tests: the hooks of its folder, and of those around it."""
    if TEST_FILE.fullmatch(path.name):
        yield from (each / HOOKS_FILE for each in path.parents if disk.has_hooks(each))


def module_name(path: Path, disk: Files) -> str:
    """The dotted name of a file: from the outermost folder that is a package."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    parts += [folder.name for folder in packages_of(path, disk)]
    return ".".join(reversed(parts)) or path.stem


def reaching(
    starts: Iterable[Path], texts: Mapping[Path, str], import_roots: Sequence[Path] = ()
) -> set[Path]:
    """The files that import one of `starts`, directly or through files of the project."""
    importers: dict[Path, list[Path]] = {}
    files = Files(by_text(texts), module_names(texts), on_disk=False, import_roots=import_roots)
    for path, text in texts.items():
        for imported in imported_files(path, text, files):
            importers.setdefault(imported, []).append(path)
    reached: set[Path] = set()
    stack = list(starts)
    while stack:
        path = stack.pop()
        if path not in reached:
            reached.add(path)
            stack.extend(importers.get(path, ()))
    return reached
