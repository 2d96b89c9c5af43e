"""The JSON report: an array with one object for each finding.

Lines and columns count from 1, columns in code points; the end is exclusive. The text is ASCII, so
that any file name survives any encoding of the output. `cell` is the cell of a notebook in which
lines count, from 1, else null; `fix` is null, too, where one would change other cells.
"""

import json

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.places import Lines
from oakum_lint.text.edits import Fix
from oakum_lint.text.finding import Finding, Location, Related
from oakum_lint.text.notebook.names import file_and_cell


def render(result: CheckResult, colour: bool) -> str:
    """The findings as a JSON array."""
    lines = Lines(result.texts)
    findings = [described(finding, lines) for finding in result.findings]
    return json.dumps(findings, indent=2) + "\n"


def described(finding: Finding, lines: Lines) -> dict[str, object]:
    """All that is known of a finding, as JSON has it."""
    return {
        **_place(finding.location),
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "notes": list(finding.notes),
        "help": finding.hint,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "weak_links": [_related(link) for link in finding.weak],
        "related": [_related(related) for related in finding.related],
        "cause": None if finding.cause is None else _place(finding.cause),
        "fix": _fix(finding.fix, finding.location.file, lines),
    }


def _fix(fix: Fix | None, file: str, lines: Lines) -> dict[str, object] | None:
    """A fix with its edits; None for one that changes several cells of a notebook: `--fix` does."""
    if fix is None or not fix.edits:
        return None
    return {
        "title": fix.title,
        "safety": fix.safety.value,
        "edits": [
            {**_place(lines.location(file, edit)), "content": edit.text} for edit in fix.edits
        ],
    }


def _related(related: Related) -> dict[str, object]:
    return {**_place(related.location), "message": related.message}


def _place(place: Location) -> dict[str, object]:
    file, cell = file_and_cell(place.file)
    return {
        "file": file,
        "cell": cell,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }
