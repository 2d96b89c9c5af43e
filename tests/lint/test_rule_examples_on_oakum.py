"""The examples of the rules on oakum's own engine: same line, same code as the linter's finding."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from _pytest.mark import ParameterSet
from oakum_as_jax import oakum_as_jax
from statement_runs import EXPECTED_ERROR, EXPECTED_FINDING, Run, marked_lines, run_by_statement

import oakum
from oakum.values.codes import Family
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import Rule
from oakum_lint.text.finding import Severity

WITH_JAX_INSIDE = re.compile(r"^\s*(?:import|from) (?:flax|equinox|optax)\b", re.MULTILINE)


def _examples(kind: Literal["bad", "good"]) -> list[ParameterSet]:
    return [
        pytest.param(rule, source, id=f"{rule.code.code}-{number}")
        for rule in RULES
        for number, source in enumerate(rule.bad if kind == "bad" else rule.good)
    ]


EACH_BAD = pytest.mark.parametrize(("rule", "source"), _examples("bad"))
EACH_GOOD = pytest.mark.parametrize(("rule", "source"), _examples("good"))


@contextmanager
def _leaks_checked() -> Generator[None]:
    with oakum.checking_leaks():
        yield


def _run(directory: Path, source: str) -> Run:
    if WITH_JAX_INSIDE.search(source):
        pytest.skip("the example uses a library that imports JAX itself")
    path = directory / "example_of_a_rule.py"
    path.write_text(source, encoding="utf-8")
    with oakum_as_jax():
        run = run_by_statement(source, path)
    oakum.effects_barrier()
    return run


@pytest.mark.sweep(3)
@EACH_BAD
def test_bad_example_fails_on_oakum_where_it_says(
    rule: type[Rule[Any]], source: str, tmp_path: Path
) -> None:
    """A finding that the engine does not confirm would be one side's word against the other's."""
    run = _run(tmp_path, source)
    marked, later = marked_lines(source, EXPECTED_FINDING), marked_lines(source, EXPECTED_ERROR)
    if later:
        # oakum may name the use of the leaked value, deeper than JAX does.
        assert set(later) <= run.passed
        assert set(later.values()) <= run.classes
    elif rule.silent:
        # The example asserts itself what goes wrong without a word.
        assert run.raised == {}
        assert "assert " in source
    elif rule.severity is Severity.WARNING:
        with oakum.disable_jit():
            uncompiled = _run(tmp_path, source)
        assert run.raised == uncompiled.raised == {}
        assert run.output != uncompiled.output
    else:
        assert set(run.raised) == set(marked)
        assert set(run.codes.values()) <= {rule.code.code, None}


@pytest.mark.sweep(12)
@EACH_BAD
def test_leaking_example_is_caught_by_the_leak_checker(
    rule: type[Rule[Any]], source: str, tmp_path: Path
) -> None:
    """A leak that the linter finds has to be found at run time too, where the trace ends."""
    if rule.code.family is not Family.ESCAPE or not marked_lines(source, EXPECTED_ERROR):
        pytest.skip("the example does not leak")
    if "Exception" in marked_lines(source, EXPECTED_ERROR).values():
        pytest.skip("a callback of the program holds the tracer, and raises before the check")
    with _leaks_checked():
        run = _run(tmp_path, source)
    assert "LeakedTracerError" in run.raised.values()


@pytest.mark.sweep(6)
@EACH_GOOD
def test_good_example_runs_on_oakum_without_a_leak(
    rule: type[Rule[Any]], source: str, tmp_path: Path
) -> None:
    """A hint that does not run, or leaks, would be worse than none."""
    with _leaks_checked():
        assert _run(tmp_path, source).raised == {}
