"""What the modules on the way to a use import, how that fails, and what else fails in them where a
name is bound further down: of each it is asked once.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.surroundings import Doubt, evaluated_in
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module
from oakum_lint.models.mutation import leaves_arguments_alone
from oakum_lint.models.packages import has_module, is_built, is_gone
from oakum_lint.python.expressions.failures import is_refused, lacks_binding
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.notebook.names import is_joined
from oakum_lint.text.triggers import ImportedModule, imported_modules

_Doubts = tuple[Doubt, ...]


@dataclass(slots=True)
class Imports:
    """What is known of the imports of modules."""

    forgotten: ClassVar = True
    failing: dict[Module, _Doubts] = field(default_factory=dict[Module, _Doubts])
    early: dict[Module, tuple[tuple[UnitFacts, Doubt], ...]] = field(
        default_factory=dict[Module, tuple[tuple[UnitFacts, Doubt], ...]]
    )
    """By the statements that read them, the names that are bound further down alone."""
    needed: dict[Module, tuple[Module, ...]] = field(
        default_factory=dict[Module, tuple[Module, ...]]
    )
    """The modules of the project that the statements at the top of a module import."""
    stars: dict[Module, UnitFacts | None] = field(default_factory=dict[Module, UnitFacts | None])


def failing_imports(machine: Machine, frame: Frame) -> Iterator[tuple[Location, str]]:
    """Yields why modules on the way to a use, or those that they import, fail before it, by what
    they import or as they are.
    """
    known = machine.state_of(Imports)
    running = {each.module: each.unit for each in frame.callers() if each.scope.kind == "module"}
    every = {caller.module: None for caller in frame.callers()}
    pending = [*every]
    while pending:
        module = pending.pop()
        if module not in known.failing:
            doubts = (
                *_unread(module),
                *_outdated(module),
                *_refused(machine, module),
                *_absent(machine, module),
            )
            known.failing[module] = doubts
            known.early[module] = tuple(_read_early(module))
            known.needed[module] = machine.project.imported_at_once(module)
        yield from known.failing[module]
        now = running.get(module)
        for unit, doubt in known.early[module]:
            if now is None or unit.base < now.base:
                yield doubt
        new = [each for each in known.needed[module] if each not in every]
        every.update(dict.fromkeys(new))
        pending += new


def star_import(machine: Machine, module: Module) -> UnitFacts | None:
    """The import of all names of a library that is not known, if a module has one."""
    known = machine.state_of(Imports).stars
    if module not in known:
        known[module] = _star_import(machine, module)
    return known[module]


def _star_import(machine: Machine, module: Module) -> UnitFacts | None:
    for unit in module.facts.units:
        if unit.kind == "import" and unit.text.rstrip().endswith("*"):
            (each,) = imported_modules(unit.text)[:1]
            is_known = each.level or leaves_arguments_alone(each.path)
            if not is_known and machine.project.find_module(module, each.path) is None:
                return unit
    return None


def _read_early(module: Module) -> Iterator[tuple[UnitFacts, Doubt]]:
    """Yields the names that plain statements of a module read, and statements behind them bind
    alone; the cells of a notebook may have run in another order.
    """
    for unit, names in () if is_joined(module.path.name) else module.early:
        for statement in unit.body:
            match statement:
                case (
                    nodes.Assignment(value=read)
                    | nodes.AugmentedAssignment(value=read)
                    | nodes.AnnotatedAssignment(value=nodes.Node() as read)
                    | nodes.ExpressionStatement(value=read)
                ):
                    pass
                case _:
                    continue
            for node in evaluated_in(read):
                if isinstance(node, nodes.Name) and node.identifier in names:
                    at = unit.location(node.start, node.end, str(module.path))
                    yield unit, (at, f"`{node.identifier}` fails before: it is bound further down")


def _unread(module: Module) -> Iterator[tuple[Location, str]]:
    """Yields the module, if it is no valid Python: nothing in it runs."""
    broken = [each for each in module.facts.problems() if each.code == "OAK001"]
    if broken and not is_joined(module.path.name):
        at = module.facts.source.location(broken[0].start, broken[0].end, str(module.path))
        yield at, "the file is not valid Python: nothing in it runs"


def _outdated(module: Module) -> Iterator[tuple[Location, str]]:
    """Yields what it imports that JAX does not have, or no longer: the code fails there, and may
    have been right for an older JAX.
    """
    return _those_that(module, _is_outdated, "the library does not have this, or no longer")


def _is_outdated(imported: ImportedModule) -> bool:
    path, names = imported.path, imported.names
    if imported.level:
        return False
    every = (path, *(f"{path}.{name}" for name in names if name != "*"))
    return not has_module(path) or any(is_gone(name) or is_refused(name) for name in every)


def _refused(machine: Machine, module: Module) -> Iterator[tuple[Location, str]]:
    """Yields what it imports of another module of the project that does not bind it: the import
    fails, and nothing behind it runs.
    """
    why = "this import fails before: the module does not bind the name"
    return _those_that(module, partial(_is_refused, machine, module), why)


def _those_that(
    module: Module, fails: Callable[[ImportedModule], bool], why: str
) -> Iterator[tuple[Location, str]]:
    for unit in module.facts.units:
        for each in imported_modules(unit.text) if unit.kind == "import" else ():
            if fails(each):
                yield unit.location(0, len(unit.text.rstrip()), str(module.path)), why


def _absent(machine: Machine, module: Module) -> Iterator[tuple[Location, str]]:
    """Yields what it imports of a package of the project that has no such module."""
    why = "this import fails before: the package has no such module"
    return _those_that(module, partial(_is_absent, machine, module), why)


def _is_absent(machine: Machine, importer: Module, imported: ImportedModule) -> bool:
    """Whether a package of the project has neither a module of a name nor binds it itself, and no
    tool that builds the package writes one.
    """
    project = machine.project
    path = project.resolve_relative(importer, imported.path, imported.level)
    package, _, name = path.rpartition(".")
    if not package or not name or is_built(name) or project.find_module(importer, path):
        return False
    source = project.find_module(importer, package)
    return source is not None and source.is_package and lacks_binding(source, name)


def _is_refused(machine: Machine, importer: Module, imported: ImportedModule) -> bool:
    return any(_lacks(machine, importer, imported, name) for name in imported.names)


def _lacks(machine: Machine, importer: Module, imported: ImportedModule, name: str) -> bool:
    """Whether a module of the project certainly does not have a name that is imported from it."""
    project = machine.project
    path = project.resolve_relative(importer, imported.path, imported.level)
    source = project.find_module(importer, path)
    return (
        source is not None
        and name != "*"
        and lacks_binding(source, name)
        and project.find_module(importer, f"{path}.{name}") is None
    )
