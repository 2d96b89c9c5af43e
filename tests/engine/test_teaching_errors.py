"""The commonest mistakes, and what a user has to learn from the error of each: the line with marks,
the variables, what they are, what to write, and the code. A mistake whose error lacks one of them
is one that the user has to search for.
"""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import mistakes_of_jax_pages as pages
import pytest
from error_messages import QUALITIES, on_oakum, qualities
from mistakes import HEAD, MISTAKES

import oakum
from oakum.errors import OakumError

ENGINE = Path(oakum.__file__).parents[1]


def error_of(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> OakumError:
    (folder / "mistake_program.py").write_text(program)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    sys.modules.pop("mistake_program", None)
    importlib.invalidate_caches()
    with pytest.raises(OakumError) as caught:
        importlib.import_module("mistake_program")
    return caught.value


@pytest.fixture(autouse=True)
def _options_stay() -> object:
    yield
    oakum.config.update("jax_debug_key_reuse", False)
    oakum.config.update("jax_debug_nans", False)


@pytest.mark.parametrize("name", MISTAKES)
def test_an_error_teaches(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = MISTAKES[name]
    error = error_of(HEAD + mistake.program, tmp_path, monkeypatch)
    text = str(error)
    assert error.code.code == mistake.code, text
    line, marks = error.excerpt.splitlines()
    assert line[marks.index("^") : len(marks)] == mistake.marked, text
    assert f"mistake_program.py:{error.frame.line if error.frame else None}:" in text
    for said in mistake.said:
        assert said in text
    assert text.endswith(f"oakum explain {mistake.code}")
    assert type(error).__module__ == "oakum.errors"
    # Nothing of ours is shown, nor what the error was raised from within.
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    assert not re.search(r"\b_[A-Z]\w+", text), text


@pytest.mark.parametrize("name", pages.MISTAKES)
def test_an_error_of_the_pages_teaches(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line, a name, what it is, what to write and the code: who lacks one has to search."""
    mistake = pages.MISTAKES[name]
    error = error_of(on_oakum(pages.HEAD + mistake.program), tmp_path, monkeypatch)
    has = dict(zip(QUALITIES, qualities(mistake, str(error)), strict=True))
    assert all(has.values()), f"{has}\n{error}"


def test_a_program_of_the_command_line_shows_its_line() -> None:
    """Python has no source of it: the message is the only place."""
    program = HEAD + MISTAKES["branch"].program
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ENGINE)},
        check=False,
    )
    assert "    if x > 0:\n       ^^^^^\n" in done.stderr
    assert str(ENGINE) not in done.stderr


def test_an_error_that_is_caught_in_traced_code_has_its_line_too() -> None:
    def function(x: oakum.Array) -> oakum.Array:
        with pytest.raises(OakumError) as caught:
            print(x + oakum.numpy.ones(4))
        assert "x + oakum.numpy.ones(4)" in caught.value.excerpt
        return x

    oakum.jit(function)(oakum.numpy.ones(3))


def test_keywords_that_a_signature_does_not_name_are_no_error_of_ours() -> None:
    """`jax.debug.print("{}", x=x)` ended in a ValueError of the code that names operands."""
    with pytest.raises(TypeError, match="received unexpected arguments in the two-call form"):
        oakum.debug.callback(ordered=True, a=42)(print)
    with pytest.raises(IndexError):
        oakum.debug.print("hello: {}", x=oakum.numpy.arange(2))
