"""A file split into units loses nothing, and each unit is what the whole file says it is."""

import ast
import importlib.util
import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.parse import lower_text
from oakum_lint.text.nesting import measure_text
from oakum_lint.text.source import Source
from oakum_lint.text.split_units import split_edited, split_units


def units(text: str) -> list[str]:
    found = split_units(text)
    assert "".join(unit.text for unit in found) == text
    assert all(text.startswith(unit.text, unit.start) for unit in found)
    return [unit.text for unit in found]


def shape(node: Any, base: int) -> Any:
    """A node without its identity, with offsets from the start of the file."""
    if isinstance(node, tuple):
        return tuple(shape(item, base) for item in node)  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(node, nodes.Node):
        return node
    values: list[Any] = [type(node).__name__]
    for field in fields(node):
        value = getattr(node, field.name)
        is_offset = field.name in ("start", "end", "name_start")
        values.append(value + base if is_offset else shape(value, base))
    return tuple(values)


def assert_units_say_what_the_file_says(text: str) -> None:
    module = ModuleFacts(Source.from_text(text))
    in_units = [shape(node, unit.base) for unit in module.units for node in unit.body]
    whole = lower_text(text, measure_text(text))
    assert whole.problem is None
    assert in_units == [shape(node, 0) for node in whole.body]
    assert module.problems() == ()


def sample() -> list[Path]:
    files: list[Path] = []
    for package, every in (("flax", 15), ("optax", 15), ("numpy", 80), ("hypothesis", 25)):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.rglob("*.py"))[5::every]
    return files


@pytest.mark.sweep(24)
@pytest.mark.parametrize("file", sample(), ids=lambda file: "/".join(file.parts[-3:]))
def test_units_of_real_files_say_what_the_files_say(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as stream:
        assert_units_say_what_the_file_says(stream.read())


@pytest.mark.parametrize(
    "text",
    [
        "if a:\n  b\n# comment\nelse:\n  c\n",
        "try:\n  a\nexcept B:\n  c\nelse:\n  d\nfinally:\n  e\n",
        "def f():\n  a\n# at the margin\n  b\n",
        "def f():\n  a\n# at the margin\n\n  # inside\n  b\n",
        "@a\n# between\n\n@b(\n  c\n)\ndef f(): pass\n",
        "x = (\n1,\n# comment\n)\n",
        "x = '''\ndef f(:\n'''\n",
        "x = 1 + \\\ny\n",
        'x = f"""\n{\ny\n}\nclass A:\n"""\n',
        'x = f"{d["a#b"]}({"("}"\n',
        "x = f\"{f'''\n{a}\ndef g():\n'''}\"\ny = 1\n",
        'x = f\'{f"""\n{a}\ndef g():\n"""}\'\ny = 1\n',
        "x = f\"{f'''{d[\"(\"]}'''}\"\ny = 1\n",
        'x = f\'{f"""{d[\'(\']}"""}\'\ny = 1\n',
        "x = f\"{'''\ndef g(\n'''}\"\ny = 1\n",
        "x = f'{\na\n}'\ny = 1\n",
        "x = f'{a:{b:{c}}}' f'{{' rf'\\{d}'\n",
        "x = 'it\\'s' \"a\\\\\" # 'quote\n",
        "if TYPE_CHECKING:\n  import a\n\n  class B: pass\n",
        "a; b; c\n",
        "a = 1  # comment\n",
        "\r\n".join(["def f():", "  a", "", "@b", "class C:", "  d", ""]),
        "def f():\r  a\rx = 1\r",
        "\fx = 1\n\f\n\fdef f(): pass\n",
        "x = 1",
        "x = 1\n\f",
        "case = 1\nmatch = 2\nmatch(case)\n",
        "match a:\n  case 1:\n    b\n",
        "with (\n  a as b,\n  c as d,\n): pass\n",
        "x: int\ny: int = (\n  1\n)\n",
        "'''doc'''\nx = 1\n",
        "# only a comment",
        "\n\n\n",
        "",
        "for a in b:\n  c\nelse:\n  d\n",
        "async def f():\n  pass\nasync def g():\n  pass\n",
        "lambda: 0\n[a\n for b in c]\n{\n}\n",
    ],
)
def test_units_of_each_layout_say_what_the_file_says(text: str) -> None:
    units(text)
    assert_units_say_what_the_file_says(text)


def test_decorators_and_comments_go_with_what_they_lead() -> None:
    text = "import a\n\n# about f\n@a.b\ndef f(): pass\n# about x\nx = 1\n# the end\n"
    assert units(text) == [
        "import a\n\n",
        "# about f\n@a.b\ndef f(): pass\n",
        "# about x\nx = 1\n# the end\n",
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "x = (1,\n",
        "def g(a, b:\n  pass\n",
        "y = [1, 2\nz = 3\n",
        "s = 'never closed\n",
        "def g()\n  pass\n",
        "x = = 1\n",
        ") = 1\n",
        'x = f"{a\n',
        'x = f"{a(\n',
        "class A(\n  b = 1\n",
        "x = {'a': (1, [2\n",
        "if True:\nx = 1\n",
        "else:\n  a\n",
        "x = 1 +\n",
        "def g():\n  if a:\n  b\n",
        "print 'hello'\n",
    ],
)
def test_a_syntax_error_costs_one_unit(broken: str) -> None:
    """While someone is typing, and in one broken function of a file, the rest is still checked."""
    before, after = (
        "import jax\n\ndef f(x): return x\n",
        "@jax.jit\ndef h(x): return x\n\nclass K: pass\n",
    )
    module = ModuleFacts(Source.from_text(before + broken + after))
    (problem,) = module.problems()
    assert problem.code == "OAK001"
    assert len(before) <= problem.start <= len(before) + len(broken)
    names = [getattr(n, "name", "") for u in module.units for n in u.body]
    assert set(names) >= {"f", "h", "K"}


def test_an_error_that_only_python_finds_is_a_problem() -> None:
    text = "x = 1\nf(y) = 2\nz = 3\n"
    (problem,) = ModuleFacts(Source.from_text(text)).problems()
    assert (problem.code, problem.start) == ("OAK001", 6)
    assert "cannot assign to function call" in problem.message


def test_syntax_newer_than_the_interpreter_is_no_problem() -> None:
    text = 'def f[T](x: T): return f"{x["a"]}"\ntype X = int\ntry: pass\nexcept* A: pass\n'
    module = ModuleFacts(Source.from_text(text))
    assert module.problems() == ()
    assert [type(node).__name__ for unit in module.units for node in unit.body] == [
        *("FunctionDefinition", "Assignment", "Try")
    ]


def test_a_file_split_in_the_wrong_place_is_parsed_whole() -> None:
    """Quotes that the lexer cannot follow must not turn valid code into syntax errors."""
    # A backslash in a field: valid since 3.12, and no string end for a reader of 3.11.
    text = "x = 1\ny = f'{a['b']}(' + f'{'\\''}'\nz = (\n2)\n"
    module = ModuleFacts(Source.from_text(text))
    assert module.problems() == ()
    found = [text[u.base + n.start : u.base + n.end] for u in module.units for n in u.body]
    assert found == ["x = 1", "y = f'{a['b']}(' + f'{'\\''}'", "z = (\n2)"]


PIECES = [
    "def f(x):",
    "class A:",
    "@jax.jit",
    "import a",
    "from b import c",
    "if x:",
    "else:",
    "elif y:",
    "try:",
    "except E:",
    "finally:",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\f",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "'''",
    '"""',
    "\\",
    "\\\n",
    "#",
    "# c\n",
    "f'",
    'f"{',
    "rb'",
    "x",
    "x = 1",
    "pass",
    ":",
    ",",
    ";",
    "=",
    " ",
    "match x:",
    "case 1:",
    "async ",
    "lambda ",
    "\N{EM DASH}",
    "😀",
    "-",
    ".a",
    "for a in b:",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_is_split_without_loss_and_answered(text: str) -> None:
    units(text)
    module = ModuleFacts(Source.from_text(text))
    problems = module.problems()
    for unit in module.units:
        assert isinstance(unit.body, tuple)
        assert unit.kind
    assert all(0 <= problem.start <= problem.end <= len(text) for problem in problems)
    try:
        compile(text, "<text>", "exec", ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, Warning):
        return
    assert problems == ()


_TYPED = (
    '"""', "'''", "(", ")", "x = f'{y['z']}'", "x = f'{'", "x = '''a'''", "\\", "# c", "else:",
    "@dec", "x = 1", "    x = 1", "    def f():", "class A:", "    return x", "import jax", "  }",
)  # fmt: skip


def test_a_quote_that_is_typed_may_close_one_above() -> None:
    """Nothing had closed that one: the line behind it was split as if it did not matter."""
    before = "x = 1\n'''\ndef f():\n    y = 2\n    return y\n"
    module = ModuleFacts(Source.from_text(before))
    later = Source.from_text(before.replace("y = 2", "z = 3  # '''"))
    known = list(map(_known, module.edited(later).units))
    assert known == list(map(_known, ModuleFacts(later).units))


@pytest.mark.parametrize("seed", range(6))
def test_units_after_an_edit_are_those_of_the_edited_file(seed: int) -> None:
    """An editor has one unit split again; what it takes for the rest would be wrong until the file
    is opened again.
    """
    chance = random.Random(seed)
    files = sorted((Path(__file__).parents[2] / "lint" / "oakum_lint" / "text").glob("*.py"))
    text = chance.choice(files).read_text(encoding="utf-8")
    module, original, quick = ModuleFacts(Source.from_text(text)), text, 0
    for _ in range(60):
        lines = text.splitlines(keepends=True)
        place = chance.randrange(len(lines))
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        new = [chance.choice(("", indent, indent)) + chance.choice(_TYPED) + "\n"]
        match chance.randrange(6):
            case 5 if chance.random() < 0.2:
                del lines[place + 1 :]
            case 0:
                lines[place : place + 1] = []
            case 1:
                lines[place : place + 1] = new
            case 2:
                lines[place : place + 2] = chance.choices(lines, k=2)
            case _:
                lines[place:place] = new
        text = original if chance.random() < 0.3 else "".join(lines)
        quick += split_edited([unit.outline for unit in module.units], text) is not None
        module = module.edited(Source.from_text(text))
        fresh = ModuleFacts(module.source)
        assert list(map(_known, module.units)) == list(map(_known, fresh.units))
        assert module.problems() == fresh.problems()
    assert quick > 5


def _known(unit: UnitFacts) -> tuple[object, ...]:
    outline = unit.outline
    where = (unit.base, outline.start, outline.text, outline.statement)
    return (*where, unit.raw, unit.binding, unit.variables, unit.nesting)
