"""The SARIF 2.1.0 report, for code scanning services and editors.

Invariants:
- Columns are code points, and the run says so (`columnKind`).
- Files are URIs relative to the working directory where they lie in it, else `file:` URIs.
- A finding keeps its identity when the lines above it move (see `fingerprints`).
"""

import json
import os
from collections.abc import Sequence

from oakum.version import __version__
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.fingerprints import fingerprints
from oakum_lint.app.report.causes import by_cause
from oakum_lint.app.report.origin import page_link
from oakum_lint.app.report.places import Lines, in_file, with_cell
from oakum_lint.app.report.wording import not_all_analysed
from oakum_lint.rules import catalogue
from oakum_lint.rules import page as pages
from oakum_lint.text.finding import Finding, Location, Related, Severity
from oakum_lint.text.notebook.names import file_and_cell

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note"}


def render(result: CheckResult, colour: bool) -> str:
    """One SARIF log with one run."""
    found = sorted({finding.code for finding in result.findings})
    rules = {code: index for index, code in enumerate(found)}
    run = {
        "tool": {
            "driver": {
                "name": "oakum",
                "semanticVersion": __version__,
                "version": __version__,
                "rules": [_rule(code) for code in found],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(result)],
        "results": _results(result, rules),
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _invocation(result: CheckResult) -> dict[str, object]:
    """Returns the outcome of the run; it was no success where some code was not analysed."""
    if not result.incomplete:
        return {"executionSuccessful": result.failures == 0}
    notification = {"level": "error", "message": {"text": not_all_analysed(result)}}
    return {"executionSuccessful": False, "toolExecutionNotifications": [notification]}


def _rule(name: str) -> dict[str, object]:
    code = catalogue.find(name)
    if code is None:
        return {"id": name}
    page = pages.page(code)
    body = pages.text(code)
    link = page_link(code.code)
    return {
        "id": code.code,
        "name": code.name,
        **({"helpUri": link} if link else {}),
        "shortDescription": {"text": f"{code.title}."},
        "fullDescription": {"text": page.sections.get("Why it matters", code.cause)},
        "help": {"text": body, "markdown": body},
        "properties": {"tags": [code.family.value]},
    }


def _results(result: CheckResult, rules: dict[str, int]) -> list[dict[str, object]]:
    places = Lines(result.texts)
    results: list[dict[str, object]] = []
    more = {id(cause.first): cause.more for cause in by_cause(result.findings)}
    marks = fingerprints(result.findings, result.texts)
    for finding, mark in zip(result.findings, marks, strict=True):
        message = with_cell(finding.location, finding.message)
        results.append(
            {
                "ruleId": finding.code,
                "ruleIndex": rules[finding.code],
                "level": _LEVELS[finding.severity],
                "message": {
                    "text": "\n".join(filter(None, (message, *finding.notes, finding.hint)))
                },
                "locations": [{"physicalLocation": _physical(finding.location)}],
                "relatedLocations": [
                    {"id": number, **_step(related)}
                    for number, related in enumerate(
                        (*finding.related, *_same_cause(more.get(id(finding), ())))
                    )
                ],
                **_code_flow(finding),
                "partialFingerprints": {"oakum/v1": mark},
                "properties": {
                    "confidence": finding.confidence.value,
                    "weakLinks": [link.message for link in finding.weak],
                },
                **_fixes(finding, places),
            }
        )
    return results


def _same_cause(more: Sequence[Finding]) -> list[Related]:
    """The other places of a cause, at its first: viewers that group need not know what it is."""
    return [Related(finding.location, "the same mistake stands here") for finding in more]


def _code_flow(finding: Finding) -> dict[str, object]:
    """The way from what traces a value to its use, for viewers that walk along it."""
    if not finding.related:
        return {}
    steps = (*finding.related, Related(finding.location, finding.message))
    return {
        "codeFlows": [{"threadFlows": [{"locations": [{"location": _step(s)} for s in steps]}]}]
    }


def _step(step: Related) -> dict[str, object]:
    return {
        "physicalLocation": _physical(step.location),
        "message": {"text": with_cell(step.location, step.message)},
    }


def _fixes(finding: Finding, places: Lines) -> dict[str, object]:
    """The fix of a finding, if any; SARIF knows no safety, so its description says it."""
    fix, file = finding.fix, finding.location.file
    if fix is None or file_and_cell(file)[1] is not None:
        return {}
    replacements = [
        {
            "deletedRegion": _region(places.location(file, edit)),
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(file)}, "replacements": replacements}
    description = {"text": f"{fix.title} ({fix.safety.value} fix)"}
    return {"fixes": [{"description": description, "artifactChanges": [change]}]}


def _physical(finding_place: Location) -> dict[str, object]:
    place = in_file(finding_place)
    return {
        "artifactLocation": {"uri": _uri(place.file)},
        "region": _region(place),
    }


def _region(place: Location) -> dict[str, object]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _uri(file: str) -> str:
    from pathlib import Path
    from urllib.parse import quote_from_bytes

    if os.path.isabs(file):
        return Path(file).as_uri()
    if file.startswith(".."):
        return Path(os.path.abspath(file)).as_uri()
    return quote_from_bytes(os.fsencode(Path(file).as_posix()), safe="/")
