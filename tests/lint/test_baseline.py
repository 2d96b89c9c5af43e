"""A gate for code that has findings already: the baseline, and comments that `--add-ignore` writes.

What either hides must be what was known, and nothing else: a new bug that is hidden is shipped.
"""

import json
from pathlib import Path

import pytest
from stand_in import finding_at

from oakum.values import codes
from oakum_lint.app.cli import main
from oakum_lint.app.suppression.comments import apply
from oakum_lint.app.suppression.insertion import suppress
from oakum_lint.text.finding import Finding

BAD = "x = 1\nif BAD: pass\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stand_in: None) -> Path:
    """A project with one finding, in which the stand-in finds each `BAD`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.oakum]\nbaseline = "known.json"\n')
    (tmp_path / "a.py").write_text(BAD)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main(["check", *arguments])
    return status, capsys.readouterr().out


class TestBaseline:
    def test_what_is_known_passes_and_what_is_new_fails(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", "--write-baseline"]) == 0
        assert "known.json holds 1 finding." in capsys.readouterr().err
        clean = "No new findings: 1 file checked.\n1 finding of the baseline not shown.\n"
        assert check(capsys) == (0, clean)
        (project / "a.py").write_text(f"{BAD}while BAD: pass\n")
        status, shown = check(capsys, "--output-format", "concise")
        assert status == 1
        assert shown.startswith("a.py:3:")
        assert "a.py:2:" not in shown

    def test_a_finding_is_known_when_lines_above_it_move_or_its_line_is_indented(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        main(["check", "--write-baseline"])
        (project / "a.py").write_text("# above\n\ndef f():\n    if  BAD: pass\n")
        assert check(capsys)[0] == 0

    def test_the_same_line_once_more_is_new(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        main(["check", "--write-baseline"])
        (project / "a.py").write_text(BAD + BAD)
        status, shown = check(capsys)
        assert status == 1
        assert "Found 1 finding in" in shown

    def test_a_line_that_stands_twice_is_known_twice(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "a.py").write_text(BAD + BAD)
        main(["check", "--write-baseline"])
        assert check(capsys)[0] == 0
        (project / "a.py").write_text(BAD + BAD + BAD)
        status, shown = check(capsys)
        assert status == 1
        assert "Found 1 finding in" in shown

    def test_a_file_that_was_renamed_keeps_what_is_known_of_it(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        main(["check", "--write-baseline"])
        (project / "a.py").rename(project / "b.py")
        assert check(capsys)[0] == 0
        (project / "a.py").write_text("x = 1\n")  # not renamed: copied
        assert check(capsys)[0] == 1

    def test_entries_that_are_found_no_more_are_counted_and_removed(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "b.py").write_text(BAD)
        main(["check", "--write-baseline"])
        (project / "a.py").write_text("x = 1\n")
        gone = "1 entry of the baseline is found no more: `--write-baseline` removes what is gone."
        assert gone in check(capsys)[1]
        assert gone not in check(capsys, "b.py")[1], "a.py was not asked about"
        assert gone not in check(capsys, "--ignore", "OAK201")[1], "its code was not asked for"
        main(["check", "a.py", "--write-baseline"])
        assert [*json.loads((project / "known.json").read_text())["findings"]] == ["b.py"]

    def test_it_holds_in_any_working_directory(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        main(["check", "--write-baseline"])
        (project / "below").mkdir()
        monkeypatch.chdir(project / "below")
        assert check(capsys, "../a.py")[0] == 0

    def test_what_could_not_be_analysed_is_never_known(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "b.py").write_text("CRASH")
        assert main(["check", "--write-baseline"]) == 2
        status, shown = check(capsys)
        assert status == 2
        assert "OAK004" in shown

    def test_a_machine_reads_only_the_report(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        main(["check", "--write-baseline"])
        capsys.readouterr()
        assert main(["check", "--output-format", "json"]) == 0
        output = capsys.readouterr()
        assert json.loads(output.out) == []
        assert output.err == "oakum: note: 1 finding of the baseline not shown.\n"

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            (None, "No such file or directory; `--write-baseline` makes it"),
            ("{", "it is not valid JSON"),
            ("[]", "it is not of the form that `--write-baseline` writes"),
            ('{"version": 9, "findings": {}}', "it is not of the form"),
            ('{"version": 1, "findings": {"a.py": [{"code": 3, "line": ""}]}}', "not of the form"),
        ],
    )
    def test_a_bad_baseline_is_an_error_that_names_it(
        self, project: Path, text: str | None, problem: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        if text is not None:
            (project / "known.json").write_text(text)
        assert main(["check"]) == 2
        error = capsys.readouterr().err
        assert error.startswith("oakum: the baseline ")
        assert "known.json" in error
        assert problem in error


def at(text: str, word: str = "BAD", code: codes.Code = codes.TRACER_IN_BRANCH) -> Finding:
    """A finding at a word of a text."""
    before, _, _ = text.partition(word)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return finding_at("a.py", line, column, column + len(word), code)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if BAD: pass\n", "if BAD: pass  # oakum: ignore[OAK201] why\n"),
        ("if BAD: pass   \r\n", "if BAD: pass  # oakum: ignore[OAK201] why\r\n"),
        ("if BAD: pass", "if BAD: pass  # oakum: ignore[OAK201] why"),
        ("f(BAD)  # hi\n", "f(BAD)  # hi  # oakum: ignore[OAK201] why\n"),
        ("f(BAD)  # oakum: ignore[OAK204] so\n", "f(BAD)  # oakum: ignore[OAK204, OAK201] so\n"),
        ("f(BAD)  # noqa: OAK204, E501 so\n", "f(BAD)  # noqa: OAK204, OAK201, E501 so\n"),
        ("f(BAD)  # noqa: E501\n", "f(BAD)  # noqa: E501  # oakum: ignore[OAK201] why\n"),
        ("f(\n  BAD,\n)\n", "f(\n  BAD,  # oakum: ignore[OAK201] why\n)\n"),
        ("s = BAD + '''\n'''\n", "s = BAD + '''\n'''  # oakum: ignore[OAK201] why\n"),
        ("s = BAD + \\\n  1\n", "s = BAD + \\\n  1  # oakum: ignore[OAK201] why\n"),
        ("s = f'{BAD} # no'\n", "s = f'{BAD} # no'  # oakum: ignore[OAK201] why\n"),
    ],
)
def test_a_written_comment_suppresses_its_finding(text: str, expected: str) -> None:
    finding = at(text)
    written, left = suppress(text, [finding], "why")
    assert (written, left) == (expected, [])
    enabled = frozenset({"OAK201", "OAK204"})
    assert all(f.code != "OAK201" for f in apply(written, "a.py", [finding], enabled))


def test_several_findings_of_a_line_share_a_comment() -> None:
    text = "f(BAD, x)\n"
    findings = [at(text), at(text), at(text, "x", codes.TRACER_TO_SCALAR)]
    assert suppress(text, findings, "")[0] == "f(BAD, x)  # oakum: ignore[OAK201, OAK204]\n"


class TestAddIgnore:
    def test_files_are_written_and_pass_then(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "pyproject.toml").write_text("")
        assert main(["check", "--add-ignore", "--reason", "before oakum"]) == 0
        assert capsys.readouterr().err == "Suppressed 1 finding.\n"
        written = "x = 1\nif BAD: pass  # oakum: ignore[OAK201] before oakum\n"
        assert (project / "a.py").read_text() == written
        assert check(capsys) == (0, "All clean: 1 file checked.\n")
        assert main(["check", "--add-ignore"]) == 0
        assert (project / "a.py").read_text() == written

    def test_what_could_not_be_analysed_fails_all_the_same(self, project: Path) -> None:
        (project / "pyproject.toml").write_text("")
        (project / "b.py").write_text("CRASH")
        assert main(["check", "--add-ignore"]) == 2


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("x = 1  # oakum: ignore[OAK201] why", "x = 1"),
        ("x = 1  # oakum: ignore", "x = 1"),
        ("x = 1  # oakum: ignore[OAK201, OAK204] why", "x = 1"),
        ("x = 1  # noqa: OAK201", "x = 1"),
        ("x = 1  # noqa: E501, OAK201 so-called", "x = 1  # noqa: E501 so-called"),
        ("x = 1  # noqa: OAK201, E501", "x = 1  # noqa: E501"),
        ("x = 1  # type: ignore  # oakum: ignore[OAK201] see #12", "x = 1  # type: ignore"),
        ("x = 1  # oakum: ignore[OAK201] # type: ignore", "x = 1  # type: ignore"),
        ("BAD  # oakum: ignore[OAK204, OAK201] a", "BAD  # oakum: ignore[OAK201] a"),
        ("BAD  # oakum: ignore[OAK201,OAK204] a", "BAD  # oakum: ignore[OAK201] a"),
    ],
)  # fmt: skip
def test_a_comment_that_suppresses_nothing_is_removed_by_fix(
    project: Path, line: str, fixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_text("")
    (project / "a.py").write_text(f"{line}\ny = 2\n")
    assert main(["check", "--fix"]) == 0
    assert (project / "a.py").read_text() == f"{fixed}\ny = 2\n"


def test_a_line_that_held_only_the_comment_goes(project: Path) -> None:
    (project / "pyproject.toml").write_text("")
    (project / "a.py").write_text("x = 1\n  # oakum: ignore-file[OAK201]\ny = 2\n")
    assert main(["check", "--fix"]) == 0
    assert (project / "a.py").read_text() == "x = 1\ny = 2\n"
