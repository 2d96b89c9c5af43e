"""The interpreter's parts: each stands alone, and `interpreter` alone puts them together."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path
from typing import get_args

from oakum_lint.facts import nodes
from oakum_lint.interp.interpreter import PARTS

PACKAGE = Path(__file__).parents[2] / "lint" / "oakum_lint" / "interp"
PREFIX = "oakum_lint.interp."


def imported_parts(file: Path) -> set[str]:
    """The parts that a part imports when it is loaded."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
            found |= {name.removeprefix(PREFIX).split(".")[0] for name in names if PREFIX in name}
    return {name for name in found if (PACKAGE / f"{name}.py").is_file()}


def test_parts_import_each_other_without_circles_and_none_the_assembly() -> None:
    """A part can be read, tested and changed with what is below it alone."""
    graph = {file.stem: imported_parts(file) for file in PACKAGE.glob("*.py")}
    assert list(TopologicalSorter(graph).static_order())
    assert [part for part, below in graph.items() if "interpreter" in below] == []


def test_every_expression_and_statement_has_its_part() -> None:
    """A construct without one would end the analysis of every file that has it."""
    assert set(get_args(nodes.Expression)) - set(PARTS.expressions) == set()
    assert set(get_args(nodes.Statement)) - set(PARTS.statements) == set()
