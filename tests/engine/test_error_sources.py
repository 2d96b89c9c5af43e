"""What an error says of the user's program, wherever that program comes from.

A wrong name or a wrong hint costs more than none. So each situation has to get its own code, the
line, and the name of the value that was asked, or no name, from files, prompts, strings and files
that have changed since.
"""

# pyright: reportUnknownVariableType=false

import ast
import code
import doctest
import importlib
import io
import linecache
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum.errors import OakumError

HEAD = "import math\nimport numpy as np\nimport oakum as jax\nimport oakum.numpy as jnp\n"

SITUATIONS = {
    "if": ("if x[0] > 0:\n        pass", "OAK201", "x[0] > 0"),
    "if after it": ("y = x[0] > 0\n    if y:\n        return 1", "OAK201", "y"),
    "else": ("if x[0] > 0:\n        return 1\n    else:\n        return 2", "OAK201", "x[0] > 0"),
    "while": ("while x[0] > 0:\n        x = x - 1", "OAK202", "x[0] > 0"),
    "if in for": (
        "for i in range(3):\n        if x[i] > 0:\n            x = x + 1",
        "OAK201",
        "x[i] > 0",
    ),
    "assert": ("assert x[0] > 0", "OAK201", "x[0] > 0"),
    "assert with words": ('assert x[0] > 0, "words"', "OAK201", "x[0] > 0"),
    "and": ("y = x[0] > 0 and x[1]", "OAK203", "x[0] > 0"),
    "if and": ("if x[0] > 0 and x[1]:\n        return 1", "OAK203", "x[0] > 0"),
    "if or": ("if x[0] > 0 or x[1]:\n        return 1", "OAK203", "x[0] > 0"),
    "if not": ("if not x[0] > 0:\n        return 1", "OAK203", "x[0] > 0"),
    "not": ("y = not x[0]", "OAK203", "x[0]"),
    "between": ("y = 0 < x[0] < 1", "OAK203", None),
    "if between": ("if 0 < x[0] < 1:\n        return 1", "OAK203", None),
    "in": ("y = x[0] in (1, 2)", "OAK203", None),
    "ternary": ("y = 1 if x[0] > 0 else 2", "OAK201", "x[0] > 0"),
    "comprehension": ("y = [i for i in range(3) if x[i] > 0]", "OAK201", "x[i] > 0"),
    "bool": ("y = bool(x[0] > 0)", "OAK204", "x[0] > 0"),
    "max": ("y = max(x[0], 0)", "OAK203", None),
    "int": ("y = int(x[0])", "OAK204", "x[0]"),
    "float": ("y = float(x[0] * 2)", "OAK204", "x[0] * 2"),
    "math": ("y = math.sin(x[0])", "OAK204", "x[0]"),
    "range": ("y = list(range(n))", "OAK205", "n"),
    "list": ("y = [1, 2, 3][n]", "OAK206", "n"),
    "slice": ("y = [1, 2, 3][:n]", "OAK214", "n"),
    "asarray": ("y = np.asarray(x)", "OAK208", "x"),
    "sin": ("y = np.sin(x * 2)", "OAK208", "x * 2"),
    "numpy method": ("y = np.linalg.norm(x[1:], axis=0)", "OAK208", "x[1:]"),
    "numpy index": ("y = np.ones(3)[n]", "OAK207", "n"),
    "item": ("y = x[0].item()", "OAK204", "x[0]"),
    "tolist": ("y = x.tolist()", "OAK204", "x"),
    "format": ('y = f"{x[0]:.2f}"', "OAK217", "x[0]"),
    "percent": ('y = "%.2f" % x[0]', "OAK217", "x[0]"),
    "hash": ("y = hash(x)", "OAK216", "x"),
    "dict": ("y = {x: 1}", "OAK216", "x"),
    "iteration": ("y = [each for each in x[0]]", "OAK501", "x[0]"),
    "mask": ("y = x[x > 0]", "OAK213", "x > 0"),
    "shape": ("y = jnp.zeros(n)", "OAK211", "n"),
}


def program(body: str) -> str:
    return f"{HEAD}\n\ndef f(x, n):\n    {body}\n    return x\n"


def error_of(function: Callable[..., object]) -> OakumError:
    with pytest.raises(OakumError) as caught:
        jax.jit(function)(jnp.arange(3.0), 1)
    return caught.value


Runner = Callable[[Path, str], tuple[OakumError, str]]
"""Runs a program that is written to a folder; the error, and the name of its file."""


def from_file(folder: Path, text: str) -> tuple[OakumError, str]:
    (folder / "program_of_file.py").write_text(text)
    return error_of(imported(folder, "program_of_file")), str(folder / "program_of_file.py")


def imported(home: Path, name: str) -> Callable[..., object]:
    sys.path.insert(0, str(home))
    sys.modules.pop(name, None)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name).f
    finally:
        sys.path.remove(str(home))


def from_changed_file(folder: Path, text: str) -> tuple[OakumError, str]:
    file = folder / "program_changed.py"
    file.write_text(text)
    function = imported(folder, "program_changed")
    # Other words at the same places: what the text says now never ran.
    file.write_text(text.replace("x", "z").replace("n", "m").replace("> 0", "< 9"))
    return error_of(function), str(file)


def from_moved_file(folder: Path, text: str) -> tuple[OakumError, str]:
    file = folder / "program_moved.py"
    file.write_text(text)
    function = imported(folder, "program_moved")
    file.write_text(f"def f(x, n):\n    while other and {{1: 2}}[other]:\n        pass\n{text}")
    return error_of(function), str(file)


def from_zip(folder: Path, text: str) -> tuple[OakumError, str]:
    with zipfile.ZipFile(folder / "programs.zip", "w") as archive:
        archive.writestr("program_of_zip.py", text)
    function = imported(folder / "programs.zip", "program_of_zip")
    return error_of(function), str(folder / "programs.zip" / "program_of_zip.py")


def from_string(_: Path, text: str) -> tuple[OakumError, str]:
    """As `exec` and `python -c` compile it."""
    names: dict[str, Callable[..., object]] = {}
    exec(compile(text, "<string>", "exec"), names)
    return error_of(names["f"]), "<string>"


def from_named_string(_: Path, text: str) -> tuple[OakumError, str]:
    """With the name of another file, whose lines are no part of it."""
    names: dict[str, Callable[..., object]] = {}
    exec(compile(text, __file__, "exec"), names)
    return error_of(names["f"]), __file__


def from_prompt(_: Path, text: str) -> tuple[OakumError, str]:
    """The text is one input, as when it is pasted."""
    names: dict[str, Callable[..., object]] = {}
    console = code.InteractiveConsole(names, filename="<stdin>")
    for line in [*HEAD.splitlines(), *text.removeprefix(HEAD).strip().splitlines(), ""]:
        console.push(line)
    return error_of(names["f"]), "<stdin>"


def from_doctest(_: Path, text: str) -> tuple[OakumError, str]:
    """The function is asked while the example runs, as in a documentation test."""
    caught: list[OakumError] = []
    lines = text.removeprefix(HEAD).strip().splitlines()
    shown = "\n".join([f">>> {lines[0]}", *(f"... {line}" for line in lines[1:])])
    names = {"caught": caught, "error_of": error_of}
    example = f"{shown}\n>>> caught.append(error_of(f))\n"
    heads = "".join(f">>> {line}\n" for line in HEAD.splitlines())
    test = doctest.DocTestParser().get_doctest(heads + example, names, "example", None, 0)
    result = doctest.DocTestRunner(verbose=False).run(test, out=io.StringIO().write)
    assert result.failed == 0
    assert caught[0].frame is not None
    return caught[0], caught[0].frame.file


WITH_SOURCE: dict[str, Runner] = {"file": from_file, "zip": from_zip, "doctest": from_doctest}
WITHOUT_SOURCE: dict[str, Runner] = {
    "changed": from_changed_file,
    "moved": from_moved_file,
    "string": from_string,
    "named": from_named_string,
    "prompt": from_prompt,
}


@pytest.fixture(autouse=True)
def _modules() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("program_"):
            del sys.modules[name]


def named(error: OakumError) -> str | None:
    """The value that an error names."""
    found = re.search(r"`([^`]*)` \(~?\w+\[", str(error))
    return found[1] if found else None


def check(
    error: OakumError, file: str, situation: str, line: int, operand: set[str | None]
) -> None:
    body, expected, _ = SITUATIONS[situation]
    assert error.code.code == expected, f"{body}\n{error}"
    assert named(error) in operand, f"{body}\n{error}"
    assert error.frame is not None
    assert (error.frame.file, error.frame.line) == (file, line), f"{body}\n{error}"


def line_of(situation: str) -> int:
    body, _, operand = SITUATIONS[situation]
    lines = body.splitlines()
    at = next((i for i, line in enumerate(lines) if operand and operand in line), 0)
    return at + (1 if situation == "if after it" else 0)


def kinds(runners: dict[str, Runner], quick: str) -> list[object]:
    """The kinds of sources: one in each run, the others in the long one."""
    long = pytest.mark.exhaustive
    return [pytest.param(kind, marks=() if kind == quick else long) for kind in runners]


@pytest.mark.parametrize("kind", kinds(WITH_SOURCE, "file"))
@pytest.mark.parametrize("situation", SITUATIONS)
def test_with_its_source_an_error_names_the_value(
    tmp_path: Path, situation: str, kind: str
) -> None:
    body, _, operand = SITUATIONS[situation]
    error, file = WITH_SOURCE[kind](tmp_path, program(body))
    line = line_of(situation) + (2 if kind == "doctest" else 8)
    check(error, file, situation, line, {operand})


@pytest.mark.parametrize("kind", kinds(WITHOUT_SOURCE, "string"))
@pytest.mark.parametrize("situation", SITUATIONS)
def test_without_its_source_an_error_has_the_same_code_and_no_wrong_name(
    tmp_path: Path, situation: str, kind: str
) -> None:
    body, _, operand = SITUATIONS[situation]
    error, file = WITHOUT_SOURCE[kind](tmp_path, program(body))
    line = line_of(situation) + (2 if kind == "prompt" else 8)
    check(error, file, situation, line, {operand, None})


def test_an_assertion_that_pytest_has_rewritten_is_still_one() -> None:
    def asserts(x: Any, _: Any) -> None:
        assert x[0] > 0, "which pytest compiles in its own way"

    error = error_of(asserts)
    assert (error.code.code, named(error)) == ("OAK201", "x[0] > 0")


def test_of_several_functions_in_one_statement_the_one_that_runs_is_read(tmp_path: Path) -> None:
    text = (
        "f = [lambda x, n: x if x[0] > 0 else n, lambda x, n: list(range(n)),\n"
        "     lambda x, n: (\n         float(\n             x[0] + n\n         )\n     )]\n"
    )
    (tmp_path / "program_of_lambdas.py").write_text(text)
    functions: Any = imported(tmp_path, "program_of_lambdas")
    found: list[tuple[str, str | None, int]] = []
    for function in functions:
        error = error_of(function)
        assert error.frame is not None
        found.append((error.code.code, named(error), error.frame.line))
    assert found == [("OAK201", "x[0] > 0", 1), ("OAK205", "n", 1), ("OAK204", "x[0] + n", 3)]


@pytest.mark.parametrize(
    ("text", "named_as"),
    [
        ("np.linalg.norm(held.w)", "held.w"),
        ("np.linalg.norm(held.tree['w'])", "held.tree['w']"),
        ("np.stack([held.w, 1.0])", "held.w"),
        ("np.linalg.norm(ord=None, x=held.w)", "held.w"),
        ("np.linalg.norm(held.same)", "held.same"),
        ("np.asarray(held.many)", None),
        ("helper(held.w)", "v"),
    ],
)
def test_what_holds_the_value_is_not_taken_for_it(text: str, named_as: str | None) -> None:
    """Looking does not run properties either."""

    class Held:
        asked = 0

        @property
        def same(self) -> Any:
            self.asked += 1
            return self.w

        def __init__(self, w: Any) -> None:
            self.w, self.tree, self.many = w, {"w": w}, [w]

    names: dict[str, Any] = {"Held": Held}
    source = f"{HEAD}def helper(v):\n    return np.sin(v)\n\ndef f(held, x):\n    return {text}\n"
    file = f"<held {text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)
    helds: list[Held] = []

    def run(x: Any, _: Any) -> Any:
        helds.append(Held(x * 2))
        return names["f"](helds[-1], x)

    error = error_of(run)
    assert (error.code.code, named(error)) == ("OAK208", named_as), error
    assert helds[-1].asked == ("same" in text)


def as_float(value: Any) -> object:
    return float(value)


def as_array(value: Any) -> object:
    return np.sin(value)


def as_index(value: Any) -> object:
    return [1, 2][value]


def as_test(value: Any) -> object:
    return 1 if value else 2


@pytest.mark.parametrize("ask", [as_float, as_array, as_index, as_test])
def test_a_value_that_was_kept_is_said_to_be_left_over(ask: Callable[[Any], object]) -> None:
    """To keep it an array is no help then: it has to be returned."""
    kept: list[Any] = []

    def keep(x: Any) -> Any:
        kept.append(x[0] * 2)  # oakum: ignore[OAK101] on purpose
        return x

    jax.jit(keep)(jnp.arange(3.0))
    with pytest.raises(OakumError) as caught:
        ask(kept[0])
    error = caught.value
    assert (error.code.code, named(error)) == ("OAK101", "value")
    assert "Return the value from the function" in str(error)
    assert "The error occurred while tracing" not in str(error)


def _lines(program: Any) -> list[int]:
    first = test_equations_have_the_line_of_the_operation.__code__.co_firstlineno
    return [equation.source[0].line - first for equation in program.jaxpr.eqns]


def test_equations_have_the_line_of_the_operation() -> None:
    """What a rule of ours applies has the user's line of the operation, and what a rule of the
    user's applies has the rule's: dumps and errors name these lines.
    """

    @jax.custom_jvp
    def sine(x: Any) -> Any:
        return jnp.sin(x)

    @sine.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        slope = jnp.cos(primals[0])
        return sine(primals[0]), slope * tangents[0]

    def f(x: Any) -> Any:
        y = jnp.tanh(x)
        return sine(y) * 2.0

    def derivative(x: Any) -> Any:
        return jax.jvp(jax.vmap(f), (x,), (x,))

    program = jax.make_jaxpr(derivative)(jnp.ones(3))
    of_tanh, of_rule, of_product = 15, {11, 12}, 16
    lines = _lines(program)
    assert lines.count(of_tanh) > 1
    assert set(lines) == {of_tanh, *of_rule, of_product}


def test_code_of_a_prompt_shows_its_line() -> None:
    """Python keeps no source of what is typed: the lines that were typed are looked through."""
    readline = pytest.importorskip("readline")
    inputs = ["import oakum as jax", "import oakum.numpy as jnp"]
    block = ["@jax.jit", "def relu(x):", "    if x > 0:", "        return x", "    return 0.0 * x"]
    shown: list[str] = []

    class Console(code.InteractiveConsole):
        def write(self, data: str) -> None:
            shown.append(data)

    console = Console()
    before = readline.get_current_history_length()
    for line in [*inputs, *block, "", "relu(2.0)", "jnp.ones(3) @ jnp.ones(4)"]:
        if line:
            readline.add_history(line)
        console.push(line)
    for _ in range(readline.get_current_history_length() - before):
        readline.remove_history_item(before)
    text = "".join(shown)
    assert "    if x > 0:\n       ^^^^^\n" in text
    assert "`x > 0`" in text
    assert "    jnp.ones(3) @ jnp.ones(4)\n    ^^^^" in text


def test_a_statement_that_is_compiled_alone_shows_its_line() -> None:
    """IPython compiles each statement of a cell by itself, and renames its code."""
    text = "x = jnp.ones(3)\ny = x + jnp.ones(4)\n"
    name = "<ipython-input-7>"
    lines: list[str] = [*text.splitlines(keepends=True)]
    linecache.cache[name] = (len(text), None, lines, name)
    space: dict[str, Any] = {"jnp": jnp}
    first, last = [
        compile(ast.Module([each], []), name, "exec").replace(co_name=f"<cell line: {each.lineno}>")
        for each in ast.parse(text).body
    ]
    exec(first, space)
    with pytest.raises(OakumError) as caught:
        exec(last, space)
    assert "    y = x + jnp.ones(4)" in str(caught.value)
    assert "`x` is f32[3]" in str(caught.value)


CELL = """\
import oakum as jax, oakum.numpy as jnp
@jax.jit
def logits(p):
    assert jnp.all(p > 0)
    return jnp.log(p)
logits(jnp.ones(3))
"""


def test_a_cell_that_imports_what_it_calls_shows_its_line() -> None:
    """IPython compiles each statement by itself: a call of what another one has imported becomes
    other code than in the whole cell, and the error had no line and no names.
    """
    name = "<ipython-input-77>"
    lines = [str(line) for line in CELL.splitlines(keepends=True)]
    linecache.cache[name] = (len(CELL), None, lines, name)
    space: dict[str, Any] = {"__name__": "__main__"}
    *before, call = [compile(ast.Module([each], []), name, "exec") for each in ast.parse(CELL).body]
    try:
        for each in before:
            exec(each, space)
        with pytest.raises(OakumError) as caught:
            exec(call, space)
    finally:
        del linecache.cache[name]
    assert "    assert jnp.all(p > 0)\n" in str(caught.value)
    assert "`jnp.all(p > 0)` (bool[])" in str(caught.value)
