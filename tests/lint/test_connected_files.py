"""What a project says of the files that imports connect does not depend on who asks first."""

from itertools import permutations
from pathlib import Path

import pytest

from oakum_lint.domain.project import Project
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.imports.connected_files import ConnectedFiles
from oakum_lint.text.imports.import_graph import Files, by_text, module_names
from oakum_lint.text.source import Unreadable, read_source

NAMES = ("delta", "alpha", "gamma", "beta")


def _facts(path: Path) -> ModuleFacts | None:
    source = read_source(path)
    return None if isinstance(source, Unreadable) else ModuleFacts(source)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Files that each declare a member and are connected by one that imports them."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"class {name.title()}:\n    size: int\n")
    (tmp_path / "user.py").write_text("".join(f"import {name}\n" for name in NAMES))
    return sorted(tmp_path.iterdir())


def test_members_are_looked_for_in_one_order_whoever_asks_first(files: list[Path]) -> None:
    """Who asks stops at the first class that does not say what is asked, and what was looked at by
    then has run: an analysis took other steps with another seed of hashes, or behind other work.
    """
    found: set[tuple[str, ...]] = set()
    for askers in permutations(files, 2):
        project = Project(files, _facts)
        for asker in askers:
            module = project.module_at(asker)
            assert module is not None
            found.add(tuple(each.name for each, _ in project.declaring(module, "size")))
    assert found == {("alpha", "beta", "delta", "gamma")}


def test_what_runs_with_a_file_is_worked_out_once_for_all_that_imports_connect(
    files: list[Path],
) -> None:
    """In a repository of 100,000 files, 5,000 of which ask, each went over all of the others."""
    looked_at: list[Path] = []

    def text(path: Path) -> str:
        looked_at.append(path)
        return path.read_text()

    paths = {path.resolve(): path for path in files}
    disk = Files(by_text(paths), module_names(paths), on_disk=True)
    connected = ConnectedFiles(paths, text, disk, Path.resolve)
    answers = [connected.run_with(path) for path in paths]
    assert all(each is answers[0] for each in answers)
    assert set(answers[0]) == set(paths)
    assert sorted(looked_at) == sorted(paths)
    alone = files[0].parent / "outside" / "alone.py"
    alone.parent.mkdir()
    alone.write_text("import delta\n")
    assert connected.run_with(alone)[0] == alone
