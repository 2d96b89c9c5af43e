"""Compiled code that others could have put there: it is not run, one warning tells, numbers are
right.

Each attack makes a cache look as somebody else on the machine could make it look, with an entry
whose hash is right.
"""

import hashlib
import os
import shutil
import stat
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oakum.compile.native import object_cache
from oakum.compile.native.object_cache import Folder
from oakum.errors import CacheWarning
from oakum.values import file_ownership

ENGINE = next(path for path in sys.path if path.endswith("engine") and "tests" not in path)
STRANGER = 65534
KEY = f"f{1:063x}"
MOST = 1 << 20

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners there")
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A folder of one's own with an entry, two levels down."""
    path = tmp_path / "chosen" / "objects"
    Folder(path).write(KEY, b"code", MOST)
    assert Folder(path).read(KEY) == b"code"
    return path


def entry(cache: Path) -> Path:
    return cache / f"{KEY}.object"


def told(cache: Path) -> str:
    """What a refused cache says, which is once; nothing comes out of it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        folder = Folder(cache)
        for _ in range(3):
            assert folder.read(KEY) is None, "code of others is run"
    (warning,) = caught
    assert warning.category is CacheWarning
    text = str(warning.message)
    assert "(OAK010)" in text
    assert text.endswith("or name another folder in OAKUM_CACHE_DIR")
    return text


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o702, 0o1777, 0o2770])
def test_a_folder_that_others_may_write_to(cache: Path, mode: int) -> None:
    """Somebody else on the machine puts code into a folder, and it runs with the user's rights."""
    cache.chmod(mode)
    assert f"run `chmod go-w {cache}`" in told(cache)
    before = os.listdir(cache)
    with pytest.warns(CacheWarning):
        Folder(cache).write(f"f{2:063x}", b"new", MOST)
    assert os.listdir(cache) == before
    cache.chmod(0o755)
    assert Folder(cache).read(KEY) == b"code", "the help that the warning gives does not help"


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_above_that_others_may_write_to(cache: Path, mode: int) -> None:
    """Somebody renames the folder, and puts another in its place."""
    cache.parent.chmod(mode)
    assert f"chmod go-w {cache.parent}" in told(cache)
    cache.parent.chmod(0o1777)  # as /tmp: nobody else can rename what is in it
    assert Folder(cache).read(KEY) == b"code"


@as_root
@pytest.mark.parametrize("sticky", [False, True])
def test_a_foreign_folder_on_the_way(cache: Path, sticky: bool) -> None:
    """The owner of a folder above can put another one in its place, or open it to others."""
    cache.parent.chmod(0o1755 if sticky else 0o755)
    os.chown(cache.parent, STRANGER, STRANGER)
    assert f"belongs to another user (number {STRANGER})" in told(cache)


@as_root
def test_a_foreign_folder(cache: Path) -> None:
    """The folder was there before the user chose it: its owner chooses what runs."""
    os.chown(cache, STRANGER, -1)
    assert f"{cache} belongs to another user" in told(cache)


@as_root
def test_a_foreign_folder_in_one_that_is_sticky(cache: Path) -> None:
    """/tmp/cache, the folder that a script names, was made by somebody else first."""
    cache.parent.chmod(0o1777)
    os.chown(cache, STRANGER, STRANGER)
    assert f"{cache} belongs to another user" in told(cache)


@as_root
def test_a_foreign_file_in_a_folder_of_ones_own(cache: Path) -> None:
    """What others left behind when the folder was open is run after it was closed."""
    os.chown(entry(cache), STRANGER, STRANGER)
    assert f"{entry(cache)} is made again: " in told(cache)
    Folder(cache).write(KEY, b"own", MOST)
    assert Folder(cache).read(KEY) == b"own"


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o622])
def test_a_file_that_others_may_write_to(cache: Path, mode: int) -> None:
    """Somebody changes the code between two runs."""
    entry(cache).chmod(mode)
    assert f"chmod go-w {entry(cache)}" in told(cache)
    Folder(cache).write(KEY, b"own", MOST)
    assert stat.S_IMODE(entry(cache).stat().st_mode) == 0o600
    assert Folder(cache).read(KEY) == b"own"


@as_root
def test_a_hard_link_of_a_foreign_file(cache: Path, tmp_path: Path) -> None:
    """The owner of the file changes it later."""
    foreign = tmp_path / "foreign"
    entry(cache).rename(foreign)
    os.chown(foreign, STRANGER, STRANGER)
    os.link(foreign, entry(cache))
    assert "belongs to another user" in told(cache)


def test_an_entry_that_is_a_link(cache: Path, tmp_path: Path) -> None:
    """A link leads out of the folder that was looked at."""
    elsewhere = tmp_path / "elsewhere"
    entry(cache).rename(elsewhere)
    entry(cache).symlink_to(elsewhere)
    assert Folder(cache).read(KEY) is None
    Folder(cache).write(KEY, b"own", MOST)
    assert Folder(cache).read(KEY) == b"own"
    assert not entry(cache).is_symlink()


def test_a_link_to_a_folder_of_ones_own_is_followed(cache: Path, tmp_path: Path) -> None:
    """Home directories are links on many machines: their users would have no cache."""
    (tmp_path / "link").symlink_to("chosen", target_is_directory=True)
    (tmp_path / "again").symlink_to(tmp_path / "link" / ".." / "link" / ".")
    assert Folder(tmp_path / "again" / "objects").read(KEY) == b"code"


def test_a_link_to_a_folder_that_others_may_write_to(cache: Path, tmp_path: Path) -> None:
    """The way to the folder is closed, the folder at its end is open."""
    (tmp_path / "link").symlink_to(cache.parent, target_is_directory=True)
    cache.parent.chmod(0o777)
    assert f"chmod go-w {cache.parent}" in told(tmp_path / "link" / "objects")


@as_root
def test_a_foreign_link(cache: Path, tmp_path: Path) -> None:
    """In /tmp, somebody else's link decides which folder is read."""
    open_to_all = tmp_path / "tmp"
    open_to_all.mkdir()
    open_to_all.chmod(0o1777)
    (open_to_all / "link").symlink_to(cache, target_is_directory=True)
    assert Folder(open_to_all / "link").read(KEY) == b"code"
    os.lchown(open_to_all / "link", STRANGER, STRANGER)
    assert "belongs to another user" in told(open_to_all / "link")


def test_links_in_a_ring_end(tmp_path: Path) -> None:
    """A program waits for ever."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert Folder(tmp_path / "a" / "objects").read(KEY) is None


def test_a_relative_path_is_looked_at_from_the_root(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`OAKUM_CACHE_DIR=cache` in a folder that anybody can rename."""
    monkeypatch.chdir(cache.parent)
    assert Folder(Path("objects")).read(KEY) == b"code"
    cache.parent.chmod(0o777)
    told(Path("objects"))


def test_rights_that_change_while_the_process_runs(cache: Path) -> None:
    """A folder that was closed at the first look is trusted for ever."""
    folder = Folder(cache)
    assert folder.read(KEY) == b"code"
    cache.chmod(0o777)
    with pytest.warns(CacheWarning):
        assert folder.read(KEY) is None
    cache.chmod(0o700)
    assert folder.read(KEY) == b"code"


@as_root
def test_a_file_that_is_replaced_between_the_look_and_the_reading(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner is asked of a path, and the code is read from what stands there a moment later."""
    foreign = tmp_path / "foreign"
    shutil.copy(entry(cache), foreign)
    os.chown(foreign, STRANGER, STRANGER)
    opened = os.open

    def swap_and_open(place: Any, *rest: Any, **more: Any) -> int:
        if Path(place) == entry(cache) and foreign.exists():
            os.replace(foreign, entry(cache))
        return opened(place, *rest, **more)

    monkeypatch.setattr(object_cache.os, "open", swap_and_open)
    with pytest.warns(CacheWarning, match="belongs to another user"):
        assert Folder(cache).read(KEY) is None


def test_folders_that_are_made_are_closed(tmp_path: Path) -> None:
    """With the umask of a shared machine, the user's own cache is refused by the next process."""
    before = os.umask(0)
    try:
        Folder(tmp_path / "a" / "b" / "objects").write(KEY, b"code", MOST)
    finally:
        os.umask(before)
    for made in ("a", "a/b", "a/b/objects"):
        assert stat.S_IMODE((tmp_path / made).stat().st_mode) == 0o700
    assert stat.S_IMODE(entry(tmp_path / "a" / "b" / "objects").stat().st_mode) == 0o600


def test_threads_that_make_one_folder(tmp_path: Path) -> None:
    """Of two that compile first, one finds the folder there, and keeps nothing for ever."""
    faults: list[object] = []
    run = [
        threading.Thread(
            target=lambda: faults.append(
                file_ownership.find_fault(str(tmp_path / "x" / "y" / "z"), create=True)
            )
        )
        for _ in range(8)
    ]
    for thread in run:
        thread.start()
    for thread in run:
        thread.join()
    assert faults == [None] * 8


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import oakum as jax, oakum.numpy as jnp, numpy as np
f = jax.jit(lambda x: jnp.sum(jnp.tanh(x) * 3.0 + x @ x))
print(float(f(np.ones((16, 16), np.float32))))
"""


def run_program(**environment: str) -> tuple[str, str]:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, ENGINE],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, ended.stderr


def forge(cache: Path) -> None:
    """Puts other constants into all code, with hashes that are right."""
    head = struct.Struct("<8sQ32s")
    for file in cache.glob("*.object"):
        code = file.read_bytes()[head.size :].replace(b"\0\0\x40\x40", b"\0\0\xa0\x40")
        digest = hashlib.sha256(file.stem.encode() + code).digest()
        file.write_bytes(head.pack(b"oakumobj", len(code), digest) + code)


def open_folder(cache: Path) -> None:
    cache.chmod(0o777)


def open_files(cache: Path) -> None:
    for file in cache.iterdir():
        file.chmod(0o666)


def open_above(cache: Path) -> None:
    cache.parent.chmod(0o777)


CHOSEN = {"OAKUM_CACHE_DIR": "objects", "JAX_COMPILATION_CACHE_DIR": "oakum-objects"}
PROGRAMS = [
    pytest.param(option, folder, attack, marks=[] if quick else pytest.mark.exhaustive)
    for option, folder in CHOSEN.items()
    for attack in (open_folder, open_files, open_above)
    for quick in [option.startswith("JAX") and attack is open_folder]
]


@pytest.mark.unverified  # What is forged would be found: it has to run, to be seen not to.
@pytest.mark.parametrize(("option", "folder", "attack"), PROGRAMS)
def test_a_program_is_right_whatever_is_in_an_open_cache(
    tmp_path: Path, option: str, folder: str, attack: Callable[[Path], None]
) -> None:
    """A stranger's constant is in the result."""
    environment = {"OAKUM_CACHE_DIR": "", option: str(tmp_path / "chosen")}
    right, silent = run_program(**environment)
    assert silent == ""
    cache = tmp_path / "chosen" / folder
    forge(cache)
    wrong, _ = run_program(**environment)
    assert wrong != right, "the forged code is not reached, so that nothing is tested"
    attack(cache)
    result, warning = run_program(**environment)
    assert result == right
    assert warning.count("OAK010") == 1
