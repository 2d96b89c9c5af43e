"""The source of the packages as tests of their structure walk it: nothing is imported."""

import ast
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"oakum": ROOT / "engine", "oakum_lint": ROOT / "lint", "oakum_lsp": ROOT / "lsp"}


@functools.cache
def modules(package: str) -> dict[str, ast.Module]:
    """The modules of a package, itself among them, by their full names."""
    root = PACKAGES[package]
    found: dict[str, ast.Module] = {}
    for file in sorted((root / package).rglob("*.py")):
        name = ".".join(file.relative_to(root).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = ast.parse(file.read_text(encoding="utf-8"))
    return found


@functools.cache
def modules_below(package: str) -> dict[str, ast.Module]:
    """The modules of a package, by their names in it; that of the package itself is empty."""
    return {name[len(package) + 1 :]: tree for name, tree in modules(package).items()}


def imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The full names that import statements among nodes name: of modules, and of what is in one."""
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom():
                pytest.fail(f"line {node.lineno}: a relative import")
            case _:
                pass
