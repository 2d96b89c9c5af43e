"""The layers of the linter: imports point down only, those in functions and for types too."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from oakum.values.records import fields
from oakum_lint.analyses.register import in_order
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import Array
from oakum_lint.driver import GUESTS

ROOT = Path(__file__).parents[2] / "lint" / "oakum_lint"

LAYERS = (
    ("models",),
    ("text",),
    ("syntax",),
    ("domain",),
    ("arrays",),
    ("python",),
    ("jax",),
    ("libraries",),
    ("analyses",),
    ("calls", "driver"),
    ("fixes",),
    ("rules",),
    ("app",),
)
"""From the bottom up. A module imports from its own layer and from those before it."""

MOST_FILES = 25
"""More in one folder are not found their way in, unless they are a family of like files."""
FAMILIES = {"rules"}


@dataclass(frozen=True, slots=True)
class Module:
    """What a module says of others. Its tree is not kept: each later search for garbage would look
    at all nodes.
    """

    imported: frozenset[str]
    when_run: frozenset[str]
    """What is imported not only for type checkers."""
    guests: frozenset[object]
    """The names of the guests that it makes."""


@cache
def files() -> dict[str, Path]:
    """The modules below the package, by their names in it."""
    found: dict[str, Path] = {}
    for file in sorted(ROOT.rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix("__init__")
        found[name.removesuffix(".")] = file
    return found


@cache
def modules() -> dict[str, Module]:
    return {name: read(file) for name, file in files().items()}


def read(file: Path) -> Module:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    guests = {
        node.value.args[0].value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "Guest"
        and isinstance(node.value.args[0], ast.Constant)
    }
    own = frozenset(imported(ast.walk(tree))), frozenset(imported(when_run(tree)))
    return Module(*own, frozenset(guests))


def imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """The modules of the package that import statements among nodes name."""
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            inner = name.removeprefix("oakum_lint.")
            if inner != name:
                yield inner if inner in files() else inner.rpartition(".")[0]


def layer(module: str) -> int:
    top = module.partition(".")[0]
    return next(number for number, names in enumerate(LAYERS) if top in names)


ENTRANCE = ("", "__main__")
"""The package itself, and what `python -m` runs."""


def test_every_module_has_its_layer() -> None:
    known = {name for names in LAYERS for name in names}
    assert {name.partition(".")[0] for name in files() if name not in ENTRANCE} == known


def test_imports_point_down() -> None:
    """What is below can be read, tested and changed without what is above it."""
    up = {
        (name, imported)
        for name, module in modules().items()
        if name not in ENTRANCE
        for imported in module.imported
        if imported and layer(imported) > layer(name)
    }
    assert sorted(up) == [], "import it the other way, or announce it (`domain/moments`)"


def when_run(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers read."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            stack.extend(ast.iter_child_nodes(node))


def test_modules_import_each_other_without_circles() -> None:
    graph = {name: module.when_run for name, module in modules().items()}
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("folder", sorted({file.parent for file in ROOT.rglob("*.py")}))
def test_a_folder_can_be_overlooked(folder: Path) -> None:
    """A reader finds a file by its name in a list that is seen at once."""
    files = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
    assert len(files) <= MOST_FILES or str(folder.relative_to(ROOT)) in FAMILIES


MOST_FIELDS = {Array: 7, Frame: 11}
"""What all parts share of an array, its facets included, and of an activation."""
MOST_LINES = 249
"""Of the machine: what one part keeps is a state of its own."""


@pytest.mark.parametrize("kind", MOST_FIELDS)
def test_what_an_analysis_knows_is_its_own(kind: type[Array] | type[Frame]) -> None:
    """A field that one analysis reads is carried and copied by all: it belongs in a facet."""
    assert len(fields(kind)) <= MOST_FIELDS[kind]


def test_the_machine_can_be_overlooked() -> None:
    lines = (ROOT / "domain" / "interpreter.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MOST_LINES


def test_every_analysis_with_hooks_is_a_guest() -> None:
    """One that `driver` does not list hears nothing, and its findings are lost."""
    with_hooks = {guest for module in modules().values() for guest in module.guests}
    assert with_hooks
    assert with_hooks == {guest.name for guest in GUESTS}


def test_guests_hear_after_those_that_they_name() -> None:
    """Donation asks which variables hold the same array: that has to be noted by then."""
    order = [guest.name for guest in in_order(GUESTS)]
    for guest in GUESTS:
        for other in guest.after:
            assert order.index(other) < order.index(guest.name)
