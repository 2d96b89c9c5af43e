"""Imports point down only. Walked in the source, so that no import hides in a function."""

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"oakum": ROOT / "engine", "oakum_lint": ROOT / "lint", "oakum_lsp": ROOT / "lsp"}

READ = ROOT / "lint" / "oakum_lint" / "models" / "sources"
"""What lies there is analysed as text, and never imported."""
HEAVY = {"numpy", "scipy", "llvmlite", "jax", "jaxlib"}
LAUNCH = ("oakum_lint.app.commands.lsp", "oakum_lsp.server")
"""The one import that points up: the command `oakum lsp` starts the server."""


@dataclass(frozen=True, slots=True)
class Module:
    """What a module imports. Its tree is not kept: a million nodes would be looked at in each
    search for garbage afterwards.
    """

    name: str
    imports: tuple[str, ...]
    at_the_top: tuple[str, ...]
    """Those that stand in no function, and are not for type checkers only."""


def files(package: str) -> list[Path]:
    """The files of the modules of a package."""
    found = sorted((PACKAGES[package] / package).rglob("*.py"))
    return [file for file in found if not file.is_relative_to(READ)]


@functools.cache
def modules(package: str) -> tuple[Module, ...]:
    root = PACKAGES[package]
    found: list[Module] = []
    for file in files(package):
        name = ".".join(file.relative_to(root).with_suffix("").parts)
        tree = ast.parse(file.read_text(encoding="utf-8"))
        own = tuple(imports(tree)), tuple(imports(top_level_only(tree)))
        found.append(Module(name.removesuffix(".__init__"), *own))
    return tuple(found)


def imports(tree: ast.Module) -> Iterator[str]:
    """The full names of all modules that a module imports, at its top or inside functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom():
                pytest.fail(f"line {node.lineno}: a relative import")
            case _:
                pass


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def top_level_only(tree: ast.Module) -> ast.Module:
    kinds = (ast.Import, ast.ImportFrom)
    return ast.Module([node for node in tree.body if isinstance(node, kinds)], [])


def test_the_engine_imports_nothing_of_the_linter_or_the_server() -> None:
    for module in modules("oakum"):
        for name in module.imports:
            assert not within(name, "oakum_lint"), f"{module.name} imports {name}"
            assert not within(name, "oakum_lsp"), f"{module.name} imports {name}"


def test_values_and_declarations_import_no_arrays_and_no_compiler() -> None:
    """Else the linter would load NumPy to learn the shape of a sum."""
    for module in modules("oakum"):
        for name in module.imports:
            if (module.name, name) == ("oakum.values.host", "numpy"):
                continue  # for type checkers: what the linter loads is seen by test_startup
            assert name.partition(".")[0] not in HEAVY, f"{module.name} imports {name}"


def test_data_classes_are_those_that_are_quick_to_make() -> None:
    """Each of the standard library's takes a millisecond of every user's start."""
    for package in PACKAGES:
        for module in modules(package):
            if module.name != "oakum.values.records":
                assert "dataclasses.dataclass" not in module.imports, module.name


def test_the_linter_imports_nothing_heavy_and_nothing_above_it() -> None:
    for module in modules("oakum_lint"):
        for name in module.imports:
            what = f"{module.name} imports {name}"
            assert name.partition(".")[0] not in HEAVY, what
            for part in ("matchers", "codemod", "metadata"):
                if (module.name, part) == ("oakum_lint.syntax.lowering.spans", "metadata"):
                    continue  # only where syntax is met that is newer than the lowering
                assert not within(name, f"libcst.{part}"), what
            if within(name, "oakum_lsp"):
                assert (module.name, name.rpartition(".")[0]) == LAUNCH, what


def test_libcst_is_imported_only_where_a_file_is_parsed() -> None:
    """Importing libcst takes ten times as long as answering a file without tracer code."""
    for module in modules("oakum_lint"):
        for name in module.at_the_top:
            if within(name, "libcst"):
                assert within(module.name, "oakum_lint.syntax"), f"{module.name} imports {name}"


def test_rules_do_not_know_how_findings_are_printed_or_syntax_is_parsed() -> None:
    for module in modules("oakum_lint"):
        if not module.name.startswith("oakum_lint.rules.oak"):
            continue
        for name in module.imports:
            for above in ("app", "syntax"):
                assert not within(name, f"oakum_lint.{above}"), f"{module.name} imports {name}"


def test_the_side_of_the_server_that_answers_loads_no_analysis() -> None:
    """It has to answer at once, and to stay small, whatever the analysis does."""
    analysing = {"oakum_lsp.analysis_worker", "oakum_lsp.features"}
    for module in modules("oakum_lsp"):
        if any(within(module.name, part) for part in analysing):
            continue
        for name in module.at_the_top:
            for part in ("app.runner", "app.analysis", "driver", "domain", "fixes", "rules"):
                assert not within(name, f"oakum_lint.{part}"), f"{module.name} imports {name}"


def test_no_file_is_longer_than_five_hundred_lines() -> None:
    for package, root in PACKAGES.items():
        for file in (root / package).rglob("*.py"):
            count = len(file.read_text(encoding="utf-8").splitlines())
            assert count <= 500, f"{file.relative_to(ROOT)} has {count} lines"


def test_every_folder_is_a_package() -> None:
    """A folder without `__init__.py` works until a module of it has the name of a top-level one."""
    for package in PACKAGES:
        for file in files(package):
            assert (file.parent / "__init__.py").is_file(), file.parent.relative_to(ROOT)
