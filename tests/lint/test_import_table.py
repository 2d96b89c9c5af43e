"""What files of a project import, kept between runs: it is what reading all of them would show."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from oakum_lint.app.index import file_states, import_table
from oakum_lint.app.index.folder import FOLDER, open_folder
from oakum_lint.app.index.import_table import open_table
from oakum_lint.app.project_context import project_context
from oakum_lint.app.settings import Settings
from oakum_lint.text.regular_files import read_regular

Imports = dict[str, tuple[bool, tuple[str, ...]]]

_LINES = (
    "import {0}",
    "from {0} import {1}",
    "from . import {1}",
    "from .{1} import *",
    "from .. import {1}",
    "import jax",
    "import {0}.{1} as other",
    "x = 1",
)
_MODULES = ("alpha", "beta", "gamma", "pkg", "pkg.beta", "pkg.sub", "pkg.sub.gamma")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory. A file that has changed a moment ago counts as settled."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file_states, "UNSETTLED", -60_000_000_000)
    monkeypatch.setattr(import_table, "_FEW", 0)
    return tmp_path


def _files() -> list[str]:
    return sorted(path.as_posix() for path in Path().rglob("*.py"))


def _imports(files: Sequence[str], roots: Sequence[str], *, keeps: bool) -> Imports:
    """What each file imports."""
    table = open_table(files, ["."], roots, open_folder(".") if keeps else None)
    stored = table.to_store()
    paths = stored["paths"]
    imported = [tuple(paths[each] for each in row) for row in stored["imported"]]
    rows = zip(stored["bearing"], map(sorted, imported), strict=True)
    return {path: (bears, tuple(row)) for path, (bears, row) in zip(paths, rows, strict=True)}


def test_files_that_have_not_changed_are_not_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook over one file of 100,000 would read all of them."""
    for name in ("alpha", "beta", "gamma"):
        (project / f"{name}.py").write_text("import alpha\n")
    first = _imports(_files(), ["."], keeps=True)
    read: list[str] = []

    def noted(path: str, largest: int) -> bytes:
        read.append(os.path.basename(path))
        return read_regular(path, largest)

    monkeypatch.setattr(import_table, "read_regular", noted)
    assert _imports(_files(), ["."], keeps=True) == first
    assert read == []
    (project / "beta.py").write_text("import gamma, jax\n")
    second = _imports(_files(), ["."], keeps=True)
    assert read == ["beta.py"]
    assert second[os.path.realpath("beta.py")] == (True, (os.path.realpath("gamma.py"),))


def test_a_file_that_changed_a_moment_ago_is_read_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second change within the same tick of the clock leaves times and size as they are."""
    monkeypatch.setattr(file_states, "UNSETTLED", 60_000_000_000)
    (project / "alpha.py").write_text("import beta\n")
    (project / "beta.py").write_text("")
    _imports(_files(), ["."], keeps=True)
    known = {file: os.lstat(file) for file in _files()}
    lstat = os.lstat

    def before(path: str) -> os.stat_result:
        return known.get(path) or lstat(path)

    (project / "alpha.py").write_text("import bete\n")
    monkeypatch.setattr(os, "lstat", before)
    assert _imports(_files(), ["."], keeps=True)[os.path.realpath("alpha.py")] == (False, ())


def test_a_file_whose_date_was_put_back_is_read_again(project: Path) -> None:
    """As `cp -p`, `rsync -t` and archives do it."""
    file = project / "alpha.py"
    (project / "beta.py").write_text("")
    (project / "gamma.py").write_text("")
    file.write_text("import beta \n")
    before = file.stat()
    _imports(_files(), ["."], keeps=True)
    file.write_text("import gamma\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    imported = _imports(_files(), ["."], keeps=True)[os.path.realpath(file)][1]
    assert imported == (os.path.realpath("gamma.py"),)


def _edit(chance: random.Random) -> None:
    """Writes, moves or removes some files."""
    folders = [Path(), Path("pkg"), Path("pkg/sub"), Path("src"), Path("src/pkg")]
    for _ in range(chance.choice((1, 1, 3))):
        folder = chance.choice(folders)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{chance.choice(('alpha', 'beta', 'gamma', 'pkg', '__init__'))}.py"
        action = chance.random()
        if action < 0.25 and os.path.lexists(file):
            file.unlink()
        elif action < 0.35 and not os.path.lexists(file):
            file.symlink_to(os.path.abspath("alpha.py"))
        elif not file.is_symlink():
            lines = chance.choices(_LINES, k=chance.randrange(4))
            names = chance.choice(_MODULES), chance.choice(("alpha", "beta", "gamma", "sub"))
            file.write_text("\n".join(lines).format(*names))


@pytest.mark.parametrize("seed", range(4))
def test_after_random_edits_it_is_that_of_a_first_look(project: Path, seed: int) -> None:
    """A missing importer is a bug that is not found."""
    chance = random.Random(seed)
    seen: set[str] = set()
    for number in range(60):
        _edit(chance)
        roots = ["."] if chance.random() < 0.8 else [".", "src"]
        files = _files()
        known = _imports(files, roots, keeps=True)
        assert known == _imports(files, roots, keeps=False), (seed, number)
        seen.add(repr(known))
        assert any((project / FOLDER / "imports").iterdir())
    assert len(seen) > 30


def test_a_large_project_is_kept_and_a_small_one_is_not(project: Path) -> None:
    """The first look at a small project takes less time than the folder."""
    (project / "pyproject.toml").touch()
    (project / "main.py").write_text("import module_0\n")
    for number in range(120):
        (project / f"module_{number}.py").write_text(f"import module_{number + 1}\n")
        if number == 20:
            project_context(["main.py"], Settings("."), keeps=True)
            assert not (project / FOLDER).exists()
    context = project_context(["module_3.py"], Settings("."), keeps=True)
    assert context.dependents == ("main.py", "module_0.py", "module_1.py", "module_2.py")
    assert any((project / FOLDER / "imports").iterdir())
    assert project_context(["module_3.py"], Settings(".")).dependents == context.dependents
