"""The fixes of the rules, on their own bad examples: they fix what they say, and nothing else."""

import ast
import contextlib
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from fixing import Outcome, fix_text
from oakum_as_jax import oakum_as_jax

import oakum
from oakum_lint.app.rewriting import difference
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import Rule

FIXING = [rule for rule in RULES if rule.fixes]
EXAMPLES = [(rule, number, text) for rule in FIXING for number, text in enumerate(rule.bad)]


def _example(rule: type[Rule[Any]], number: int, text: str) -> ParameterSet:
    return pytest.param(rule, text, id=f"{rule.code.code}-{number}")


EACH_BAD = pytest.mark.parametrize(("rule", "text"), [_example(*entry) for entry in EXAMPLES])


@pytest.fixture(scope="module")
def fix_once() -> Callable[[type[Rule[Any]], str], Outcome]:
    """Fixes each example once for all the tests that look at it."""
    outcomes: dict[str, Outcome] = {}

    def fix(rule: type[Rule[Any]], text: str) -> Outcome:
        if text not in outcomes:
            outcomes[text] = fix_text(text)
        return outcomes[text]

    return fix


Fixer = Callable[[type[Rule[Any]], str], Outcome]


def test_fixes_are_as_reviewed(fix_once: Fixer, golden: Callable[[str, str], None]) -> None:
    """An expert has read each of these: a change of one has to be read again."""
    shown = [
        difference(f"{rule.code.code}-{number}", text, fix_once(rule, text).text)
        for rule, number, text in EXAMPLES
    ]
    golden("fixes.diff", "".join(shown))


@EACH_BAD
def test_what_is_fixed_is_found_no_more(rule: type[Rule[Any]], text: str, fix_once: Fixer) -> None:
    """A fix after which the same finding stands would be applied for ever."""
    outcome = fix_once(rule, text)
    before = [finding for finding in outcome.before if finding.code == rule.code.code]
    after = [finding for finding in outcome.after if finding.code == rule.code.code]
    proposed = [finding for finding in before if finding.fix is not None]
    kept = len(after) - (len(before) - len(proposed))
    assert 0 <= kept <= len(proposed)  # a fix that would have made a leak is dropped
    assert not any(finding.fix for finding in outcome.after)
    assert (outcome.text != text) == (kept < len(proposed))


@EACH_BAD
def test_fixing_again_changes_nothing(rule: type[Rule[Any]], text: str, fix_once: Fixer) -> None:
    """A hook that runs at each commit would never come to rest."""
    outcome = fix_once(rule, text)
    if outcome.text != text:
        assert fix_text(outcome.text).text == outcome.text


@pytest.mark.parametrize("rule", FIXING, ids=lambda rule: rule.code.code)
def test_a_page_promises_the_fixes_that_there_are(rule: type[Rule[Any]], fix_once: Fixer) -> None:
    """Who reads `safe` on a page runs `--fix` without a look at the result."""
    made = {
        finding.fix.safety
        for text in rule.bad
        for finding in fix_once(rule, text).before
        if finding.fix is not None
    }
    assert made == set(rule.fixes)


@pytest.mark.sweep(3)
@EACH_BAD
def test_a_fixed_example_runs_and_computes_what_was_meant(
    rule: type[Rule[Any]], text: str, fix_once: Fixer, tmp_path: Path
) -> None:
    """What was meant is what the program does without compilation, where it runs then."""
    outcome = fix_once(rule, text)
    if outcome.text == text:
        pytest.skip("no finding of this example has a fix")
    fixed = _results(outcome.text, tmp_path)
    unfixed = {finding.location.line for finding in outcome.after}
    if rule.silent:
        # The example asserts what goes wrong: where that is so no longer, it raises.
        assert fixed.raised - fixed.refuted <= unfixed
        return
    assert fixed.raised <= unfixed
    with oakum.disable_jit():
        meant = _results(text, tmp_path)
    for key, value in meant.values.items():
        if key in fixed.values:
            assert _same(value, fixed.values[key]), key


class _Results:
    """What the top-level statements of a program gave: the values, by the text of the expression
    and how often it stood before, and the lines that raised.
    """

    def __init__(self) -> None:
        self.values: dict[tuple[str, int], Any] = {}
        self.raised: set[int] = set()
        self.refuted: set[int] = set()


def _results(text: str, directory: Path) -> _Results:
    results = _Results()
    module = ModuleType("fixed_example")
    path = str(directory / "fixed_example.py")
    sys.modules[module.__name__] = module
    statements = ast.parse(text).body
    try:
        with oakum_as_jax(), contextlib.redirect_stdout(io.StringIO()):
            for statement in statements:
                try:
                    if isinstance(statement, ast.Expr):
                        code = compile(ast.Expression(statement.value), path, "eval")
                        spelled = ast.unparse(statement)
                        key = (spelled, sum(spelled == other for other, _ in results.values))
                        results.values[key] = eval(code, module.__dict__)
                    else:
                        exec(compile(ast.Module([statement], []), path, "exec"), module.__dict__)
                except Exception as error:
                    results.raised.add(_line(error, path))
                    if isinstance(error, AssertionError):
                        results.refuted.add(_line(error, path))
    finally:
        del sys.modules[module.__name__]
    return results


def _line(error: BaseException, path: str) -> int:
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _same(first: Any, second: Any) -> bool:
    import numpy

    ours, theirs = (oakum.tree.leaves(value) for value in (first, second))
    return len(ours) == len(theirs) and all(
        numpy.allclose(numpy.asarray(a), numpy.asarray(b), atol=1e-5, equal_nan=True)
        for a, b in zip(ours, theirs, strict=True)
    )
