"""Small programs for tests of the interpreter: their text says on which lines they are reported."""

import re
from pathlib import Path
from textwrap import dedent

from oakum_lint.app.analysis import analyse
from oakum_lint.text.finding import Finding

HEADER = """import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""
"""What every program begins with: five lines."""
_MARK = re.compile(r"#! ((?:OAK\d{3} ?)+)")


def findings_of(program: str, **modules: str) -> list[Finding]:
    """The findings in a program, `main.py`, and in the modules beside it."""
    files = {"main": program, **modules}
    texts = {Path(f"/small/{name}.py"): HEADER + dedent(text) for name, text in files.items()}
    reports = analyse(list(texts), overlay=texts)
    return [finding for report in reports for finding in report.findings]


def assert_reported(program: str, **modules: str) -> list[Finding]:
    """Checks that the lines marked `#! OAK201` are reported under these codes, and no others."""
    files = {"main": program, **modules}
    expected = {
        (f"/small/{name}.py", number, code)
        for name, text in files.items()
        for number, line in enumerate((HEADER + dedent(text)).splitlines(), 1)
        for mark in _MARK.findall(line)
        for code in mark.split()
    }
    findings = findings_of(program, **modules)
    found = {(f.location.file, f.location.line, f.code) for f in findings}
    assert found == expected, [f"{f.location.line}: {f.code} {f.message}" for f in findings]
    return findings


def only(findings: list[Finding]) -> Finding:
    """The one finding of a program."""
    assert len(findings) == 1, findings
    return findings[0]
