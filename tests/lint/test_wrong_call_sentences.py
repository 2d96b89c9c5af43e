"""What the editor says of a wrong call is what the engine raises for it, word for word: the linter
and the engine ask one rule.
"""

import ast
import warnings
from pathlib import Path
from types import ModuleType

import pytest
from oakum_as_jax import oakum_as_jax
from wrong_call_sources import program, wrong_calls

from oakum.errors import OakumError
from oakum_lint.app.analysis import analyse
from oakum_lint.text.finding import Finding

Raised = dict[int, Exception]


def _innermost_line(error: Exception, path: str) -> int:
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _run(source: str, path: Path) -> Raised:
    """What each line raises, when every top-level statement runs. The module is compiled as one, as
    an import does it: only then its source is what runs, and errors name operands.
    """
    module, raised = ModuleType(path.stem), Raised()
    module.__file__ = str(path)

    def keep(error: Exception) -> None:
        raised[_innermost_line(error, str(path))] = error

    tree = ast.parse(source)
    for position, statement in enumerate(tree.body):
        if isinstance(statement, ast.Expr):
            (trial,) = ast.parse("try: ...\nexcept Exception as error: keep(error)").body
            assert isinstance(trial, ast.Try)
            trial.body = [statement]
            tree.body[position] = trial
    with oakum_as_jax(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vars(module)["keep"] = keep
        exec(compile(ast.fix_missing_locations(tree), str(path), "exec"), module.__dict__)
    return raised


def _says_the_same(error: Exception | None, findings: list[Finding]) -> bool:
    if not isinstance(error, OakumError) or len(findings) != 1:
        return False
    (finding,) = findings
    same = (finding.code, finding.hint) == (error.code.code, error.hint)
    said = "\n".join((finding.message, *finding.notes))
    operands = next((note for note in finding.notes if note.startswith("`")), "")
    texts = (error.message, error.detail)
    named = error.operands
    if finding.message.startswith("`.at[]"):
        # The engine names the array that is updated, the editor the value that is put there.
        named = operands
    return same and named == operands and all(t.rstrip(".") in said for t in texts)


def _different(calls: list[str], path: Path) -> dict[str, tuple[str, list[str]]]:
    """The calls of which the engine and the linter say different things, with both."""
    source = program(calls)
    path.write_text(source, encoding="utf-8")
    raised = _run(source, path)
    found: dict[int, list[Finding]] = {}
    for report in analyse([path]):
        for finding in report.findings:
            found.setdefault(finding.location.line, []).append(finding)
    lines = enumerate(source.splitlines(), 1)
    places = {number: line[11:] for number, line in lines if line.startswith("    return ")}
    assert len(places) == len(calls)
    return {
        call: (str(raised.get(line)), [each.message for each in found.get(line, [])])
        for line, call in places.items()
        if not _says_the_same(raised.get(line), found.get(line, []))
    }


@pytest.mark.unverified
def test_editor_and_engine_say_the_same_of_wrong_calls(tmp_path: Path) -> None:
    """A user who looks for the words of one finds nothing in the other."""
    calls = list(wrong_calls())
    assert _different(calls, tmp_path / "wrong.py") == {}
    assert len(calls) > 600
    assert len({call.partition("(")[0] for call in calls}) > 150
