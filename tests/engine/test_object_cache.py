"""The cache of object code: what comes out is what went in, or nothing, whatever befalls it.

A wrong entry is wrong machine code: the program computes wrong numbers or ends without a word.
"""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oakum import config
from oakum.compile.native import object_cache
from oakum.compile.native.object_cache import Folder

ENGINE = next(path for path in sys.path if path.endswith("engine") and "tests" not in path)
MOST = 1 << 20


def name(number: int) -> str:
    """A key, none of which makes the folder be swept by itself."""
    return f"f{number:063x}"


def entries(folder: Folder) -> list[str]:
    return sorted(os.listdir(folder.path)) if folder.path.exists() else []


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "objects")


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path) -> Iterator[None]:
    config.update("oakum_cache_dir", str(tmp_path / "own"))
    object_cache.memory().forget()
    yield
    config.update("oakum_cache_dir", None)
    config.update("jax_compilation_cache_dir", None)
    config.update("jax_enable_compilation_cache", True)
    config.update("jax_compilation_cache_max_size", -1)
    object_cache.memory().forget()


@pytest.mark.parametrize("code", [b"", b"x", bytes(range(256)) * 300])
def test_what_was_stored_is_found_again(folder: Folder, code: bytes) -> None:
    """Every process compiles everything again."""
    assert folder.read(name(1)) is None
    folder.write(name(1), code, MOST)
    assert folder.read(name(1)) == code
    assert Folder(folder.path).read(name(1)) == code
    assert folder.read(name(2)) is None
    folder.write(name(1), b"other", MOST)
    assert folder.read(name(1)) == b"other"
    assert entries(folder) == [f"{name(1)}.object"]


HOST: dict[str, Any] = {"triple": "t", "cpu": "c", "features": "f", "level": 2, "llvm": "1"}


def key(text: str, **changed: Any) -> str:
    return object_cache.key(text, **{**HOST, **changed})


def test_the_key_depends_on_all_that_decides_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code for another processor, or of another version, is run."""
    keys = {key("text"), key("Text")}
    for changed in HOST:
        keys.add(key("text", **{changed: 3 if changed == "level" else "other"}))
    # Parts that run together must not look alike.
    keys.add(key("text", triple="tc", cpu=""))
    keys.add(key("text\0t", triple=""))
    monkeypatch.setattr(object_cache, "__version__", "0.0.0")
    keys.add(key("text"))
    assert len(keys) == 2 + len(HOST) + 3
    assert key("text") in keys


def test_programs_find_objects_in_memory_then_on_disk(tmp_path: Path) -> None:
    """An object is read from disk at each call, or not found after a restart."""
    object_cache.store(name(1), b"code")
    assert (tmp_path / "own" / "objects" / f"{name(1)}.object").is_file()
    for file in (tmp_path / "own" / "objects").iterdir():
        content = file.read_bytes()
        file.unlink()
        assert object_cache.lookup(name(1)) == b"code"
        object_cache.memory().forget()
        assert object_cache.lookup(name(1)) is None
        file.write_bytes(content)
    assert object_cache.lookup(name(1)) == b"code"
    assert object_cache.memory().lookup(name(1)) == b"code"


def test_the_cache_on_disk_is_switched_off(tmp_path: Path) -> None:
    """Files are written although the user forbade it."""
    config.update("jax_enable_compilation_cache", False)
    object_cache.store(name(1), b"code")
    assert object_cache.lookup(name(1)) == b"code"
    config.update("jax_enable_compilation_cache", True)
    config.update("jax_compilation_cache_max_size", 0)
    object_cache.store(name(2), b"code")
    assert not (tmp_path / "own").exists()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="other folders there")
def test_folders_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is somewhere else than the user said."""
    assert object_cache.directory() == tmp_path / "own" / "objects"
    config.update("oakum_cache_dir", None)
    config.update("jax_compilation_cache_dir", str(tmp_path / "jax"))
    assert object_cache.directory() == tmp_path / "jax" / "oakum-objects"
    config.update("jax_compilation_cache_dir", "gs://bucket/cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert object_cache.directory() == tmp_path / "xdg" / "oakum" / "objects"
    for ignored in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        assert object_cache.directory() == tmp_path / "home" / ".cache" / "oakum" / "objects"

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert object_cache.directory() is None
    object_cache.store(name(1), b"code")
    assert object_cache.lookup(name(1)) == b"code"


def written(folder: Folder, code: bytes = b"code" * 100) -> Path:
    folder.write(name(1), code, MOST)
    return folder.path / f"{name(1)}.object"


@given(st.data())
def test_a_changed_file_is_no_entry(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    """One flipped bit on disk makes a program compute something else."""
    folder = Folder(tmp_path_factory.mktemp("cache"))
    file = written(folder)
    content = bytearray(file.read_bytes())
    match data.draw(st.sampled_from(["flip", "cut", "append", "replace"])):
        case "flip":
            place = data.draw(st.integers(0, len(content) - 1))
            content[place] ^= 1 << data.draw(st.integers(0, 7))
        case "cut":
            del content[data.draw(st.integers(0, len(content) - 1)) :]
        case "append":
            content += data.draw(st.binary(min_size=1, max_size=50))
        case _:
            content = bytearray(data.draw(st.binary(max_size=600)))
    file.write_bytes(content)
    assert folder.read(name(1)) is None
    folder.write(name(1), b"new", MOST)
    assert folder.read(name(1)) == b"new"


def test_an_entry_of_another_key_is_none(folder: Folder) -> None:
    """A file that was renamed, or copied from elsewhere, is run as something else."""
    file = written(folder)
    file.rename(folder.path / f"{name(2)}.object")
    assert folder.read(name(2)) is None


def make_directory(place: Path) -> None:
    place.mkdir(parents=True)
    (place / "file").touch()


def make_pipe(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(place)


def make_loop(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(place)


def make_dangling(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(place.parent / "nowhere" / "at all")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such files")
@pytest.mark.parametrize("make", [make_directory, make_pipe, make_loop, make_dangling])
def test_what_is_no_file_is_no_entry(folder: Folder, make: Callable[[Path], None]) -> None:
    """A folder, a pipe or a link of that name stops the program, or has it wait for ever."""
    make(folder.path / f"{name(1)}.object")
    assert folder.read(name(1)) is None
    folder.write(name(1), b"code", MOST)
    assert folder.read(name(1)) in (None, b"code")
    assert not [entry for entry in entries(folder) if entry.endswith(".part")]


@pytest.mark.parametrize("kind", ["file", "under a file", "null", "too long"])
def test_folders_that_cannot_be(tmp_path: Path, kind: str) -> None:
    """A mistake in OAKUM_CACHE_DIR stops the program."""
    (tmp_path / "file").touch()
    path = {
        "file": tmp_path / "file",
        "under a file": tmp_path / "file" / "cache",
        "null": Path(f"{tmp_path}/a\0b"),
        "too long": tmp_path / ("x" * 5000),
    }[kind]
    folder = Folder(path)
    folder.write(name(1), b"code", MOST)
    assert folder.read(name(1)) is None
    folder.sweep(0)
    config.update("oakum_cache_dir", str(path))
    object_cache.store(name(1), b"code")
    assert object_cache.lookup(name(1)) == b"code"


READ_ONLY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from oakum.compile.native import object_cache as cache
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
for number in range(20):
    cache.store(f"f{number:063x}", b"new")
cache.memory().forget()
print(cache.lookup("f" + "0" * 63), cache.lookup("f" + "0" * 62 + "1"))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system has no owners of files")
def test_a_read_only_folder_is_read() -> None:
    """On a cluster whose cache belongs to somebody else, the program stops."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        config.update("oakum_cache_dir", directory)
        object_cache.store(name(0), b"old")
        folder = Path(directory) / "objects"
        (folder / f"{name(0)}.object").chmod(0o444)
        folder.chmod(0o555)
        ended = subprocess.run(
            [sys.executable, "-c", READ_ONLY, ENGINE],
            env={**os.environ, "OAKUM_CACHE_DIR": directory},
            capture_output=True,
            text=True,
            timeout=60,
        )
        left = os.listdir(folder)
        folder.chmod(0o755)
    assert (ended.stdout, ended.stderr) == ("b'old' None\n", "")
    assert left == [f"{name(0)}.object"]


@pytest.mark.parametrize("failing", ["open", "write", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
def test_a_full_disk_keeps_nothing(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, failing: str, number: int
) -> None:
    """A training run of days stops because the home directory is full."""
    folder.write(name(0), b"kept", MOST)
    tried: list[str] = []

    def fail(*_: Any, **__: Any) -> Any:
        tried.append(failing)
        raise OSError(number, os.strerror(number))

    class Full:
        """A file on the full disk: its first bytes are still written."""

        def __init__(self, descriptor: int, _mode: str) -> None:
            self.descriptor = descriptor

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self.descriptor)

        def write(self, content: bytes) -> None:
            os.write(self.descriptor, content[:10])
            fail()

    with monkeypatch.context() as patch:
        if failing == "write":
            patch.setattr(object_cache, "open", Full, raising=False)
        else:
            patch.setattr(os, failing, fail)
        for attempt in range(1, 30):
            folder.write(name(attempt), b"code" * 100, MOST)
    assert 1 <= len(tried) <= 8, "each program that is compiled tries the full disk again"
    assert folder.read(name(0)) == b"kept"
    assert folder.read(name(1)) is None
    assert entries(folder) == [f"{name(0)}.object"]


def test_a_disk_that_has_room_again_is_used(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One failed write switches the cache off for the rest of the process."""

    def fail(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for attempt in range(10):
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", fail)
            for _ in range(3):
                folder.write(name(attempt), b"code", MOST)
        folder.write(name(attempt), b"code", MOST)
        assert folder.read(name(attempt)) == b"code"


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from oakum.compile.native.object_cache import Folder
folder = Folder(Path(sys.argv[2]))
print("begun", flush=True)
number = 0
while True:
    number += 1
    code = bytes([number % 251]) * (200_000 + 1000 * (number % 7))
    folder.write(f"f{number % 5:063x}", code, 1 << 30)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
def test_processes_that_are_killed_while_they_write(folder: Folder) -> None:
    """A job that is killed leaves half an entry, and every later run executes it."""
    for attempt in range(8):
        arguments = [sys.executable, "-c", WRITER, ENGINE, str(folder.path)]
        writers = [subprocess.Popen(arguments, stdout=subprocess.PIPE) for _ in range(2)]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"begun\n"
        time.sleep(0.02 + 0.007 * attempt)
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for number in range(5):
            found = folder.read(name(number))
            assert found is None or found == found[:1] * max(200_000, len(found))
        for writer in writers:
            writer.communicate()
    left = [entry for entry in entries(folder) if entry.endswith(".part")]
    for entry in left:
        os.utime(folder.path / entry, (0, 0))
    folder.sweep(1 << 30)
    assert entries(folder) == sorted(f"{name(number)}.object" for number in range(5))
    for number in range(5):
        assert folder.read(name(number)) is not None


def test_the_parts_of_running_writers_are_left_alone(folder: Folder) -> None:
    """A process deletes what another is about to store."""
    written(folder)
    (folder.path / "x.part").touch()
    (folder.path / "readme.txt").touch()
    folder.sweep(0)
    assert entries(folder) == ["readme.txt", "x.part"]


def test_threads_write_and_read_one_entry(folder: Folder) -> None:
    """Two threads that compile one function spoil its entry."""
    wrong: list[Any] = []

    def work(place: int) -> None:
        for number in range(60):
            code = bytes([place]) * 50_000
            folder.write(name(number % 3), code, MOST)
            found = folder.read(name(number % 3))
            if found is None or found != found[:1] * 50_000:
                wrong.append(found)

    running = [threading.Thread(target=work, args=(place,)) for place in range(6)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert not wrong
    assert len(entries(folder)) == 3


def test_the_folder_stays_within_its_size(folder: Folder) -> None:
    """The cache fills the home directory."""
    code = b"x" * 10_000
    for number in range(300):
        folder.write(name(number), code, 500_000)
    total = sum(file.stat().st_size for file in folder.path.iterdir())
    assert 300_000 < total < 520_000
    assert folder.read(name(299)) == code
    folder.write(name(300), b"x" * 200_000, 500_000)
    assert folder.read(name(300)) is None  # too much for one


def test_short_processes_keep_the_size_too(folder: Folder) -> None:
    """Programs that each compile one function fill the home directory in the end."""
    for number in range(512):
        key = f"{number % 256:02x}{number:062x}"
        Folder(folder.path).write(key, b"x" * 2_000, 100_000)
    total = sum(file.stat().st_size for file in folder.path.iterdir())
    assert total < 100_000 + 64 * 4 * 2_048 * 1.1


def test_a_large_folder_is_looked_at_seldom(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each 64th program that is compiled waits for seconds, in every process."""
    sweeps: list[int] = []

    def slow(self: Folder, most: int) -> None:
        sweeps.append(most)
        time.sleep(0.1)

    monkeypatch.setattr(Folder, "sweep", slow)
    for number in range(8):
        Folder(folder.path).write(f"{number % 4:02x}{number:062x}", b"x", MOST)
    assert len(sweeps) == 1
    (rest,) = (each for each in folder.path.parent.iterdir() if each != folder.path)
    os.utime(rest, (0, 0))
    folder.write(name(0).replace(name(0)[:2], "00", 1), b"x", MOST)
    assert len(sweeps) == 2


def test_the_oldest_go_first(folder: Folder) -> None:
    """What each run needs is deleted, what was needed once last year is kept."""
    for number in range(10):
        folder.write(name(number), b"x" * 1000, MOST)
        age = time.time() - 100_000 + number
        os.utime(folder.path / f"{name(number)}.object", (age, age))
    assert folder.read(name(0)) is not None  # so it is the youngest now
    folder.sweep(6000)
    kept = [number for number in range(10) if folder.read(name(number)) is not None]
    assert kept == [0, 7, 8, 9]


def test_memory_keeps_what_was_used_last() -> None:
    """A long run of many programs grows until the machine has no memory."""
    memory = object_cache.Memory(10_000)
    for number in range(30):
        memory.store(name(number), b"x" * 1000)
        memory.lookup(name(0))
    kept = [number for number in range(30) if memory.lookup(name(number)) is not None]
    assert kept == [0, *range(21, 30)]
    assert memory.size == 10_000
    memory.store(name(0), b"y")
    assert memory.lookup(name(0)) == b"y"
    assert memory.size == 9_001
    memory.store(name(1), b"x" * 20_000)
    assert memory.lookup(name(1)) is None
    assert memory.size == 0


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_children_of_a_fork_do_not_wait_for_its_threads() -> None:
    """`multiprocessing` with fork hangs when a thread used the cache in that moment."""
    stop = threading.Event()

    def work() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            object_cache.store(name(number % 50), b"x" * 100)
            object_cache.lookup(name(number % 50))

    running = [threading.Thread(target=work) for _ in range(3)]
    for thread in running:
        thread.start()
    codes: list[int] = []
    for _ in range(20):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            object_cache.store(name(1), b"child")
            os._exit(0 if object_cache.lookup(name(1)) == b"child" else 1)
        codes.append(os.waitpid(child, 0)[1])
    stop.set()
    for thread in running:
        thread.join()
    assert codes == [0] * 20
