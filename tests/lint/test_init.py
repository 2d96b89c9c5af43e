"""`oakum init`: what it writes works, and what a project has is never changed."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from oakum_lint.app import config
from oakum_lint.app.cli import main
from oakum_lint.app.commands import init
from oakum_lint.app.report.origin import Origin, origin, recorded_origin

HOOKS = ".pre-commit-config.yaml"
INSTALLED = Origin("https://example.org/me/oakum.git", "12ab")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(init, "origin", lambda: INSTALLED)
    return tmp_path


def test_it_shows_first_and_writes_when_asked(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--github", "--gitlab"]) == 0
    shown = capsys.readouterr().out
    assert list(project.iterdir()) == []
    assert main(["init", "--github", "--gitlab", "--write"]) == 0
    written = [file for file in sorted(project.rglob("*")) if file.is_file()]
    names = [str(file.relative_to(project)) for file in written]
    assert names == [
        *(".github/workflows/oakum.yml", ".gitlab-ci.yml", HOOKS, "pyproject.toml"),
    ]
    for file in written:
        for line in file.read_text().splitlines():
            assert f"+{line}\n" in shown
    config.load([str(project)])
    assert INSTALLED.requirement in (project / names[0]).read_text()
    assert INSTALLED.requirement in (project / names[1]).read_text()
    capsys.readouterr()
    assert main(["init", "--github", "--gitlab", "--write"]) == 0
    assert "wrote" not in capsys.readouterr().err


def test_what_is_there_stays(project: Path) -> None:
    settings = '[project]\r\nname = "x"\r\n[tool.ruff]\r\nline-length = 99'
    hooks = "# ours\nrepos:\n- repo: https://example.org/other\n  rev: v1\n  hooks:\n  - id: x\n"
    (project / "pyproject.toml").write_bytes(settings.encode())
    (project / HOOKS).write_text(hooks)
    assert main(["init", "--write"]) == 0
    after = (project / "pyproject.toml").read_bytes().decode()
    assert after.startswith(settings)
    assert "\n" not in after.replace("\r\n", "")
    assert set(tomllib.loads(after)["tool"]) == {"ruff", "oakum"}
    hooks_after = (project / HOOKS).read_text()
    assert hooks_after.startswith(hooks)
    assert f"\n- repo: {INSTALLED.url}\n  rev: 12ab\n" in hooks_after


@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        ("pyproject.toml", "[tool.oakum]\n", "already"),
        ("pyproject.toml", "tool = { x = 1 }\n", "takes no table"),
        (HOOKS, "repos:\n  - repo: https://example.org/oakum\n", "already"),
        (HOOKS, "repos:\n  - repo: x\nexclude: y\n", "- repo: https://example.org/me/oakum.git"),
        (HOOKS, "repos: []\n", "put there"),
    ],
)
def test_what_cannot_be_extended_is_left_with_a_note(
    project: Path, name: str, text: str, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / name).write_text(text)
    assert main(["init", "--write"]) == 0
    assert (project / name).read_text() == text
    assert note in capsys.readouterr().err


def test_without_an_origin_the_hook_is_local_and_ci_has_to_be_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(init, "origin", lambda: None)
    assert main(["init", "--github"]) == 2
    assert "--requirement" in capsys.readouterr().err
    assert main(["init", "--github", "--requirement", "oakum-lint==1", "--write"]) == 0
    assert 'pip install "oakum-lint==1"' in (project / ".github/workflows/oakum.yml").read_text()
    assert "repo: local" in (project / HOOKS).read_text()


@pytest.mark.parametrize("text", ["[tool\n", "\udc80"])
def test_a_configuration_that_cannot_be_read_ends_it_in_a_line(
    project: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["init", "--write"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (project / HOOKS).exists()


def test_pre_commit_accepts_the_hooks(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_config = pytest.importorskip("pre_commit.clientlib").load_config
    for found in (INSTALLED, None):
        monkeypatch.setattr(init, "origin", lambda found=found: found)
        (project / HOOKS).unlink(missing_ok=True)
        assert main(["init", "--write"]) == 0
        (repository,) = load_config(project / HOOKS)["repos"]
        assert [hook["id"] for hook in repository["hooks"]] == ["oakum"]


def test_the_branch_of_the_repository_is_the_one_that_is_checked(project: Path) -> None:
    subprocess.run(["git", "init", "-q", "-b", "trunk"], check=True)
    assert main(["init", "--github", "--write"]) == 0
    assert "branches: [trunk]" in (project / ".github/workflows/oakum.yml").read_text()


@pytest.mark.parametrize(
    "record",
    ["", "[]", "{}", '{"url": 1, "vcs_info": 2}', "x"],
)
def test_an_odd_record_of_the_installation_is_none(record: str) -> None:
    assert recorded_origin(record) is None
    ssh = {"url": "ssh://git@example.org/oakum", "vcs_info": {"commit_id": "12ab"}}
    assert recorded_origin(json.dumps(ssh)) is None


@pytest.mark.parametrize("installed", ["oakum", "oakum-lint"])
def test_where_the_installation_came_from_is_read_of_either_package(
    installed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The linter may be installed alone; else CI would have to be named by hand."""
    info = tmp_path / f"{installed.replace('-', '_')}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {installed}\nVersion: 1\n")
    vcs = {"vcs": "git", "commit_id": "12ab"}
    record = {"url": "https://example.org/oakum", "vcs_info": vcs}
    (info / "direct_url.json").write_text(json.dumps(record))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    found = origin.__wrapped__()
    assert found is not None
    assert found == recorded_origin(json.dumps(record))
