"""Whatever becomes of the index, a run says what one without it says."""

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from project_edits import Library

from oakum_lint.app import project_context
from oakum_lint.app.cli import main
from oakum_lint.app.index import file_states, import_table
from oakum_lint.app.index.folder import FOLDER

_PACKAGES = (Path(__file__).parents[2] / name for name in ("engine", "lint", "lsp"))
_ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, _PACKAGES))}

_KILLED = """\
import os, signal, sys
from oakum_lint.app import project_context
from oakum_lint.app.index import file_states, import_table
project_context._MANY = import_table._FEW = file_states._FEW = 0
left = int(sys.argv[1])
def step(event, arguments):
    global left
    if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.utime"):
        if any(".oakum_cache" in str(each) for each in arguments[:2]):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(step)
from oakum_lint.app.cli import main
main(["check", "."])
"""
"""A run that is killed before it opens, moves or removes something of the index, of which it is
stated how often it has done so before.
"""


class _Harm:
    """What befalls the index of the project in the working directory."""

    def __init__(self, seed: int, copies: Path, project: Library) -> None:
        self._chance = random.Random(seed)
        self._project = project
        self._copies = copies
        self.done: dict[str, int] = {}
        """How often each kind of harm was done."""

    def befall(self) -> str:
        """Harms the index once; how."""
        index = Path(FOLDER)
        files = sorted(path for path in index.rglob("*") if path.is_file())
        kinds = (self._flip, self._cut, self._empty, self._remove, self._age, self._mix, self._fill)
        harm = self._chance.choice(kinds) if self._chance.random() < 0.75 else None
        if harm is None:
            self._kill()
        else:
            for file in self._chance.sample(files, min(len(files), self._chance.choice((1, 3, 9)))):
                harm(file)
        if self._chance.random() < 0.3:
            shutil.rmtree(self._copies, ignore_errors=True)
            shutil.copytree(index, self._copies)
        name = "_kill" if harm is None else harm.__name__
        self.done[name] = self.done.get(name, 0) + 1
        return name

    def _flip(self, file: Path) -> None:
        data = bytearray(file.read_bytes() or b"x")
        for _ in range(self._chance.choice((1, 1, 20))):
            data[self._chance.randrange(len(data))] ^= 1 << self._chance.randrange(8)
        file.write_bytes(data)

    def _cut(self, file: Path) -> None:
        os.truncate(file, self._chance.randrange(file.stat().st_size + 1))

    def _empty(self, file: Path) -> None:
        os.truncate(file, 0)

    def _remove(self, file: Path) -> None:
        file.unlink()
        if self._chance.random() < 0.2:
            file.mkdir()

    def _age(self, file: Path) -> None:
        """An older version comes back, whole, as a backup would bring it."""
        old = self._copies / file.relative_to(FOLDER)
        if old.is_file():
            shutil.copyfile(old, file)
        for each in self._copies.rglob("*"):  # and what was removed since
            place = Path(FOLDER) / each.relative_to(self._copies)
            if each.is_file() and not place.exists() and place.parent.is_dir():
                shutil.copyfile(each, place)

    def _mix(self, file: Path) -> None:
        """The entry of another name is in its place."""
        others = [each for each in file.parent.iterdir() if each.is_file()]
        file.write_bytes(self._chance.choice(others).read_bytes())

    def _fill(self, file: Path) -> None:
        file.write_bytes(self._chance.randbytes(self._chance.randrange(3000)))

    def _kill(self) -> None:
        self._project.edit_body(self._project.a_file())  # so that it has something to write
        steps = str(self._chance.randrange(1, 40))
        command = [sys.executable, "-c", _KILLED, steps]
        run = subprocess.run(command, capture_output=True, env=_ENVIRONMENT, check=False)
        assert b"Traceback" not in run.stderr, run.stderr
        ends = "_killed" if run.returncode == -signal.SIGKILL else "_ended_before"
        self.done[ends] = self.done.get(ends, 0) + 1


def _outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["check", "--output-format", "json", *arguments, "."])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert "OAK004" not in captured.out
    return status, captured.out, captured.err


@pytest.mark.exhaustive
@pytest.mark.thinned(4)
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals are of POSIX")
@pytest.mark.parametrize("seed", range(4))
def test_a_harmed_index_changes_no_finding(
    seed: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of all kinds of entry: damage, loss, an older version, and a process that is killed between
    any two steps of its work on them; 200 times in all.
    """
    monkeypatch.setattr(project_context, "_MANY", 0)
    monkeypatch.setattr(import_table, "_FEW", 0)
    monkeypatch.setattr(file_states, "_FEW", 0)
    monkeypatch.setattr(file_states, "UNSETTLED", 20_000_000)
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    project = Library(root, seed)
    harm = _Harm(seed, tmp_path / "copies", project)
    chance = random.Random(seed)
    _outcome(capsys)
    found: set[tuple[int, str, str]] = set()
    history: list[str] = []
    for number in range(50):
        if chance.random() < 0.6:
            edit = project.edit() if number % 8 == 7 else project.edit_body(project.a_file())
            history.append(edit)
            if chance.random() < 0.5:
                _outcome(capsys)  # else the harm befalls what is outdated
        history.append(harm.befall())
        expected = _outcome(capsys, "--no-cache")
        assert _outcome(capsys) == expected, (seed, history)
        found.add(expected)
    assert len(found) > 5
    assert harm.done["_killed"] > 2, harm.done
