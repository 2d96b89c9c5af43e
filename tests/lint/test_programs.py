"""The linter reports, in each labelled program, exactly the lines that its comments name."""

from collections.abc import Iterator

import pytest
from program_cases import Mark, Program, read_programs

from oakum_lint.app.analysis import analyse
from oakum_lint.text.finding import Finding

# Programs that the analysis does not judge rightly, each with the reason. An entry that no longer
# fails fails the suite, so the list can only shrink.
KNOWN_LIMITS: dict[str, str] = {
    "generator_send": "what `send` gives a generator is not followed into its body",
}


def _cases() -> Iterator[object]:
    for program in read_programs():
        reason = KNOWN_LIMITS.get(program.name)
        marks = (pytest.mark.xfail(reason=reason, strict=True),) if reason else ()
        yield pytest.param(program, id=program.name, marks=marks)


def _findings(program: Program) -> list[Finding]:
    return [finding for report in analyse(program.files) for finding in report.findings]


def _covers(mark: Mark, finding: Finding) -> bool:
    place = finding.location
    return (
        (mark.file, mark.line, mark.code) == (place.file, place.line, finding.code)
        and mark.column in (None, place.column)
    )  # fmt: skip


@pytest.mark.sweep(11)
@pytest.mark.parametrize("program", list(_cases()))
def test_program_is_judged_as_its_comments_say(program: Program) -> None:
    """A user sees the line that fails under tracing, and no other line."""
    findings = _findings(program)
    missed = [mark for mark in program.required if not any(_covers(mark, f) for f in findings)]
    if program.either and not any(_covers(m, f) for m in program.either for f in findings):
        missed.extend(program.either)
    known = (*program.required, *program.either, *program.allowed)
    false = [
        f"{f.location.file}:{f.location.line}:{f.location.column}: {f.code} {f.message}"
        for f in findings
        if not any(_covers(mark, f) for mark in known)
    ]
    assert (missed, false) == ([], [])


def test_every_known_limit_names_a_program() -> None:
    """A renamed program does not keep a stale excuse."""
    assert set(KNOWN_LIMITS) <= {program.name for program in read_programs()}
