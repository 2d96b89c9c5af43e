"""What the linter and the server leave on disk: the linter nothing, the server only pages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oakum_lsp.features import pages

TRAP = "import jax\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


@pytest.mark.parametrize("more", [[], ["--output-format", "json"], ["--diff"]])
def test_a_check_keeps_nothing(tmp_path: Path, more: list[str]) -> None:
    """What one run keeps for the next, somebody else could change, and hide a finding."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    (project / "model.py").write_text(TRAP)
    places = {name: str(home) for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR", "LOCALAPPDATA")}
    ended = subprocess.run(
        [sys.executable, "-m", "oakum_lint", "check", *more, "."],
        cwd=project,
        env={
            **os.environ,
            **places,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1, ended.stderr
    assert list(home.iterdir()) == []
    assert [file.name for file in project.iterdir()] == ["model.py"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners there")
def test_pages_are_not_kept_where_others_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The editor shows somebody else's page, or a link there has the server write over a file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pages.href.cache_clear()
    uri = pages.href("OAK201")
    assert uri is not None
    assert (tmp_path / "oakum" / "pages").is_dir()
    (tmp_path / "oakum" / "pages").chmod(0o777)
    pages.href.cache_clear()
    assert pages.href("OAK201") is None
    pages.href.cache_clear()
