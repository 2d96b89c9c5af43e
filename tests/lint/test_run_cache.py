"""A run that is answered from the cache says what a fresh one would say, whatever has changed."""

import json
import os
import random
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.app.index import file_states
from oakum_lint.app.index.folder import FOLDER, checksum_of

HELPER = "def signed(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
CALLER = """import jax, jax.numpy as jnp
from helper import signed
print(jax.jit(signed)(jnp.ones(3)))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a bug that lies in two files."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "caller.py").write_text(CALLER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Runs:
    """Runs of the command, with the cache and without."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def kept(self, *arguments: str) -> tuple[int, str, str]:
        status = main(["check", *arguments])
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def fresh(self, *arguments: str) -> tuple[int, str, str]:
        return self.kept("--no-cache", *arguments)


@pytest.fixture
def runs(capsys: pytest.CaptureFixture[str]) -> Runs:
    return Runs(capsys)


def _entries(project: Path) -> list[Path]:
    return sorted((project / FOLDER / "runs").glob("*.json"))


@pytest.mark.parametrize("output_format", ["full", "concise", "json", "sarif", "github"])
def test_an_unchanged_run_says_the_same(project: Path, runs: Runs, output_format: str) -> None:
    arguments = ["--output-format", output_format, "."]
    fresh = runs.fresh(*arguments)
    assert not (project / FOLDER).exists()
    assert runs.kept(*arguments) == fresh
    assert len(_entries(project)) == 1
    assert runs.kept(*arguments) == fresh
    assert fresh[0] == 1


def test_an_unchanged_run_is_not_analysed_again(
    project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = runs.kept(".")

    def analysed(*_: object, **__: object) -> None:
        raise AssertionError("it was analysed")

    monkeypatch.setattr("oakum_lint.app.runner.check_files", analysed)
    assert runs.kept(".") == first


@pytest.fixture
def settles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states of files are kept, also of few that have changed a moment ago."""
    monkeypatch.setattr(file_states, "UNSETTLED", -60_000_000_000)
    monkeypatch.setattr(file_states, "_FEW", 0)


@pytest.mark.usefixtures("settles")
def test_files_that_nothing_has_touched_are_not_read(
    project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read and decode 240 files takes longer than all else that such a run does."""
    (project / "helper.py").write_text(HELPER.replace("if x.sum() > 0", "if x is None"))
    first = runs.kept(".")
    assert first[0] == 0
    read: list[object] = []

    def note(path: object, _: object) -> None:
        read.append(path)

    monkeypatch.setattr("oakum_lint.text.source.read_regular", note)
    assert runs.kept(".") == first
    assert read == []


@pytest.mark.usefixtures("settles")
def test_a_change_that_leaves_size_and_time_is_seen(project: Path, runs: Runs) -> None:
    """As programs do that unpack archives, or copy files with their times."""
    helper = project / "helper.py"
    before = runs.kept(".")
    status = helper.stat()
    helper.write_text(HELPER.replace("x.sum() > 0", "x.size  > 0"))
    os.utime(helper, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert helper.stat().st_size == status.st_size
    assert runs.kept(".") == runs.fresh(".") != before


def test_every_kind_of_change_is_seen(project: Path, runs: Runs) -> None:
    """Each step changes something that the run before has read, or has found missing."""
    outside = project.parent / "elsewhere.py"
    outside.unlink(missing_ok=True)
    steps = [
        lambda: (project / "helper.py").write_text(HELPER.replace("> 0", "> 1")),
        lambda: (project / "helper.py").write_text("def signed(x):\n    return -x\n"),
        lambda: (project / "caller.py").write_text(CALLER.replace("helper", "elsewhere")),
        lambda: outside.write_text(HELPER),  # it was looked for, and missing
        lambda: outside.write_text(HELPER.replace("if x", "if  x")),
        outside.unlink,
        lambda: (project / "elsewhere").mkdir(),
        lambda: (project / "elsewhere" / "__init__.py").write_text(HELPER),
        lambda: (project / "pyproject.toml").write_text('[tool.oakum]\nignore = ["OAK201"]\n'),
        lambda: (project / "pyproject.toml").write_text("[tool.oakum]\n"),
        lambda: (project / "helper.py").unlink(),
    ]
    seen: set[tuple[int, str, str]] = set()
    for step in steps:
        step()
        expected = runs.fresh(".")
        assert runs.kept(".") == expected
        assert runs.kept(".") == expected
        seen.add(expected)
    assert len(seen) > 4


def test_options_have_entries_of_their_own(project: Path, runs: Runs) -> None:
    for arguments in (["."], ["helper.py"], ["caller.py"], ["--ignore", "OAK2", "."]):
        assert runs.kept(*arguments) == runs.fresh(*arguments)
        assert runs.kept(*arguments) == runs.fresh(*arguments)
    assert len(_entries(project)) == 4


def test_a_damaged_entry_counts_as_missing(project: Path, runs: Runs) -> None:
    expected = runs.kept(".")
    (entry,) = _entries(project)
    whole = entry.read_bytes()
    chance = random.Random(20261127)
    for _ in range(60):
        damaged = bytearray(whole)
        match chance.randrange(3):
            case 0:
                damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
            case 1:
                del damaged[chance.randrange(len(damaged)) :]
            case _:
                damaged = bytearray(chance.randbytes(chance.randrange(200)))
        entry.write_bytes(damaged)
        assert runs.kept(".") == expected


@pytest.mark.parametrize(
    "body",
    [b"[]", b'{"read": []}', b'{"read": {}, "names": {"/": 3}}', b"[" * 100_000],
    ids=["list", "list-of-files", "number-of-names", "deep"],
)
def test_an_entry_of_another_form_counts_as_missing(project: Path, runs: Runs, body: bytes) -> None:
    expected = runs.kept(".")
    (entry,) = _entries(project)
    entry.write_bytes(checksum_of(entry.parent.name, entry.name, body) + b"\n" + body)
    assert runs.kept(".") == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_an_entry_that_is_a_pipe_is_not_waited_for(project: Path, runs: Runs) -> None:
    expected = runs.kept(".")
    (entry,) = _entries(project)
    entry.unlink()
    os.mkfifo(entry)
    assert runs.kept(".") == expected


def test_old_entries_go_whatever_lies_beside_them(
    project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is older than all entries does not keep them from being removed."""
    monkeypatch.setattr("oakum_lint.app.run_cache._LARGEST", 10_000)
    runs.kept(".")
    folder = project / FOLDER / "runs"
    (folder / "folder").mkdir()
    os.utime(folder / "folder", (1, 1))
    old = folder / "old.json"
    old.write_bytes(b"x" * 20_000)
    os.utime(old, (2, 2))
    runs.kept("helper.py")
    assert not old.exists()
    assert _entries(project)


def test_a_run_that_was_cut_short_is_not_kept(project: Path, runs: Runs) -> None:
    (project / "caller.py").write_text("def f(:\n")
    (project / "deep.py").write_text("import jax\nx = " + "(" * 300 + ")" * 300 + "\n")
    assert runs.kept(".")[0] == 2
    assert _entries(project) == []


def test_the_folder_keeps_itself_out_of_git_and_is_removed_by_clean(
    project: Path, runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.kept(".")
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"
    assert main(["clean"]) == 0
    assert not (project / FOLDER).exists()
    assert "removed" in capsys.readouterr().err
    assert main(["clean"]) == 0
    assert "nothing is kept" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights are of POSIX")
@pytest.mark.parametrize("part", ["", "runs"])
def test_a_folder_that_others_may_write_to_is_not_used(
    project: Path, runs: Runs, part: str
) -> None:
    expected = runs.kept("--output-format", "json", ".")
    (entry,) = _entries(project)
    stored = entry.read_bytes().partition(b"\n")[2]
    assert json.loads(stored)["findings"]
    folder = project / FOLDER / part
    folder.chmod(0o777)
    status, out, err = runs.kept("--output-format", "json", ".")
    assert (status, out) == expected[:2]
    assert "nothing is kept" in err
    assert "chmod go-w" in err
