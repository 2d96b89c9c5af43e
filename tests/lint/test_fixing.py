"""`oakum check --fix` and `--diff`: what is written, what is left alone, and what is said of it."""

import codecs
import json
import os
import stat
import sys
from pathlib import Path

import pytest
from fixing import fix_text

from oakum_lint.app.cli import main
from oakum_lint.app.rewriting import rewrite
from oakum_lint.domain.events import Event
from oakum_lint.rules.oak208_numpy_call_on_tracer import NumpyCallOnTracer
from oakum_lint.text.edits import Edit, Fix, Safety

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"
BAD = f"{HEAD}@jax.jit\ndef f(x):\n    return np.log(x)  # why\n\n\nf(1.0)\n"
GOOD = BAD.replace("np.log", "jnp.log", 1)
UNSAFE = (
    f"{HEAD}@jax.jit\ndef f(x):\n    rows = np.zeros(2)\n    rows[0] = x\n"
    "    return jnp.sum(rows)\n\n\nf(1.0)\n"
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "train.py"
    path.write_text(BAD)
    return path


class TestFix:
    def test_a_safe_fix_is_written(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--fix", "train.py"]) == 0
        assert file.read_text() == GOOD
        assert capsys.readouterr().out == "Fixed 1 finding. All clean: 1 file checked.\n"

    def test_an_unsafe_fix_is_written_only_when_asked_for(
        self, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file.write_text(UNSAFE)
        assert main(["check", "--fix", "train.py"]) == 1
        assert file.read_text() == UNSAFE
        assert "(at most 1 more with `--unsafe-fixes`)" in capsys.readouterr().out
        assert main(["check", "--fix", "--unsafe-fixes", "train.py"]) == 0
        assert "rows = rows.at[0].set(x)" in file.read_text()

    def test_without_fix_nothing_is_written_and_the_report_says_what_could_be(
        self, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", "--output-format", "concise"]) == 1
        assert file.read_text() == BAD
        out = capsys.readouterr().out
        assert "OAK208 [*] `np.log`" in out
        assert out.endswith("[*] at most 1 fixable with `--fix`.\n")

    def test_a_fix_of_a_likely_finding_is_unsafe(self) -> None:
        """The code may also run where nothing is traced, and there NumPy's result is another."""
        text = BAD.replace("    return np", "    if unknown():\n        return x\n    return np")
        outcome = fix_text(f"from elsewhere import unknown\n{text}", unsafe=False)
        assert [f.fix and f.fix.safety for f in outcome.before] == [Safety.UNSAFE]
        assert "np.log(x)" in outcome.text

    def test_a_fix_that_would_lose_a_comment_is_not_made(self) -> None:
        """What it says nobody else knows."""
        reduced = BAD.replace("np.log(x)  # why", "x[  # why\n        x > 0\n    ].sum()")
        text = reduced.replace("f(1.0)", "f(jnp.ones(3))")
        assert [finding.code for finding in fix_text(text).before] == ["OAK213"]
        assert fix_text(text).text == text
        assert "x.sum(where=x > 0)" in fix_text(text.replace("# why", "")).text

    def test_suppressed_findings_are_not_fixed(self, file: Path) -> None:
        text = BAD.replace("# why", "# noqa: OAK208")
        file.write_text(text)
        assert main(["check", "--fix"]) == 0
        assert file.read_text() == text

    def test_codes_that_are_not_selected_are_not_fixed(self, file: Path) -> None:
        assert main(["check", "--fix", "--ignore", "OAK208"]) == 0
        assert file.read_text() == BAD

    def test_standard_input_is_fixed_to_standard_output(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        """Editors format a buffer so; the report must not get into the program."""
        with file.open() as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert main(["check", "--fix", "-"]) == 0
        captured = capfdbinary.readouterr()
        assert captured.out.decode() == GOOD
        assert b"Fixed 1 finding" in captured.err

    def test_a_fix_in_one_file_for_a_call_in_another(self, file: Path) -> None:
        """The finding is only there because of who calls: all files are analysed together."""
        file.write_text("import numpy as np\nimport jax\n\n\ndef norm(x):\n    return np.abs(x)\n")
        (file.parent / "main.py").write_text(
            "import jax\n\nfrom train import norm\n\njax.vmap(norm)(jax.numpy.ones(3))\n"
        )
        assert main(["check", "--fix"]) == 0
        assert "import jax\nimport jax.numpy as jnp\n\n\n" in file.read_text()
        assert "return jnp.abs(x)" in file.read_text()


class TestDiff:
    def test_it_shows_what_would_be_written_and_writes_nothing(
        self, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", "--diff", "--fix"]) == 1
        assert file.read_text() == BAD
        captured = capsys.readouterr()
        assert captured.out.splitlines()[:2] == ["--- train.py", "+++ train.py"]
        assert "-    return np.log(x)  # why\n+    return jnp.log(x)  # why\n" in captured.out
        assert captured.err == "Would fix 1 finding.\n"

    def test_without_fixes_it_is_0(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file.write_text(UNSAFE)
        assert main(["check", "--diff"]) == 0
        assert capsys.readouterr().out == ""

    def test_exit_zero_holds_for_it_too(self, file: Path) -> None:
        assert main(["check", "--diff", "--exit-zero"]) == 0

    def test_a_last_line_without_an_end_is_marked(
        self, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file.write_text(BAD.removesuffix("\n"))
        main(["check", "--diff"])
        assert capsys.readouterr().out.endswith(" f(1.0)\n\\ No newline at end of file\n")


class TestBytes:
    """Version control shows every byte that changed: only the fix may be among them."""

    @pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
    def test_line_ends_stay(self, file: Path, ends: str) -> None:
        text = BAD.replace("import jax.numpy as jnp\n", "").replace("\n", ends)
        file.write_bytes(text.encode())
        assert main(["check", "--fix"]) == 0
        head, _, rest = GOOD.partition("import numpy as np\n")
        assert file.read_bytes() == f"{head}import numpy as np\n{rest}".replace("\n", ends).encode()

    def test_the_byte_order_mark_tabs_and_form_feeds_stay(self, file: Path) -> None:
        data = codecs.BOM_UTF8 + BAD.replace("    ", "\t").replace("@jax", "\f@jax").encode()
        file.write_bytes(data)
        assert main(["check", "--fix"]) == 0
        assert file.read_bytes() == data.replace(b"np.log", b"jnp.log")

    def test_the_encoding_stays(self, file: Path) -> None:
        data = f"# coding: latin-1\n{BAD}".replace("why", "caf\xe9").encode("latin-1")
        file.write_bytes(data)
        assert main(["check", "--fix"]) == 0
        assert file.read_bytes() == data.replace(b"np.log", b"jnp.log")

    def test_permissions_and_links_stay(self, file: Path) -> None:
        file.chmod(0o751)
        link = file.parent / "link.py"
        link.symlink_to(file)
        assert main(["check", "--fix", "link.py"]) == 0
        assert link.is_symlink()
        assert stat.S_IMODE(file.stat().st_mode) == 0o751
        assert file.read_text() == GOOD
        assert sorted(os.listdir(file.parent)) == ["link.py", "train.py"]

    def test_a_file_that_changed_meanwhile_is_not_written_over(self, file: Path) -> None:
        assert rewrite(str(file), GOOD, BAD) == "it was changed in the meantime"
        assert file.read_text() == BAD

    def test_what_cannot_be_encoded_is_not_written(self, file: Path) -> None:
        text = f"# coding: ascii\n{BAD}"
        file.write_text(text)
        problem = rewrite(str(file), text, text.replace("why", "\xe9"))
        assert problem == "the fixed text cannot be written in its encoding"
        assert file.read_text() == text


class TestRounds:
    """A fix is kept only if a new analysis confirms it."""

    def test_what_a_failing_line_hid_is_fixed_in_the_next_round(self) -> None:
        outcome = fix_text(BAD.replace("np.log(x)", "np.log(np.abs(x))"))
        assert "return jnp.log(jnp.abs(x))" in outcome.text
        assert outcome.after == []

    def test_a_fix_that_makes_another_finding_is_dropped(self) -> None:
        """`jnp.prod` does not take a list: the fix would only move the mistake."""
        text = BAD.replace("np.log(x)", "np.prod([x, x])")
        outcome = fix_text(text)
        assert outcome.text == text
        assert [(f.code, f.fix) for f in outcome.after] == [("OAK208", None)]

    @pytest.mark.parametrize(
        "written",
        ["jnp.log(x", "np.log(x)", "jnp.log(x) + np.exp(x)"],
        ids=["does not parse", "changes nothing", "makes a new finding"],
    )
    def test_a_wrong_fix_is_dropped_and_the_others_are_made(
        self, written: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whatever a rule proposes, a file is never broken by it."""
        text = BAD.replace("np.log(x)", "np.log(x) + np.sin(x)")
        start = text.index("np.log")
        honest = NumpyCallOnTracer.fix

        def fix(self: NumpyCallOnTracer, event: Event, site: object) -> Fix | None:
            if event.location.column == 12:
                return Fix("", (Edit(start, start + len("np.log(x)"), written),), Safety.SAFE)
            return honest(self, event, site)  # type: ignore[arg-type]

        monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
        outcome = fix_text(text)
        assert outcome.text == text.replace("np.sin", "jnp.sin")

    def test_a_rule_that_fails_to_fix_costs_the_fix_only(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fix(self: NumpyCallOnTracer, event: Event, site: object) -> Fix | None:
            raise KeyError("node")

        monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
        assert [finding.code for finding in fix_text(BAD).before] == ["OAK004", "OAK208"]


class TestImports:
    """The import that a fix needs is added once, where its like stand."""

    @pytest.mark.parametrize(
        ("imports", "fixed", "call"),
        [
            ("import jax", "import jax\nimport jax.numpy as jnp", "jnp.log"),
            ("import jax\nimport jax.numpy", None, "jax.numpy.log"),
            ("import jax\nfrom jax import numpy as xp", None, "xp.log"),
            ("import jax\nimport jax.numpy as jnp\njnp = 1", None, "jax.numpy.log"),
            ("from jax import jit\nimport jax", None, "jnp.log"),
            ("import oakum as jax", "import oakum as jax\nimport oakum.numpy as jnp", "jnp.log"),
        ],
    )
    def test_the_spelling_of_the_file_is_kept(
        self, imports: str, fixed: str | None, call: str
    ) -> None:
        text = BAD.replace("import jax\nimport jax.numpy as jnp", imports)
        outcome = fix_text(text)
        assert f"return {call}(x)  # why" in outcome.text
        assert (fixed or imports) in outcome.text
        compile(outcome.text, "fixed", "exec")

    def test_a_parameter_that_hides_the_module_is_seen(self) -> None:
        text = BAD.replace("def f(x)", "def f(x, jnp=1)")
        assert "return jax.numpy.log(x)" in fix_text(text).text


def test_formats_for_programs_hold_the_edits(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An editor or a bot applies what it finds there."""
    main(["check", "--output-format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding["fix"]["safety"] == "safe"
    (edit,) = finding["fix"]["edits"]
    assert (edit["line"], edit["column"], edit["end_column"]) == (8, 12, 18)
    assert edit["content"] == "jnp.log"
    main(["check", "--output-format", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    (fix,) = result["fixes"]
    assert fix["description"]["text"] == "Call `jnp.log` (safe fix)"
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"]["text"] == "jnp.log"
    assert replacement["deletedRegion"]["endColumn"] == 18
