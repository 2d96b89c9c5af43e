"""What is found in short programs of many kinds, a golden file for each subject: a finding that is
missing, one that is none, each word of it and its fix are seen here.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
import test_interpreter_classes
import test_interpreter_corners
import test_interpreter_frameworks
import test_interpreter_functions
import test_interpreter_leaving
import test_interpreter_library
import test_interpreter_objects
import test_interpreter_python
import test_interpreter_transforms
from fixing import shown_fix
from small_programs import HEADER, findings_of

CASES = re.split(
    r"^== (.+) ==\n",
    (Path(__file__).parent / "finding_cases.txt").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)
SUBJECTS = dict(zip(CASES[1::2], CASES[2::2], strict=True))
INTERPRETED = {
    "classes": test_interpreter_classes.CLASSES,
    "corners": test_interpreter_corners.PROGRAMS,
    "frameworks": test_interpreter_frameworks.PROGRAMS,
    "functions": test_interpreter_functions.ALL,
    "leaving": test_interpreter_leaving.PROGRAMS,
    "library": test_interpreter_library.PROGRAMS,
    "objects": test_interpreter_objects.PROGRAMS,
    "python": test_interpreter_python.PROGRAMS,
    "transforms": test_interpreter_transforms.ALL,
}
"""The programs of other tests, which ask for lines and codes alone."""
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


@pytest.mark.parametrize("subject", INTERPRETED)
def test_what_is_said_of_small_programs_is_as_reviewed(
    subject: str, golden: Callable[[str, str], None]
) -> None:
    """How sure a finding is, why the value is traced, and what to write instead."""
    parts = [
        "\n".join([f"== {name}", *shown(dedent(program))])
        for name, program in INTERPRETED[subject].items()
    ]
    golden(f"small_programs/{subject}.txt", "\n\n".join(parts) + "\n")
