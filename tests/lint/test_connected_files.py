"""What a project says of the files that imports connect does not depend on who asks first."""

from itertools import permutations
from pathlib import Path

import pytest

from oakum_lint.domain.project import Project
from oakum_lint.syntax.module import ModuleFacts
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
