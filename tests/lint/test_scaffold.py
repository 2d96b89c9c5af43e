"""`oakum new-rule` writes what a rule begins with: it is in force at once, and in its order."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.rules import catalogue, scaffold

ROOT = Path(__file__).parents[2]
FREE = {
    group: f"OAK{1 + max(int(each.code[3:]) for each in catalogue.rows() if each.code[3] == group)}"
    for group in "1257"
}
"""The next code of a group: rules may come, and no test has to hear of it."""
QUESTION = """
import sys
from pathlib import Path
from oakum_lint.app.analysis import analyse
from oakum_lint.rules import RULES, catalogue

code, program = sys.argv[1:]
assert [c.code for c in catalogue.rows()] == sorted({c.code for c in catalogue.rows()})
assert [r.code.code for r in RULES] == sorted({r.code.code for r in RULES})
(rule,) = [each for each in RULES if each.code is catalogue.find(code)]
assert len(rule.bad) >= 2 <= len(rule.good)
place = Path("example.py")

def found(path):
    return [f.location.line for r in analyse([path]) for f in r.findings if f.code == code]

def marked(text):
    return [n for n, line in enumerate(text.splitlines(), 1) if f"#! {code}" in line]

for source in (*rule.bad, *rule.good, Path(program).read_text()):
    place.write_text(source)
    assert found(place) == marked(source), source
print(sum(len(marked(source)) for source in rule.bad))
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the checkout that the command reads."""
    shutil.copy(ROOT / scaffold.CHANGELOG, tmp_path / scaffold.CHANGELOG)
    for folder in (scaffold.ANALYSES, scaffold.RULES, scaffold.PROGRAMS):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_rule_is_in_force_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bad examples and its program are found by it, its good ones are not, between others and
    at the end of the list.
    """
    skip = shutil.ignore_patterns("__pycache__")
    for package in ("engine/oakum", "lint/oakum_lint"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=skip)
    shutil.copy(ROOT / scaffold.CHANGELOG, tmp_path / scaffold.CHANGELOG)
    (tmp_path / scaffold.PROGRAMS).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(("engine", "lint"))}
    for code, name in ((FREE["2"], "item-of-tracer"), ("OAK799", "last-of-all")):
        assert main(["new-rule", code, name]) == 0
        program = scaffold.PROGRAMS / f"{code.lower()}_{name.replace('-', '_')}.py"
        *written, last = capsys.readouterr().out.splitlines()
        assert len(written) == 4
        assert str(program) in written
        assert "TODO" in last
        answer = subprocess.run(
            [sys.executable, "-c", QUESTION, code, str(program)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (answer.stdout, answer.stderr) == ("2\n", "")


@pytest.mark.parametrize("code", [*FREE.values(), "OAK799"])
def test_what_is_written_is_formatted(checkout: Path, code: str) -> None:
    """The author begins without complaints of the hooks."""
    files = scaffold.scaffold(checkout, code, "item-of-tracer")
    assert len(files) == 4  # more would be one more to know of
    assert f"\n## Unreleased\n\n- [{code}] Report TODO.\n" in files[scaffold.CHANGELOG]
    for path, text in files.items():
        if path.suffix == ".py":
            compile(text, str(path), "exec")
            assert max(map(len, text.splitlines())) <= 100
    assert catalogue.find(code) is None


@pytest.mark.parametrize(
    ("code", "name", "reason"),
    [
        ("OAK201", "new-name", "OAK201 (tracer-in-branch) is there already"),
        (FREE["2"], "tracer-in-branch", "OAK201 (tracer-in-branch) is there already"),
        ("OAK22", "new-name", "`OAK22` is no code of a rule"),
        ("OAK011", "new-name", "`OAK011` is no code of a rule"),
        (FREE["2"], "New_Name", "`New_Name` is no name of a rule"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str], code: str, name: str, reason: str
) -> None:
    """Nothing is written then."""
    before = sorted(checkout.rglob("*"))
    assert main(["new-rule", code, name]) == 2
    assert reason in capsys.readouterr().err
    assert sorted(checkout.rglob("*")) == before


def test_elsewhere_than_in_a_checkout_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-rule", FREE["2"], "new-name"]) == 2
    assert "run this in a checkout of oakum" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
