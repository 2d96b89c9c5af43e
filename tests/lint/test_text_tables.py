"""Facts that are read from source text without a tree are those that Python's own parser finds."""

import ast

import pytest

from oakum_lint.text.lexer import tokens
from oakum_lint.text.nesting import DEEPEST_NESTING, LONGEST_CHAIN, measure_text
from oakum_lint.text.triggers import imported_names

IMPORTS = """
import a
import a.b
import a.b as c
import a as b, c
import a, b.c as d, e.f
from a import b
from a import b as c
from a import b, c as d
from a.b import (c, d)
from a import (b as c, d,)
from . import a
from .. import a as b
from .a import b
from ...a.b import c as d
from a import *
from .a import *
"""


def bound_by(text: str) -> list[tuple[str, str, int, str]]:
    """The name, path, level and imported name of each name that an import statement binds."""
    (statement,) = ast.parse(text).body
    if isinstance(statement, ast.Import):
        names = statement.names
        return [(n.asname or n.name.partition(".")[0], n.name, 0, "") for n in names]
    assert isinstance(statement, ast.ImportFrom)
    path, level = statement.module or "", statement.level
    return [(n.asname or n.name, path, level, n.name) for n in statement.names]


@pytest.mark.parametrize("text", IMPORTS.strip().splitlines())
def test_the_names_of_an_import_are_those_that_python_binds(text: str) -> None:
    """What another file offers under a name is found by it, also behind `as`."""
    found = [(n.bound, n.path, n.level, n.name) for n in imported_names(f"x = 1\n{text}\n")]
    assert found == bound_by(text)


STRINGS = [
    "'a'",
    '"""a"b"""',
    r"r'\\'",
    r"Rb'\''",
    'u"é"',
    'f"a"',
    "f'{x!r}'",
    'f"{x:>{width}}"',
    'f"{{}}"',
    'f"{{{x}}}"',
    """f"{x['a']}\"""",
    """f"{'}'}\"""",
    """f"{g(')')}\"""",
    'f"{(lambda y: y)(1)}"',
    'f"{x:{y}.{z}}"',
    'f"{d[1:2]}"',
    'f"a{b}c{d}e"',
    'f"{x=}"',
    'f"{x!r:^10}"',
    'f"{g(a={1: 2})}"',
    'f"{x:%H:%M}"',
    'rf"\\d{x}"',
    'f"""{x}"{y}"""',
    r'"a\"b"',
    r"'\\'",
]


@pytest.mark.parametrize("spelling", STRINGS)
def test_a_string_ends_where_python_ends_it(spelling: str) -> None:
    """One that ends too early makes code of text, and text of the code behind it."""
    assert isinstance(ast.parse(spelling, mode="eval").body, ast.Constant | ast.JoinedStr)
    quote = len(spelling) - len(spelling.lstrip("rRbBuUfF"))
    found = [(start, end) for _, start, end in tokens(f"{spelling} + (y)")]
    end = len(spelling)
    assert found == [(quote, end), (end + 3, end + 4), (end + 5, end + 6)]


def test_text_that_is_too_deep_says_what_is() -> None:
    """The message of OAK003 names what a user has to take apart."""
    deep = measure_text("x = " + "(" * (DEEPEST_NESTING + 1) + ")" * (DEEPEST_NESTING + 1))
    assert deep.excess == f"more than {DEEPEST_NESTING} nested brackets, prefix operators or blocks"
    chain = measure_text("x = " + " + ".join(["1"] * (LONGEST_CHAIN + 2)))
    expected = f"more than {LONGEST_CHAIN} operators, calls or indices in one expression"
    assert chain.excess == expected
    assert measure_text("x = 1").excess == ""
