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
VIM_LSP = [
    *map(Path, filter(None, [os.environ.get("OAKUM_VIM_LSP")])),
    *sorted(Path.home().glob(".vim/pack/*/start/vim-lsp")),
]
"""Where vim-lsp is: named, or as a package of Vim."""
EGLOT = sorted(Path("/usr/share/emacs/site-lisp/elpa").glob("eglot-*/eglot.el"))
COMMANDS = {
    "nvim": ["nvim", "-u", "NONE", "--headless", "-c", f"luafile {DRIVERS / 'neovim.lua'}"],
    "emacs": [
        *("emacs", "--batch"),
        *(part for file in EGLOT[-1:] for part in ("-l", str(file))),
        *("-l", str(DRIVERS / "eglot.el")),
    ],
    "vim": [
        *("vim", "-u", "NONE", "-i", "NONE", "-N", "-n", "--not-a-term", "-es"),
        *("-S", str(DRIVERS / "vim_lsp.vim")),
    ],
}
NEEDED = {"nvim": True, "emacs": bool(EGLOT), "vim": bool(VIM_LSP)}
"""Whether there is what an editor needs to speak the protocol."""


def environment_of(file: Path, report: Path, **more: str) -> dict[str, str]:
    """What a driver reads: the file that it opens, and where it says what it has seen."""
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
    named = {"OAKUM_FILE": str(file), "OAKUM_REPORT": str(report), "OAKUM_PYTHON": sys.executable}
    return {**os.environ, "PYTHONPATH": path, **named, **more}


def fixed(program: str, file: Path, environment: dict[str, str]) -> str:
    """What the command makes of a program."""
    file.write_text(program)
    command = [sys.executable, "-m", "oakum_lint", "check", "--isolated", "--fix", str(file)]
    subprocess.run(command, cwd=file.parent, env=environment, capture_output=True, timeout=400)
    assert file.read_text() != program
    return file.read_text()


@pytest.mark.parametrize("editor", COMMANDS)
def test_an_editor_shows_and_fixes_what_the_command_does(editor: str, tmp_path: Path) -> None:
    if shutil.which(editor) is None or not NEEDED[editor]:
        pytest.skip(f"{editor} is not installed, or not what it needs")
    # vim-lsp counts code points where the protocol counts UTF-16.
    program = PROGRAM.replace("\U0001f600", "\u00e9") if editor == "vim" else PROGRAM
    file, report = tmp_path / "train.py", tmp_path / "report.json"
    file.write_text(program)
    cache, vim_lsp = str(tmp_path / "cache"), str(*VIM_LSP[:1])
    environment = environment_of(file, report, XDG_CACHE_HOME=cache, OAKUM_VIM_LSP=vim_lsp)
    done = subprocess.run(
        COMMANDS[editor], cwd=tmp_path, env=environment, capture_output=True, timeout=400
    )
    assert report.exists(), done.stderr.decode("utf-8", "replace")
    shown = json.loads(report.read_text())
    assert shown["marked"] == [[8, "np.sin(x * scale)"], [9, "x[0]"]]
    assert "tracer f32[3]" in shown["hover"]
    assert "traced by jax.jit of `step` at [train.py:6]" in shown["hover"]
    assert shown["text"] == fixed(program, file, environment)


def test_vs_code_shows_and_fixes_what_the_command_does(tmp_path: Path) -> None:
    """The extension does not start, or marks, shows or fixes something else than the command."""
    named = [os.environ.get(f"OAKUM_{name}") for name in ("CODE_SERVER", "VSIX", "JUPYTER")]
    if not all(named) or shutil.which("chromium") is None:
        pytest.skip(
            "OAKUM_CODE_SERVER and OAKUM_VSIX name no code-server and no extension, "
            "or OAKUM_JUPYTER no Python with playwright"
        )
    file, report = tmp_path / "work" / "train.py", tmp_path / "report.json"
    file.parent.mkdir()
    file.write_text(PROGRAM)
    environment = environment_of(file, report, OAKUM_STATE=str(tmp_path / "state"))
    done = subprocess.run(
        [str(named[2]), str(DRIVERS / "vscode.py")],
        env=environment,
        capture_output=True,
        timeout=500,
    )
    assert report.exists(), done.stderr.decode("utf-8", "replace")
    shown = json.loads(report.read_text())
    listed = [text.split("\n") for text in shown["problems"]]
    places = {line for lines in listed if "oakum" in lines for line in lines if "[Ln" in line}
    assert places == {"[Ln 8, Col 23]", "[Ln 9, Col 5]"}
    assert "traced by jax.jit of step at train.py:6" in shown["hover"]
    assert shown["text"] == fixed(PROGRAM, file, environment)


def test_helix_shows_and_fixes_what_the_command_does(tmp_path: Path) -> None:
    """A range, the hover or an action is another one in Helix, which counts UTF-8 or UTF-16."""
    if "OAKUM_HELIX" not in os.environ or shutil.which("tmux") is None:
        pytest.skip("OAKUM_HELIX names no Helix, or tmux is not installed")
    file, report = tmp_path / "train.py", tmp_path / "report.json"
    file.write_text(PROGRAM)
    environment = environment_of(file, report, OAKUM_STATE=str(tmp_path / "state"))
    command = [sys.executable, str(DRIVERS / "helix.py")]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=500)
    assert report.exists(), done.stderr.decode("utf-8", "replace")
    shown = json.loads(report.read_text())
    assert shown["marked"] == ["np.sin(x * scale)", "x[0]"]
    assert "traced by jax.jit of step at train.py:6" in shown["hover"]
    assert shown["text"] == fixed(PROGRAM, file, environment)


CELLS = (
    "%matplotlib inline\n!ls\nimport jax\nimport jax.numpy as jnp\nimport numpy as np",
    "@jax.jit\ndef step(x, scale):\n    y = np.sin(x * scale)\n    return y",
    "%time step(jnp.ones(3), 2.0)",
)


def test_jupyterlab_shows_findings_in_their_cells(tmp_path: Path) -> None:
    """A notebook in JupyterLab has no marks, or in another cell than `oakum check` names."""
    python = os.environ.get("OAKUM_JUPYTER")
    if python is None or shutil.which("chromium") is None:
        pytest.skip("OAKUM_JUPYTER names no Python with jupyterlab, jupyterlab-lsp and playwright")
    file, report = tmp_path / "train.ipynb", tmp_path / "report.json"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    code: dict[str, object] = {"cell_type": "code", "execution_count": None}
    code |= {"metadata": {}, "outputs": []}
    cells = [{**code, "id": f"cell{n}", "source": text} for n, text in enumerate(CELLS)]
    table = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    file.write_text(json.dumps(table))
    environment = environment_of(file, report)
    done = subprocess.run(
        [python, str(DRIVERS / "jupyterlab.py")], env=environment, capture_output=True, timeout=500
    )
    assert report.exists(), done.stderr.decode("utf-8", "replace")
    shown = json.loads(report.read_text())
    assert {(cell, line) for cell, line, _ in shown["marked"]} == {(2, 3)}
    assert "".join(text for *_, text in shown["marked"]) == "np.sin(x * scale)"
    assert "traced by jax.jit of step" in shown["hover"]
