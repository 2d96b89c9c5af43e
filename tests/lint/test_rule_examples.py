"""The examples of the rules are true: on real JAX, where it is installed, and for the linter."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from _pytest.mark import ParameterSet
from statement_runs import EXPECTED_ERROR, EXPECTED_FINDING, Run, marked_lines, run_by_statement

from oakum_lint.app.analysis import analyse
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import Rule
from oakum_lint.text.finding import Finding, Severity

LEAK = "UnexpectedTracerError"


def _examples(kind: Literal["bad", "good"]) -> list[ParameterSet]:
    return [
        pytest.param(rule, source, id=f"{rule.code.code}-{number}")
        for rule in RULES
        for number, source in enumerate(rule.bad if kind == "bad" else rule.good)
    ]


def _raises(rule: object) -> bool:
    return getattr(rule, "severity", None) is Severity.ERROR and not getattr(rule, "silent", True)


EACH_BAD = pytest.mark.parametrize(("rule", "source"), _examples("bad"))
EACH_RAISING = pytest.mark.parametrize(
    ("rule", "source"),
    [
        example
        for example in _examples("bad")
        if "#~" in str(example.values[1]) or _raises(example.values[0])
    ],
)
"""Where something raises: the others print or compute what is wrong."""
EACH_GOOD = pytest.mark.parametrize(("rule", "source"), _examples("good"))


def _write(directory: Path, source: str) -> Path:
    path = directory / "example_of_a_rule.py"
    path.write_text(source, encoding="utf-8")
    return path


def _run(directory: Path, source: str) -> Run:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    run = run_by_statement(source, _write(directory, source))
    jax.effects_barrier()
    return run


@pytest.fixture(scope="module")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Runs each program once for all the tests that ask what it does."""
    runs: dict[str, Run] = {}

    def run(source: str) -> Run:
        if source not in runs:
            runs[source] = _run(tmp_path_factory.mktemp("run"), source)
        return runs[source]

    return run


def _findings(directory: Path, source: str) -> list[Finding]:
    return [f for report in analyse([_write(directory, source)]) for f in report.findings]


def _without(source: str, lines: dict[int, str]) -> str:
    """The program with the statements of these lines taken out."""
    kept = source.splitlines()
    for number in lines:
        line = kept[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        kept[number - 1] = indent + ("return 0" if line.lstrip().startswith("return") else "pass")
    return "\n".join(kept) + "\n"


@pytest.mark.sweep(12)
@EACH_BAD
def test_bad_example_fails_on_jax_where_it_says(
    rule: type[Rule[Any]], source: str, tmp_path: Path, run_once: Callable[[str], Run]
) -> None:
    """A rule against something that JAX allows would cost a user time for nothing.

    What the marked line does is one of three: it raises; it leaves a tracer behind that raises on
    the line marked `#~`, and no longer does without the marked line; or, where nothing raises, the
    program prints something else than it does without compilation.
    """
    run = run_once(source)
    marked, later = marked_lines(source, EXPECTED_FINDING), marked_lines(source, EXPECTED_ERROR)
    assert set(marked.values()) == {rule.code.code}
    if later:
        # What a callback raises has another name in each version of JAX.
        expected = {
            line: run.raised.get(line) if name == "Exception" else name
            for line, name in later.items()
        }
        assert run.raised == expected
        healed = _run(tmp_path, _without(source, marked))
        assert LEAK not in healed.raised.values()
    elif rule.silent:
        # The example asserts itself what goes wrong without a word.
        assert run.raised == {}
        assert "assert " in source
    elif rule.severity is Severity.WARNING:
        jax = pytest.importorskip("jax")
        with jax.disable_jit():
            uncompiled = _run(tmp_path, source)
        assert run.raised == uncompiled.raised == {}
        assert run.output != uncompiled.output
    else:
        assert set(run.raised) == set(marked)


@pytest.mark.sweep(12)
@EACH_GOOD
def test_good_example_runs_on_jax(rule: type[Rule[Any]], source: str, tmp_path: Path) -> None:
    """A hint that does not run would be worse than none."""
    assert _run(tmp_path, source).raised == {}


@EACH_RAISING
def test_page_names_what_jax_raises(
    rule: type[Rule[Any]], source: str, run_once: Callable[[str], Run]
) -> None:
    """Who searches for the exception of a traceback finds the page."""
    _, _, at_run_time = (rule.__doc__ or "").partition("## At run time")
    raised = run_once(source).raised
    assert raised
    for name in raised.values():
        assert name in at_run_time


@pytest.mark.sweep(2)
@EACH_BAD
def test_bad_example_is_found_where_it_says(
    rule: type[Rule[Any]], source: str, tmp_path: Path
) -> None:
    """A user sees the line that is wrong, and no other but one where that raises."""
    raising = marked_lines(source, EXPECTED_ERROR)
    found = [
        f
        for f in _findings(tmp_path, source)
        if f.code == rule.code.code or f.location.line not in raising
    ]
    expected = sorted(marked_lines(source, EXPECTED_FINDING).items())
    assert sorted((f.location.line, f.code) for f in found) == expected
    for number, line in enumerate(source.splitlines(), 1):
        mark = EXPECTED_FINDING.search(line)
        if mark is not None and mark["column"]:
            assert int(mark["column"]) in {
                f.location.column for f in found if f.location.line == number
            }


@EACH_GOOD
def test_good_example_has_no_finding(rule: type[Rule[Any]], source: str, tmp_path: Path) -> None:
    """The nearest legal program is not reported."""
    assert _findings(tmp_path, source) == []


PROMISING = """
    OAK201 OAK202 OAK203 OAK204 OAK205 OAK206 OAK207 OAK208 OAK210 OAK212 OAK213 OAK215 OAK216
    OAK217 OAK223 OAK301 OAK304 OAK305 OAK306 OAK503 OAK504 OAK601 OAK702 OAK703
""".split()
"""The rules whose notes name the exception."""
PROMISE = re.compile(r"this raises (?!an error)(\w+)")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("rule", [r for r in RULES if _raises(r)], ids=lambda r: r.code.code)
def test_message_names_the_exception_that_jax_raises(
    rule: type[Rule[Any]], tmp_path: Path, run_once: Callable[[str], Run]
) -> None:
    """A message that promises another exception than the one that comes would not be believed, and
    one that no longer names it cannot be searched for.
    """
    promised = [
        (source, finding.location.line, promise[1])
        for source in rule.bad
        for finding in _findings(tmp_path, source)
        for note in finding.notes
        if finding.code == rule.code.code and (promise := PROMISE.search(note)) is not None
    ]
    assert bool(promised) == (rule.code.code in PROMISING)
    for source, line, name in promised:
        assert run_once(source).raised[line] == name
