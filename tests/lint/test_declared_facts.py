"""Facts about libraries and wordings stand in `models/` and `text/`, not in what evaluates."""

import ast
import inspect
import keyword
import pkgutil
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from oakum_lint.models import dotted
from oakum_lint.models.host.jax_equivalents import OTHER_NAME, SAME_NAME
from oakum_lint.models.host.objects import NUMPY_OBJECTS
from oakum_lint.models.operations import FORMER_KEYWORDS

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


USER_NAMES = frozenset("attribute definition_name identifier name spelled text".split())
"""What variables and fields are called in the linter that hold names or text of the user."""


def guesses(tree: ast.Module) -> Iterator[str]:
    """The tests of what a user's name or text has in it."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], left=ast.Constant(str(word))):
                if is_plain(word) and is_user_name(node.comparators[0]):
                    yield ast.unparse(node)
            case ast.Call(
                func=ast.Attribute(value=held, attr="startswith" | "endswith"),
                args=[ast.Constant(str(word))],
            ):
                library = ast.unparse(held) in ("function.name", "declared.name")
                if is_plain(word) and is_user_name(held) and not library:
                    yield ast.unparse(node)
            case _:
                pass


def is_plain(word: str) -> bool:
    """Whether a word may be part of a name; those of Python itself mean what they say."""
    return word.strip("_").isidentifier() and not keyword.iskeyword(word)


def is_user_name(node: ast.expr) -> bool:
    """Whether an expression is a name or a text of the user, as far as its own name says."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return is_user_name(node.func.value)
    last = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return last in USER_NAMES


def test_what_a_name_has_in_it_decides_nothing() -> None:
    """A function that is called `static_pressure` is no evidence: a finding is kept or left out by
    what a name stands for. What habits say is a table that the settings can replace.
    """
    found = {path: list(guesses(tree)) for path, tree in evaluating() if decides(path)}
    assert {path: names for path, names in found.items() if names} == {}
    planted = "def f(function): return 'static' in function.name.lower() or name.endswith('guard')"
    assert len(list(guesses(ast.parse(planted)))) == 2


def decides(path: str) -> bool:
    """Whether a module is of those that decide what is found: not of those that show or fix it."""
    return path.partition("/")[0] not in ("app", "fixes", "rules", "syntax")


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


def exists(path: str) -> bool:
    """Whether a library has something of a dotted name; `__call__` and the like go with their
    object.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what NumPy will drop is still there
        try:
            pkgutil.resolve_name(path)
        except (ImportError, AttributeError, ValueError):
            return False
    return True


OLD_NAMES = frozenset({"numpy.row_stack"})
"""What the NumPy of the tests may have dropped, and older code has."""


def test_what_is_said_of_host_functions_names_functions_that_exist() -> None:
    """A help line that names no function of JAX cannot be followed; a row for a function that does
    not exist is never read.
    """
    same = (f"{module}.{name}" for module, names in SAME_NAME.items() for name in names.split())
    hosted = [*same, *OTHER_NAME, *chain.from_iterable(NUMPY_OBJECTS.items())]
    assert [name for name in hosted if not exists(name) and name not in OLD_NAMES] == []
    equals = (
        value.partition("(")[0].replace("jnp.", "jax.numpy.") for value in OTHER_NAME.values()
    )
    assert [name for name in equals if not name.startswith("x.") and not exists(name)] == []


def test_former_keywords_have_the_names_that_they_have_now() -> None:
    """Else a call that older code makes is taken for one without the argument."""
    for name, renamed in FORMER_KEYWORDS.items():
        parameters = inspect.signature(pkgutil.resolve_name(f"jax.{name}")).parameters
        assert set(renamed.values()) <= parameters.keys(), name
        assert all(map(str.isidentifier, renamed)), name
