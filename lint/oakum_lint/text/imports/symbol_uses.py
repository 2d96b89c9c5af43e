"""Which units of a project depend on names of given files, by import lines and names alone.

A unit depends on a name if it uses it, however it is imported: by its own name, through a module
(`layers.Dense`), a package that hands it on, or a star import; and so does what uses what such a
unit binds. A value that reaches a unit as an argument comes from a caller, which depends itself.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from oakum_lint.text.imports.import_graph import Files, imported_files
from oakum_lint.text.imports.live_units import TextUnit
from oakum_lint.text.names import VARIABLE
from oakum_lint.text.triggers import ImportedName, imported_names

U = TypeVar("U", bound=TextUnit)

Symbol = tuple[Path, str]
"""A name of a file."""

WHOLE = "*"
"""The name that stands for all names of a file: its module is used as a value."""

_CHAIN = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_DECORATOR = re.compile(r"^@(.*)$", re.MULTILINE)
_LONGEST_WAY = 20
"""So many packages may hand a name on."""


class _File:
    """What a file binds by imports, and which files it imports all from."""

    __slots__ = ("dotted", "names", "stars")

    def __init__(self) -> None:
        self.names: dict[str, tuple[Path, str]] = {}
        """What imports bind: a name of a file, or the file itself ("")."""
        self.dotted: dict[str, list[tuple[tuple[str, ...], Path]]] = {}
        """The modules of `import a.b.c`, by their first part."""
        self.stars: list[Path] = []


class SymbolUses(Generic[U]):
    """The units of some files, and which names of these files they use."""

    def __init__(self, units: Mapping[Path, Sequence[U]], files: Files) -> None:
        self._units = units
        self._disk = files
        self._files = {path: self._imports(path, units[path]) for path in units}
        self._users: dict[Symbol, list[tuple[Path, U]]] = {}
        for path, several in units.items():
            for unit in several:
                for symbol in self._uses(path, unit):
                    self._users.setdefault(symbol, []).append((path, unit))

    def depending_on(self, starts: Iterable[Symbol]) -> frozenset[U]:
        """The units that use one of these names, or what such a unit binds, and so on."""
        found: set[U] = set()
        stack = [*starts]
        seen: set[Symbol] = set(stack)
        while stack:
            path, name = stack.pop()
            users = [*self._users.get((path, name), ()), *self._users.get((path, WHOLE), ())]
            for place, unit in users:
                if unit in found:
                    continue
                found.add(unit)
                new = {(place, bound) for bound in self._bound(unit)} - seen
                seen |= new
                stack += new
        return frozenset(found)

    def imports(self) -> frozenset[U]:
        """The import statements that import one of the files: what these add to a registry when
        they are imported is there afterwards.
        """
        return frozenset(
            unit
            for path, several in self._units.items()
            for unit in several
            if unit.kind == "import"
            and any(file in self._units for file in imported_files(path, unit.text, self._disk))
        )

    def registries(self, path: Path) -> set[Symbol]:
        """The names of other files that a file may add to when it is imported: those that a
        decorator of a definition in it, or a function that it calls, uses.
        """
        called: set[Symbol] = set()
        for unit in self._units[path]:
            texts = [unit.text] if unit.kind == "expression" else _DECORATOR.findall(unit.text)
            for text in texts:
                for chain in _CHAIN.findall(text):
                    called.update(self._follow(path, chain.split(".")))
        elsewhere = {symbol for symbol in called if symbol[0] != path}
        used: set[Symbol] = set()
        for place, name in elsewhere:
            for unit in self._units.get(place, ()):
                if unit.binds is not None and name in unit.binds:
                    used |= {symbol for symbol in self._uses(place, unit) if symbol[0] == place}
        return used

    def _bound(self, unit: U) -> Iterable[str]:
        """The names of its own by which a unit hands on what it uses; an import hands on nothing
        that `_uses` does not see through.
        """
        if unit.kind == "import":
            return ()
        return VARIABLE.findall(unit.text) if unit.binds is None else unit.binds

    # --- imports ------------------------------------------------------------------------------

    def _imports(self, path: Path, units: Iterable[U]) -> _File:
        file = _File()
        for unit in units:
            if "import" in unit.text:
                for name in imported_names(unit.text):
                    self._bind(file, path, name)
        return file

    def _bind(self, file: _File, path: Path, name: ImportedName) -> None:
        module = self._locate(path, name.level, name.path)
        if not name.name:
            if module is None:
                return
            parts = tuple(name.path.split("."))
            if name.bound == parts[0]:
                file.dotted.setdefault(name.bound, []).append((parts, module))
                top = module if len(parts) == 1 else self._locate(path, 0, parts[0])
                if top is not None:
                    file.names[name.bound] = (top, "")
            else:
                file.names[name.bound] = (module, "")
        elif name.name == "*":
            if module is not None:
                file.stars.append(module)
        elif module is not None and module in self._units:
            file.names[name.bound] = (module, name.name)
        else:
            dotted = f"{name.path}.{name.name}" if name.path else name.name
            submodule = self._locate(path, name.level, dotted)
            if submodule is not None:
                file.names[name.bound] = (submodule, "")

    def _locate(self, path: Path, level: int, dotted: str) -> Path | None:
        folder = path.parent
        if not level:
            return self._disk.locate(str(folder), dotted)
        for _ in range(level - 1):
            folder = folder.parent
        if not dotted:
            return self._disk.beside(str(folder.parent), [folder.name])
        return self._disk.beside(str(folder), dotted.split("."))

    # --- uses ---------------------------------------------------------------------------------

    def _uses(self, path: Path, unit: U) -> set[Symbol]:
        """The names that a unit uses, and those by which they were handed on to it."""
        used: set[Symbol] = set()
        if unit.kind != "import":
            for chain in set(_CHAIN.findall(unit.text)):
                used.update(self._follow(path, chain.split(".")))
        return used

    def _follow(self, path: Path, parts: list[str]) -> Iterator[Symbol]:
        file = self._files[path]
        for dotted, module in file.dotted.get(parts[0], ()):
            if tuple(parts[: len(dotted)]) == dotted:
                yield from self._attribute(module, parts[len(dotted) :])
        yield from self._member(path, parts[0], parts[1:])

    def _attribute(self, path: Path, parts: list[str]) -> Iterator[Symbol]:
        """What `module.a.b` uses; the module itself where nothing is taken from it."""
        if parts:
            yield from self._member(path, parts[0], parts[1:])
        else:
            yield path, WHOLE

    def _member(self, path: Path, name: str, rest: list[str]) -> Iterator[Symbol]:
        """What a name of a file, and attributes of it, use."""
        ways = [(path, name, rest)]
        seen: set[Symbol] = set()
        while ways and len(seen) < _LONGEST_WAY:
            path, name, rest = ways.pop()
            if (path, name) in seen:
                continue
            seen.add((path, name))
            yield path, name
            file = self._files.get(path)
            if file is None:
                continue
            if name in file.names:
                target, of_target = file.names[name]
            elif path.name == "__init__.py" and (
                submodule := self._disk.beside(str(path.parent), [name])
            ):
                target, of_target = submodule, ""
            else:
                ways += [(star, name, rest) for star in file.stars]
                continue
            if of_target:
                ways.append((target, of_target, rest))
            elif rest:
                ways.append((target, rest[0], rest[1:]))
            else:
                yield target, WHOLE
