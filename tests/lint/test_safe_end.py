"""Whatever ends a command, or stands in its way: a documented exit status, no traceback, whole
files, no drafts, and a count of what was written.
"""

import errno
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from oakum_lint.app import drafts, rewriting
from oakum_lint.app.cli import main

ROOT = Path(__file__).parents[2]
BAD = """import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    return np.log(x)  # why


f(jnp.ones(3))
"""
GOOD = BAD.replace("np.log", "jnp.log")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp")),
}
SHELL = f"{sys.executable} -m oakum_lint"


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a shell says of `oakum` with redirections."""
    return subprocess.run(
        ["bash", "-c", command.replace("oakum", SHELL, 1)],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file that has a safe fix."""
    (tmp_path / "train.py").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestOutput:
    """Output that is full, closed, or left by its reader."""

    @pytest.mark.parametrize(
        ("command", "status", "message"),
        [
            ("oakum check train.py > /dev/full", 2, "No space left on device"),
            ("oakum check --fix - < train.py > /dev/full", 2, "No space left on device"),
            ("oakum explain OAK201 > /dev/full", 2, "No space left on device"),
            ("oakum --version > /dev/full", 2, "No space left on device"),
            ("oakum check train.py >&-", 2, "it is closed"),
            ("oakum check train.py 2>&-", 1, ""),
            ("oakum check missing.py 2>&-", 2, ""),
            ("oakum check --output-file report train.py >&- 2>&- <&-", 1, ""),
        ],
    )
    def test_a_fault_is_one_line_and_2(
        self, folder: Path, command: str, status: int, message: str
    ) -> None:
        done = shell(command, folder)
        assert done.returncode == status
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == bool(message)
        assert ("OAK208" in done.stdout) == (command == "oakum check train.py 2>&-")
        assert sorted(os.listdir(folder)) in (["train.py"], ["report", "train.py"])

    def test_an_input_that_is_closed_is_a_finding(self, folder: Path) -> None:
        done = shell("oakum check - <&-", folder)
        assert done.returncode == 2
        assert "OAK002" in done.stdout
        assert done.stderr == ""

    def test_a_reader_that_leaves_is_141(self, folder: Path) -> None:
        done = shell("oakum rules | (exec <&-; sleep 3); echo ${PIPESTATUS[0]}", folder)
        assert done.stdout.splitlines()[-1] == "141"
        assert done.stderr == ""

    def test_a_failure_of_the_command_itself_is_one_line(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def fails(*_: object, **__: object) -> None:
            raise KeyError("x")

        monkeypatch.setattr("oakum_lint.app.runner.check_paths", fails)
        assert main(["check"]) == 2
        error = capsys.readouterr().err
        assert error.startswith("oakum: oakum failed on this command: KeyError at test_safe_end.py")
        assert error.count("\n") == 1


class TestWriting:
    """What `--fix` keeps, and what it says where it could not write."""

    def test_what_could_not_be_written_is_not_counted(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        (folder / "other.py").write_text(BAD)
        real = os.fsync

        def fsync(descriptor: int) -> None:
            if not written:
                written.append(descriptor)
                raise OSError(errno.ENOSPC, "No space left on device")
            real(descriptor)

        written: list[int] = []
        monkeypatch.setattr(os, "fsync", fsync)
        assert main(["check", "--fix", "."]) == 2
        captured = capsys.readouterr()
        assert "Fixed 1 finding. Found 1 finding in 1 file (2 files checked)." in captured.out
        assert "other.py is not fixed: it cannot be written: No space left" in captured.err
        assert [(folder / name).read_text() for name in ("other.py", "train.py")] == [BAD, GOOD]
        assert sorted(os.listdir(folder)) == ["other.py", "train.py"]

    @pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
    @pytest.mark.parametrize("names", [1, 2])
    def test_attributes_and_hard_links_stay(self, folder: Path, names: int) -> None:
        file = folder / "train.py"
        file.chmod(0o640)
        try:
            os.setxattr(file, "user.note", b"mine")
        except OSError:
            pytest.skip("this file system has no extended attributes")
        if names > 1:
            os.link(file, folder / "same.txt")
        before = file.stat()
        assert main(["check", "--fix", "."]) == 0
        assert file.read_text() == GOOD
        after = file.stat()
        assert (after.st_mode, after.st_nlink) == (before.st_mode, before.st_nlink)
        assert os.getxattr(file, "user.note") == b"mine"
        assert sorted(os.listdir(folder)) == ["same.txt", "train.py"][2 - names :]
        assert names == 1 or (folder / "same.txt").read_text() == GOOD

    def test_both_names_of_a_file_may_be_given(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        os.link(folder / "train.py", folder / "other.py")
        assert main(["check", "--fix", "."]) == 0
        assert (folder / "train.py").samefile(folder / "other.py")
        assert (folder / "other.py").read_text() == GOOD
        assert capsys.readouterr().err == ""

    def test_a_link_out_of_the_folder_is_not_followed(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "inside").mkdir()
        link = folder / "inside" / "link.py"
        link.symlink_to(folder / "train.py")
        assert main(["check", "--fix", "inside"]) == 2
        assert (folder / "train.py").read_text() == BAD
        captured = capsys.readouterr()
        assert "link to a file outside" in captured.err
        assert "Fixed" not in captured.out
        assert main(["check", "--fix", str(link)]) == 0
        assert (folder / "train.py").read_text() == GOOD
        assert link.is_symlink()

    def test_a_save_in_the_last_moment_stays(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = os.chmod

        def saved(path: str, mode: int) -> None:
            real(path, mode)
            (folder / "train.py").write_text("mine\n")

        monkeypatch.setattr(os, "chmod", saved)
        problem = rewriting.rewrite("train.py", BAD, GOOD)
        assert problem == "it was changed in the meantime"
        assert (folder / "train.py").read_text() == "mine\n"

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs an atomic exchange")
    @pytest.mark.parametrize("moved", [False, True])
    def test_what_is_saved_after_the_last_look_stays(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, moved: bool
    ) -> None:
        file, mine = folder / "train.py", "mine = 1\n"
        look = rewriting._check_unchanged  # pyright: ignore[reportPrivateUsage]
        looks: list[str] = []

        def save_after(path: str, data: bytes) -> None:
            look(path, data)
            if not looks:
                looks.append(path)
                if moved:  # as editors do that write a new file and rename it
                    (folder / "new").write_text(mine)
                    os.replace(folder / "new", file)
                else:
                    file.write_text(mine)

        monkeypatch.setattr(rewriting, "_check_unchanged", save_after)
        before = file.read_text()
        assert rewriting.rewrite(str(file), before, GOOD) == "it was changed in the meantime"
        assert file.read_text() == mine
        assert not [name for name in os.listdir(folder) if name.startswith(".oakum-")]

    @pytest.mark.parametrize("names", [1, 2])
    @pytest.mark.parametrize("call", ["fsync", "unlink", *["link"] * hasattr(os, "O_TMPFILE")])
    @pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
    def test_a_signal_while_writing_leaves_whole_files_and_no_draft(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        names: int,
        call: str,
        number: signal.Signals,
        status: int,
    ) -> None:
        """Also just after the call that makes or removes the draft."""
        (folder / "other.py").write_text(BAD)
        if names > 1:
            os.link("other.py", "same.txt")
        before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
        with monkeypatch.context() as patch:
            patch.setattr(os, call, signalling(getattr(os, call), number))
            assert main(["check", "--fix"]) == status
        assert before == (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT))
        # The file that was being written, and none after it.
        assert [(folder / name).read_text() for name in ("other.py", "train.py")] == [GOOD, BAD]
        assert sorted(os.listdir(folder)) == ["other.py", "same.txt", "train.py"][:: 3 - names]

    def test_a_signal_while_the_run_is_kept_leaves_no_draft(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "pyproject.toml").write_text("")
        with monkeypatch.context() as patch:
            patch.setattr(tempfile, "mkstemp", signalling(tempfile.mkstemp, signal.SIGINT))
            assert main(["check"]) == 130
        assert (folder / ".oakum_cache").is_dir()
        assert not list(folder.rglob("draft-*"))


def signalling(call: Callable[..., Any], number: signal.Signals) -> Callable[..., Any]:
    """A call after which a signal comes."""

    def after(*arguments: Any, **named: Any) -> Any:
        try:
            return call(*arguments, **named)
        finally:
            os.kill(os.getpid(), number)

    return after


class TestDrafts:
    """What a killed run has left is put right by the next one."""

    def leave(self, folder: Path, text: str, name: str = ".oakum-x") -> Path:
        path = folder / name
        path.write_bytes(text.encode())
        return path

    def test_a_draft_of_nobody_is_removed(self, folder: Path) -> None:
        self.leave(folder, "half")
        assert main(["check", "--fix"]) == 0
        assert os.listdir(folder) == ["train.py"]

    def test_a_draft_that_is_being_written_stays(self, folder: Path) -> None:
        with drafts.draft(str(folder), b"theirs") as (_, path):
            assert not drafts.clean([str(folder)])
            assert Path(path).read_bytes() == b"theirs"
        assert os.listdir(folder) == ["train.py"]

    @pytest.mark.parametrize("new", [GOOD, GOOD + "# longer\n" * 9, GOOD[:60]])
    @pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
    def test_a_text_half_written_in_place_is_put_back(
        self, folder: Path, new: str, share: float
    ) -> None:
        file = folder / "train.py"
        name = drafts.journal_name(file.stat()) + "x"
        self.leave(folder, drafts.journal(BAD.encode(), new.encode()).decode(), name)
        written = int(len(new) * share)
        with file.open("r+b") as stream:
            stream.write(new[:written].encode())
        drafts.clean([str(folder)])
        assert os.listdir(folder) == ["train.py"]
        assert file.read_text() == (new if len(new) >= len(BAD) and share == 1 else BAD)

    def test_what_was_written_since_stays(self, folder: Path) -> None:
        file = folder / "train.py"
        name = drafts.journal_name(file.stat()) + "x"
        self.leave(folder, drafts.journal(BAD.encode(), GOOD.encode()).decode(), name)
        mine = BAD.replace("why", "mine!")
        file.write_text(mine)
        drafts.clean([str(folder)])
        assert file.read_text() == mine


class TestUnchecked:
    """What is not checked does not pass for clean."""

    def test_an_unreadable_file_is_2(self, folder: Path) -> None:
        (folder / "bad.py").write_bytes(b"import jax  # \xff\n")
        assert main(["check", "bad.py"]) == 2
        assert main(["check", "--exit-zero", "bad.py"]) == 2


@contextmanager
def project(folder: Path, count: int) -> Generator[list[Path]]:
    files = [folder / f"m{number}.py" for number in range(count)]
    for file in files:
        file.write_text(BAD)
    yield files
    assert {file.read_text() for file in files} <= {BAD, GOOD}


@contextmanager
def started(folder: Path) -> Generator[subprocess.Popen[bytes]]:
    """A fix of the folder, which has ended after the block and has written no traceback.

    Its errors go to a file: workers that outlive a killed run would hold a pipe open.
    """
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            [sys.executable, "-m", "oakum_lint", "check", "--fix", "."],
            cwd=folder,
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        ) as process,
    ):
        try:
            yield process
            process.wait(timeout=120)
        finally:
            process.kill()
        errors.seek(0)
        assert b"Traceback" not in errors.read()


def fix(folder: Path) -> int | None:
    """The exit status of a fix of the folder."""
    with started(folder) as process:
        process.wait(timeout=120)
    return process.returncode


def wait_for_writing(files: list[Path], process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None and files[0].read_text() == BAD:
        time.sleep(0.001)


STATUSES = {
    signal.SIGKILL: {-9, 0},
    signal.SIGTERM: {143, -15, 0},
    signal.SIGINT: {130, 0},
}
"""How a run may end that was sent a signal, perhaps after its last file."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", STATUSES)
def test_a_run_that_is_ended_leaves_whole_files(tmp_path: Path, number: signal.Signals) -> None:
    """`OAKUM_KILLS` says how often."""
    rng = random.Random(int(number))
    for run in range(int(os.environ.get("OAKUM_KILLS", "3"))):
        folder = tmp_path / str(run)
        folder.mkdir()
        with project(folder, 20) as files:
            with started(folder) as process:
                wait_for_writing(files, process)
                time.sleep(rng.random() * 0.01)
                process.send_signal(number)
            assert process.returncode in STATUSES[number]
            if number != signal.SIGKILL:
                assert not list(folder.glob(".oakum-*"))
            assert fix(folder) == 0
            assert not list(folder.glob(".oakum-*"))
            assert {file.read_text() for file in files} == {GOOD}


@pytest.mark.exhaustive
def test_two_fixes_at_once_leave_every_file_right(tmp_path: Path) -> None:
    with project(tmp_path, 20) as files:
        with started(tmp_path) as first, started(tmp_path) as second:
            pass
        assert {first.returncode, second.returncode} <= {0, 2}
        assert {file.read_text() for file in files} == {GOOD}
        assert not list(tmp_path.glob(".oakum-*"))


@pytest.mark.exhaustive
def test_what_a_user_saves_during_a_fix_stays(tmp_path: Path) -> None:
    files = [tmp_path / f"m{number}.py" for number in range(20)]
    for file in files:
        file.write_text(BAD)
    mine = BAD.replace("why", "mine")
    with started(tmp_path) as process:
        wait_for_writing(files, process)
        for file in reversed(files):
            file.write_text(mine)
    assert all(file.read_text() == mine for file in files)
