"""`oakum debug` shows an author of rules what the analysis makes of a line."""

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from program_cases import Program, read_programs

from oakum_lint.app.cli import main
from oakum_lint.app.inspection import evaluated_in

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

KNOWN = """import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def f(x, key):
    positions = jnp.arange(4)
    following = x[positions + 1]
    slope = jax.grad(lambda v: jnp.log(v) + lax.stop_gradient(v))(x[0])
    key, subkey = jax.random.split(key)
    noise = jax.random.normal(subkey, (4,))
    return following, slope, noise


f(jnp.ones(4), jax.random.key(0))
devices = jax.devices()
moved = jax.device_put(1.0, devices[1])
"""


KINDS = """import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
import elsewhere

class Box:
    size = 3
    def __init__(self, w):
        self.w = w
    def method(self):
        return self.w

@jax.jit
def f(x, tree):
    plain = 3, "text", None, 1.5, b"a", ..., slice(1, None), range(3), len(elsewhere.x), str(x)
    held = (1, x), [x, 2], {"a": x, **elsewhere.d}, {1, 2}, iter([x]), Box(x), tree, tree.a
    made = Box, Box(x).method, "a".upper, x.sum, lambda v: v, functools.partial(f, 1), jax.grad(f)
    other = jnp.float32, x.dtype, x.at, x.at[0], np.zeros(3), jax.devices(), elsewhere.x()
    return plain, held, made, other, x if elsewhere.flag else 2

f(jnp.ones(3), elsewhere.load())

def g(x):
    y = jnp.where(x > 0, jnp.sqrt(x), 0.0) + jnp.linalg.norm(x - x) * lax.stop_gradient(x).sum()
    z = jnp.sum(jnp.clip(x, 0, 1)) + jnp.arange(3)[0]
    return jnp.sum(y * z * lax.while_loop(lambda c: c.sum() < 3, lambda c: c * 2, x))

jax.grad(g)(jnp.ones(3))
"""
"""Values of all kinds."""


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
    known = "edge of a domain: 1 in all elements (in jax.jit of `f`)"
    assert f"x: tracer f32[3] of level 1, {known}" in lines
    assert lines[-1].startswith("jnp.sum(x) + 1: tracer f32[]")


def test_what_analyses_know_of_a_value_is_said_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "known.py"
    path.write_text(KNOWN)
    said: list[str] = []
    for number in range(1, len(KNOWN.splitlines()) + 1):
        assert main(["debug", "values", f"{path}:{number}"]) == 0
        said += capsys.readouterr().out.splitlines()
    assert not [line for line in said if "object at 0x" in line or "frozenset(" in line]
    lines = "\n".join(said)
    assert "positions + 1: tracer i32[4] of level 1, integers: from 1 to 4" in lines
    assert ", selections: findings wait for what becomes of it, on line 9 (in" in lines
    assert "jnp.log(v): tracer f32[] of level 2, edge of a domain: infinite deriv" in lines
    assert "lax.stop_gradient(v): tracer f32[] of level 1, derivative: zero since line 10" in lines
    assert "subkey: tracer key<fry>[] of level 1, random key: key " in lines
    assert "jax.device_put(1.0, devices[1]): array ~f32[], device: number 1 of" in lines


def test_values_of_each_kind_have_their_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    """The author of a rule reads here what an expression was taken for."""
    path = tmp_path / "kinds.py"
    path.write_text(KINDS)
    said: list[str] = []
    for number, line in enumerate(KINDS.splitlines(), 1):
        if line.startswith("    ") and not line.lstrip().startswith(("size", "def", "self")):
            assert main(["debug", "values", f"{path}:{number}"]) == 0
            said += [line.strip(), *(f"    {row}" for row in capsys.readouterr().out.splitlines())]
    golden("debug_values.txt", "\n".join(said).replace(str(tmp_path), "") + "\n")


def _values_in(program: Program) -> Iterator[str]:
    """What the expressions of a program are worth: of those on a line that are in no other. Random
    keys are numbered by program.
    """
    lines = program.main.read_text(encoding="utf-8").count("\n")
    numbers: dict[str, str] = {}

    def renumbered(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"random key: key {len(numbers) + 1}")

    for line, found in sorted(evaluated_in(program.main, range(1, lines + 2)).items()):
        for each in found:
            around = [one for one in found if one.start <= each.start and each.end <= one.end]
            if around == [each] and each.values != (each.text,):
                row = f"{line} {each.text}: {'; '.join(each.values)}"
                yield re.sub(r"random key: key \d+", renumbered, row)


def test_the_values_in_programs_are_as_reviewed(golden: Callable[[str, str], None]) -> None:
    """What is lost of a value here, a finding or its proof lacks in the next program."""
    rows: list[str] = []
    for program in read_programs():
        # By name: another program in the folder changes the choice of none.
        if zlib.crc32(program.name.encode()) % 6 == 0:
            rows += ["", program.name, *_values_in(program)]
    assert not [row for row in rows if " object at 0x" in row]
    golden("values.txt", "\n".join(rows[1:]) + "\n")


def test_a_sequence_whose_elements_are_not_known_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What holds other values shows them; where they are not known, the line still has a value."""
    path = tmp_path / "rows.py"
    path.write_text("def f(*rows):\n    return rows, (1, *rows)\nf(*sizes)\n")
    assert main(["debug", "values", f"{path}:2"]) == 0
    values = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert values["rows"] == "tuple of unknown length of unknown"
    assert values["rows, (1, *rows)"] == f"tuple of {values['rows']}, {values['(1, *rows)']}"


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
