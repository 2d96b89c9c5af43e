"""What lies in a project beside the checked file neither stops a check nor makes it wait."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.text.globs import PatternSet
from oakum_lint.text.imports.import_roots import find_import_roots

TRACED = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
BESIDE = {
    "deep.toml": ("sub/pyproject.toml", "x = " + "[" * 5000 + "]" * 5000),
    "long-number.toml": ("sub/pyproject.toml", "x = " + "9" * 6000),
    "blanks": ("setup.cfg", "[options]\npackage_dir =" + " " * 20_000 + "\nx"),
    "braces": ("setup.py", "package_dir={" * 15_000),
    "stars": (".gitignore", "*a" * 20 + "b\n" + "**/" * 15 + "x\n"),
}


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "oakum_lint", "check", "--no-cache", "checked.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def make_project(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "checked.py").write_text(TRACED)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_in_a_project_are_not_waited_for(tmp_path: Path) -> None:
    make_project(tmp_path)
    (tmp_path / ".git" / "info").mkdir()
    for name in ("other.py", ".gitignore", "setup.cfg", ".git/info/exclude"):
        os.mkfifo(tmp_path / name)
    found = check(tmp_path)
    assert (found.returncode, "OAK201" in found.stdout) == (1, True)


def test_hostile_configuration_does_not_stop_a_check(tmp_path: Path) -> None:
    make_project(tmp_path)
    (tmp_path / ("a" * 60 + ".py")).touch()
    for number, (name, text) in enumerate(BESIDE.values()):
        folder = tmp_path / f"part{number}"
        file = folder / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
        (file.parent / ("a" * 60 + ".py")).touch()
    found = check(tmp_path)
    assert (found.returncode, "OAK201" in found.stdout, found.stderr) == (1, True, "")


def test_stars_take_no_time_that_multiplies() -> None:
    patterns = PatternSet(["*a" * 20 + "b", "**/a*/" * 10 + "b", "**/" * 15 + "x"])
    assert patterns.decide("a" * 5000, False) is None
    assert patterns.decide("a/" * 400 + "b", False) is True
    assert patterns.decide("a/" * 400 + "c", False) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("setup.cfg", "[options]\npackage_dir =\n    = code\n"),
        ("setup.cfg", "[options]\npackage_dir = =code\n"),
        ("setup.cfg", "[options.packages.find]\nwhere = code\n"),
        ("setup.cfg", "[options.packages.find]\nwhere =\n    code\n"),
        ("setup.py", "setup(package_dir={'': 'code'})\n"),
        ("setup.py", "setup(packages=find_packages('code'))\n"),
        (
            "setup.py",
            "import setuptools as s\nhome = 'code'\ns.setup(package_dir={'': home})\n",
        ),
        ("setup.py", "# where='src'\nwhere = {'': 'code'}\nsetup(**common, package_dir=where)\n"),
        ("setup.py", "setup(packages=find_packages(where='code'))\n"),
    ],
)
def test_configured_folders_are_import_roots(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "code").mkdir()
    assert find_import_roots([str(tmp_path)], []) == [str(tmp_path), str(tmp_path / "code")]


@pytest.mark.parametrize("project", ["missing", "checked.py", ""])
def test_a_project_must_be_a_directory(
    tmp_path: Path,
    project: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--project", project, "checked.py"]) == 2
    assert "there is no such directory" in capsys.readouterr().err


def test_complaints_do_not_write_to_the_terminal_what_a_name_holds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["clean", "a\x1b[31m\nb"]) == 2
    assert capsys.readouterr().err == "oakum: no such file or directory: a\\x1b[31m\\nb\n"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            "import jax\n@jax.jit\ndef f(x):\n\f    if x > 0:\n        return x\n",
            "Remove the form feeds",
        ),
        ("import jax\n@jax.jit\ndef f(x):\n    (y): int = x\n", "more usual form"),
    ],
)
def test_code_that_libcst_does_not_parse_has_a_hint_of_its_own(
    tmp_path: Path, text: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.py"
    file.write_text(text)
    assert main(["check", "--isolated", "--no-cache", str(file)]) == 2
    shown = capsys.readouterr().out
    assert ("OAK003" in shown, hint in shown, "--max-seconds" in shown) == (True, True, False)
