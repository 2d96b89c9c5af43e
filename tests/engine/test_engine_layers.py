"""Imports of the engine point down: at the top of a module, in functions, for type checkers, and in
the strings that stand for modules (tables of lazy names).

Where one fails, two parts know each other that a reader, or another back end, could have taken one
by one. Packages that list names and import them when they are asked for are looked through: who
uses `lax.mul` imports the module that declares `mul`.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ENGINE = Path(__file__).parents[2] / "engine"

LAYERS: Final = """
    values version errors dtypes
    values.options config
    abstract
    array array_operators typing
    pytrees
    tracing
    runtime.topology
    runtime
    primitives lax
    compile.native
    compile.llvm
    compile.elementary
    compile.loops
    compile.problems
    compile.simplify compile.rewrite
    compile.fusion
    compile.plan
    compile.plan_verify
    compile.program
    compile.cpu.codegen compile.cpu.contraction compile.cpu.elimination compile.cpu.kernels
    compile.nvptx.codegen
    compile.nvptx.solvers
    compile.cpu compile.nvptx
    compile.verification
    compile
    runtime.native_call
    stages
    transforms
    transforms.batching
    transforms.autodiff
    transforms.jit
    transforms.custom_rules
    control_flow
    api checkpoint_policies
    tree tree_util dlpack custom_derivatives ad_checkpoint
    numpy
    random nn scipy image ops flatten_util
    core custom_batching debug distributed experimental export monitoring profiler
        ref sharding test_util
    extend
    interpreters
    interop
    __main__
"""
"""Folders and modules below `oakum`, a layer on each line, the lowest first. A module imports of
its own layer and of those above it in this list; a folder that is not listed is in its parent's.
"""

ARRAY: Final = frozenset({"array", "array_operators"})
"""The methods of arrays are declared at the bottom, with the class that tracers inherit, and
carried out by the functions of the same names at the top. It is the one exception.
"""

FAMILIES: Final = frozenset({"abstract", "primitives", "scipy.stats"})
"""Folders of files that are alike, one for each family of rules, primitive or distribution."""

ONE: Final[dict[str, str]] = dict.fromkeys(
    ("lax", "primitives.rules", "primitives.random"), "primitives"
) | dict.fromkeys(
    (f"numpy.{name}" for name in ("creation", "indexing", "linalg", "statistics")),
    "numpy",
)
"""Folders that are one part. The operations: what the rules of primitives share is written, as they
are, in the functions of `lax`, which bind the primitives. And the functions of NumPy, which are
written with each other: `stack` takes what `array` takes, which stacks the elements of lists.
"""


class Edge(NamedTuple):
    """An import: names of modules below `oakum`."""

    importer: str
    imported: str
    line: int


@functools.cache
def modules() -> dict[str, ast.Module]:
    """The modules below `oakum`; the package itself, which is above all, is not among them."""
    found: dict[str, ast.Module] = {}
    for file in sorted((ENGINE / "oakum").rglob("*.py")):
        parts = file.relative_to(ENGINE / "oakum").with_suffix("").parts
        name = ".".join(parts).removesuffix("__init__").removesuffix(".")
        if name:
            found[name] = ast.parse(file.read_text(encoding="utf-8"))
    return found


@functools.cache
def is_package(name: str) -> bool:
    return (ENGINE / "oakum" / name.replace(".", "/") / "__init__.py").is_file()


def module_of(name: str) -> str:
    """The module that a dotted name is, or is in; "" for the package itself."""
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name


@functools.cache
def listed(package: str) -> dict[str, str]:
    """For a package that imports names when they are asked for, the module behind each name."""
    tree = modules().get(package)
    found: dict[str, str] = {}
    for node in tree.body if tree is not None else ():
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body, orelse=[ast.Assign(), *_]):
                for each in body:
                    if isinstance(each, ast.ImportFrom) and each.module:
                        home = each.module.removeprefix("oakum.")
                        for name in [alias.name for alias in each.names]:
                            full = f"{home}.{name}"
                            found |= {
                                of: full if full in modules() else home
                                for of in (defined(home) if name == "*" else [name])
                            }
            case _:
                pass
    return found


def defined(name: str) -> list[str]:
    """The names that a module defines, and does not only import."""
    return [
        target.id if isinstance(target, ast.Name) else target.name
        for node in modules()[name].body
        for target in (node.targets if isinstance(node, ast.Assign) else [node])
        if isinstance(target, (ast.Name, ast.FunctionDef, ast.ClassDef))
    ]


def is_face(name: str) -> bool:
    return is_package(name) and bool(listed(name))


def looked_through(package: str, attributes: list[str]) -> str:
    """The module that has `package.a.b.c`, whatever packages only list names."""
    while attributes and is_face(package):
        first, *attributes = attributes
        package = listed(package).get(first) or module_of(f"{package}.{first}")
    return package


def bound(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """What stands for modules of the engine: the name in this module, the dotted name, the line."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    if alias.name.split(".")[0] == "oakum":
                        yield alias.asname or alias.name, alias.name[6:], node.lineno
            case ast.ImportFrom(module=str(module), names=names) if re.match(r"oakum\b", module):
                for alias in names:
                    name = f"{module}.{alias.name}".removeprefix("oakum.")
                    yield alias.asname or alias.name, name, node.lineno
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call(args=[ast.Constant(v)])):
                if isinstance(v, str) and v.startswith("oakum."):
                    yield target, v[6:], node.lineno
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.Call(args=[ast.Constant(v)])):
                if isinstance(v, str) and v.startswith("oakum."):
                    yield target, v[6:], node.lineno
            case _:
                pass


def chains(tree: ast.Module) -> dict[str, set[tuple[str, ...]]]:
    """For each name the attributes that are taken of it, of them, and so on."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for node in ast.walk(tree):
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if isinstance(node, ast.Name) and attributes:
            found[node.id].add(tuple(attributes))
    return found


@functools.cache
def bare(tree: ast.Module) -> frozenset[str]:
    """The names that are used as they are, without an attribute."""
    bases = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return frozenset(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in bases
    )


def texts(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The strings that are names of modules, but those that document something."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            value = node.value
            if isinstance(value, str) and re.fullmatch(r"oakum(\.\w+)+", value):
                yield value[6:], node.lineno


@functools.cache
def edges() -> frozenset[Edge]:
    """All imports of modules by modules, faces looked through."""
    found: set[Edge] = set()
    for module, tree in modules().items():
        if is_face(module):
            continue
        taken = chains(tree)
        names: set[str] = set()
        for name, full, line in bound(tree):
            names.add(full)
            home = module_of(full)
            if not is_face(home):
                found.add(Edge(module, home, line))
            elif home != full:  # a name of a face
                found.add(
                    Edge(module, looked_through(home, full[len(home) + 1 :].split(".")), line)
                )
            else:
                found.update(
                    Edge(module, looked_through(home, list(attributes)), line)
                    for attributes in taken.get(name, ())
                )
                if name in bare(tree):  # handed on as a whole
                    found.add(Edge(module, home, line))
        for full, line in texts(tree):
            if full in modules() and full not in names and not is_face(full):
                found.add(Edge(module, full, line))
    return frozenset(edge for edge in found if edge.imported not in ("", edge.importer))


@functools.cache
def ranks() -> dict[str, int]:
    lines = re.sub(r"\n {8,}", " ", LAYERS.strip("\n")).splitlines()
    return {name: rank for rank, line in enumerate(lines) for name in line.split()}


def rank(module: str) -> int | None:
    while module:
        if module in ranks():
            return ranks()[module]
        module = module.rpartition(".")[0]
    return None


def folder(module: str) -> str:
    found = module if is_package(module) else module.rpartition(".")[0]
    return ONE.get(found, found)


def test_every_module_has_a_layer() -> None:
    assert not [module for module in modules() if rank(module) is None]
    assert not [name for name in ranks() if name not in modules()]


def test_imports_point_down() -> None:
    upward = {
        f"{edge.importer}:{edge.line} imports {edge.imported}"
        for edge in edges()
        if edge.importer not in ARRAY and (rank(edge.importer) or 0) < (rank(edge.imported) or 0)
    }
    assert not upward, "\n".join(sorted(upward))


def test_folders_are_in_no_circle() -> None:
    """Modules at the root are no folder; packages that only list names are looked through."""
    after: dict[str, set[str]] = defaultdict(set)
    for edge in edges():
        here, there = folder(edge.importer), folder(edge.imported)
        if here and there and here != there and edge.importer not in ARRAY:
            after[here].add(there)
    gone: set[str] = {""}
    while gone:  # what leads nowhere, and what nothing leads to, is in no circle
        known = {there for each in after.values() for there in each}
        gone = {here for here in after if not after[here] & after.keys() or here not in known}
        for here in gone:
            del after[here]
    circle = {here: after[here] & after.keys() for here in after}
    assert not circle, "\n".join(f"{here} -> {sorted(circle[here])}" for here in sorted(circle))


@pytest.mark.parametrize("name", ["", *sorted(filter(is_package, modules()))])
def test_folders_hold_few_files(name: str) -> None:
    at = ENGINE / "oakum" / name.replace(".", "/")
    files = [file for file in at.glob("*.py") if file.name != "__init__.py"]
    if name:
        assert len(files) <= 25 or name in FAMILIES
    else:
        assert len(files) < 30
        assert len([each for each in at.iterdir() if (each / "__init__.py").is_file()]) <= 18
