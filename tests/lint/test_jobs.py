"""Several processes find what one finds, and a terminal shows how far a run is."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from project_bugs import projects, read_project

from oakum_lint.app.cli import main
from oakum_lint.app.distribution import groups, processes
from oakum_lint.app.distribution.groups import share_groups
from oakum_lint.app.progress import Progress, progress_for
from oakum_lint.app.session import Session
from oakum_lint.text.edits import FunctionName

ROOT = Path(__file__).parents[2]
SEVERAL = projects()[:6]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some projects beside each other: parts that no import connects."""
    for name in SEVERAL:
        for file, text in read_project(name).broken.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["check", ".", *options]) == 1
    return capsys.readouterr().out


def test_the_report_is_the_same_for_any_number_of_processes(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with what is kept: by one, for the other."""
    alone = report(capsys, "--no-cache")
    assert report(capsys, "--no-cache", "-j", "2") == alone
    assert report(capsys, "-j", "3") == alone
    (tree / SEVERAL[0] / "further.py").write_text("import jax\n")
    assert report(capsys, "-j", "2") == report(capsys, "--no-cache")


def test_what_a_process_leaves_is_analysed_all_the_same(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed, for want of memory for instance."""
    alone = report(capsys, "--no-cache")

    def end(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(processes, "_run", end)
    assert report(capsys, "--no-cache", "-j", "2") == alone


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Has processes share the groups of each part, however few; whether they have done it."""
    monkeypatch.setattr(groups, "FEWEST", 1)
    done: list[bool] = []

    def share(session: Session, jobs: int) -> bool:
        done.append(share_groups(session, jobs))
        return done[-1]

    monkeypatch.setattr(groups, "share_groups", share)
    return done


forks = pytest.mark.skipif(sys.platform != "linux", reason="a fork is not safe")


@forks
@pytest.mark.parametrize("name", projects())
def test_processes_that_share_a_part_find_what_one_finds(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], shared: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Fixes too; and what they keep is good for an edit."""
    for file, text in read_project(name).broken.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)

    def checked(*options: str) -> tuple[int, str]:
        return main(["check", ".", "--output-format", "json", *options]), capsys.readouterr().out

    alone = checked("--no-cache")
    assert checked("--no-cache", "-j", "2") == alone
    assert checked("-j", "3") == alone
    # What follows are trials of fixes, of what these concern alone.
    assert shared[:2] == [True, True]
    edited = max(tmp_path.rglob("*.py"), key=lambda path: path.stat().st_size)
    edited.write_text(edited.read_text().replace(":\n    ", ":\n    edited = 1\n    ", 1))
    assert checked() == checked("--no-cache")


CALLS_BEFORE = """
import jax
import jax.numpy as jnp
import late

@jax.jit
def step(x):
    return late.halved(x)
"""
CALLED_LATE = """
import jax.numpy as jnp

def halved(x):
    if x > 0:
        return x / 2
    return helper(x)

def helper(x):
    return jnp.zeros((int(x),))
"""


@forks
def test_a_group_runs_again_if_one_before_it_has_called_its_functions_meanwhile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shared: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A function that is called already is not called once more with nothing known."""
    (tmp_path / "early.py").write_text(CALLS_BEFORE)
    (tmp_path / "late.py").write_text(CALLED_LATE)
    monkeypatch.chdir(tmp_path)
    numbers: list[int] = []
    is_right = groups.is_right

    def noting(outcome: groups.Outcome, certain: list[set[FunctionName]]) -> bool:
        if not (right := is_right(outcome, certain)):
            numbers.append(outcome.number)
        return right

    monkeypatch.setattr(groups, "is_right", noting)
    alone = report(capsys, "--no-cache")
    assert report(capsys, "--no-cache", "-j", "4") == alone
    assert shared == [True]
    assert numbers


@forks
def test_a_part_is_analysed_by_one_if_a_process_that_shares_it_ends(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "FEWEST", 1)
    monkeypatch.chdir(tree / SEVERAL[0])
    alone = report(capsys, "--no-cache")

    def end(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def fail(*_: object) -> None:
        raise MemoryError

    for way in (end, fail):
        monkeypatch.setattr(groups.Worker, "run", way)
        assert report(capsys, "--no-cache", "-j", "2") == alone


@pytest.mark.parametrize("stated", ["0", "-1", "many", ""])
def test_a_number_of_processes_that_is_none_is_refused(
    stated: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", f"--jobs={stated}", "."]) == 2
    assert "neither a number above 0 nor `auto`" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes cannot be listed")
def test_the_processes_end_with_the_one_that_has_started_them(tree: Path) -> None:
    calls = "".join(f"@jax.jit\ndef f{n}(x):\n    return g(x + {n})\n" for n in range(3_000))
    for name in "ab":
        (tree / f"{name}.py").write_text(f"import jax\ndef g(x):\n    return x * {name!r}\n{calls}")
    program = [sys.executable, "-m", "oakum_lint", "check", "--no-cache", "-j", "2", "."]
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
    run = subprocess.Popen(
        program,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )

    def children() -> list[str]:
        threads = Path(f"/proc/{run.pid}/task").iterdir()
        return [each for thread in threads for each in (thread / "children").read_text().split()]

    try:
        end = time.monotonic() + 60
        while len(started := children()) < 2:
            assert run.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        run.send_signal(signal.SIGTERM)
        assert run.wait(60) == -signal.SIGTERM
        while any(Path(f"/proc/{each}/task").exists() for each in started):
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        run.kill()
        run.wait()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_in_the_first_second_and_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("oakum_lint.app.progress.time.monotonic", lambda: now)
    stream = Terminal()
    progress = Progress(stream, 3)
    progress.note(Path("a.py"), Path("b.py"))
    now = 0.9
    progress.show()
    progress.end()
    assert stream.getvalue() == ""
    now = 2.0
    progress.show()
    assert stream.getvalue() == "\roakum: 2 of 3 files, 2 s: b.py\x1b[K"
    progress.show()
    progress.end()
    assert stream.getvalue().endswith("b.py\x1b[K\r\x1b[K")


def test_only_a_terminal_shows_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert progress_for(io.StringIO(), ["a.py"]) is None
    assert progress_for(Terminal(), ["a.py"]) is not None
    monkeypatch.setenv("TERM", "dumb")
    assert progress_for(Terminal(), ["a.py"]) is None


def test_a_run_says_which_files_it_comes_to(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = report(capsys, "--no-cache")
    stream = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("oakum_lint.app.progress._QUIET", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)
    for options in ((), ("-j", "2")):
        assert report(capsys, "--no-cache", *options) == expected
        shown = stream.getvalue()
        assert " files, " in shown
        assert shown.endswith("\r\x1b[K")
