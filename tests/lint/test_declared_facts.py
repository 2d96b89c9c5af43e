"""Facts about libraries and wordings stand in `models/` and `text/`, not in what evaluates."""

import ast
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from oakum_lint.models import dotted

ROOT = Path(__file__).parents[2] / "lint" / "oakum_lint"
DECLARING = ("models", "text")


def evaluating() -> Iterator[tuple[str, ast.Module]]:
    """The modules that declare nothing, by their paths."""
    for file in sorted(ROOT.rglob("*.py")):
        path = file.relative_to(ROOT)
        if path.parts[0] not in DECLARING:
            yield path.as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def test_regular_expressions_stand_in_tables() -> None:
    """What a wording means is said once, where it can be read with all others."""
    found = Counter(
        path
        for path, tree in evaluating()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func).startswith("re.")
        and ast.unparse(node.func) != "re.escape"
    )
    assert not found


LIBRARIES = """
absl abc builtins chex collections contextlib copy dataclasses enum equinox flax functools haiku
itertools jax jaxlib jaxtyping lax logging math nn numbers numpy numpyro oakum operator optax random
scipy sys time timeit tqdm tree_util types typing typing_extensions warnings
""".split()
DOTTED_NAME = re.compile(rf"(?:{'|'.join(LIBRARIES)})\.[\w.]*")


def handled(tree: ast.Module) -> set[int]:
    """The keys of tables from names to the functions that evaluate them: who, not what."""
    return {
        id(key)
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(value, ast.Name | ast.Call | ast.Attribute | ast.Lambda)
    }


def rows(tree: ast.Module) -> set[int]:
    """The sentences of the rows of rules: what a user reads."""
    return {
        id(text)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Code"
        for text in node.args
    }


def names_in(tree: ast.Module) -> Iterator[str]:
    """The dotted names of libraries in strings that are nothing but names."""
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    skipped = texts | handled(tree) | rows(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            if id(node) not in skipped and all(re.fullmatch(r"[\w.]+", word) for word in words):
                yield from (word for word in words if DOTTED_NAME.fullmatch(word))


def test_names_of_libraries_stand_in_tables() -> None:
    """A fact about a library is found, and changed, in one place."""
    found = {path: list(names_in(tree)) for path, tree in evaluating()}
    assert {path: names for path, names in found.items() if names} == {}


def test_names_that_fixes_write_are_jaxs() -> None:
    """A fix with a name that JAX does not have would not run."""
    pytest.importorskip("jax")
    names = [path for name, path in vars(dotted).items() if name.isupper()]
    for path in names:
        if path.startswith("jax.") and path not in (dotted.IN_JAX, dotted.IS_PREFIX):
            assert pkgutil.resolve_name(path.rstrip(".").removesuffix(".logical_")) is not None
