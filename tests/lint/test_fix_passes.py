"""The passes of `--fix`: what they analyse again, and which fixes they blame."""

import json
from pathlib import Path

import pytest

from oakum_lint.app import project_context, runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.cli import main
from oakum_lint.app.fixing import confirmation, fixpoint
from oakum_lint.app.fixing.fixpoint import Fixed, fix_findings
from oakum_lint.app.index.ledger import Ledger
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.runner import check_files
from oakum_lint.app.session import Findings, Session
from oakum_lint.app.settings import Settings
from oakum_lint.app.texts import Texts
from oakum_lint.domain.events import Event
from oakum_lint.domain.interpreter import Machine
from oakum_lint.fixes.site import Site
from oakum_lint.rules.oak208_numpy_call_on_tracer import NumpyCallOnTracer
from oakum_lint.text.edits import Fix, Safety, make_fix
from oakum_lint.text.finding import Confidence

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"
FIXABLE = f"{HEAD}@jax.jit\ndef f(x):\n    return np.log(x)\n"
UNFIXABLE = f"{HEAD}@jax.jit\ndef f(x):\n    return jnp.dot(jnp.ones(2), jnp.ones(3))\n"


def _fix(texts: dict[str, str]) -> tuple[CheckResult, Fixed]:
    """What is found in texts, and what comes of them."""
    parts, settings = PassParts(), Settings("/fixed")
    files = [f"/fixed/{name}" for name in texts]
    overlay = {Path(file): text for file, text in zip(files, texts.values(), strict=True)}
    result = check_files(files, settings, overlay, cache=parts.cache, index=parts)
    return result, fix_findings(result, settings, overlay, parts, unsafe=True)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The first file of each part that is analysed, and whether it went on from an analysis."""
    found: list[tuple[str, bool]] = []
    run, run_again = Session.run, Session.run_again

    def noted(session: Session) -> dict[str, Findings]:
        found.append((session.part.files[0].name, False))
        return run(session)

    def noted_again(session: Session, texts: Texts, ledger: Ledger) -> dict[str, Findings]:
        found.append((session.part.files[0].name, True))
        return run_again(session, texts, ledger)

    monkeypatch.setattr(Session, "run", noted)
    monkeypatch.setattr(Session, "run_again", noted_again)
    return found


def test_a_pass_analyses_only_what_its_fixes_change(analysed: list[tuple[str, bool]]) -> None:
    """Each pass took as long as a check: a project of some files waited for seven of them."""
    _, fixed = _fix({"a.py": FIXABLE, "b.py": UNFIXABLE})
    assert [*fixed.texts] == ["/fixed/a.py"]
    assert [f.location.file for f in fixed.result.findings] == ["/fixed/b.py"]
    assert analysed == [("a.py", False), ("b.py", False), ("a.py", True)]


def test_a_fix_that_adds_an_import_has_other_files_of_its_part_not_analysed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that imports connect was analysed again, in each pass: a package of 33 files for a fix in
    one of its scripts.
    """
    groups: list[tuple[int, int]] = []
    check_end = Ledger.check_end

    def noted(ledger: Ledger) -> None:
        check_end(ledger)
        groups.append((len(ledger.ran), len(ledger.passed)))

    monkeypatch.setattr(Ledger, "check_end", noted)
    text = FIXABLE.replace("import jax.numpy as jnp\n", "")
    traced = "\n\n@jax.jit\ndef g{0}(x):\n    return x * {0}\n"
    library = HEAD + "".join(traced.format(number) for number in range(6))
    caller = f"import library\n{text}\n\nprint(f(library.g1(1.0)))\n"
    _, fixed = _fix({"caller.py": caller, "library.py": library})
    assert not fixed.result.findings
    assert "import jax.numpy as jnp\n" in fixed.texts["/fixed/caller.py"]
    (all_run, count), (run_again, _) = groups
    assert all_run == count
    assert run_again < count - 5


def test_a_file_that_is_no_python_does_not_slow_the_rest_down(
    analysed: list[tuple[str, bool]],
) -> None:
    importing = FIXABLE.replace("\n\n\n", "\nimport b\n\n\n", 1)
    result, fixed = _fix({"a.py": importing, "b.py": f"{HEAD}def g(:\n    pass\n"})
    codes = {f.code for f in result.findings}
    assert codes == {"OAK001", "OAK208"}
    assert [f.code for f in fixed.result.findings] == ["OAK001"]
    assert analysed == [("a.py", False), ("a.py", True)]


def test_fixes_that_fail_in_several_files_take_one_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each took an analysis of its own."""

    def fix(rule: NumpyCallOnTracer, event: Event, site: Site) -> Fix:
        del rule, event
        return make_fix("Write it otherwise", [site.replace(site.node, "np.log( x)")], Safety.SAFE)

    trials: list[int] = []

    def checks(files: list[str], *rest: object, **named: object) -> CheckResult:
        trials.append(len(files))
        return check_files(files, *rest, **named)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
    monkeypatch.setattr(fixpoint, "check_files", checks)
    result, fixed = _fix({f"{name}.py": FIXABLE for name in "abcd"})
    assert len(result.findings) == 4
    assert not fixed.texts
    assert len(trials) == 1


def test_a_fix_that_fails_takes_nothing_from_other_parts(
    monkeypatch: pytest.MonkeyPatch, analysed: list[tuple[str, bool]]
) -> None:
    """What was tried in their files beside it was tried once more, in an analysis of all of it."""

    def fix(rule: NumpyCallOnTracer, event: Event, site: Site) -> Fix:
        del rule, event
        called = site.text(site.node)
        is_bad = site.module.source.path.name == "b.py"
        text = called.replace("(", "( ") if is_bad else f"j{called}"
        everywhere = is_bad or "exp" in called
        edits = [site.replace(site.node, text)]
        return make_fix("Write it otherwise", edits, Safety.SAFE, everywhere=everywhere)

    monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
    script = f"{FIXABLE}\n\n@jax.jit\ndef g(x):\n    return np.exp(x)\n\n\nf(1.0)\ng(1.0)\n"
    _, fixed = _fix({"a.py": script, "b.py": FIXABLE})
    assert [*fixed.texts] == ["/fixed/a.py"]
    assert [name for name, _ in analysed].count("a.py") == 2


@pytest.mark.parametrize("options", [[], ["--no-cache"]])
def test_programs_get_fixes_that_an_analysis_confirms(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
) -> None:
    """JSON had each fix that was thought of. What is tried leaves nothing for later runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    text = f"{FIXABLE}\n\n@jax.jit\ndef g(x, n):\n    return x, '%d' % int(n)\n\n\ng(1.0, 2)\n"
    (tmp_path / "a.py").write_text(text)
    found: list[dict[str, object]] = []
    for _ in range(2):
        assert main(["check", "--output-format", "json", *options, "."]) == 1
        found = json.loads(capsys.readouterr().out)
        fixed = {each["code"]: each["fix"] is not None for each in found}
        assert (fixed["OAK208"], fixed["OAK204"]) == (True, False)
    main(["check", "--output-format", "concise", *options, "."])
    assert len(capsys.readouterr().out.splitlines()) == len(found) + 2


@pytest.mark.parametrize(("files", "count"), [(50, 2), (0, 1)])
def test_fixes_that_fail_are_not_tried_one_by_one_for_ever(
    monkeypatch: pytest.MonkeyPatch, files: int, count: int
) -> None:
    """A script with 31 fixes was analysed ten times, each time from the beginning."""

    def fix(rule: NumpyCallOnTracer, event: Event, site: Site) -> Fix:
        del rule, event
        return make_fix("Write it otherwise", [site.replace(site.node, "np.log( x)")], Safety.SAFE)

    trials: list[int] = []

    def checks(files: list[str], *rest: object, **named: object) -> CheckResult:
        trials.append(len(files))
        return check_files(files, *rest, **named)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
    monkeypatch.setattr(fixpoint, "check_files", checks)
    monkeypatch.setattr(fixpoint, "_CHECKS", 0)
    monkeypatch.setattr(fixpoint, "_FILES", files)
    again = "\n\n@jax.jit\ndef {}(x):\n    return np.log(x)\n"
    _, fixed = _fix({"a.py": FIXABLE + again.format("g") + again.format("h")})
    assert not fixed.texts
    assert len(trials) == count


def test_fixes_that_take_one_part_of_a_split_are_made_after_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two keys were the part that a split drops. No trial kept them apart once there were many."""
    monkeypatch.setattr(fixpoint, "_CHECKS", 0)
    monkeypatch.setattr(fixpoint, "_FILES", 0)
    program = f"{HEAD}key, _ = jax.random.split(jax.random.key(0))\nx = jax.random.normal(key)\n"
    program += "keys = jax.random.split(key, 8)\nfor _ in range(9):\n"
    program += "    key, part = jax.random.split(key)\n    x += jax.random.normal(part)\n"
    result, fixed = _fix({"a.py": program})
    assert len(result.findings) == 2
    assert not fixed.result.findings


def test_what_begins_where_a_fixed_finding_does_is_another_one() -> None:
    """`x > 0 and y > 0 or x < -1`: once the `and` was fixed, the `or` was taken for it."""
    program = f"{HEAD}@jax.jit\ndef f(x, y):\n    return x > 0 and y > 0 or x < -1\n"
    _, fixed = _fix({"a.py": program})
    assert not fixed.result.findings
    assert "return ((x > 0) & (y > 0)) | (x < -1)" in fixed.texts["/fixed/a.py"]


@pytest.mark.parametrize("used", [["left"] * 3, ["left", "left", "right", "right"]])
def test_one_unused_part_of_a_split_takes_the_place_of_one_key(used: list[str]) -> None:
    """Two keys became the same one: the report counted a finding more, or both fixes were refused,
    as each reused the key of the other.
    """
    program = f"{HEAD}left, right, spare = jax.random.split(jax.random.key(0), 3)\n"
    program += "".join(f"print(jax.random.normal({key}))\n" for key in used)
    result, fixed = _fix({"a.py": program})
    assert fixed.counts.total() == len(result.findings)
    assert not fixed.result.findings
    assert fixed.texts["/fixed/a.py"].count("(spare)") == 1


@pytest.mark.parametrize(
    ("options", "groups"),
    [([], [5, 5]), (["--no-cache"], [5, 5]), (["--fix"], [5, 5, 1])],
)
def test_a_trial_goes_on_from_the_one_before(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    groups: list[int],
) -> None:
    """Where one of 21 fixes failed, the other 20 were tried from the beginning. A report hands out
    no texts: what has failed elsewhere is no reason to try the rest again.
    """

    def fix(rule: NumpyCallOnTracer, event: Event, site: Site) -> Fix:
        del rule, event
        called = site.text(site.node)
        text = called.replace("(", "( ") if "exp" in called else f"j{called}"
        return make_fix("Write it otherwise", [site.replace(site.node, text)], Safety.SAFE)

    ran: list[set[str]] = []
    begins = Ledger.begins

    def noted(ledger: Ledger, machine: Machine, name: str) -> bool:
        runs = begins(ledger, machine, name)
        if runs and name.startswith("TRACED"):
            ran[-1].add(name.rpartition(" ")[2])
        return runs

    def checks(*args: object, **named: object) -> CheckResult:
        ran.append(set())
        return check_files(*args, **named)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(project_context, "_MANY", 0)
    for module in (confirmation, fixpoint, runner):
        monkeypatch.setattr(module, "check_files", checks)
    monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
    monkeypatch.setattr(Ledger, "begins", noted)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    again = "\n\n@jax.jit\ndef g{0}(x):\n    return np.{1}(x)\n"
    text = HEAD + "".join(again.format(n, "exp" if n == 2 else "log") for n in range(5))
    (tmp_path / "a.py").write_text(text)
    main(["check", "--output-format", "json", *options, "."])
    found = json.loads(capsys.readouterr().out)
    fixes = [False] if "--fix" in options else [True, True, False, True, True]
    assert [each["fix"] is not None for each in found] == fixes
    assert list(map(len, ran)) == groups


CHANGED_WHILE_IT_RUNS = """

class Trainer:
    def __init__(self):
        self.rate = 1.0

    def step(self, x):
        return x * self.rate

    def decay(self):
        self.rate *= 0.5

    def run(self, x):
        for _ in range(3):
            self.decay()
            x = jax.jit(self.step)(x)
        return x


print(Trainer().run(jnp.ones(2)))
"""


def test_the_fix_of_a_likely_warning_makes_no_finding_elsewhere() -> None:
    """The program goes on behind a warning, likely or not: `jitted = jax.jit(self.step)` before the
    loop kept the first rate, which was found as OAK114, outside of what the fix had written.
    """
    text = HEAD + CHANGED_WHILE_IT_RUNS
    result, fixed = _fix({"a.py": text})
    (finding,) = result.findings
    assert (finding.code, finding.confidence) == ("OAK307", Confidence.LIKELY)
    assert not fixed.texts
    _, fixed = _fix({"a.py": text.replace("            self.decay()\n", "")})
    assert "jitted = jax.jit(self.step)" in fixed.texts["/fixed/a.py"]
