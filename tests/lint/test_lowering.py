"""The compact syntax tree says what Python's own parser says of a program, at the same places."""

import ast
from pathlib import Path
from typing import Any

import pytest
from ast_reference import assert_same_as_ast, lowered, package_files

from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.source import Source

SNIPPETS = [
    "f(x for x in y)",
    "f( x for x in y )",
    "f((x for x in y))",
    "((1, 2))",
    "1, 2,",
    "a[1,]",
    "a[1:2, 3]",
    "a[:]",
    "a[::]",
    "a[b:c:d]",
    "a[*b]",
    "a[*b, c]",
    "(a).b",
    "((a).b)(c)",
    "(a + b) + c",
    "a + (b + c)",
    "-a ** -b",
    "not a in b",
    "a not  in b",
    "a is  not b",
    "a < b <= c != d",
    "(a and b) and c",
    "a and b and c",
    "a and (b and c)",
    "a or b and c or d",
    "a if b else c if d else e",
    "(a if b else c) if d else e",
    "'a' 'b'",
    "('a'\n 'b' # c\n 'd')",
    "b'a' b'b'",
    "f'a' 'b' f'{c}'",
    "f'{x!r:>{w}}{{}}'",
    "f'{x = }'",
    "f'{x=!s}'",
    "f'{x=:>3}'",
    "f'''{\nx\n}'''",
    "rf'\\d{x}'",
    "f'\\n{x}\\x41'",
    "f'\\N{EM DASH}{x}'",
    "{}",
    "()",
    "[]",
    "{1}",
    "{**a, 'b': c}",
    "{a: b for a, b in c if d if e}",
    "[a async for b in c]",
    "lambda: 0",
    "lambda a, /, b=1, *c, d, e=2, **f: a",
    "lambda *, a: a",
    "(yield)",
    "x = yield",
    "x = yield a, b",
    "x = yield from a",
    "(a := b)",
    "f(a := b)",
    "print(*a, **b)",
    "f(a, *b, c=1, **d,)",
    "*a, b = c",
    "a = b = c",
    "a, = b",
    "a: int",
    "a: int = 1",
    "a.b: int",
    "a += 1",
    "a //= b",
    "a @= b",
    "a >>= b",
    "del a, b",
    "del (a, b)",
    "del (a), b",
    "del a[b], c.d",
    "assert a, b",
    "raise",
    "raise a from b",
    "global a, b",
    "import a.b.c as d, e",
    "from . import a",
    "from ...a.b import (c as d, e,)",
    "from .a import *",
    "import a . b",
    "pass; pass",
    "a = 1; b = 2",
    "...",
    "if a:\n  b\nelif c:\n  d\nelif e:\n  f\nelse:\n  g",
    "if a: b; c",
    "while a:\n  break\nelse:\n  continue",
    "for a, b in c, d:\n  pass\nelse: e",
    "with a: pass",
    "with a as b, c as (d, e): pass",
    "with (a as b, c): pass",
    "with (a, b): pass",
    "with (a): pass",
    "with (yield): pass",
    "with (a) as b: pass",
    "try:\n  a\nexcept:\n  b",
    "try:\n  a\nexcept A as b:\n  c\nexcept (B, C):\n  d\nelse:\n  e\nfinally:\n  f",
    "try:\n  a\nfinally:\n  b",
    "try:\n  a\nexcept* A:\n  b",
    "@a\n@b.c(d)\n# e\ndef f(a: int, /, b: str = 'c', *args: *d, e: int = 3) -> f:\n  yield 1",
    "def f(**kw: int): pass",
    "async def f():\n  async with a as b: pass\n  async for c in d: await e",
    "def f(): return",
    "def f(*, a): ...",
    "def f():\n  def g():\n    yield",
    "def f():\n  x = lambda: (yield)",
    "def f(a=(yield)): pass",
    "class A: pass",
    "class A(B, *C, metaclass=D, **E): x = 1",
    "class A():\n  '''doc'''",
    "match a:\n  case 1 | -2 | 'b' 'c': pass\n  case None | True: pass",
    "match a:\n  case a.b: pass\n  case _: pass",
    "match a, b:\n  case [c, *_]: pass\n  case (d, *e): pass\n  case f, g: pass",
    "match a:\n  case (h): pass\n  case (): pass",
    "match (a):\n  case {'b': c, 1 + 2j: d, **e}: pass",
    "match a:\n  case {'b': c,}: pass\n  case {**d,}: pass\n  case {'b': c, **e,}: pass",
    "match a:\n  case A(): pass\n  case B.C(d, e=f, g=[h]) as i if j: pass",
    "match = case = 1\nmatch[a]",
    "x = 1_000 + 0xF_f + 0o17 + 0b1 + 1e3 + .5 + 1_0.0_1 + 3j + 1e5j + 00",
    "x = 'a\\\nb' + '\\101\\x41\\u0041\\U00000041\\'\\d'",
    "x = b'\\x00\\77\\d'",
    "é = 'ü'; ö.ä(ß=1)",
    "ﬁ = 𝔘",
    "x = '😀'; y = x",
    "if 1:\n\tx\n\ty",
    "x = (  # c\n  1\n)\n# d\n\ny = 2",
    "a \\\n + b",
    "def f():\n  # only\n  pass\n\n  # trailing\n",
    "x = [\n1,\n# c\n]",
    "a\r\nb\r\n",
    "a\rb\r",
    "if a:\r\n  b\r\n",
    "\fa = 1\n\f\nb",
    "'''a\r\nb'''",
    "r'a\\'b'",
    "Rb'a'",
    "u'a'",
    "0 if a else-1",
    "1if a else 2",
    "[1for a in b]",
    "a<b>c",
    "~-+a",
    "not-a",
    "a if b else lambda: c",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", SNIPPETS)
def test_each_construct_is_lowered_as_ast_reads_it(text: str) -> None:
    assert_same_as_ast(text)


@pytest.mark.sweep(11)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "file",
    [
        *package_files("optax", "flax", every=40),
        *package_files("numpy", "libcst", every=60),
        *[Path(ast.__file__).parent / name for name in ("typing.py", "tarfile.py", "enum.py")],
    ],
    ids=lambda file: "/".join(file.parts[-3:]),
)
def test_real_files_are_lowered_as_ast_reads_them(file: Path) -> None:
    """A wrong range puts a finding in the wrong place; a wrong tree makes one up."""
    with file.open(encoding="utf-8", newline="") as stream:
        assert_same_as_ast(stream.read())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("type X[T] = list[T]", "X"),
        ("def f[T: (int, str) = int, *Ts = *tuple[int], **P](x: T): pass", "f"),
        ("class A[T](B): pass", "A"),
        ("try: pass\nexcept* (A, B) as c: pass", None),
        ("""f"{d["key"]} {f'{f"{x}"}'}" """, None),
        ('f"{\n  x  # comment\n!r}"', None),
    ],
)
def test_syntax_newer_than_the_interpreter_is_lowered(text: str, value: str | None) -> None:
    (statement,) = lowered(text)
    assert statement.end == len(text.rstrip())
    if isinstance(statement, nodes.Assignment):
        assert isinstance(statement.targets[0], nodes.Name)
        assert statement.targets[0].identifier == value
    elif isinstance(statement, (nodes.FunctionDefinition, nodes.ClassDefinition)):
        assert statement.name == value


def test_nested_formatted_string_keeps_its_fields_and_their_places() -> None:
    text = """f"{d["key"]}-{x:>{w}}" """
    (statement,) = lowered(text)
    assert isinstance(statement, nodes.ExpressionStatement)
    string = statement.value
    assert isinstance(string, nodes.FormattedString)
    first, dash, second = string.parts
    assert isinstance(first, nodes.FormattedValue)
    assert isinstance(second, nodes.FormattedValue)
    assert dash == "-"
    assert text[first.value.start : first.value.end] == 'd["key"]'
    assert text[second.start : second.end] == "{x:>{w}}"
    assert second.format_spec is not None
    assert text[second.format_spec.start : second.format_spec.end] == ">{w}"


def test_a_template_string_gives_its_expressions() -> None:
    cst = pytest.importorskip("libcst")
    if not hasattr(cst, "TemplatedString"):
        pytest.skip("this LibCST does not know template strings")
    (statement,) = lowered('t"a{x}b{y!r}"')
    assert isinstance(statement, nodes.ExpressionStatement)
    opaque = statement.value
    assert isinstance(opaque, nodes.OpaqueExpression)
    assert [part.identifier for part in opaque.parts if isinstance(part, nodes.Name)] == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("(a): int = 1\n", "in a more usual form"),
        ("class A(metaclass=B, *C): pass\n", "in a more usual form"),
        ("def f(x):\n\f    if x:\n        x = 1\n    return x\n", "Remove the form feeds"),
    ],
)
def test_valid_code_that_libcst_does_not_parse_is_no_syntax_error(text: str, hint: str) -> None:
    """Valid code is called wrong, or all is called clean though nothing in it was looked at."""
    module = ModuleFacts(Source.from_text(text + "x =\n"))
    problems = [*module.problems()]
    assert [(each.code, each.start) for each in problems] == [
        ("OAK003", 0),
        ("OAK001", len(text) + 3),
    ]
    assert hint in problems[0].hint


def test_an_integer_too_long_to_evaluate_is_no_constant() -> None:
    """`int()` of more than 4300 digits raises; such a literal must not end the run."""
    (statement,) = lowered("x = " + "9" * 5000)
    assert isinstance(statement, nodes.Assignment)
    assert isinstance(statement.value, nodes.OpaqueExpression)


def test_invalid_escapes_do_not_warn(recwarn: pytest.WarningsRecorder) -> None:
    lowered("x = '\\d'\ny = f'\\d{x}'\nz = b'\\d'\n")
    ModuleFacts(Source.from_text("x = '\\d' +\n")).problems()
    assert not recwarn.list


def chain(statement: nodes.Statement) -> int:
    """How many links a left-leaning expression has."""
    assert isinstance(statement, nodes.Assignment)
    value: Any = statement.value
    length = 0
    while not isinstance(value, (nodes.Name, nodes.Constant)):
        value = getattr(value, "left", None) or getattr(value, "value", None) or value.function
        length += 1
    return length


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("a" + " + a" * 500, 500),
        ("a" + ".b" * 500, 500),
        ("a" + ".b()" * 250, 500),
        ("a" + "[0]" * 400, 400),
    ],
)
def test_long_chains_are_lowered_without_recursion(text: str, links: int) -> None:
    """Generated code has sums of hundreds of terms; they must not meet the recursion limit."""
    (statement,) = lowered("x = " + text)
    assert chain(statement) == links


def test_a_long_elif_chain_is_lowered_without_recursion() -> None:
    text = "if a == 0:\n  b\n" + "".join(f"elif a == {i}:\n  b\n" for i in range(900))
    (statement,) = lowered(text)
    length = 0
    while isinstance(statement, nodes.If) and statement.orelse:
        (statement,) = statement.orelse
        length += 1
    assert length == 900
