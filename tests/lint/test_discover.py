"""Which files a run checks. A file that is silently left out looks like a file without findings."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from oakum_lint.app.discover import Discovery, discover
from oakum_lint.app.settings import Settings
from oakum_lint.text.globs import PatternSet


def make_tree(root: Path, *files: str) -> None:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*paths: str, settings: Settings | None = None) -> list[str]:
    return look(paths, settings).files


def look(paths: Sequence[str], settings: Settings | None = None) -> Discovery:
    return discover(paths or ["."], settings or Settings(os.getcwd()))


def test_directories_are_walked_in_a_stable_order(tree: Path) -> None:
    make_tree(tree, "b.py", "a.py", "z/c.py", "m/n/d.py", "m/e.py", "m/data.txt", "m/f.pyi")
    assert found() == ["a.py", "b.py", "m/e.py", "m/n/d.py", "z/c.py"]


def test_a_named_file_is_checked_whatever_its_suffix(tree: Path) -> None:
    make_tree(tree, "script", "stub.pyi")
    assert found("script", "stub.pyi") == ["script", "stub.pyi"]


def test_names_are_relative_to_the_working_directory(tree: Path) -> None:
    make_tree(tree, "a.py", "m/b.py")
    assert found(str(tree / "a.py"), "./m/../m") == ["a.py", "m/b.py"]


def test_a_file_given_twice_is_checked_once(tree: Path) -> None:
    make_tree(tree, "m/a.py")
    assert found("m/a.py", "m", ".", str(tree)) == ["m/a.py"]


def test_missing_paths_are_told_apart_from_broken_links(tree: Path) -> None:
    (tree / "broken.py").symlink_to("nowhere.py")
    result = look(["nowhere", "broken.py"])
    assert result.missing == ["nowhere"]
    assert result.files == ["broken.py"]


def test_default_excludes_and_virtual_environments_are_left_out(tree: Path) -> None:
    make_tree(tree, ".venv/a.py", "build/b.py", "m/__pycache__/c.py", "node_modules/d.py", "e.py")
    make_tree(tree, "my_environment/lib/f.py", "my_environment/pyvenv.cfg")
    assert found() == ["e.py"]


def test_an_excluded_directory_can_be_named(tree: Path) -> None:
    make_tree(tree, "build/b.py", "build/dist/c.py")
    assert found("build") == ["build/b.py"]


def test_exclude_replaces_and_extend_exclude_adds(tree: Path) -> None:
    make_tree(tree, "build/b.py", "old/o.py", "gen/deep/g.py", "gen_pb2.py", "k.py")
    settings = Settings(str(tree))
    settings.set_exclude(["old"])
    settings.set_extend_exclude(["gen/deep", "*_pb2.py"])
    assert found(settings=settings) == ["k.py", "build/b.py"]


def test_force_exclude_holds_for_named_files(tree: Path) -> None:
    make_tree(tree, "build/b.py", "a.py")
    settings = Settings(str(tree))
    assert found("build/b.py", "a.py", settings=settings) == ["build/b.py", "a.py"]
    settings.force_exclude = True
    assert found("build/b.py", "a.py", settings=settings) == ["a.py"]


def test_symbolic_links_do_not_lead_in_circles(tree: Path) -> None:
    make_tree(tree, "m/a.py", "target.py")
    (tree / "m" / "again").symlink_to("..", target_is_directory=True)
    (tree / "m" / "self.py").symlink_to("self.py")
    (tree / "link.py").symlink_to("target.py")
    assert found() == ["link.py", "target.py", "m/a.py", "m/self.py"]


def test_a_directory_named_like_a_file_is_walked_and_a_pipe_is_reported_on(tree: Path) -> None:
    make_tree(tree, "package.py/a.py")
    os.mkfifo(tree / "pipe.py")
    assert found() == ["pipe.py", "package.py/a.py"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every directory")
def test_an_unreadable_directory_is_reported_and_the_rest_is_checked(tree: Path) -> None:
    make_tree(tree, "closed/a.py", "b.py")
    (tree / "closed").chmod(0)
    try:
        result = look(["."])
    finally:
        (tree / "closed").chmod(0o700)
    assert result.files == ["b.py"]
    assert [directory for directory, _ in result.unreadable] == ["closed"]


def test_a_directory_that_fails_to_list_is_reported(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tree(tree, "closed/a.py", "b.py")
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = look(["."])
    assert result.files == ["b.py"]
    assert result.unreadable == [("closed", "Permission denied")]


class TestGitignore:
    """`.gitignore` is respected as Git does, since users of other linters rely on it."""

    @pytest.fixture(autouse=True)
    def repository(self, tree: Path) -> None:
        (tree / ".git").mkdir()

    def test_patterns_of_several_files_and_negation(self, tree: Path) -> None:
        make_tree(tree, "a.py", "gen/b.py", "gen/keep.py", "m/gen/c.py", "m/d.py", "m/e_pb2.py")
        (tree / ".gitignore").write_text("# generated\ngen/*\n!gen/keep.py\n*_pb2.py\n")
        (tree / "m" / ".gitignore").write_text("gen/\n!e_pb2.py\n")
        assert found() == ["a.py", "gen/keep.py", "m/d.py", "m/e_pb2.py"]

    def test_files_above_the_given_directory_count(self, tree: Path) -> None:
        make_tree(tree, "m/a.py", "m/n/b.py", "m/n/c.py")
        (tree / ".gitignore").write_text("/m/n/b.py\n")
        (tree / "m" / ".gitignore").write_text("/n/c.py\n")
        assert found("m") == ["m/a.py"]
        assert found("m/n") == []

    def test_a_file_below_an_ignored_directory_cannot_come_back(self, tree: Path) -> None:
        make_tree(tree, "gen/a.py", "b.py")
        (tree / ".gitignore").write_text("gen/\n!gen/a.py\n")
        assert found() == ["b.py"]

    def test_info_exclude_counts(self, tree: Path) -> None:
        make_tree(tree, "a.py", "b.py")
        (tree / ".git" / "info").mkdir()
        (tree / ".git" / "info" / "exclude").write_text("b.py\n")
        assert found() == ["a.py"]

    def test_it_can_be_switched_off(self, tree: Path) -> None:
        make_tree(tree, "a.py")
        (tree / ".gitignore").write_text("*\n")
        settings = Settings(str(tree))
        assert found(settings=settings) == []
        settings.respect_gitignore = False
        assert found(settings=settings) == ["a.py"]

    def test_a_repository_below_is_respected_too(self, tmp_path: Path) -> None:
        (tmp_path / ".git").rmdir()
        make_tree(tmp_path, "r/a.py", "r/m/b.py", "c.py")
        (tmp_path / ".gitignore").write_text("c.py\n")
        (tmp_path / "r" / ".git").mkdir()
        (tmp_path / "r" / ".gitignore").write_text("b.py\n")
        assert found() == ["c.py", "r/a.py"]


@pytest.mark.parametrize(
    ("pattern", "path", "is_directory", "expected"),
    [
        ("foo", "a/foo", False, True),
        ("/foo", "a/foo", False, None),
        ("foo/", "foo", False, None),
        ("foo/", "a/foo", True, True),
        ("a/b", "x/a/b", False, None),
        ("*.py", "a/b.py", False, True),
        ("a/*.py", "a/b/c.py", False, None),
        ("a/**/c.py", "a/c.py", False, True),
        ("a/**/c.py", "a/x/y/c.py", False, True),
        ("**/c.py", "x/y/c.py", False, True),
        ("a/**", "a/x/y", False, True),
        ("a/**", "a", True, None),
        ("a**b", "axxb", False, True),
        ("?.py", "ab.py", False, None),
        ("[a-c].py", "b.py", False, True),
        ("[!a-c].py", "b.py", False, None),
        ("[^a-c].py", "d.py", False, True),
        ("[]a].py", "].py", False, True),
        ("[z-a].py", "b.py", False, None),
        ("[open.py", "[open.py", False, True),
        ("\\#x", "#x", False, True),
        ("\\!x", "!x", False, True),
        ("a\\*b", "a*b", False, True),
        ("trailing  ", "trailing", False, True),
        ("space\\ ", "space ", False, True),
        ("# comment", "# comment", False, None),
        ("", "x", False, None),
        ("!x", "x", False, False),
        ("a.b", "axb", False, None),
    ],
)
def test_a_pattern_matches_as_git_does(
    pattern: str, path: str, is_directory: bool, expected: bool | None
) -> None:
    assert PatternSet([pattern]).decide(path, is_directory) is expected


def test_patterns_agree_with_git(tree: Path) -> None:
    """Checked against `git check-ignore` itself where Git is installed."""
    import shutil
    import subprocess

    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    patterns = [
        "*.log",
        "!keep.log",
        "/top",
        "mid/dle",
        "**/deep/*.txt",
        "a/**/b",
        "x[0-9]y",
        "d?/",
    ]
    paths = [
        "a.log", "keep.log", "s/keep.log", "top", "s/top", "mid/dle", "s/mid/dle", "deep/a.txt",
        "s/deep/a.txt", "s/deep/t/a.txt", "a/b", "a/s/t/b", "x1y", "xay", "d1/f", "d12/f",
    ]  # fmt: skip
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q"], check=True, env=environment)
    (tree / ".gitignore").write_text("\n".join(patterns))
    output = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        input="\n".join(paths),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    ).stdout
    ours = PatternSet(patterns)
    assert [path for path in paths if ours.covers(path)] == output.split()
