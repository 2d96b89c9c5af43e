"""What fixes make of short functions, and what they leave alone, in one golden file: a fix is read
as the user reads it who gets it.
"""

import difflib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent

import pytest
from fixing import fix_text

CASES = re.split(
    r"^== (.+) ==\n",
    (Path(__file__).parent / "fix_cases.txt").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)
SUBJECTS = dict(zip(CASES[1::2], CASES[2::2], strict=True))
HEAD = "import math\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"


def program_of(case: str) -> str:
    """A jitted function, and its call: the first line of a case says what it is passed."""
    passed, _, body = case.strip("\n").partition("\n")
    pairs = [each.partition("=") for each in re.split(r", (?=\w+=)", passed)]
    parameters, values = ", ".join(p for p, _, _ in pairs), ", ".join(v for _, _, v in pairs)
    return f"{HEAD}@jax.jit\ndef f({parameters}):\n{indent(body, '    ')}\n\n\nf({values})\n"


def outcomes(text: str) -> Iterator[str]:
    """The findings of a program with their fixes, and the lines that the fixes change."""
    outcome = fix_text(text)
    for finding in outcome.before:
        fix = "-" if finding.fix is None else f"{finding.fix.safety.value}: {finding.fix.title}"
        line = text.splitlines()[finding.location.line - 1].strip()
        yield f"{finding.code} {line} [{fix}]"
    for finding in outcome.after if outcome.text != text else ():
        yield f"left: {finding.code} {outcome.text.splitlines()[finding.location.line - 1].strip()}"
    before, after = text.splitlines(), outcome.text.splitlines()
    changed = difflib.unified_diff(before, after, lineterm="", n=0)
    yield from (line for line in changed if not line.startswith(("---", "+++", "@@")))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_fixes_are_as_reviewed(subject: str, golden: Callable[[str, str], None]) -> None:
    """A fix that is none, or one that is missing, is seen here."""
    shown = [
        "\n".join([case.strip("\n"), *(f"    | {line}" for line in outcomes(program_of(case)))])
        for case in SUBJECTS[subject].split("---\n")
    ]
    golden(f"fix_cases/{subject.replace(' ', '_')}.txt", "\n\n".join(shown) + "\n")
