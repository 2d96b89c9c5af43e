"""How many annotated parameters of the engine are plain `Any`: as many as these, or fewer.

`Any` passes every check, so that pyright says nothing of what such a parameter gets. `object`, a
`TypeVar` and a `Protocol` say as much as is known. A name that stands for `Any` counts as `Any`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ENGINE = Path(__file__).parents[2] / "engine" / "oakum"

CEILINGS: Final = {
    "": 58,
    "abstract": 74,
    "api": 20,
    "compile": 140,
    "control_flow": 82,
    "experimental": 2,
    "lax": 83,
    "nn": 42,
    "numpy": 332,
    "options": 0,
    "primitives": 336,
    "pytrees": 21,
    "random": 66,
    "runtime": 62,
    "scipy": 151,
    "topology": 13,
    "tracing": 38,
    "transforms": 90,
    "values": 20,
}
"""For each folder of the engine, and for its own modules (""), how many there may be. Whoever has
made them fewer lowers the number; it never grows.
"""


def names_of_any(tree: ast.Module) -> set[str]:
    """The names that stand for `Any` in a module."""
    found = {"Any", "typing.Any"}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if ast.unparse(value) in found:
            found.add(name)
    return found


def parameter_types(tree: ast.Module) -> Iterator[str]:
    """The annotations of all parameters, of functions in functions too."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            own = node.args
            every = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
            for parameter in every:
                if parameter is not None and parameter.annotation is not None:
                    yield ast.unparse(parameter.annotation).strip("'\"")


def count() -> tuple[Counter[str], Counter[str]]:
    """The parameters that are `Any`, and all annotated ones, of each folder."""
    found, every = Counter[str](), Counter[str]()
    for file in ENGINE.rglob("*.py"):
        parts = file.relative_to(ENGINE).parts
        folder = parts[0] if len(parts) > 1 else ""
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = names_of_any(tree)
        for annotation in parameter_types(tree):
            every[folder] += 1
            found[folder] += annotation in names
    return found, every


def test_parameters_of_any_type_become_fewer() -> None:
    found, every = count()
    above = {folder: found[folder] for folder in every if found[folder] > CEILINGS[folder]}
    assert not above, f"{sum(found.values())} of {sum(every.values())} parameters are Any"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x: Any, y: int): ...", 1),
        ("def f(*x: Any, **y: Any): ...", 2),
        ("def f(x: 'Any'): ...", 1),
        ("Value = Any\ndef f(x: Value, y: list[Any]): ...", 1),
        ("import typing\nclass A:\n    def f(self, x: typing.Any): ...", 1),
    ],
)
def test_names_of_any_are_counted(text: str, expected: int) -> None:
    tree = ast.parse(text)
    names = names_of_any(tree)
    assert sum(each in names for each in parameter_types(tree)) == expected
