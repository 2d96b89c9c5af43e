"""The table of what linters have (`docs/parity.md`): each row is shown by tests that are there."""

import re
from pathlib import Path

import pytest

from oakum_lint.app.cli import main

ROOT = Path(__file__).parents[2]
ROWS = [
    line.split(" | ")
    for line in (ROOT / "docs" / "parity.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "`" in line
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("| ")[:40])
def test_each_row_is_shown_by_tests_that_are_there(row: list[str]) -> None:
    tests = re.findall(r"`([\w/]+\.py)::(\w+)`", row[2])
    assert tests
    for file, name in tests:
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name}\(", text, re.MULTILINE), f"{file} has no {name}"


RUNS = "import pathlib\npathlib.Path(r'{}').touch()\n"


@pytest.mark.parametrize("more", [[], ["--fix", "--unsafe-fixes"], ["-j", "2"], ["--documents"]])
def test_what_is_checked_is_never_run(
    more: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Code of strangers is checked: not a line of it may run, in no file that Python would run or
    import by itself either.
    """
    project = tmp_path / "project"
    project.mkdir()
    trace = tmp_path / "it-was-run"
    names = ("train.py", "helper.py", "conftest.py", "setup.py", "sitecustomize.py")
    names += ("noxfile.py", "libcst.py", "jax.py", "oakum.py", "usercustomize.py", "__init__.py")
    for name in names:
        (project / name).write_text(RUNS.format(trace) + "import helper, jax\n")
    (project / "a.md").write_text(f"```python\n{RUNS.format(trace)}```\n")
    bug = "\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    with (project / "train.py").open("a") as file:
        file.write(bug)
    monkeypatch.chdir(project)
    main(["check", "--exit-zero", *more, "."])
    assert "train.py" in capsys.readouterr().out or more[:1] == ["--fix"]
    assert not trace.exists()
