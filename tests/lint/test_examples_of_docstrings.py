"""Examples in docstrings of modules: what is found in them, where, and what stays as it is."""

from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.text.notebook.docstrings import examples_of

BUG = "jax.jit(lambda x: np.sin(x))(1.0)"
HEAD = "import jax\nimport numpy as np\n\n\n"
IN_FUNCTION = (
    f'{HEAD}def f(x):\n    """Doc.\n\n    >>> f(1)\n    1\n    >>> {BUG}\n    0.8\n    """\n'
)
DOCSTRINGS = {
    "of a function": IN_FUNCTION,
    "of a module": f'"""Doc.\n\n>>> import jax, numpy as np\n>>> {BUG}\n"""\n',
    "of a method, under a heading": (
        f"{HEAD}class A:\n    def m(self):\n        r'''M.\n\n        Examples:\n"
        f"            >>> y = 1\n\n            >>> {BUG}\n        '''\n"
    ),
    "over several lines": (
        f'{HEAD}def f():\n    """Doc.\n\n    >>> jax.jit(\n    ...     lambda x: np.sin(x)\n'
        '    ... )(1.0)\n    """\n'
    ),
    "with Windows ends of lines": IN_FUNCTION.replace("\n", "\r\n"),
}


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()


def concise(capsys: pytest.CaptureFixture[str], *more: str) -> list[str]:
    main(["check", "--output-format", "concise", *more, "."])
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_a_finding_is_at_its_line_and_column_of_the_module(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = DOCSTRINGS[name]
    Path("a.py").write_bytes(text.encode())
    lines = text.splitlines()
    line = next(number for number, each in enumerate(lines, 1) if "np.sin" in each)
    column = lines[line - 1].index("np.sin") + 1
    seen = concise(capsys, "--documents")
    assert seen[0].startswith(f"a.py:{line}:{column}: OAK208 ")
    assert seen[1] == "Found 1 finding in 1 file (1 file checked)."
    assert concise(capsys) == ["All clean: 1 file checked."]


@pytest.mark.parametrize(
    ("package", "file"), [("", "a.py"), ("pkg", "a.py"), ("pkg", "__init__.py")]
)
def test_what_an_example_traces_is_traced_in_the_module(
    package: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(package, file)
    path.parent.mkdir(exist_ok=True)
    if package:
        Path(package, "__init__.py").touch()
    path.write_text(
        'def f(x):\n    """Doc.\n\n    >>> import jax\n    >>> jax.jit(f)(1.0)\n    """\n'
        "    if x > 0:\n        return x\n    return -x\n"
    )
    seen = concise(capsys, "--documents")
    assert seen[0].startswith(f"{path}:7:8: OAK201 ")
    main(["check", "--documents", "."])
    shown = capsys.readouterr().out
    assert f"{path}:5:" in shown
    assert "examples_of" not in shown


def test_examples_of_two_docstrings_are_two_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """A key of one is none of the other."""
    example = "    >>> key = jax.random.key(0)\n    >>> print(jax.random.normal(key))\n"
    again = f"{example}    >>> print(jax.random.normal(key))\n"
    one = 'def {}():\n    """Doc.\n\n{}    """\n\n\n'
    Path("a.py").write_text(f"import jax\n\n\n{one.format('f', example)}{one.format('g', example)}")
    assert concise(capsys, "--documents") == ["All clean: 1 file checked."]
    Path("a.py").write_text(f"import jax\n\n\n{one.format('f', again)}")
    assert concise(capsys, "--documents")[0].startswith("a.py:9:15: OAK401 ")


def test_what_is_meant_to_fail_and_what_is_no_python_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.py").write_text(
        f'{HEAD}def f():\n    """Doc.\n\n    >>> {BUG}\n'
        "    Traceback (most recent call last):\n    TypeError\n\n"
        '    >>> x = [1, ...\n    """\n'
    )
    assert concise(capsys, "--documents") == ["All clean: 1 file checked."]


def test_a_comment_in_an_example_suppresses_its_finding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hidden = IN_FUNCTION.replace(BUG, f"{BUG}  # oakum: ignore[OAK208] shown on purpose")
    Path("a.py").write_text(hidden)
    assert concise(capsys, "--documents") == ["All clean: 1 file checked."]
    Path("a.py").write_text(IN_FUNCTION)
    Path("pyproject.toml").write_text('[tool.oakum.per-file-ignores]\n"a.py" = ["OAK208"]\n')
    assert concise(capsys, "--documents") == ["All clean: 1 file checked."]


def test_fixes_leave_examples_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(f"{IN_FUNCTION}\n\nprint({BUG})\n")
    main(["check", "--documents", "--fix", "--unsafe-fixes", "--exit-zero", "."])
    capsys.readouterr()
    fixed = Path("a.py").read_text()
    assert fixed.count("np.sin") == 2
    assert f">>> {BUG}" in fixed
    assert fixed.count("jnp.sin") == 1
    assert sorted(path.name for path in Path().iterdir() if path.suffix) == [
        "a.py",
        "pyproject.toml",
    ]
    assert concise(capsys, "--documents", "--diff") == []


@pytest.mark.parametrize(
    "text", ["", ">>>", '">>> x"', 'def f():\n    """>>> x"""\n', "x = (\n>>>"]
)
def test_without_examples_there_is_no_program(text: str) -> None:
    assert examples_of(text, "a") == ""
