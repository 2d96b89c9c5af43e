"""`oakum check --watch` checks again after each change that may matter."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from two_file_bugs import SHAPES, write_files

from oakum_lint.app.cli import main

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
WAITS = "oakum: waiting for changes (Ctrl-C ends)"


class Watcher:
    """A process that watches, and what it says."""

    def __init__(self, *options: str) -> None:
        path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "oakum_lint", "check", "--watch", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip())

    def report(self) -> list[str]:
        """What is said up to the next wait."""
        said: list[str] = []
        while (line := self._lines.get(timeout=PATIENCE)) != WAITS:
            said.append(line)
        return said


@pytest.fixture
def watcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watcher]:
    write_files(tmp_path, SHAPES["function"])
    monkeypatch.chdir(tmp_path)
    # A module of the user's with a name of Python's must not come in the way.
    (tmp_path / "json.py").write_text("raise ImportError\n")
    found = Watcher("--output-format", "concise", "a.py")
    yield found
    found.end()


def test_each_change_is_checked(watcher: Watcher, tmp_path: Path) -> None:
    """Of the file, of one that traces it, of the configuration; and a file that is new."""
    assert "a.py:3:8: OAK201" in watcher.report()[0]
    helper, caller = tmp_path / "a.py", tmp_path / "b.py"
    helper.write_text(f"# one line more\n{helper.read_text()}")
    assert "a.py:4:8: OAK201" in watcher.report()[0]
    text = caller.read_text()
    caller.unlink()
    assert watcher.report() == ["All clean: 1 file checked."]
    (tmp_path / "c.py").write_text(text)
    assert "a.py:4:8: OAK201" in watcher.report()[0]
    (tmp_path / "pyproject.toml").write_text('[tool.oakum]\nselect = ["nothing"]\n')
    assert "nothing" in watcher.report()[0]
    (tmp_path / "pyproject.toml").write_text('[tool.oakum]\nignore = ["OAK201"]\n')
    assert watcher.report() == ["All clean: 1 file checked."]


def test_ctrl_c_ends_it(watcher: Watcher) -> None:
    watcher.report()
    watcher.process.send_signal(signal.SIGINT)
    assert watcher.process.wait(PATIENCE) == 130


@pytest.mark.parametrize("path", ["-", "missing.py"])
def test_what_cannot_be_watched_is_refused(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--watch", path]) == 2
    assert capsys.readouterr().err.startswith("oakum: ")
    assert os.path.lexists(path) is False
