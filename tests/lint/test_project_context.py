"""A bug that lies in two files is found by a check of either one, in every shape of a project."""

from pathlib import Path

import pytest
from two_file_bugs import SHAPES, write_files

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.project_context import find_root
from oakum_lint.app.runner import check_paths
from oakum_lint.app.settings import Settings


def _found(result: CheckResult) -> set[tuple[str, int, str]]:
    return {(f.location.file, f.location.line, f.code) for f in result.findings}


@pytest.mark.parametrize("shape", SHAPES)
def test_any_file_of_a_bug_shows_it(
    shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES[shape])
    monkeypatch.chdir(tmp_path)
    settings = Settings(str(tmp_path))
    whole = _found(check_paths(["."], settings))
    assert len(whole) == 1
    python = [file for file, text in SHAPES[shape].items() if file.endswith(".py") and text]
    assert {file: _found(check_paths([file], settings)) for file in python} == dict.fromkeys(
        python, whole
    )


def test_a_finding_elsewhere_says_so_and_is_not_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    monkeypatch.chdir(tmp_path)
    result = check_paths(["b.py"], Settings(str(tmp_path)))
    (finding,) = result.findings
    assert finding.fix is None
    assert "this file was not named: `b.py` causes the finding" in finding.notes
    assert result.elsewhere == 1


def test_what_the_named_file_has_no_part_in_is_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    (tmp_path / "c.py").write_text("def doubled(x):\n    return 2 * x\n")
    caller = tmp_path / "b.py"
    caller.write_text(caller.read_text() + "import c\nprint(c.doubled(1))\n")
    monkeypatch.chdir(tmp_path)
    assert check_paths(["c.py"], Settings(str(tmp_path))).findings == []


def test_a_suppressed_finding_elsewhere_stays_suppressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    helper = tmp_path / "a.py"
    helper.write_text(helper.read_text().replace("> 0:", "> 0:  # noqa: OAK201"))
    monkeypatch.chdir(tmp_path)
    assert check_paths(["b.py"], Settings(str(tmp_path))).findings == []


def test_without_a_project_only_the_named_file_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, SHAPES["function"])
    (tmp_path / "pyproject.toml").unlink()
    monkeypatch.chdir(tmp_path)
    result = check_paths(["a.py"], Settings(str(tmp_path)))
    assert result.findings == []
    assert result.lacks_project
    named = check_paths(["a.py"], Settings(str(tmp_path)), project=".")
    assert len(named.findings) == 1
    assert not named.lacks_project


def test_the_repository_is_the_root_before_the_nearest_configuration(tmp_path: Path) -> None:
    inner = tmp_path / "packages" / "one"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").touch()
    assert find_root(str(inner)) == str(inner)
    (tmp_path / ".git").mkdir()
    assert find_root(str(inner)) == str(tmp_path)
