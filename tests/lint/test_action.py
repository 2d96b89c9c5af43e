"""The action for workflows of GitHub: its steps are run as a runner would run them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from oakum_lint.app.cli import main

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "oakum" / "action.yml"
TEXT = ACTION.read_text(encoding="utf-8")
BAD = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


def test_it_installs_the_linter_of_its_own_commit() -> None:
    found = re.search(r'pip install --quiet "\$GITHUB_ACTION_PATH/([^"]*)"', TEXT)
    assert found is not None
    folder = (ACTION.parent / found[1]).resolve()
    assert folder == ROOT / "lint"
    assert (folder / "pyproject.toml").is_file()


def test_the_check_annotates_and_fails(tmp_path: Path) -> None:
    (tmp_path / "a b.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text(BAD)
    script = TEXT.rpartition("run: |\n")[2]
    program = tmp_path / "bin" / "oakum"
    program.parent.mkdir()
    program.write_text(f'#!/bin/bash\nexec "{sys.executable}" -m oakum_lint "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join(str(ROOT / part) for part in ("engine", "lint", "lsp"))
    environment = {
        **os.environ,
        "PYTHONPATH": path,
        "ARGUMENTS": "--isolated .",
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    }
    ran = subprocess.run(
        ["bash", "-e", "-c", re.sub(r"(?m)^ +", "", script)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("::error title=")


def test_the_default_arguments_are_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    default = re.search(r"default: (.*)", TEXT)
    assert default is not None
    assert main(["check", "--output-format", "github", *default[1].split()]) == 0
