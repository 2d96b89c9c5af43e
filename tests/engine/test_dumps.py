# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""The option `oakum_dump_to`: what a user finds who wants to read what programs became."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum.compile import dumps, executable
from oakum.compile.native import jit_link
from oakum.errors import CompilationWarning

FILES = ("jaxpr.txt simplified.txt loops.txt module.ll called.ll assembly.s steps.txt").split()


@pytest.fixture
def dump_to() -> Iterator[Callable[[object], None]]:
    """Sets where programs are written."""
    yield lambda path: jax.config.update("oakum_dump_to", str(path))
    jax.config.update("oakum_dump_to", None)


def test_each_program_has_its_files(dump_to: Callable[[object], None], tmp_path: Path) -> None:
    """The files of a program are missing, empty, or those of another."""
    target = tmp_path / "deep" / "programs"
    dump_to(target)

    @jax.jit
    def step(x):
        return jnp.log(jnp.exp(x)) * jnp.tanh(x)

    step(jnp.ones(7))
    step(jnp.ones(7))
    step(jnp.ones(9))
    jax.jit(lambda x: x + 1)(jnp.ones(2))
    names = sorted(each.name for each in target.iterdir())
    assert names == ["0000.step", "0001.step", "0002.lambda"]
    texts = {each.name: each.read_text() for each in (target / "0001.step").iterdir()}
    assert sorted(texts) == sorted(FILES)
    assert "exp" in texts["jaxpr.txt"]
    assert "exp" not in texts["simplified.txt"]
    assert "nest (9)" in texts["loops.txt"]
    assert "define void @oakum_run" in texts["module.ll"]
    assert "tanh" in texts["module.ll"] + texts["called.ll"]
    assert "oakum_run:" in texts["assembly.s"]
    assert texts["steps.txt"].splitlines()[1].split() == ["nest", "over", "9", "18", "72"]


def test_nothing_is_written_over(dump_to: Callable[[object], None], tmp_path: Path) -> None:
    """A second run takes the place of the first one's files."""
    (tmp_path / "0004.step").mkdir()
    (tmp_path / "notes").write_text("mine")
    dump_to(tmp_path)
    jax.jit(lambda x: x + 1)(1.0)
    # Another process, and another thread, that got ahead of this one.
    (tmp_path / "0006.lambda").mkdir()
    threads = [threading.Thread(target=lambda: jax.jit(lambda x: x + 2)(1.0)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = sorted(each.name for each in tmp_path.iterdir())
    assert found == ["0004.step", *(f"{n:04}.lambda" for n in range(5, 11)), "notes"]
    written = [each for each in tmp_path.iterdir() if (each / "module.ll").exists()]
    assert len(written) == 5


def test_names_that_are_no_names_of_files(
    dump_to: Callable[[object], None], tmp_path: Path
) -> None:
    """A function's name leads out of the directory, or is too long for it."""
    dump_to(tmp_path)
    for name in ("../../up", "ünï", "x" * 400, "", "?"):

        def function(x):
            return x + 1

        function.__name__ = name
        jax.jit(function)(1.0)
    found = sorted(each.name for each in tmp_path.iterdir())
    assert [each.partition(".")[2] for each in found] == [
        "up",
        "n",
        "x" * 80,
        "function",
        "program",
    ]


def test_places_that_cannot_be_written_warn_once(
    dump_to: Callable[[object], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a misspelt path, ends a training run."""
    monkeypatch.setattr(dumps, "_refused", set())
    file = tmp_path / "file"
    file.write_text("")
    f = jax.jit(lambda x: x + 1)
    for place in (file, file / "below", "a\0b"):
        dump_to(place)
        f.clear_cache()
        with pytest.warns(UserWarning, match="cannot be dumped"):
            assert f(1.0) == 2
        assert f(jnp.ones(3)).tolist() == [2] * 3  # a second warning would be an error
    assert file.read_text() == ""


def test_a_form_that_cannot_be_written_is_no_error(
    dump_to: Callable[[object], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of what prints programs makes the program fail that is printed."""

    def refuse(text: str, level: int = 2) -> str:
        raise RuntimeError("no assembly")

    monkeypatch.setattr(jit_link, "emit_assembly", refuse)
    dump_to(tmp_path)
    with pytest.warns(UserWarning, match="RuntimeError: no assembly"):
        assert jax.jit(lambda x: x + 1)(1.0) == 2


def test_interpreted_programs_say_why(
    dump_to: Callable[[object], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory of a program that was refused holds the text of none, and no reason."""

    def refuse(*_args: object) -> object:
        raise NotImplementedError("no such operation")

    monkeypatch.setattr(executable, "prepare", refuse)
    dump_to(tmp_path)
    with pytest.warns(CompilationWarning):
        jax.jit(lambda x: x + 1)(1.0)
    place = tmp_path / "0000.lambda"
    assert "add" in (place / "jaxpr.txt").read_text()
    assert (place / "module.ll").read_text() == (
        "(interpreted, NotImplementedError: no such operation)\n"
    )


def test_the_environment_names_the_directory(tmp_path: Path) -> None:
    """`OAKUM_DUMP_TO=programs python train.py` writes nothing."""
    program = "import oakum as jax; jax.jit(lambda x: x + 1)(1.0)"
    path = os.pathsep.join(sys.path)
    environment = {**os.environ, "PYTHONPATH": path, "OAKUM_DUMP_TO": "programs"}
    subprocess.run([sys.executable, "-c", program], env=environment, cwd=tmp_path, check=True)
    assert [each.name for each in (tmp_path / "programs").iterdir()] == ["0000.lambda"]
