"""The linter reports, in each labelled program, exactly the lines that its comments name."""

from collections.abc import Iterator

import pytest
from program_cases import KNOWN_LIMITS, Program, misjudged, read_programs

from oakum_lint.app.analysis import analyse


def _cases() -> Iterator[object]:
    for program in read_programs():
        reason = KNOWN_LIMITS.get(program.name)
        marks = (pytest.mark.xfail(reason=reason, strict=True),) if reason else ()
        yield pytest.param(program, id=program.name, marks=marks)


@pytest.mark.sweep(11)
@pytest.mark.parametrize("program", list(_cases()))
def test_program_is_judged_as_its_comments_say(program: Program) -> None:
    """A user sees the line that fails under tracing, and no other line."""
    findings = [finding for report in analyse(program.files) for finding in report.findings]
    assert misjudged(program, findings) == ([], [])


def test_every_known_limit_names_a_program() -> None:
    """A renamed program does not keep a stale excuse."""
    assert set(KNOWN_LIMITS) <= {program.name for program in read_programs()}
