"""Editors themselves, without a screen: what they mark, show on hover, and have after all fixes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from client import ROOT

DRIVERS = Path(__file__).parent / "editors"
PROGRAM = """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x, scale):
    label = "\U0001f600"; y = np.sin(x * scale)
    x[0] = 2.0
    return y


step(jnp.ones(3), 2.0)
"""
EGLOT = sorted(Path("/usr/share/emacs/site-lisp/elpa").glob("eglot-*/eglot.el"))
COMMANDS = {
    "nvim": ["nvim", "-u", "NONE", "--headless", "-c", f"luafile {DRIVERS / 'neovim.lua'}"],
    "emacs": [
        *("emacs", "--batch"),
        *(part for file in EGLOT[-1:] for part in ("-l", str(file))),
        *("-l", str(DRIVERS / "eglot.el")),
    ],
}


@pytest.mark.parametrize("editor", COMMANDS)
def test_an_editor_shows_and_fixes_what_the_command_does(editor: str, tmp_path: Path) -> None:
    if shutil.which(editor) is None or (editor == "emacs" and not EGLOT):
        pytest.skip(f"{editor} is not installed")
    file, report = tmp_path / "train.py", tmp_path / "report.json"
    file.write_text(PROGRAM)
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
    environment = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment |= {"OAKUM_FILE": str(file), "OAKUM_REPORT": str(report)}
    environment["OAKUM_PYTHON"] = sys.executable
    done = subprocess.run(
        COMMANDS[editor], cwd=tmp_path, env=environment, capture_output=True, timeout=400
    )
    assert report.exists(), done.stderr.decode("utf-8", "replace")
    shown = json.loads(report.read_text())
    assert shown["marked"] == [[8, "np.sin(x * scale)"], [9, "x[0]"]]
    assert "tracer f32[3]" in shown["hover"]
    assert "traced by jax.jit of `step` at [train.py:6]" in shown["hover"]
    command = [sys.executable, "-m", "oakum_lint", "check", "--isolated", "--fix", str(file)]
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=400)
    assert file.read_text() != PROGRAM
    assert shown["text"] == file.read_text()
