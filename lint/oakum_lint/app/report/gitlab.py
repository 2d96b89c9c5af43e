"""The report for GitLab: a Code Quality artifact, which a merge request shows beside its changes.

The form is that of https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.

Invariants:
- Files are named relative to the working directory, where they lie in it: GitLab matches paths from
  the root of the repository, where its jobs run.
- A finding keeps its identity when the lines above it move (see `fingerprints`).
"""

import hashlib
import json
import os
from pathlib import Path

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.fingerprints import fingerprints
from oakum_lint.app.report.places import in_file, with_cell
from oakum_lint.text.finding import Confidence, Finding, Severity


def render(result: CheckResult, colour: bool) -> str:
    """The findings as a JSON array."""
    marks = fingerprints(result.findings, result.texts)
    issues = [_issue(*pair) for pair in zip(result.findings, marks, strict=True)]
    return json.dumps(issues, indent=2) + "\n"


def _issue(finding: Finding, mark: str) -> dict[str, object]:
    place = in_file(finding.location)
    message = with_cell(finding.location, finding.message)
    return {
        "description": f"{finding.code}: {message}",
        "check_name": finding.code,
        "content": {"body": "\n\n".join((*finding.notes, finding.hint))},
        "fingerprint": hashlib.sha256(mark.encode()).hexdigest(),
        "severity": _severity(finding),
        "location": {
            "path": _path(place.file),
            "positions": {
                "begin": {"line": place.line, "column": place.column},
                "end": {"line": place.end_line, "column": place.end_column},
            },
        },
    }


def _severity(finding: Finding) -> str:
    """GitLab's severity: what is proved and raises an error counts most."""
    if finding.severity is Severity.INFORMATION:
        return "info"
    if finding.confidence is Confidence.LIKELY:
        return "minor"
    return "critical" if finding.severity is Severity.ERROR else "major"


def _path(file: str) -> str:
    inside = os.path.relpath(file) if os.path.isabs(file) else os.path.normpath(file)
    shown = file if inside.startswith("..") else inside
    return Path(shown).as_posix().encode("utf-8", "backslashreplace").decode()
