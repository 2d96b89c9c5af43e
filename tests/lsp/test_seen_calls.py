"""What `oakum run` has seen of calls, and the hover shows where the analysis knows less.

Where one fails, the editor says nothing of a parameter that a run has seen, or says what was seen
of a function that reads otherwise now.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from client import Client

PROGRAM = dedent(
    """\
    import json
    import sys

    import jax
    import jax.numpy as jnp


    class Model:
        @jax.jit
        def loss(self, weights, batch):
            return (batch @ weights).sum()

        __hash__ = object.__hash__


    def train(settings, sizes):
        weights = jnp.ones(settings["inputs"])
        for size in sizes:
            step(weights, jnp.ones((size, 3)))


    def step(weights, batch):
        return jnp.tanh(batch @ weights)


    def fail(weights):
        raise ValueError(weights)


    train(json.loads(sys.argv[1]), json.loads(sys.argv[2]))
    try:
        fail(3)
    except ValueError:
        pass
    """
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.oakum]\n")
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def run(project: Path, sizes: str, *options: str) -> None:
    start = [sys.executable, "-m", "oakum_lint", "run", "--engine", "oakum", *options]
    done = subprocess.run(
        [*start, "program.py", '{"inputs": 3}', sizes], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def hover(project: Path, word: str, shift: int = 0, text: str = PROGRAM) -> str:
    client = Client(project)
    try:
        uri = (project / "program.py").as_uri()
        client.open(uri, text)
        return shown_at(client, uri, word, shift, text)
    finally:
        client.stop()


def shown_at(client: Client, uri: str, word: str, shift: int, text: str) -> str:
    offset = text.index(word) + shift
    before = text[:offset]
    position = {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}
    asked = {"textDocument": {"uri": uri}, "position": position}
    found: Any = client.request("textDocument/hover", asked)
    return "" if found is None else found["contents"]["value"]


def test_a_function_shows_what_runs_have_called_it_with(project: Path) -> None:
    run(project, "[8, 8, 4]")
    shown = hover(project, "step(weights, batch)")
    assert "seen at run time in 3 calls:" in shown
    assert "- `step(weights: f32[3], batch: f32[8,3]) -> f32[8]`, 2 calls" in shown
    assert "raised an error" in hover(project, "fail(weights)")
    run(project, "[8]")
    shown = hover(project, "step(weights, batch)")
    assert "seen at run time in 4 calls:" in shown
    assert "f32[8,3]) -> f32[8]`, 3 calls" in shown
    assert "f32[4,3]) -> f32[4]`, 1 call" in shown


def test_a_parameter_shows_what_it_was(project: Path) -> None:
    assert "run time" not in hover(project, "batch @ weights)\n\n\ndef fail")
    run(project, "[8]")
    for word, shift in (("step(weights, batch)", 15), ("batch @ weights)\n\n\ndef fail", 0)):
        assert "argument seen at run time:\n- `batch: f32[8,3]`, 1 call" in hover(
            project, word, shift
        )
    assert "- `sizes: list`, 1 call" in hover(project, "train(settings, sizes)", 17)


def test_what_was_edited_was_not_seen_and_what_has_moved_was(project: Path) -> None:
    run(project, "[8]")
    edited = "\n\n" + PROGRAM.replace("jnp.tanh(batch", "jnp.sin(batch")
    client = Client(project)
    try:
        uri = (project / "program.py").as_uri()
        client.open(uri, edited)
        assert "run time" not in shown_at(client, uri, "step(weights, batch)", 0, edited)
        assert "in 1 call:" in shown_at(client, uri, "train(settings, sizes)", 0, edited)
    finally:
        client.stop()


def test_a_file_that_changes_while_the_program_runs_is_not_kept(project: Path) -> None:
    file = project / "program.py"
    file.write_text(f"open(__file__, 'a').close()\n__import__('os').utime(__file__)\n{PROGRAM}")
    run(project, "[8]")
    text = file.read_text()
    assert "run time" not in hover(project, "step(weights, batch)", 0, text)


def test_without_recording_and_outside_of_projects_nothing_is_written(project: Path) -> None:
    run(project, "[8]", "--no-record")
    assert "run time" not in hover(project, "step(weights, batch)")
    (project / "pyproject.toml").unlink()
    before = {each for each in project.rglob("*") if ".oakum_cache" not in each.parts}
    run(project, "[8]")
    assert before == {each for each in project.rglob("*") if ".oakum_cache" not in each.parts}


@pytest.mark.parametrize("damage", ["", "{", "[]", "\0" * 99])
def test_a_damaged_file_is_silence_and_the_next_run_writes_it(project: Path, damage: str) -> None:
    run(project, "[8]")
    (kept,) = (project / ".oakum_cache" / "calls").iterdir()
    kept.write_text(damage)
    assert "run time" not in hover(project, "step(weights, batch)")
    run(project, "[8]")
    assert "seen at run time in 1 call:" in hover(project, "step(weights, batch)")


def test_runs_at_the_same_time_lose_nothing(project: Path) -> None:
    start = [sys.executable, "-m", "oakum_lint", "run", "--engine", "oakum", "program.py"]
    runs = [
        subprocess.Popen(
            [*start, '{"inputs": 3}', f"[{size}]"], cwd=project, stderr=subprocess.DEVNULL
        )
        for size in (2, 3, 4)
    ]
    assert [each.wait() for each in runs] == [0, 0, 0]
    assert "seen at run time in 3 calls:" in hover(project, "step(weights, batch)")
