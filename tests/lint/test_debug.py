"""`oakum debug` shows an author of rules what the analysis makes of a line."""

from pathlib import Path

import pytest

from oakum_lint.app.cli import main

PROGRAM = """import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    y = jnp.sum(x) + 1
    if y > 0:
        return y
    return n


f(jnp.ones(3), 2)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    return path


def test_the_tree_of_a_line_is_that_of_its_statement(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["debug", "tree", f"{program}:7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Assignment()  # y = jnp.sum(x) + 1"
    assert "  value: BinaryOperation(operator='+')  # jnp.sum(x) + 1" in lines
    assert all("return" not in line for line in lines)


def test_the_values_of_a_line_are_those_of_its_expressions(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["debug", "values", f"{program}:7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "x: Array f32[3] traced at level 1 (in jax.jit of `f`)" in lines
    assert lines[-1].startswith("jnp.sum(x) + 1: Array f32[]")


def test_a_sequence_whose_elements_are_not_known_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What holds other values shows them; where they are not known, the line still has a value."""
    path = tmp_path / "rows.py"
    path.write_text("def f(*rows):\n    return rows, (1, *rows)\nf(*sizes)\n")
    assert main(["debug", "values", f"{path}:2"]) == 0
    values = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert values["rows"].startswith("TupleValue(")
    assert values["rows, (1, *rows)"] == f"TupleValue({values['rows']}, {values['(1, *rows)']})"


def test_the_events_of_a_line_are_those_that_rules_are_asked_about(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["debug", "events", f"{program}:8"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Condition\n  location: 8:8\n")
    assert "  kind: if\n" in out
    assert main(["debug", "events", f"{program}:7"]) == 0
    assert capsys.readouterr().out == f"No events at {program}:7.\n"


@pytest.mark.parametrize("place", ["train.py", "nowhere.py:1", "{file}:99", "{file}:x"])
def test_a_place_that_is_none_is_said_in_a_sentence(
    program: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["debug", "tree", place.format(file=program)]) == 2
    assert capsys.readouterr().err.startswith("oakum: ")
