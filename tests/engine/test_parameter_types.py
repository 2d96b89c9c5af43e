"""How many annotated parameters of the engine are plain `Any`: as many as these, or fewer.

`Any` passes every check, so that pyright says nothing of what such a parameter gets. `object`, a
`TypeVar` and a `Protocol` say as much as is known. A name that stands for `Any` counts as `Any`,
also where another module has given it.
"""

from __future__ import annotations

import ast
import gc
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ENGINE = Path(__file__).parents[2] / "engine" / "oakum"

CEILINGS: Final = {
    "": 7,
    "abstract": 0,
    "api": 13,
    "compile": 3,
    "control_flow": 2,
    "experimental": 0,
    "extend": 0,
    "interpreters": 0,
    "lax": 81,
    "nn": 43,
    "numpy": 329,
    "primitives": 3,
    "pytrees": 14,
    "random": 42,
    "runtime": 12,
    "scipy": 98,
    "tracing": 10,
    "transforms": 3,
    "values": 13,
}
"""For each folder of the engine, and for its own modules (""), how many there may be. Whoever has
made them fewer lowers the number; it never grows.
"""


ANY: Final = frozenset({"Any", "typing.Any"})


def aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module gives to types, each with what it stands for."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, ast.unparse(value).strip("'\"")
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, ast.unparse(value).strip("'\"")
            case _:
                pass


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module imports, also for type checkers only, and where each is from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                yield each.asname or each.name, f"{node.module}.{each.name}"


def stands_for_any(text: str, names: frozenset[str]) -> bool:
    """Whether a type is `Any`, or one of several of which one is: a union with it is no more."""
    return any(part.strip() in names for part in text.split(" | "))


def names_of_any(trees: Mapping[str, ast.Module]) -> dict[str, frozenset[str]]:
    """For each module the names that stand for `Any` in it: its own, and those it imports."""
    found = dict.fromkeys(trees, ANY)
    own = {module: list(aliases(tree)) for module, tree in trees.items()}
    imported = {module: list(imports(tree)) for module, tree in trees.items()}
    while True:
        whole = {f"{module}.{name}" for module, names in found.items() for name in names}
        more = {
            module: found[module]
            | {name for name, text in own[module] if stands_for_any(text, found[module])}
            | {name for name, source in imported[module] if source in whole}
            for module in trees
        }
        if more == found:
            return found
        found = more


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
    files = {
        ".".join(file.relative_to(ENGINE.parent).with_suffix("").parts): file
        for file in ENGINE.rglob("*.py")
    }
    # A million nodes that stay: a look for garbage among them takes as long as to read them.
    gc.disable()
    try:
        texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
        trees = {name: ast.parse(text) for name, text in texts.items()}
    finally:
        gc.enable()
    for module, names in names_of_any(trees).items():
        parts = files[module].relative_to(ENGINE).parts
        folder = parts[0] if len(parts) > 1 else ""
        for annotation in parameter_types(trees[module]):
            every[folder] += 1
            found[folder] += stands_for_any(annotation, names)
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
        ("def f(x: 'Any', y: Any | None): ...", 2),
        ("Value = Any\ndef f(x: Value, y: list[Any]): ...", 1),
        ("Value = int | Any\ndef f(x: Value): ...", 1),
        ("import typing\nclass A:\n    def f(self, x: typing.Any): ...", 1),
        ("from oakum.other import Alias as Own\ndef f(x: Own | None): ...", 1),
    ],
)
def test_names_of_any_are_counted(text: str, expected: int) -> None:
    tree = ast.parse(text)
    other = ast.parse("Value = Any\nAlias = Value")
    names = names_of_any({"oakum": tree, "oakum.other": other})["oakum"]
    assert sum(stands_for_any(each, names) for each in parameter_types(tree)) == expected
