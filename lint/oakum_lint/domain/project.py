"""The checked project: its modules, and how an import in one of them is resolved.

Nothing is imported or run: a module is interpreted, unit by unit, and a unit that no rule can fire
in is parsed only when a name that it binds is looked up.
"""

import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from oakum.values.records import replace
from oakum_lint.domain.callables import ModuleValue, Scope, Site
from oakum_lint.domain.values import UNKNOWN, External, Origin, Value
from oakum_lint.models.frameworks.register import is_framework_name
from oakum_lint.models.library_sources import SOURCES, library_sources, source_of
from oakum_lint.models.mutation import BINDING_BY_TEXT
from oakum_lint.models.packages import HOST_PACKAGES, MODELLED_PACKAGES, canonical_name
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.reading import keeping, note_file, note_name, note_wording
from oakum_lint.text.finding import Location
from oakum_lint.text.imports.connected_files import ConnectedFiles
from oakum_lint.text.imports.import_graph import (
    Files,
    by_text,
    files_of_modules,
    imported_files,
    module_name,
    module_names,
)
from oakum_lint.text.imports.live_units import live_units
from oakum_lint.text.imports.registries import holds_registry, leading_to_entries
from oakum_lint.text.imports.symbol_uses import WHOLE, Symbol, SymbolUses
from oakum_lint.text.members import declared_members
from oakum_lint.text.names import VARIABLE, has_word
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
        self.is_imported = False
        """Whether it is no file under analysis: what it defines counts where it is asked for."""
        self.is_library = False
        """Whether it stands for a module of a library: nothing is reported in it."""
        self.facts = facts
        self.is_package = path.name == "__init__.py"
        self.scope = Scope("module", None, 0, self)
        self.running: UnitFacts | None = None
        self.is_done = False
        self.executed: set[UnitFacts] = set()
        self._is_host = is_host
        self._live: frozenset[UnitFacts] | None = None
        self._early: tuple[tuple[UnitFacts, frozenset[str]], ...] | None = None
        self.says_global = "global" in facts.source.text
        """Whether a function in it may bind one of its names."""
        self._binders: dict[str, list[UnitFacts]] = {}
        self._compound: list[UnitFacts] = []
        for unit in facts.units:
            if unit.binds is None:
                self._compound.append(unit)
            for bound in unit.binds or ():
                self._binders.setdefault(bound, []).append(unit)

    def binders(self, name: str) -> Sequence[UnitFacts]:
        """The units that bind a name, as far as they say so at sight."""
        note_name((self.scope, name))
        return self._binders.get(name, ())

    def compound(self, name: str) -> Sequence[UnitFacts]:
        """The units in which a name stands and that may bind any such, as `if` and `a, b = c`; all
        of their text is read.
        """
        note_name((self.scope, name))
        return [unit for unit in self._compound if name in unit.raw and has_word(unit.text, name)]

    def all_bound(self) -> Iterable[str]:
        """The names that its units bind, as far as they say so at sight."""
        note_file(self.facts)
        return self._binders

    def times_bound(self, name: str) -> int:
        """How many units bind a name at sight; asked where it is bound, not by who reads it."""
        return len(self._binders.get(name, ()))

    @property
    def early(self) -> Sequence[tuple[UnitFacts, frozenset[str]]]:
        """The plain statements that say names which statements behind them bind alone, with those
        names: a part of what kind of file it is, and no read of its own.
        """
        if self._early is None:
            self._early = tuple(self._said_early())
        return self._early

    def _said_early(self) -> Iterator[tuple[UnitFacts, frozenset[str]]]:
        text = self.facts.source.text
        if self.says_global or any(said in text for said in BINDING_BY_TEXT):
            return
        first = {name: units[0].base for name, units in self._binders.items()}
        for unit in self.facts.units:
            if _imports_all(unit):
                return
            if unit.kind not in ("assignment", "expression"):
                continue
            names = frozenset(name for name in unit.variables if first.get(name, -1) > unit.base)
            for each in self._compound if names else ():
                if each.base <= unit.base:
                    names -= each.variables
            names = frozenset(name for name in names if not hasattr(builtins, name))
            if names:
                yield unit, names

    def is_live(self, unit: UnitFacts) -> bool:
        """Whether a finding that is asked for can begin in a unit, as far as its names show (see
        `live_units`).
        """
        if self._live is None:
            with keeping(None):
                self._live = live_units(self.facts.units, self._imports_host)
        return unit in self._live

    def restrict(self, units: frozenset[UnitFacts]) -> None:
        """Takes only these units as live: the rest has nothing to do with what is checked."""
        self.is_dependent = True
        self._live = units

    def is_of_project(self, name: str) -> bool:
        """Whether the module defines a name, or imports it from what is no library of the host."""
        return any(
            unit.kind != "import" or not all(map(self._imports_host, imported_modules(unit.raw)))
            for unit in self._binders.get(name, ())
        )

    def may_hold_own(self, name: str) -> bool:
        """Whether something of the project may stand under a name of the module: it is not of
        Python, and not imported from JAX or libraries of the host alone."""
        if self._may_bind_unseen(name):
            return True
        if name not in self._binders:
            return not hasattr(builtins, name)
        return not all(map(self._imports_known, self._binders[name]))

    def may_be_bound(self, name: str) -> bool:
        """Whether the text of the module may bind a name."""
        return name in self._binders or self._may_bind_unseen(name)

    def _may_bind_unseen(self, name: str) -> bool:
        """Whether what does not say at sight which names it binds may bind one."""
        stars = any(map(_imports_all, self.facts.units))
        return stars or self.says_global or bool(self.compound(name))

    def _imports_known(self, unit: UnitFacts) -> bool:
        """Whether a unit imports from JAX or libraries of the host alone."""
        return unit.kind == "import" and all(
            (not each.level and each.path.partition(".")[0] in MODELLED_PACKAGES)
            or self._imports_host(each)
            for each in imported_modules(unit.raw)
        )

    def _imports_host(self, imported: ImportedModule) -> bool:
        return not imported.level and self._is_host(self, imported.path)


def _imports_all(unit: UnitFacts) -> bool:
    """Whether a unit is `from ... import *`: a part of what kind of file it is in, and no read."""
    return unit.kind == "import" and unit.raw.rstrip().endswith("*")


class Project:
    """The files under analysis and those that they import."""

    def __init__(
        self,
        files: Iterable[Path],
        read: ModuleReader,
        import_roots: Sequence[Path] = (),
        reads: Reads | None = None,
        shown: Callable[[Path], Path] = shown_path,
        listed: dict[str, frozenset[str]] | None = None,
    ) -> None:
        self._read = read
        self._shown = shown
        self._reads = reads
        self._files = {real_path(path): path for path in files}
        """The files under analysis as their user spelled them, by their real paths."""
        self._disk = Files(
            by_text(self._files),
            module_names(self._files),
            on_disk=True,
            import_roots=import_roots,
            reads=reads,
            listed=listed,
        )
        self._modules: dict[Path, Module | None] = {}
        self._scopes: dict[int, Scope] = {}
        self._resolved: dict[tuple[str, str], Module | None] = {}
        """What a dotted name means in the files of a folder."""
        self._saying: dict[tuple[Path, re.Pattern[str]], tuple[UnitFacts, ...]] = {}
        self._members: dict[Path, Mapping[str, Sequence[Path]]] = {}
        """By file: which of the files that are connected with it may declare a member of a name."""
        self._declaring: dict[tuple[Path, str], tuple[tuple[Module, UnitFacts], ...]] = {}
        self._connected = ConnectedFiles(self._files, self._text, self._disk, self._real_path)
        self._marked = (0, 0)

    def mark(self) -> None:
        """Marks a point that `rewind` returns to; the files under analysis are read by then."""
        for path in self._files.values():
            self.module_at(path)
        self._marked = (len(self._modules), len(self._resolved))

    def rewind(self) -> None:
        """Forgets the modules that were met since the mark: they are as old as their namespaces."""
        modules, resolved = self._marked
        while len(self._modules) > modules:
            self._modules.popitem()
        while len(self._resolved) > resolved:
            self._resolved.popitem()

    # --- modules ------------------------------------------------------------------------------

    def module_at(self, path: Path) -> Module | None:
        """The module of a file."""
        return self._module_at_real(self._real_path(path))

    def _module_at_real(self, resolved: Path) -> Module | None:
        """The module of a file whose path has no links: to look for some took 1% of a run."""
        if resolved not in self._modules:
            path = self._files.get(resolved) or self._shown(resolved)
            facts = self._read(path)
            library = library_sources().get(resolved)
            name = library or module_name(resolved, self._disk)
            module = None if facts is None else Module(name, path, facts, self._is_host)
            if module is not None:
                module.is_imported = resolved not in self._files
                module.is_library = library is not None and module.is_imported
            self._modules[resolved] = module
        return self._modules[resolved]

    def declares_library(self, file: str) -> bool:
        """Whether a file, by the path that is shown of it, stands for a module of a library."""
        known = (self._modules.get(path) for path in library_sources())
        return any(each and each.is_library and str(each.path) == file for each in known)

    def scope_of(self, uid: int) -> Scope | None:
        """The namespace of the module that has this number, if it is one."""
        if len(self._scopes) != len(self._modules):
            modules = (module for module in self._modules.values() if module is not None)
            self._scopes = {module.scope.uid: module.scope for module in modules}
        return self._scopes.get(uid)

    def module_of(self, facts: ModuleFacts) -> Module:
        """A module of its own with these units, as if its file had them."""
        path = facts.source.path
        return Module(module_name(self._real_path(path), self._disk), path, facts, self._is_host)

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
        top = dotted.partition(".")[0]
        return top in HOST_PACKAGES and self.find_module(importer, dotted) is None

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

    def units_that_say(self, module: Module, wording: re.Pattern[str]) -> tuple[UnitFacts, ...]:
        """The units of a module, of those that imports connect with it, of the packages that it is
        in, and of all that these import, in whose texts something stands."""
        files = self._connected.run_with(module.real_path)
        key = (files[0], wording)  # which is the first of these files alone
        note_wording(wording)
        if key not in self._saying:
            self._saying[key] = tuple(
                unit
                for each in map(self._module_at_real, files)
                if each is not None
                for unit in each.facts.units_that_say(wording)
            )
        return self._saying[key]

    def declaring(self, module: Module, name: str) -> tuple[tuple[Module, UnitFacts], ...]:
        """The definitions at the top of a module, and of those that imports connect with it, whose
        texts seem to declare a member, with their modules; looked for once.
        """
        key = (module.real_path, name)
        if key not in self._declaring:
            if module.real_path not in self._members:
                self._note_members(module)
            # Whoever was the first to ask has noted them in an order of its own.
            paths = sorted(self._members[module.real_path].get(name, ()))
            self._declaring[key] = tuple(
                (each, unit)
                for each in map(self.module_at, paths)
                if each is not None
                for unit in each.facts.units
                if unit.kind == "definition" and name in declared_members(unit.raw)
            )
        return self._declaring[key]

    def _note_members(self, module: Module) -> None:
        """Notes for all files that are connected which of them declare members, by the names."""
        paths = list(self._connected.around(module.real_path))
        declaring: dict[str, list[Path]] = {}
        for path in paths:
            for name in frozenset(declared_members(self._text(path))):
                declaring.setdefault(name, []).append(path)
        # What is around a module that is not under analysis need not be around each other.
        for path in paths if module.real_path in self._files else paths[:1]:
            self._members[path] = declaring

    def imported_by(self, facts: ModuleFacts) -> list[Path]:
        """The files that a file with these units imports, in their order."""
        path = self._real_path(facts.source.path)
        return [*imported_files(path, facts.source.text, self._disk)]

    def imported_at_once(self, importer: Module) -> tuple[Module, ...]:
        """The modules of the project that a module imports whenever it is imported itself."""
        statements = [unit for unit in importer.facts.units if unit.kind == "import"]
        named = [each for unit in statements for each in imported_modules(unit.text)]
        found = map(self.module_at, files_of_modules(importer.real_path, named, self._disk))
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def imports_all_of(self, importer: Module, others: Collection[Module]) -> bool:
        """Whether a module may import all names of one of some modules."""
        for each in imported_modules(importer.facts.source.text):
            if "*" in each.names:
                source = (replace(each, names=()),)
                found = files_of_modules(importer.real_path, source, self._disk)
                if not each.path or any(self.module_at(path) in others for path in found):
                    return True
        return False

    def _text(self, path: Path) -> str:
        """The text of a file; "" where it cannot be read."""
        found = self._module_at_real(path)
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
        return self.external(machine, f"{dotted}.{name}")

    def external(self, machine: "Machine", path: str) -> Value:
        """What a library has by a dotted name: what its source says of it, or the name itself."""
        module, _, name = path.rpartition(".")
        source = self.module_at(source_of(module)) if module in SOURCES else None
        found = None if source is None else machine.module_attribute(source, name)
        return External(self.canonical(path)) if found is None else found


def location_of(site: Site) -> Location:
    """A place as lines and columns of its file."""
    return site.unit.location(site.start, site.end, str(site.module.path))


def site_of_origin(origin: Origin) -> Site:
    return Site(origin.module, origin.unit, origin.start, origin.end)
