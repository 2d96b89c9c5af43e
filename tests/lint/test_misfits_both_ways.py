"""What the linter says of shapes and dtypes is what the engine raises: the same code, the same
line, and nothing where nothing is raised.
"""

from pathlib import Path

from misfit_calls import CALLS, PRELUDE
from oakum_as_jax import oakum_as_jax
from statement_runs import run_by_statement

from oakum_lint.app.analysis import analyse

PROGRAM = PRELUDE + CALLS


def _found(path: Path) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for report in analyse([path]):
        for finding in report.findings:
            if not finding.code.startswith("OAK5"):
                continue  # The calls are statements, so that their results are dropped, too.
            found.setdefault(finding.location.line, set()).add(finding.code)
    return found


def test_sampled_calls_are_reported_where_the_engine_raises(tmp_path: Path) -> None:
    """A user would fix what works, or run into what was said to be right."""
    path = tmp_path / "sampled_calls.py"
    path.write_text(PROGRAM, encoding="utf-8")
    with oakum_as_jax():
        run = run_by_statement(PROGRAM, path)
    found = _found(path)
    lines = PROGRAM.splitlines()
    raised = {line: {code} for line, code in run.codes.items()}
    assert set(run.raised) == set(raised)
    different = {
        lines[line - 1]: (found.get(line), raised.get(line))
        for line in {*found, *raised}
        if found.get(line) != raised.get(line)
    }
    assert different == {}
    # Both kinds have to be there for the comparison to say anything.
    assert len(raised) > 60
    assert len(CALLS.splitlines()) - len(raised) > 30
