"""How a file spells a function of JAX or NumPy at a place, and the import that it lacks for that.

Invariants:
- A spelling is only returned where the name certainly means JAX: it is bound by imports alone,
  which all agree, and by nothing in the functions around the place.
- An import is added only under a name that stands nowhere else in the file, and not of a library
  that the file imports only where it may be missing, or late.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from oakum.values.records import dataclass
from oakum_lint.fixes.kept import keep
from oakum_lint.fixes.site import Site, line_start, line_stop
from oakum_lint.fixes.tree import DEFINITIONS, bound_by, children, walk
from oakum_lint.models import dotted
from oakum_lint.models.attributes import KNOWN_CONSTANTS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.edits import Edit
from oakum_lint.text.names import has_word, names_module

_LIBRARIES = ("jax", "oakum")
_USUAL = {
    dotted.JNP: ("jnp", "import {library}.numpy as jnp"),
    "numpy": ("np", "import numpy as np"),
    dotted.CHECKIFY: ("checkify", "from {library}.experimental import checkify"),
}
"""What a module is usually imported as, and how; the rest is there when JAX is."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """The text that means a function at a place, and the edits that make it so."""

    text: str
    edits: tuple[Edit, ...] = ()


def spell(site: Site, path: str) -> Spelling | None:
    """How `jax.numpy.where` is to be written at a site; None where there is no certain way."""
    hidden, aliases = hidden_names(site), _aliases(site)
    found: list[tuple[int, int, str]] = []
    for alias, target in aliases.items():
        if target and alias not in hidden and (path + ".").startswith(f"{target}."):
            found.append((-len(target), len(alias), alias + path[len(target) :]))
    shortest = min(found)[2] if found else ""
    if found and (-min(found)[0] > len("jax") or not _is_better_imported(site, path, shortest)):
        return Spelling(shortest)
    added = _import(site, path, hidden.union(aliases, _rebound(site.module)))
    is_loaded = found and not path.startswith(dotted.IN_EXPERIMENTAL)
    return added or (Spelling(shortest) if is_loaded else None)


def _is_better_imported(site: Site, path: str, text: str) -> bool:
    """Whether a module is usually imported under a name, and the file does not do otherwise."""
    for module in _USUAL:
        if path.startswith(f"{module}."):
            spelled = text.removesuffix(path.removeprefix(module))
            return not _uses(site.whole_text, spelled)
    return False


def meaning(site: Site, node: nodes.Node) -> str:
    """The canonical path of a function or module that is named at a site; "" if it is not sure."""
    rest = ""
    while isinstance(node, nodes.Attribute):
        rest = f".{node.attribute}{rest}"
        node = node.value
    if not isinstance(node, nodes.Name) or node.identifier in hidden_names(site):
        return ""
    target = _aliases(site).get(node.identifier, "")
    return target and target + rest


def names_jit(decorator: Site) -> bool:
    """Whether a decorator, the node of a site, jits what it decorates."""
    parts = (n for n in walk(decorator.node) if isinstance(n, nodes.Attribute | nodes.Name))
    return any(meaning(decorator, part) == dotted.JIT for part in parts)


def is_jitted(site: Site, function: nodes.FunctionDefinition) -> bool:
    """Whether the one decorator of a function around a site jits it."""
    if len(function.decorators) != 1:
        return False
    return names_jit(Site(site.module, site.unit, (function, function.decorators[0])))


def hidden_names(site: Site) -> frozenset[str]:
    """The names that the functions around the site bind themselves, by other than imports."""
    hidden: set[str] = set()
    for function in site.functions:
        hidden.update(parameter.name for parameter in function.parameters.items)
        if isinstance(function, nodes.FunctionDefinition):
            hidden |= _bound_in(function)
    return frozenset(hidden)


# A file may have thousands of findings: what they ask of it, or of one function, is found once.


@keep(64)
def _bound_in(function: nodes.FunctionDefinition) -> frozenset[str]:
    """The names that the body of a function binds by other than imports."""
    body = [s for s in function.body if not isinstance(s, nodes.Import | nodes.ImportFrom)]
    return bound_by(*body)


@keep(64)
def _imports_in(function: nodes.FunctionDefinition) -> tuple[tuple[int, str, str], ...]:
    """The imports among the statements of a function: where, the name and what it means."""
    return tuple((s.start, *pair) for s in function.body for pair in _imported(s))


@keep(64)
def _uses(text: str, spelled: str) -> bool:
    return names_module(text, spelled)


@keep(64)
def _has_word(text: str, name: str) -> bool:
    return has_word(text, name)


def _aliases(site: Site) -> dict[str, str]:
    """Returns the meanings of imported names in the file and around the site."""
    bound: dict[str, set[str]] = {}
    for name, path in _module_imports(site.module):
        bound.setdefault(name, set()).add(path)
    for function in site.functions:
        if isinstance(function, nodes.FunctionDefinition):
            for start, name, path in _imports_in(function):
                if start < site.node.start:
                    bound.setdefault(name, set()).add(path)
    rebound = _rebound(site.module)
    return {
        name: paths.copy().pop()
        for name, paths in bound.items()
        if len(paths) == 1 and name not in rebound
    }


@keep(1)
def _module_imports(module: ModuleFacts) -> tuple[tuple[str, str], ...]:
    return tuple(
        pair
        for unit in module.units
        if unit.kind == "import" or (unit.binds is None and "import" in unit.text)
        for node in _run_at_import(module, unit.body)
        for pair in _imported(node)
    )


def _run_at_import(module: ModuleFacts, body: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    """The nodes of statements but for those inside functions and classes, and those that are for
    type checkers alone.
    """
    pending = [*reversed(body)]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.If) and _is_for_checkers(module, node.test):
            pending += reversed(node.orelse)
            continue
        yield node
        if not isinstance(node, DEFINITIONS):
            pending.extend(reversed([*children(node)]))


def _is_for_checkers(module: ModuleFacts, test: nodes.Expression) -> bool:
    """Whether a condition is a constant of a module that is false where the program runs."""
    names = dict(pair for _, node in _imports(module) for pair in _imported(node))
    match test:
        case nodes.Name(identifier=name):
            path = names.get(name, "")
        case nodes.Attribute(value=nodes.Name(identifier=name), attribute=attribute):
            path = f"{names.get(name, '')}.{attribute}"
        case _:
            return False
    return KNOWN_CONSTANTS.get(path) is False


def _imported(node: nodes.Node) -> Iterator[tuple[str, str]]:
    """The names that an import binds, and what they mean; "" where that is up to another module."""
    match node:
        case nodes.Import(names=names):
            for name in names:
                path = _canonical(name.path)
                if name.bound is not None:
                    yield name.bound, path
                else:
                    yield name.path.partition(".")[0], path.partition(".")[0]
        case nodes.ImportFrom(module=module, level=level, names=names):
            for name in names:
                if name.path != "*":
                    path = "" if level else f"{_canonical(module)}.{name.path}"
                    yield name.bound or name.path, path
        case _:
            pass


def _canonical(path: str) -> str:
    """The one name of a module: oakum's API is JAX's."""
    first, dot, rest = path.partition(".")
    return f"jax{dot}{rest}" if first in _LIBRARIES else path


@keep(1)
def _rebound(module: ModuleFacts) -> frozenset[str]:
    """The names that the module binds by other statements than imports."""
    rebound: set[str] = set()
    for unit in module.units:
        if unit.kind == "import":
            continue
        if unit.binds is not None:
            rebound |= unit.binds
        else:
            imports = {name for node in walk(*unit.body, into=False) for name, _ in _imported(node)}
            rebound |= bound_by(*unit.body) - imports
    return frozenset(rebound)


# --- imports ----------------------------------------------------------------------------------


def _import(site: Site, path: str, bound: frozenset[str]) -> Spelling | None:
    """The spelling of a function by an import that is added; `bound` are the names in use."""
    library = _library(site.module)
    package = path.partition(".")[0]
    if _is_guarded(site.module, library if package == "jax" else package):
        return None
    if path.startswith(dotted.IN_FUNCTOOLS):
        edit = _insertion_of_functools(site.module) if "functools" not in bound else None
        return None if edit is None else Spelling(path, (edit,))
    for module, (name, statement) in _USUAL.items():
        if path.startswith(f"{module}."):
            is_free = not _has_word(site.whole_text, name)
            line = statement.format(library=library)
            text = name + path[len(module) :]
            break
    else:
        is_free = "jax" not in bound
        line = f"import {library}" if library == "jax" else f"import {library} as jax"
        text = path
    edit = _insertion(site.module, line) if is_free else None
    return None if edit is None else Spelling(text, (edit,))


def _library(module: ModuleFacts) -> str:
    """The library that the file imports under JAX's interface."""
    roots = _packages(node for _, node in _imports(module))
    return "oakum" if "oakum" in roots and "jax" not in roots else "jax"


@keep(64)
def _is_guarded(module: ModuleFacts, library: str) -> bool:
    """Whether a file imports a library only where that may be missing, or late: in a `try`, a
    choice or a function.
    """
    if library in _packages(node for _, node in _imports(module)):
        return False
    inner = (n for u in module.units if "import" in u.text for n in walk(*u.body))
    return library in _packages(inner)


def _packages(found: Iterable[nodes.Node]) -> frozenset[str]:
    """The packages that some nodes import, or of which they import something."""
    packages: set[str] = set()
    for node in found:
        match node:
            case nodes.Import(names=names):
                packages.update(name.path.partition(".")[0] for name in names)
            case nodes.ImportFrom(module=module, level=0):
                packages.add(module.partition(".")[0])
            case _:
                pass
    return frozenset(packages)


def _insertion(module: ModuleFacts, line: str) -> Edit | None:
    """Puts an import of a module of JAX behind `import jax`, another behind all imports of such
    modules; else among the imports that are not of Python's own modules, which stand first.
    """
    imports = _imports(module)
    is_module = line.startswith(tuple(f"import {library}" for library in _LIBRARIES))
    before = [entry for entry in imports if _is_before(entry[1], with_modules=not is_module)]
    if before:
        return _line_behind(module, *before[-1], line)
    further = [entry for entry in imports if not _is_of_python(entry[1])]
    if imports and not further:
        return _line_behind(module, *imports[-1], line)
    smaller = [*takewhile(lambda entry: _is_smaller(entry[1], line), further)]
    if smaller:
        return _line_behind(module, *smaller[-1], line)
    return _line_before(module, *further[0], line) if further else None


def _is_smaller(node: nodes.Import | nodes.ImportFrom, line: str) -> bool:
    return isinstance(node, nodes.Import) and f"import {node.names[0].path}" < line


def _insertion_of_functools(module: ModuleFacts) -> Edit | None:
    """Puts `import functools` among the imports of Python's own modules, which stand first."""
    imports = _imports(module)
    own = [entry for entry in imports if _is_of_python(entry[1])]
    smaller = [entry for entry in own if _first_path(entry[1]) < "functools"]
    if smaller and isinstance(smaller[-1][1], nodes.Import):
        return _line_behind(module, *smaller[-1], "import functools")
    if own:
        return _line_before(module, *own[0], "import functools")
    if not imports:
        return None
    edit = _line_before(module, *imports[0], "import functools")
    return Edit(edit.start, edit.end, edit.text + edit.text.removeprefix("import functools"))


def _imports(module: ModuleFacts) -> list[tuple[UnitFacts, nodes.Import | nodes.ImportFrom]]:
    """The imports at the top of the module's statements, but for those from the future."""
    return [
        (unit, node)
        for unit in module.units
        if unit.kind == "import"
        for node in unit.body
        if isinstance(node, nodes.Import | nodes.ImportFrom) and not _is_future(node)
    ]


def _line_behind(module: ModuleFacts, unit: UnitFacts, node: nodes.Node, line: str) -> Edit:
    text = module.source.text
    stop = line_stop(text, unit.base + node.end)
    if stop == len(text):
        return Edit(stop, stop, f"\n{line}")
    end = _line_end(text, stop)
    return Edit(stop + len(end), stop + len(end), f"{line}{end}")


def _line_before(module: ModuleFacts, unit: UnitFacts, node: nodes.Node, line: str) -> Edit:
    text = module.source.text
    start = line_start(text, unit.base + node.start)
    return Edit(start, start, f"{line}{_line_end(text, start)}")


def _first_path(node: nodes.Import | nodes.ImportFrom) -> str:
    return node.names[0].path if isinstance(node, nodes.Import) else node.module


def _is_of_python(node: nodes.Import | nodes.ImportFrom) -> bool:
    is_relative = isinstance(node, nodes.ImportFrom) and node.level > 0
    return not is_relative and _first_path(node).partition(".")[0] in sys.stdlib_module_names


def _is_before(node: nodes.Statement, *, with_modules: bool) -> bool:
    match node:
        case nodes.Import(names=names):
            paths = [name.path.partition(".")[0] if with_modules else name.path for name in names]
            return all(path in _LIBRARIES for path in paths)
        case _:
            return False


def _is_future(node: nodes.Statement) -> bool:
    return isinstance(node, nodes.ImportFrom) and node.module == "__future__"


def _line_end(text: str, position: int) -> str:
    stop = line_stop(text, position)
    return "\r\n" if text.startswith("\r\n", stop) else text[stop : stop + 1] or "\n"
