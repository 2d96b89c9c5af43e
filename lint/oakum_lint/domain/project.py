"""The checked project: its modules, and how an import in one of them is resolved.

Nothing is imported or run: a module is interpreted, unit by unit, and a unit that no rule can fire
in is parsed only when a name that it binds is looked up.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from oakum_lint.domain.callables import (
    ClassValue,
    FunctionValue,
    ModuleValue,
    Scope,
    Transformed,
)
from oakum_lint.domain.store import CONTENT, Exports, Key, Store
from oakum_lint.domain.values import UNKNOWN, External, Value, next_uid
from oakum_lint.models.frameworks.register import is_framework_name
from oakum_lint.models.packages import HOST_PACKAGES, MODELLED_PACKAGES, canonical_name
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.imports.import_graph import Files, imported_files, module_names
from oakum_lint.text.imports.live_units import live_units
from oakum_lint.text.imports.registries import holds_registry, leading_to_entries
from oakum_lint.text.imports.symbol_uses import WHOLE, Symbol, SymbolUses
from oakum_lint.text.names import VARIABLE
from oakum_lint.text.reads import Reads
from oakum_lint.text.source import Source, real_path, shown_path
from oakum_lint.text.triggers import ImportedModule, imported_modules

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine


class ModuleReader(Protocol):
    """Reads a module's facts from disk or from an editor's buffer; None if it cannot be read."""

    def __call__(self, path: Path, /) -> ModuleFacts | None: ...


class Module:
    """One file of the project and its namespace."""

    def __init__(
        self, name: str, path: Path, facts: ModuleFacts, is_host: Callable[["Module", str], bool]
    ) -> None:
        self.name = name
        self.path = path
        self.real_path = real_path(path)
        self.folder = str(self.real_path.parent)
        self.is_dependent = False
        """Whether it is analysed only for what it does with the files that are checked."""
        self.facts = facts
        self.is_package = path.name == "__init__.py"
        self.scope = Scope("module", None, 0, self)
        self.is_running = False
        self.is_done = False
        self.executed: set[UnitFacts] = set()
        self._is_host = is_host
        self._live: frozenset[UnitFacts] | None = None
        self.says_global = "global" in facts.source.text
        """Whether a function in it may bind one of its names."""
        self.binders: dict[str, list[UnitFacts]] = {}
        for unit in facts.units:
            for bound in unit.binds or ():
                self.binders.setdefault(bound, []).append(unit)

    def is_live(self, unit: UnitFacts) -> bool:
        """Whether a finding that is asked for can begin in a unit, as far as its names show (see
        `live_units`).
        """
        if self._live is None:
            self._live = live_units(self.facts.units, self._imports_host)
        return unit in self._live

    def restrict(self, units: frozenset[UnitFacts]) -> None:
        """Takes only these units as live: the rest has nothing to do with what is checked."""
        self.is_dependent = True
        self._live = units

    def is_of_project(self, name: str) -> bool:
        """Whether the module defines a name, or imports it from what is no library of the host."""
        return any(
            unit.kind != "import" or not all(map(self._imports_host, imported_modules(unit.text)))
            for unit in self.binders.get(name, ())
        )

    def _imports_host(self, imported: ImportedModule) -> bool:
        return not imported.level and self._is_host(self, imported.path)


LASTING = frozenset({ClassValue, External, FunctionValue, ModuleValue, Transformed})
"""The kinds of values that are the same whatever is done with them: what a class holds is asked for
apart."""


class LastingNames:
    """The names of modules that stand for one function, class, module or library value throughout,
    as far as is seen: one statement binds each, and no function may.

    Remembered calls are not distinguished by them. A call asks for the names of all that is called
    below it: where they were compared too, n functions that call each other took n * n comparisons.
    """

    __slots__ = ("changed_at", "keys")

    def __init__(self) -> None:
        self.keys: set[Key] = set()
        self.changed_at = 0
        """What has a lower identity began before such a name was bound again."""

    def note(self, scope: Scope, name: str, value: Value, store: Store) -> None:
        """Notes what a name of a module is bound to for the first time, outside every path; one
        that is bound again no longer lasts.
        """
        key = (scope, name)
        if key in self.keys:
            if store.get(key) is not value:
                self.keys.discard(key)
                self.changed_at = next_uid()
        elif type(value) in LASTING and store.parent is None and store.get(key) is None:
            module = scope.module
            if len(module.binders.get(name, ())) == 1 and not module.says_global:
                self.keys.add(key)

    def forget_absence(self, reads: dict[Key, Value | None], scope: Scope, name: str) -> None:
        """Forgets that the running call has found nothing under a name that was defined for it: the
        next one finds what this one has found.
        """
        key = (scope, name)
        if key in self.keys and reads.get(key, UNKNOWN) is None:
            del reads[key]


_FEW = 8
"""So many modules that offer a name are asked one by one whether exports hold them."""


class StarImports:
    """The names that modules have imported with `*`, and those that they offer to such imports.

    What a module has imported so is the content of a cell of its own, along each path.
    """

    __slots__ = ("_count", "_ground", "_lasting", "_offered", "names")

    def __init__(self, ground: Store, lasting: LastingNames) -> None:
        self._ground = ground
        self._lasting = lasting
        self.names: dict[str, list[Exports]] = {}
        """The names that any module offers itself, and where: no other is looked for."""
        self._count = 0
        self._offered: dict[Scope, tuple[Exports, object]] = {}

    def offered_by(
        self, scope: Scope, listed: object, own: Callable[[], dict[str, Value]]
    ) -> Exports:
        """Returns what a module offers: what it `listed` in `__all__`, or all that it binds itself,
        which is asked for by `own`, and all that it has imported with `*`. That is asked for once,
        until something in the module is bound again or it is still running.
        """
        found = self._offered.get(scope)
        if found is not None and found[1] is listed:
            return found[0]
        bound = own()
        behind = None if listed is not None else self._ground.get((scope, CONTENT))
        exports = Exports(bound, (behind,) if isinstance(behind, Exports) else (), self._count)
        self._count += 1
        for name in bound:
            self.names.setdefault(name, []).append(exports)
        if scope.module.is_done:
            self._offered[scope] = exports, listed
        return exports

    def add(self, scope: Scope, exports: Exports, store: Store) -> None:
        """Notes that a module imports all that another one offers, on the current path."""
        before = store.get((scope, CONTENT))
        after = before.then(exports) if isinstance(before, Exports) else exports
        store.set((scope, CONTENT), after)
        if store is not self._ground:
            store.starred.add(scope)
        self._offered.pop(scope, None)

    def find(self, exports: Exports, name: str) -> Value | None:
        """The value of a name among exports. What few modules offer is not looked for along all
        imports: n modules that import one another would each look at n.
        """
        owners = self.names.get(name, ())
        if len(owners) <= _FEW:
            owners = [each for each in owners if exports.reach >> (each.number or 0) & 1]
            if len(owners) < 2:
                return owners[0].own[name] if owners else None
        return exports.find(name)

    def held(self, key: Key, store: Store) -> Value | None:
        """The content of a cell on a path, or None, for what is no part of the program: it is not
        noted.
        """
        value = store.get(key)
        return self.fetch(key, store) if value is None and key[1] in self.names else value

    def fetch(self, key: Key, store: Store) -> Value | None:
        """Binds a name that a module has imported with `*`, as if the import had bound it."""
        owner, name = key
        if not isinstance(owner, Scope):
            return None
        imported = store.get((owner, CONTENT))
        value = self.find(imported, name) if isinstance(imported, Exports) else None
        if value is not None:
            path = store.writer_of((owner, CONTENT))
            if path is self._ground:
                self._lasting.note(owner, name, value, path)
            path.set_before(key, value)
        return value

    def before_write(self, key: Key, store: Store) -> None:
        """Binds what a name of a module is about to be bound over, on one path or on all, and
        forgets what the module offers.
        """
        owner = key[0]
        if isinstance(owner, Scope):
            self._offered.pop(owner, None)
            self.held(key, store)


class Project:
    """The files under analysis and those that they import."""

    def __init__(
        self,
        files: Iterable[Path],
        read: ModuleReader,
        import_roots: Sequence[Path] = (),
        reads: Reads | None = None,
        shown: Callable[[Path], Path] = shown_path,
    ) -> None:
        self._read = read
        self._shown = shown
        self._reads = reads
        self._files = {real_path(path): path for path in files}
        """The files under analysis as their user spelled them, by their real paths."""
        self._disk = Files(
            self._files,
            module_names(self._files),
            on_disk=True,
            import_roots=import_roots,
            reads=reads,
        )
        self._modules: dict[Path, Module | None] = {}
        self._resolved: dict[tuple[str, str], Module | None] = {}
        """What a dotted name means in the files of a folder."""
        self._mentions: dict[tuple[Module, re.Pattern[str]], bool] = {}
        self._named: dict[tuple[Path, re.Pattern[str]], frozenset[str]] = {}
        self._connected: set[Path] = set()
        self._neighbours: defaultdict[Path, set[Path]] = defaultdict(set)
        """The files that those of `_connected` import, and those that import them."""

    # --- modules ------------------------------------------------------------------------------

    def module_at(self, path: Path) -> Module | None:
        """The module of a file."""
        resolved = self._real_path(path)
        if resolved not in self._modules:
            path = self._files.get(resolved) or self._shown(resolved)
            facts = self._read(path)
            name = module_name(resolved, self._disk)
            self._modules[resolved] = (
                None if facts is None else Module(name, path, facts, self._is_host)
            )
        return self._modules[resolved]

    def _real_path(self, path: Path) -> Path:
        resolved = real_path(path)
        if self._reads is not None:
            self._reads.note_link(str(path), str(resolved))
        return resolved

    def restrict(self, dependents: Iterable[Module], checked: Iterable[Module]) -> None:
        """Restricts the analysis of dependents to what they do with the checked modules."""
        several, asked = list(dependents), list(checked)
        starts: set[Symbol] = set()
        units = {each.real_path: each.facts.units for each in (*several, *asked)}
        adding = {module: [module.real_path] for module in asked}
        for module, paths in adding.items():
            imported = self._note_imported(units, module)
            if module.is_package:
                # A package imports its modules so that they are there.
                paths += [each.real_path for each in imported]
                for each in imported:
                    self._note_imported(units, each)
            starts.add((module.real_path, WHOLE))
            for unit in module.facts.units:
                starts.update((module.real_path, name) for name in self._offered(module, unit))
        uses = SymbolUses(units, self._disk)
        for path in chain.from_iterable(adding.values()):
            starts |= uses.registries(path)
        used = uses.depending_on(starts) | uses.imports()
        used |= self._filling_imports(several, used, uses.files_used(used))
        for each in several:
            each.restrict(used.intersection(each.facts.units))

    def _note_imported(
        self, units: dict[Path, tuple[UnitFacts, ...]], module: Module
    ) -> list[Module]:
        """Notes the units of what a module imports, which it may add to; returns the modules."""
        paths = imported_files(module.real_path, module.facts.source.text, self._disk)
        found = [each for each in map(self.module_at, paths) if each is not None]
        for each in found:
            units.setdefault(each.real_path, each.facts.units)
        return found

    def _filling_imports(
        self, dependents: Iterable[Module], used: frozenset[UnitFacts], named: Iterable[Path]
    ) -> frozenset[UnitFacts]:
        """The imports of dependents that fill a registry in one of the `named` files."""
        registries = {path for path in named if holds_registry(self._text(path))}
        imports = {
            unit: [*imported_files(module.real_path, unit.text, self._disk)]
            for module in dependents
            for unit in (module.facts.units if registries else ())
            if unit.kind == "import" and unit not in used
        }
        return leading_to_entries(imports, registries, self._text, self._disk)

    def _offered(self, module: Module, unit: UnitFacts) -> frozenset[str]:
        """The names that a unit binds for other modules; a library is not imported from there."""
        if unit.kind == "import" and not any(
            imported.level or self.find_module(module, imported.path) is not None
            for imported in imported_modules(unit.text)
        ):
            return frozenset()
        return frozenset(VARIABLE.findall(unit.text)) if unit.binds is None else unit.binds

    def find_module(self, importer: Module, dotted: str) -> Module | None:
        """The project's module that `import dotted` means in a file, or None when it is not of the
        project.
        """
        top = dotted.partition(".")[0]
        if not dotted or top in MODELLED_PACKAGES:
            return None
        key = (importer.folder, dotted)
        if key not in self._resolved:
            path = self._disk.locate(importer.folder, dotted)
            self._resolved[key] = None if path is None else self.module_at(path)
        return self._resolved[key]

    def _is_host(self, importer: Module, dotted: str) -> bool:
        """Whether a name is of Python's or NumPy's modules, and no file of the project has it."""
        if dotted.partition(".")[0] not in HOST_PACKAGES:
            return False
        return self.find_module(importer, dotted) is None

    def resolve_relative(self, importer: Module, dotted: str, level: int) -> str:
        """The absolute dotted name of `from ..dotted import`."""
        if level == 0:
            return dotted
        parts = importer.name.split(".")
        if not importer.is_package:
            parts = parts[:-1]
        if level > 1:
            parts = parts[: -(level - 1)]
        return ".".join((*parts, dotted) if dotted else parts)

    def mentions(self, module: Module, wording: re.Pattern[str]) -> bool:
        """Whether something is said in a module or in one that imports connect with it."""
        key = (module, wording)
        if key not in self._mentions:
            self._mentions[key] = self._find(module, wording)
        return self._mentions[key]

    def named_by(self, module: Module, wording: re.Pattern[str]) -> frozenset[str]:
        """The names that a pattern captures in a module and in those that imports connect with it;
        looked for once for all of these.
        """
        key = (module.real_path, wording)
        if key not in self._named:
            paths = list(self._around(module))
            captured = [
                next(filter(None, found.groups()), "")
                for path in paths
                for found in wording.finditer(self._text(path))
            ]
            for path in paths:
                self._named[path, wording] = frozenset(captured)
        return self._named[key]

    def _find(self, module: Module, wording: re.Pattern[str]) -> bool:
        return any(wording.search(self._text(path)) for path in self._around(module))

    def _around(self, module: Module) -> Iterator[Path]:
        """A module, and the files under analysis that imports connect with it."""
        yield module.real_path
        # A module that is not under analysis counts where it is asked for.
        self._connect(module.real_path)
        seen = {module.real_path}
        stack = list(self._neighbours[module.real_path])
        while stack:
            path = stack.pop()
            if path not in seen and path in self._files:
                yield path
                seen.add(path)
                stack.extend(self._neighbours[path])

    def _connect(self, asked: Path) -> None:
        """Notes which files the checked ones, and one that is asked for, import."""
        for path in (*self._files, asked):
            if path in self._connected:
                continue
            self._connected.add(path)
            for imported in imported_files(path, self._text(path), self._disk):
                other = imported if imported in self._files else self._real_path(imported)
                self._neighbours[path].add(other)
                self._neighbours[other].add(path)

    def _text(self, path: Path) -> str:
        """The text of a file; "" where it cannot be read."""
        found = self.module_at(path)
        return "" if found is None else found.facts.source.text

    # --- names --------------------------------------------------------------------------------

    def canonical(self, path: str) -> str:
        """The one name of a library function: oakum's API is JAX's."""
        return canonical_name(path)

    def import_path(self, machine: "Machine", importer: Module, dotted: str) -> Value:
        """The value of `import dotted`, as bound by `as`."""
        return self._imported(self.find_module(importer, dotted), dotted)

    def import_package(self, importer: Module, dotted: str) -> Value:
        """The value of `a`, which `import a.b` binds: a namespace package is a folder without
        `__init__.py`, which holds what is imported from it.
        """
        parts = dotted.split(".")
        package = self.find_module(importer, parts[0])
        inside = self.find_module(importer, dotted) if package is None else None
        if inside is None:
            return self._imported(package, parts[0])
        file = inside.real_path.parent if inside.is_package else inside.real_path
        init = file.parents[len(parts) - 2] / "__init__.py"
        if init not in self._modules:
            facts = ModuleFacts(Source.from_text("", init))
            self._modules[init] = Module(parts[0], init, facts, self._is_host)
        return self._imported(self._modules[init], parts[0])

    def _imported(self, module: Module | None, dotted: str) -> Value:
        return External(self.canonical(dotted)) if module is None else ModuleValue(module)

    def import_from(self, machine: "Machine", importer: Module, dotted: str, name: str) -> Value:
        """The value of `name` in `from dotted import name`."""
        if is_framework_name(f"{dotted}.{name}"):
            return External(f"{dotted}.{name}")
        module = self.find_module(importer, dotted)
        if module is not None:
            found = machine.module_attribute(module, name)
            if found is not None:
                return found
            submodule = self.find_module(importer, f"{dotted}.{name}")
            return UNKNOWN if submodule is None else ModuleValue(submodule)
        submodule = self.find_module(importer, f"{dotted}.{name}") if dotted else None
        if submodule is not None:
            return ModuleValue(submodule)
        return External(self.canonical(f"{dotted}.{name}"))


def module_name(path: Path, disk: Files) -> str:
    """The dotted name of a file: from the outermost folder that is a package."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while folder.name and disk.is_package(folder):
        parts.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(parts)) or path.stem
