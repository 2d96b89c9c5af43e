"""What is found in short programs of many kinds, a golden file for each subject: a finding that is
missing, one that is none, each word of it and its fix are seen here.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from fixing import shown_fix
from small_programs import HEADER, findings_of

CASES = re.split(
    r"^== (.+) ==\n",
    (Path(__file__).parent / "finding_cases.txt").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)
SUBJECTS = dict(zip(CASES[1::2], CASES[2::2], strict=True))
FIRST = HEADER.count("\n")


def shown(case: str) -> Iterator[str]:
    """The lines of a program, and behind each what is found there."""
    found = sorted(findings_of(case), key=lambda finding: finding.location.column)
    for number, line in enumerate(case.strip("\n").splitlines(), FIRST + 1):
        yield line
        for finding in found:
            if finding.location.line == number:
                likely = ", likely" if finding.confidence.value == "likely" else ""
                yield f"    | {finding.location.column}: {finding.code}{likely}: {finding.message}"
                yield from (f"    |     {note}" for note in finding.notes)
                places = [place.location.line - FIRST for place in finding.related]
                yield f"    |     lines {places}: {finding.hint}"
                if finding.fix is not None:
                    rows = shown_fix(finding.fix, HEADER + dedent(case), FIRST)
                    yield from (f"    |     {row}" for row in rows)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_findings_are_as_reviewed(subject: str, golden: Callable[[str, str], None]) -> None:
    """A user sees these, and nothing else."""
    cases = [case.strip("\n") for case in SUBJECTS[subject].split("---\n")]
    text = "\n\n".join("\n".join(shown(case)) for case in cases)
    golden(f"finding_cases/{subject.replace(' ', '_')}.txt", f"{text}\n")
