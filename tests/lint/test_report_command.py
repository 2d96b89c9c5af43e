"""`oakum report`: the program is small, has the finding, and none of the user's words."""

import re
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.app.reduction.program import Program
from oakum_lint.app.reduction.shrinking import shrink

TRAINER = '''\
"""A trainer of Acme."""
import dataclasses
import jax
import jax.numpy as jnp

SECRET = "acme"


@dataclasses.dataclass
class AcmeTrainer:
    acme_rate: float

    def loss(self, acme_weights, batch):
        print("acme loss")
        return jnp.mean(jnp.tanh(batch @ acme_weights) ** 2)

    def fit(self, acme_weights, batch):  # acme
        value, slope = jax.value_and_grad(self.loss)(acme_weights, batch)
        return acme_weights - self.acme_rate * slope


@jax.jit
def acme_train(acme_weights, batch):
    acme_scale = jnp.sum(acme_weights)
    while acme_scale > 3.0:
        acme_weights = acme_weights / 2
        acme_scale = jnp.sum(acme_weights)
    return AcmeTrainer(0.1).fit(acme_weights, batch)
'''
NORMS = """\
seen = []

def norm(z):
    seen.append(z)
    return z
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def checked(folder: Path, program: str, capsys: pytest.CaptureFixture[str]) -> str:
    (folder / "again.py").write_text(program)
    main(["check", "--isolated", "--no-cache", "--output-format", "concise", "again.py"])
    return capsys.readouterr().out


def test_it_is_small_and_anonymous_and_has_the_finding(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.py").write_text(TRAINER)
    assert main(["report", "train.py:25"]) == 0
    program = capsys.readouterr().out
    assert "acme" not in program.lower()
    assert "train" not in program
    code = [line for line in program.splitlines() if line and not line.startswith("#")]
    assert len(code) <= 8, program
    found = checked(folder, program, capsys)
    assert "OAK202 `while` on traced value" in found
    assert found.count("OAK") == 1


def test_a_finding_that_lies_in_two_files_is_reduced_from_both(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "norms.py").write_text(NORMS)
    (folder / "step.py").write_text(
        "import jax\nfrom norms import norm\n\n\n@jax.jit\ndef step(x):\n    return norm(x)\n"
    )
    assert main(["report", "norms.py:4", "--code", "OAK101"]) == 0
    program = capsys.readouterr().out
    assert "norm" not in program
    assert re.search(r"^# oakum \S+: m\d\.py:\d+: OAK101 tracer", program)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train.py"], "`train.py` is not of the form FILE:LINE"),
        (["gone.py:1"], "no such file: gone.py"),
        (["train.py:1"], "train.py:1: there is no such finding"),
        (["train.py:25", "--code", "OAK101"], "train.py:25: there is no such finding"),
    ],
)
def test_mistakes_are_one_line(
    folder: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.py").write_text(TRAINER)
    assert main(["report", *arguments]) == 2
    assert capsys.readouterr().err == f"oakum: {message}\n"


def test_few_steps_leave_a_program_that_has_the_finding(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.py").write_text(TRAINER)
    assert main(["report", "train.py:25", "--steps", "5"]) == 0
    output = capsys.readouterr()
    assert "--steps" in output.err
    assert "OAK202" in checked(folder, output.out, capsys)


def test_a_module_that_the_finding_does_without_is_left_out() -> None:
    """A report that shows it would show more of the user's project than it needs."""
    program = Program(
        {"norms": NORMS, "step": "x = 1\n"}, lambda texts: "seen" in texts.get("norms", ""), 50
    )
    shrink(program)
    assert [*program.trees] == ["norms"]


def test_so_many_looks_are_taken_as_were_asked_for() -> None:
    program = Program({"main": "x = 1\n"}, lambda _: True, 2)
    looks = 0
    while program.holds():
        looks += 1
    assert looks == 2
