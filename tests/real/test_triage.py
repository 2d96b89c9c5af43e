"""The triage of findings on public repositories, and the script that compares with it."""

import json
from pathlib import Path

import pytest
from check_triage import REPOSITORIES, TRIAGE, main, read_triage

LEAK = """\
import jax

seen = []

@jax.jit
def double(x):
    seen.append(x)
    return 2 * x
"""
ENTRY: dict[str, object] = {
    "repo": "someone/something",
    "commit": "0" * 40,
    "file": "double.py",
    "line": 7,
    "code": "OAK101",
    "confidence": "proved",
    "verdict": "true",
    "reason": "the list keeps the tracer",
}


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    folder = tmp_path / "checkouts" / "someone+something"
    folder.mkdir(parents=True)
    (folder / "double.py").write_text(LEAK, encoding="utf-8")
    (folder / "test_double.py").write_text(LEAK, encoding="utf-8")
    return folder.parent


def write_triage(folder: Path, *entries: dict[str, object]) -> Path:
    path = folder / "triage.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def test_triage_is_complete() -> None:
    """Every finding that a reader looks up has a verdict and a reason."""
    assert read_triage(TRIAGE)


def test_triage_names_known_repositories() -> None:
    """A judged finding can be looked up: its repository and commit are listed."""
    listed = {entry["repo"]: entry["commit"] for entry in json.loads(REPOSITORIES.read_text())}
    for entry in json.loads(TRIAGE.read_text()):
        assert listed[entry["repo"]] == entry["commit"]


def test_same_findings(checkouts: Path, tmp_path: Path) -> None:
    """A maintainer who changed nothing sees no difference."""
    triage = write_triage(tmp_path, ENTRY)
    assert main([str(checkouts), "--triage", str(triage)]) == 0


def test_new_finding(checkouts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finding that nobody has judged is shown."""
    triage = write_triage(tmp_path)
    assert main([str(checkouts), "--triage", str(triage)]) == 1
    assert "new: someone/something double.py:7: OAK101 proved" in capsys.readouterr().out


def test_gone_finding(checkouts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A judged finding that is lost is shown with its verdict."""
    triage = write_triage(tmp_path, ENTRY, {**ENTRY, "line": 8})
    assert main([str(checkouts), "--triage", str(triage)]) == 1
    assert "gone: someone/something double.py:8: OAK101 proved (was true)" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize("broken", [{"verdict": "perhaps"}, {"reason": ""}])
def test_broken_triage(checkouts: Path, tmp_path: Path, broken: dict[str, object]) -> None:
    """A verdict that means nothing is not taken for one."""
    triage = write_triage(tmp_path, {**ENTRY, **broken})
    assert main([str(checkouts), "--triage", str(triage)]) == 2


def test_missing_checkout(checkouts: Path, tmp_path: Path) -> None:
    """A repository that is not there is not taken for one without findings."""
    triage = write_triage(tmp_path, ENTRY)
    assert main([str(checkouts), "--triage", str(triage), "--only", "no/such"]) == 2
    assert main([str(tmp_path / "nowhere"), "--triage", str(triage)]) == 2
