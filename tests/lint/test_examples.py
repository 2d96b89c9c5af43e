"""The programs of `examples/`: the broken ones show what is planted, the fixed ones run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oakum_lint.app.analysis import analyse

EXAMPLES = Path(__file__).parents[2] / "examples"

PLANTED: dict[str, list[tuple[int, str]]] = {
    "data_pipeline": [(35, "OAK216"), (43, "OAK110"), (50, "OAK210"), (55, "OAK105")],
    "rnn": [(27, "OAK207"), (38, "OAK212"), (41, "OAK213"), (54, "OAK205")],
    "sampler": [(19, "OAK208"), (35, "OAK103"), (36, "OAK201"), (49, "OAK214")],
    "solver": [(28, "OAK203"), (35, "OAK202"), (48, "OAK211"), (56, "OAK215")],
    "training_loop": [(44, "OAK201"), (51, "OAK206"), (60, "OAK101"), (67, "OAK204")],
}


def _findings(name: str) -> list[tuple[int, str]]:
    reports = analyse([EXAMPLES / f"{name}.py"])
    return sorted((f.location.line, f.code) for report in reports for f in report.findings)


def test_every_example_is_tested() -> None:
    """README's first command lints the folder: each program in it comes in both forms."""
    names = {path.stem for path in EXAMPLES.glob("*.py")}
    assert names == {*PLANTED, *(f"{name}_broken" for name in PLANTED)}


@pytest.mark.parametrize("name", PLANTED)
def test_broken_example_shows_what_is_planted(name: str) -> None:
    """The first thing a stranger runs finds exactly the mistakes that are there."""
    assert _findings(f"{name}_broken") == PLANTED[name]


@pytest.mark.parametrize("name", PLANTED)
def test_mended_example_has_no_finding(name: str) -> None:
    """Writing what the hints say ends the findings."""
    assert _findings(name) == []


def _run(name: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("jax", reason="jax is not installed")
    return subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        timeout=300,
    )


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", PLANTED)
def test_mended_example_runs_on_jax(name: str) -> None:
    """The fixed form is a working program, not only a silent one."""
    run = _run(name)
    assert run.returncode == 0, run.stderr
    assert run.stdout


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", PLANTED)
def test_broken_example_fails_on_jax_at_a_planted_line(name: str) -> None:
    """A program that runs in spite of its mistakes would not show why they matter."""
    run = _run(f"{name}_broken")
    assert run.returncode == 1
    assert any(f'{name}_broken.py", line {line}, ' in run.stderr for line, _ in PLANTED[name])
