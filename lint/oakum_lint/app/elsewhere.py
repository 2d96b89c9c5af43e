"""Findings in files that a run does not name, where the named files cause them.

Such a finding is reported if a named file is on its way (traces the code, calls it, makes the
value), or if it would not be found without the named files: they are then taken away, and what the
rest of the project shows by itself is nothing that they cause. Where the analysis of such a file
was cut short, what it does with the named files is not known: that is reported without a
comparison, which would be cut short too, after as long a time.

Invariants:
- It says that it lies elsewhere, and it is never fixed: the user has named other files.
- That a file cannot be parsed or read is no finding elsewhere, nor is information.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from oakum.values.records import replace
from oakum_lint.app.analysis import FileReport
from oakum_lint.app.project_context import ProjectContext
from oakum_lint.text.finding import Finding, Location, Severity

_ABOUT_THE_FILE = frozenset({"OAK001", "OAK002", "OAK004", "OAK005", "OAK006"})
"""Codes that speak of a file as a whole, or of comments that only its own check can judge."""

_CUT_SHORT = "OAK003"
"""The code that says that not all was analysed."""

Key = tuple[Location, str, str]


def findings_elsewhere(
    outside: Sequence[tuple[FileReport, Sequence[Finding]]],
    named: Sequence[str],
    context: ProjectContext,
    without_named: Callable[[Sequence[Path]], Iterable[FileReport]],
) -> list[tuple[FileReport, list[Finding]]]:
    """What is to be reported of files outside of those that are named; `without_named` analyses
    some files of the rest of the project as if these did not exist.
    """
    in_project = [
        (report, [finding for finding in findings if _is_reported(finding)])
        for report, findings in outside
        if any(_lies_in(str(report.path), root) for root in context.roots)
    ]
    names = frozenset(named)
    doubtful = [
        report.path
        for report, findings in in_project
        if not all(_is_cut(finding) or _on_the_way(finding, names) for finding in findings)
    ]
    alone = without_named(doubtful) if doubtful else ()
    known = frozenset(_key(finding) for report in alone for finding in report.findings)
    kept: list[tuple[FileReport, list[Finding]]] = []
    for report, findings in in_project:
        caused: list[Finding] = []
        for finding in findings:
            on_the_way = _on_the_way(finding, names)
            if on_the_way or _is_cut(finding) or _key(finding) not in known:
                caused.append(_marked(finding, on_the_way or named))
        if caused:
            kept.append((report, caused))
    return kept


def _is_reported(finding: Finding) -> bool:
    return finding.code not in _ABOUT_THE_FILE and finding.severity is not Severity.INFORMATION


def _on_the_way(finding: Finding, named: frozenset[str]) -> list[str]:
    """The named files that a finding says that it leads through."""
    return [each.location.file for each in finding.related if each.location.file in named]


def _is_cut(finding: Finding) -> bool:
    """Whether a finding says that not all was analysed."""
    return finding.code == _CUT_SHORT


def _key(finding: Finding) -> Key:
    return (finding.location, finding.code, finding.confidence)


def _marked(finding: Finding, causes: Sequence[str]) -> Finding:
    """The finding with a note that says by which named file it is caused, and without a fix."""
    first = causes[0]
    more = len(set(causes)) - 1
    files = f"`{first}`" if not more else f"`{first}` or {more} more of the checked files"
    note = f"this file was not named: {files} causes the finding"
    if _is_cut(finding):
        note = f"this file was not named: what it does with {files} is not known"
    return replace(finding, notes=(*finding.notes, note), fix=None)


def _lies_in(file: str, root: str) -> bool:
    return os.path.realpath(file).startswith(os.path.join(os.path.realpath(root), ""))
