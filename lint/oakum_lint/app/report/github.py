"""The report for GitHub Actions: workflow commands, which annotate the lines of a pull request."""

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.places import in_file
from oakum_lint.app.report.wording import not_all_analysed, weak_links
from oakum_lint.text.finding import Finding, Severity
from oakum_lint.text.lines import one_line


def render(result: CheckResult, colour: bool) -> str:
    """One `::error` or `::warning` command for each finding, and one if not all was analysed."""
    cut = f"::warning title=oakum::{not_all_analysed(result)}\n" if result.incomplete else ""
    return "".join(f"{_command(finding, result)}\n" for finding in result.findings) + cut


def _command(finding: Finding, result: CheckResult) -> str:
    place = in_file(finding.location)
    properties = {
        "title": f"oakum ({finding.code})",
        "file": place.file,
        "line": str(place.line),
        "endLine": str(place.end_line),
    }
    # GitHub takes columns only where the range stays on one line.
    if place.end_line == place.line:
        properties["col"] = str(place.column)
        properties["endColumn"] = str(place.end_column)
    own = finding.location
    where = f"{own.file}:{own.line}:{own.column}"
    message = "\n".join(
        one_line(line)
        for line in (
            f"{where}: {finding.code} {finding.message}",
            *(f"note: {note}" for note in (*finding.notes, *weak_links(finding, result))),
            *(f"{_shown(r.location.file, r.location.line)}: {r.message}" for r in finding.related),
            f"help: {finding.hint}",
        )
    )
    level = _LEVELS[finding.severity]
    listed = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{level} {listed}::{_escape(message)}"


_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
}
"""The commands of GitHub, by the severity of a finding."""


def _shown(file: str, line: int) -> str:
    return f"{file}:{line}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
