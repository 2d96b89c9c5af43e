"""A run that is divided among machines reports what one process does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from project_bugs import projects, read_project

from oakum_lint.app.cli import main

ROOT = Path(__file__).parents[2]
SEVERAL = projects()[:7]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in SEVERAL:
        for file, text in read_project(name).broken.items():
            path = tmp_path / "tree" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (tmp_path / "tree" / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path / "tree")
    return tmp_path


def shards(folder: Path, count: int, *options: str) -> list[str]:
    files = [str(folder / f"shard{number}.json") for number in range(1, count + 1)]
    for number, file in enumerate(files, 1):
        arguments = ["check", f"--shard={number}/{count}", "--output-file", file, *options]
        assert main([*arguments, "."]) == 0
    return files


@pytest.mark.parametrize("count", [1, 2, 4, 30])
def test_the_merged_report_is_that_of_one_process(
    count: int, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also of the fixes that an analysis confirms, which is not the one of `returned.py`."""
    options = ("--ignore", "OAK210", "--output-format", "json")
    text = "import jax\n\n\n@jax.jit\ndef f(x, n):\n    return x, '%d' % int(n)\n\n\nf(1.0, 2)\n"
    (tree / "tree" / "returned.py").write_text(text)
    assert main(["check", "--no-cache", *options, "."]) == 1
    alone = capsys.readouterr()
    files = shards(tree, count, *options)
    assert capsys.readouterr() == ("", "")
    assert main(["merge", *reversed(files)]) == 1
    assert capsys.readouterr() == alone


def test_each_part_is_analysed_by_one_shard(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And by no merge: it has to find all of them."""
    files = shards(tree, 3, "-j", "2")
    parts = [key for file in files for key in json.loads(Path(file).read_text())["parts"]]
    assert len(parts) == len(set(parts)) == len(SEVERAL)
    monkeypatch.setattr("oakum_lint.app.distribution.deep_thread.run_deep", None)
    assert main(["merge", "--output-format", "concise", *files]) == 1
    assert "OAK201" in capsys.readouterr().out


def test_what_has_changed_since_is_analysed_by_the_merge(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = shards(tree, 2)
    changed = Path(SEVERAL[0], "acme", "stats", "robust.py")
    changed.write_text(f"# one line more\n{changed.read_text()}")
    assert main(["merge", *files]) == 1
    merged = capsys.readouterr().out
    assert main(["check", "--no-cache", "."]) == 1
    assert capsys.readouterr().out == merged


def test_one_named_file_is_merged_with_what_it_causes_elsewhere(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tree / "tree" / "flows")
    (tree / "tree" / "flows" / "pyproject.toml").touch()
    file = str(tree / "one.json")
    assert main(["check", "--shard=1/1", "--output-file", file, "density.py"]) == 0
    assert main(["merge", file]) == 1
    merged = capsys.readouterr().out
    assert main(["check", "--no-cache", "density.py"]) == 1
    assert capsys.readouterr().out == merged
    assert "this file was not named" in merged


def test_each_machine_chooses_its_processes_and_its_cache(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(tree / f"shard{number}.json") for number in (1, 2)]
    for number, options in enumerate((("-j", "1"), ("--no-cache", "-j", "2")), 1):
        arguments = [f"--shard={number}/2", "--output-file", files[number - 1], *options, "."]
        assert main(["check", *arguments]) == 0
    assert main(["merge", *files]) == 1
    assert capsys.readouterr().err == ""


def test_shards_that_do_not_belong_together_are_refused(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = shards(tree, 2)
    (other,) = shards(tree / "tree", 1, "--select", "OAK2")
    broken = tree / "broken.json"
    broken.write_text('{"oakum": "0"}')
    for files, reason in [
        ([one], "of 2 shards these are there: 1"),
        ([one, one], "of 2 shards these are there: 1, 1"),
        ([one, two, other], "it is of another run"),
        ([one, str(broken)], "this is no shard"),
        ([str(tree / "missing.json")], "No such file"),
    ]:
        assert main(["merge", *files]) == 2
        assert reason in capsys.readouterr().err


def test_a_merge_where_none_of_the_files_are_is_refused(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would have passed, though the shards have findings."""
    files = shards(tree, 2)
    elsewhere = tree / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "pyproject.toml").touch()
    monkeypatch.chdir(elsewhere)
    assert main(["merge", *files]) == 2
    assert "no file of the shards is here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--shard=0/2", "--output-file=s.json"], "2/4 is the second of four"),
        (["--shard=3/2", "--output-file=s.json"], "2/4 is the second of four"),
        (["--shard=half", "--output-file=s.json"], "2/4 is the second of four"),
        (["--shard=1/2"], "--shard needs --output-file"),
        (["--shard=1/2", "--output-file=s.json", "--fix"], "no --fix, --diff or standard input"),
        (["--shard=1/2", "--output-file=s.json", "missing.py"], "no such file"),
    ],
)
def test_what_cannot_be_a_shard_is_refused(
    options: list[str], reason: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *options]) == 2
    assert reason in capsys.readouterr().err
    assert not Path("s.json").exists()


def test_the_merge_writes_the_baseline_and_the_comments(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shard knows a part of the findings only: it leaves the files of the project alone."""
    files = shards(tree, 2, "--write-baseline")
    assert not Path("oakum-baseline.json").exists()
    assert main(["merge", *files]) == 0
    merged = Path("oakum-baseline.json").read_text()
    assert main(["check", "--no-cache", "--write-baseline", "."]) == 0
    assert Path("oakum-baseline.json").read_text() == merged
    before = {path: path.read_text() for path in Path().rglob("*.py")}
    files = shards(tree, 2, "--add-ignore", "--reason", "known")
    assert {path: path.read_text() for path in before} == before
    assert main(["merge", *files]) == 0
    assert {path: path.read_text() for path in before} != before
    assert main(["check", "--no-cache", "."]) == 0
    capsys.readouterr()


def test_the_documented_program_reports_from_a_dask_cluster(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two worker processes, of a cluster that has three shards to hand out."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    page = (ROOT / "docs" / "pages" / "use.md").read_text()
    (program,) = re.findall(r"```python\n(import subprocess\n.*?)```", page, re.DOTALL)
    (tree / "check_on_dask.py").write_text(program)
    packages = [str(ROOT / name) for name in ("engine", "lint", "lsp")]
    search = os.pathsep.join((*packages, os.environ.get("PYTHONPATH", "")))
    monkeypatch.setenv("PYTHONPATH", search)
    assert main(["check", "--no-cache", "."]) == 1
    alone = capsys.readouterr()
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(processes=True, **options) as cluster:
        command = [sys.executable, tree / "check_on_dask.py", cluster.scheduler_address, "3"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (ran.returncode, ran.stdout) == (1, alone.out), ran.stderr
