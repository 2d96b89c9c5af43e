"""The command `oakum`: exit status, output, and what it says when something is wrong."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from oakum.values.checks.check_outcomes import CHECKS
from oakum.version import __version__
from oakum_lint.app import config
from oakum_lint.app.cli import main

ROOT = Path(__file__).parents[2]
BAD = "x = 1\nif BAD: pass\n"


def run_process(
    *arguments: str, stdin: bytes = b"", directory: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, as a user starts it."""
    path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
    return subprocess.run(
        [sys.executable, "-m", "oakum_lint", *arguments],
        input=stdin,
        capture_output=True,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
        timeout=120,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stand_in: None) -> Path:
    """An empty project, in which the stand-in finds each `BAD`."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: Path, name: str, text: str) -> None:
    file = project / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def toml_of(table: Mapping[str, object]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


class TestExitStatus:
    """Scripts and CI decide by the exit status alone."""

    def test_clean_is_0(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(project, "a.py", "x = 1\n")
        assert main(["check"]) == 0
        assert capsys.readouterr().out == "All clean: 1 file checked.\n"

    def test_findings_are_1(self, project: Path) -> None:
        write(project, "a.py", BAD)
        assert main(["check", "a.py"]) == 1

    def test_exit_zero_makes_findings_0(self, project: Path) -> None:
        write(project, "a.py", BAD)
        assert main(["check", "--exit-zero", "."]) == 0

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["check", "missing.py"], "no such file or directory: missing.py"),
            (
                ["check", "--select", "OAK999"],
                "--select: unknown code `OAK999`; `oakum rules` lists all codes",
            ),
            (["check", "--config", "missing.toml"], "missing.toml: No such file or directory"),
            (
                ["check", "-", "a.py"],
                "- for standard input cannot stand among other paths",
            ),
            (
                ["check", "--stdin-filename", "a.py", "."],
                "--stdin-filename needs - as the path",
            ),
            (
                ["check", "--output-file", "no/such/directory/report"],
                "no/such/directory/report: No such file or directory",
            ),
            (
                ["check", "--output-file", "a.py"],
                "--output-file a.py: the report would take the place of code",
            ),
            (
                ["check", "--output-file", "script", "script"],
                "--output-file script: the report would take the place of code",
            ),
            (
                ["check", "--add-ignore", "--fix"],
                "--add-ignore cannot stand beside --fix, --diff, --write-baseline",
            ),
            (["check", "--reason", "x"], "--reason needs --add-ignore"),
            (
                ["check", "--config", "ignor = []"],
                "--config ignor: unknown key; did you mean `ignore`?",
            ),
            (
                ["explain", "OAK999"],
                "`OAK999` is not a code or a name of oakum; `oakum rules` lists all codes",
            ),
        ],
    )
    def test_usage_errors_are_2_with_one_line(
        self,
        project: Path,
        arguments: list[str],
        message: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        write(project, "a.py", BAD)
        write(project, "script", BAD)
        assert main(arguments) == 2
        assert (project / "a.py").read_text() == (project / "script").read_text() == BAD
        output = capsys.readouterr()
        assert (output.out, output.err) == ("", f"oakum: {message}\n")

    @pytest.mark.parametrize(
        "arguments", [[], ["unknown"], ["check", "--unknown"], ["check", "--output-format", "xml"]]
    )
    def test_what_argparse_refuses_is_2(self, arguments: list[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2

    @pytest.mark.parametrize(
        ("arguments", "meant"),
        [
            (["chek"], "check"),
            (["check", "--fxi"], "--fix"),
            (["check", "--out-format=json"], "--output-format"),
            (["check", "--output-format", "jsno"], "json"),
            (["run", "--engine", "oakkum", "a.py"], "oakum"),
        ],
    )
    def test_a_mistyped_word_is_corrected(
        self, arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            main(arguments)
        error = capsys.readouterr().err
        assert error.endswith(f"; did you mean `{meant}`?\n")
        command = "oakum" if len(arguments) == 1 else f"oakum {arguments[0]}"
        assert error.startswith(f"usage: {command} ")

    def test_an_internal_error_is_2_and_the_other_files_are_checked(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name, text in [("a.py", BAD), ("b.py", "CRASH\n"), ("c.py", BAD), ("d.py", "CRASH")]:
            write(project, name, text)
        assert main(["check", "--output-format", "concise"]) == 2
        output = capsys.readouterr().out
        assert [line.split(":")[0] for line in output.splitlines()[:4]] == [
            "a.py",
            "b.py",
            "c.py",
            "d.py",
        ]
        assert output.count("OAK004") == 2
        assert (
            f"oakum failed on this file: KeyError at stand_in.py:74 (oakum {__version__})" in output
        )
        assert main(["check", "--exit-zero"]) == 2

    def test_an_interrupt_is_130_without_a_traceback(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def interrupted(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("oakum_lint.app.runner.check_paths", interrupted)
        assert main(["check"]) == 130
        assert capsys.readouterr().err == "oakum: interrupted\n"

    def test_no_python_files_is_a_note(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(project, "a.txt", "")
        assert main(["check"]) == 0
        assert "no Python files" in capsys.readouterr().err


class TestOptions:
    def test_select_and_ignore(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(project, "a.py", "BAD\nBAD204\n")

        def found(*arguments: str) -> list[str]:
            main(["check", "--output-format", "json", *arguments])
            return [record["code"] for record in json.loads(capsys.readouterr().out)]

        assert found() == ["OAK201", "OAK204"]
        assert found("--select", "OAK204") == ["OAK204"]
        assert found("--select", "OAK1,tracer-in-branch") == ["OAK201"]
        assert found("--ignore", "OAK201") == ["OAK204"]
        assert found("--ignore", "OAK201", "--ignore", "OAK204") == []
        write(project, "pyproject.toml", '[tool.oakum]\nignore = ["OAK201"]\n')
        assert found() == ["OAK204"]
        assert found("--ignore", "OAK204") == []
        assert found("--select", "OAK2") == ["OAK201", "OAK204"]
        assert found("--isolated") == ["OAK201", "OAK204"]

    def test_per_file_ignores(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(project, "tests/a.py", BAD)
        write(project, "b.py", BAD)
        write(
            project,
            "pyproject.toml",
            '[tool.oakum.per-file-ignores]\n"tests/*" = ["tracer-in-branch"]\n',
        )
        main(["check", "--output-format", "concise"])
        output = capsys.readouterr().out
        assert "b.py:2:4" in output
        assert "tests" not in output

    def test_confidence(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """What is only likely is shown, and does not break a build unless that is asked for."""
        write(project, "a.py", "LIKELY\n")
        assert main(["check"]) == 0
        assert "Found 1 finding, 1 of them likely, in 1 file" in capsys.readouterr().out
        assert main(["check", "--min-confidence", "likely"]) == 1
        assert "Found 1 finding" in capsys.readouterr().out
        assert main(["check", "--min-confidence", "proved"]) == 0
        assert "All clean" in capsys.readouterr().out
        write(project, "pyproject.toml", '[tool.oakum]\nmin-confidence = "likely"\n')
        assert main(["check"]) == 1
        write(project, "b.py", "BAD\n")
        assert main(["check", "--isolated"]) == 1

    def test_information(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """What may be meant is counted, shown on demand, fails no run, and is kept so."""
        write(project, "a.py", "INFORMATION\n")
        write(project, "pyproject.toml", "")
        for _ in range(2):
            assert main(["check", "--min-confidence", "likely", "."]) == 0
            output = capsys.readouterr().out
            assert "All clean: 1 file checked.\n1 more is information" in output
        shown = ["check", "--min-severity", "information", "--min-confidence", "likely", "."]
        assert main(shown) == 0
        output = capsys.readouterr().out
        assert "information[OAK201, likely]" in output
        assert "more is" not in output
        write(project, "pyproject.toml", '[tool.oakum]\nmin-severity = "information"\n')
        assert main(["check", "."]) == 0
        assert "Found 1 finding" in capsys.readouterr().out

    def test_findings_are_sorted(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(project, "b.py", "BAD\nBAD204\n")
        write(project, "a.py", "x = 0\n   BAD204\nBAD\n")
        main(["check", "--output-format", "concise", "b.py", "a.py"])
        places = [line.split(" ")[0] for line in capsys.readouterr().out.splitlines()[:4]]
        assert places == ["a.py:2:4:", "a.py:3:1:", "b.py:1:1:", "b.py:2:1:"]

    def test_statistics_go_to_stderr(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(project, "a.py", "BAD\nBAD\nBAD204\n")
        main(["check", "--statistics", "--output-format", "json"])
        output = capsys.readouterr()
        assert len(json.loads(output.out)) == 3
        assert output.err == "2  OAK201  tracer-in-branch\n1  OAK204  tracer-to-scalar\n"

    def test_output_file(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(project, "a.py", BAD)
        assert main(["check", "--output-format", "sarif", "--output-file", "report.sarif"]) == 1
        assert capsys.readouterr().out == ""
        assert json.loads((project / "report.sarif").read_text())["version"] == "2.1.0"

    def test_suppressions_hold(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(project, "a.py", "BAD  # oakum: ignore[OAK201] for now\nx = 1  # noqa: OAK201\n")
        assert main(["check", "--output-format", "concise"]) == 1
        assert capsys.readouterr().out.startswith("a.py:2:16: OAK005 ")

    def test_force_exclude_for_pre_commit(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(project, "build/a.py", BAD)
        assert main(["check", "build/a.py"]) == 1
        assert main(["check", "--force-exclude", "build/a.py"]) == 0

    def test_a_terminal_gets_colours_unless_told_otherwise(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(project, "a.py", BAD)
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        main(["check"])
        assert "\x1b[" not in capsys.readouterr().out
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        main(["check"])
        assert "\x1b[" in capsys.readouterr().out
        monkeypatch.setenv("NO_COLOR", "1")
        main(["check"])
        assert "\x1b[" not in capsys.readouterr().out
        main(["check", "--color", "always"])
        assert "\x1b[" in capsys.readouterr().out

    def test_colours_can_be_forced_into_a_pipe(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(project, "a.py", BAD)
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("FORCE_COLOR", "1")
        main(["check"])
        assert "\x1b[" in capsys.readouterr().out
        main(["check", "--color", "never"])
        assert "\x1b[" not in capsys.readouterr().out

    def test_settings_of_the_command_line(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(project, "a.py", BAD)
        write(project, "b/c.py", BAD)
        assert main(["check", "--config", 'per-file-ignores = {"a.py" = ["OAK201"]}', "a.py"]) == 0
        assert main(["check", "--select", "OAK1", "--extend-select", "OAK201"]) == 1
        capsys.readouterr()
        assert main(["check", "--config", 'exclude = ["b"]', "--show-files"]) == 0
        assert capsys.readouterr().out == "a.py\n"
        assert main(["check", "--config", 'ignore = ["OAK1"]', "--show-settings"]) == 0
        shown = tomllib.loads(capsys.readouterr().out)["tool"]["oakum"]
        assert (shown["ignore"], shown["output-format"]) == (["OAK1"], "full")
        assert {*shown} | {"baseline", "min-confidence", "per-file-ignores"} == {*config.KEYS}
        # What is shown is a configuration: it can be read again.
        write(project, "shown.toml", "[tool.oakum]\n" + toml_of(shown))
        assert main(["check", "--config", "shown.toml", "--show-files"]) == 0

    def test_fixing_can_fail_a_run(self, project: Path) -> None:
        write(project, "a.py", "x = 1  # oakum: ignore[OAK201]\n")
        assert main(["check", "--fix", "--exit-non-zero-on-fix"]) == 1
        assert main(["check", "--fix", "--exit-non-zero-on-fix"]) == 0


def test_a_directory_that_cannot_be_read_is_a_finding(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "a.py", "x = 1\n")
    write(project, "closed/b.py", BAD)
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert main(["check", "--output-format", "concise"]) == 2
    assert "closed:1:1: OAK002 the directory cannot be read" in capsys.readouterr().out


def test_explain_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "oak201"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("OAK201 tracer-in-branch\n")
    assert "## Use instead" in page
    assert main(["explain", "tracer-in-branch"]) == 0
    assert capsys.readouterr().out == page
    assert main(["rules"]) == 0
    listing = capsys.readouterr().out
    assert "OAK201  tracer-in-branch" in listing
    assert "OAK115" not in listing  # only a run can tell


@pytest.mark.parametrize(
    "command",
    "check clean completion debug explain init lsp merge report rules run".split(),
)
def test_help_begins_with_what_a_command_does(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    description = capsys.readouterr().out.split("\n\n")[1]
    assert description[:1].islower(), description
    assert not description.startswith(("options:", "positional arguments:")), description


@pytest.mark.parametrize(
    "command",
    "check clean completion debug explain init lsp merge new-rule report rules run".split(),
)
def test_help_says_what_each_argument_does(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    rows = re.findall(r"^  (\S.*(?:\n {4,}.*)*)", capsys.readouterr().out, re.MULTILINE)
    assert rows
    assert [row for row in rows if not re.search(r"\s{2,}\S", row)] == []


def test_help_names_all_checks_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    """A check that the help does not name is one that nobody leaves out."""
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    text = capsys.readouterr().out
    assert [name for name in CHECKS if name not in text.partition("--checks NAMES  ")[2]] == []


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"oakum {__version__}\n"


LEAK = b"""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    if jnp.sum(x) > 0:
        return x
    return -x
"""


class TestRealProcess:
    """The whole command on real programs: no stand-in here."""

    def test_a_branch_is_found_on_its_line(self, tmp_path: Path) -> None:
        (tmp_path / "train.py").write_bytes(LEAK)
        done = run_process("check", "--output-format", "json", ".", directory=tmp_path)
        assert (done.returncode, done.stderr) == (1, b"")
        (record,) = json.loads(done.stdout)
        assert (record["file"], record["line"], record["code"]) == ("train.py", 6, "OAK201")
        assert record["related"]

    def test_standard_input_is_checked_under_its_name(self, tmp_path: Path) -> None:
        done = run_process(
            *("check", "--output-format", "json", "--stdin-filename", "src/train.py", "-"),
            stdin=LEAK,
            directory=tmp_path,
        )
        assert done.returncode == 1
        (record,) = json.loads(done.stdout)
        assert (record["file"], record["line"]) == ("src/train.py", 6)

    def test_standard_input_that_is_no_text_is_a_finding(self, tmp_path: Path) -> None:
        done = run_process("check", "--output-format", "concise", "-", stdin=b"x = '\xff'\n")
        assert done.returncode == 2
        assert b"OAK002" in done.stdout

    def test_standard_input_that_is_a_notebook_is_a_finding(self) -> None:
        done = run_process(
            *("check", "--output-format", "concise", "--stdin-filename", "a.ipynb", "-"), stdin=LEAK
        )
        assert done.returncode == 2
        assert done.stdout.startswith(b"a.ipynb:1:1: OAK002")

    def test_a_reader_that_stops_early_causes_no_traceback(self, tmp_path: Path) -> None:
        for number in range(40):
            (tmp_path / f"m{number}.py").write_bytes(LEAK)
        path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
        process = subprocess.Popen(
            [sys.executable, "-m", "oakum_lint", "check", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(timeout=120) == 141

    def test_output_survives_an_encoding_that_lacks_the_characters(self, tmp_path: Path) -> None:
        text = LEAK.replace(b"if jnp", "if 'é' and jnp".encode())
        (tmp_path / "train.py").write_bytes(text)
        path = os.pathsep.join(str(ROOT / name) for name in ("engine", "lint", "lsp"))
        done = subprocess.run(
            [sys.executable, "-m", "oakum_lint", "check", "train.py"],
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "ascii"},
            timeout=120,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, b"")
        assert b"'\\xe9' and jnp" in done.stdout

    def test_a_hostile_file_changes_nothing_in_the_others(self, tmp_path: Path) -> None:
        """Each of these has ended or silenced some tool; the answer for `train.py` stays."""
        (tmp_path / "train.py").write_bytes(LEAK)
        (tmp_path / "model.py").write_bytes(LEAK.replace(b"f(x)", b"g(x)"))
        alone = run_process("check", "--output-format", "json", ".", directory=tmp_path)
        expected = json.loads(alone.stdout)
        assert len(expected) == 2
        jax = b"import jax\n"
        hostile = {
            "nul.py": jax + b"x = 1\0\n",
            "utf16.py": "import jax\n".encode("utf-16"),
            "cookie.py": b"# coding: no-such-codec\nimport jax\n",
            "parens.py": jax + b"x = jax.jit(" + b"(" * 5000 + b")" * 5001 + b"\n",
            "lambdas.py": jax + b"x = jax.jit(" + b"lambda: " * 3000 + b"0)\n",
            "chain.py": jax + b"x = jax.jit(" + b" + ".join([b"1"] * 20000) + b")\n",
            "unary.py": jax + b"x = jax.jit(" + b"-" * 5000 + b"1)\n",
            "broken.py": jax + b"@jax.jit\ndef f(:\n    pass\n",
            "open.py": jax + b"x = jax.jit('''\n",
            "bytes.py": bytes(range(256)) * 50,
            "new\nline.py": jax,
        }
        for name, data in hostile.items():
            (tmp_path / name).write_bytes(data)
        os.mkfifo(tmp_path / "pipe.py")
        (tmp_path / "loop.py").symlink_to("loop.py")
        done = run_process("check", "--output-format", "json", ".", directory=tmp_path)
        told = b"oakum: Not all was analysed: OAK003 says so in 4 places.\n"
        assert (done.returncode, done.stderr) == (2, told)
        found = json.loads(done.stdout)
        assert [f for f in found if f["file"] in ("train.py", "model.py")] == expected
        silent = {"chain.py", "unary.py", "new\nline.py"}
        assert {f["file"] for f in found} >= {*hostile, "pipe.py", "loop.py"} - silent
