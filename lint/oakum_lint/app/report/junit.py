"""The JUnit XML report, which most services of continuous integration show as test results.

A file with findings is a test suite, a finding a failed test; a run without any is one test that
passed. The form is that of Jenkins' xUnit plugin (`junit-10.xsd`), the strictest of the readers.
"""

from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.wording import not_all_analysed
from oakum_lint.text.finding import Finding
from oakum_lint.text.lines import NOT_IN_XML, one_line


def render(result: CheckResult, colour: bool) -> str:
    """One document with a suite for each file."""
    suites = [_suite(file, [*found]) for file, found in groupby(result.findings, _file)]
    tests = len(result.findings)
    if result.incomplete:
        suites.append(_cut(result))
        tests += 1
    failures = tests
    if not suites:
        suites, tests = [_clean(result)], 1
    head = f'<testsuites name="oakum" tests="{tests}" failures="{failures}">'
    return "\n".join(('<?xml version="1.0" encoding="utf-8"?>', head, *suites, "</testsuites>", ""))


def _file(finding: Finding) -> str:
    return finding.location.file


def _suite(file: str, findings: Sequence[Finding]) -> str:
    count = len(findings)
    head = f'  <testsuite name={_quoted(file)} tests="{count}" failures="{count}" errors="0">'
    return "\n".join((head, *map(_case, findings), "  </testsuite>"))


def _case(finding: Finding) -> str:
    place = finding.location
    name = f"{finding.code} {finding.name} ({place.line}:{place.column})"
    kind = f"{finding.severity.value}, {finding.confidence.value}"
    lines = (
        f"{place.file}:{place.line}:{place.column}: {finding.code} {finding.message}",
        *(f"note: {note}" for note in finding.notes),
        *(
            f"{related.location.file}:{related.location.line}: {related.message}"
            for related in finding.related
        ),
        f"help: {finding.hint}",
    )
    body = "\n".join(map(_text, lines))
    return (
        f"    <testcase name={_quoted(name)} classname={_quoted(place.file)}>\n"
        f"      <failure message={_quoted(finding.message)} type={_quoted(kind)}>{body}</failure>\n"
        "    </testcase>"
    )


def _cut(result: CheckResult) -> str:
    return (
        '  <testsuite name="oakum" tests="1" failures="1" errors="0">\n'
        '    <testcase name="everything is analysed" classname="oakum">\n'
        f"      <failure message={_quoted(not_all_analysed(result))}/>\n"
        "    </testcase>\n"
        "  </testsuite>"
    )


def _clean(result: CheckResult) -> str:
    return (
        '  <testsuite name="oakum" tests="1" failures="0" errors="0">\n'
        f'    <testcase name="No findings ({result.checked} checked)" classname="oakum"/>\n'
        "  </testsuite>"
    )


def _text(text: str) -> str:
    """A line as XML can hold it: no control character has a place there, escaped or not."""
    return escape(NOT_IN_XML.sub("\ufffd", one_line(text)))


def _quoted(text: str) -> str:
    return quoteattr(NOT_IN_XML.sub("\ufffd", one_line(text)))
