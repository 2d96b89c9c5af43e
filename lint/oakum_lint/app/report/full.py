"""The full report: each headline with its line, the notes, and what to write instead."""

from collections.abc import Sequence

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.causes import Cause, by_cause
from oakum_lint.app.report.frame import lines_of, underlined
from oakum_lint.app.report.wording import (
    and_more,
    folded,
    mark,
    more_places,
    summary,
    weak_links,
)
from oakum_lint.text.finding import Confidence, Severity
from oakum_lint.text.lines import one_line

_PLAIN = ("", "", "", "", "")
_COLOURS = ("\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m")


class _Paint:
    """The escape sequences of a terminal, or nothing in their place."""

    __slots__ = ("_links", "bold", "error", "frame", "reset", "warning")

    def __init__(self, colour: bool) -> None:
        self._links = colour
        self.error, self.warning, self.frame, self.bold, self.reset = _COLOURS if colour else _PLAIN

    def linked(self, code: str) -> str:
        """A code as a link to its page, where one is known and the terminal may show it."""
        from oakum_lint.app.report.origin import page_link

        link = page_link(code) if self._links else ""
        return f"\x1b]8;;{link}\x1b\\{code}\x1b]8;;\x1b\\" if link else code


def render(result: CheckResult, colour: bool) -> str:
    """All findings, a blank line after each, and the closing line."""
    paint = _Paint(colour)
    parts: list[str] = []
    lines: dict[str, list[str]] = {}
    causes = by_cause(result.findings, result.each_place)
    for cause in causes:
        finding = cause.first
        weak = weak_links(finding, result)
        file = finding.location.file
        if file not in lines and file in result.texts:
            lines[file] = lines_of(result.texts[file])
        parts.append(_cause(cause, mark(finding, result), weak, lines.get(file, []), paint))
    parts.append(summary(result) + "\n" + folded(causes))
    return "".join(parts)


def _cause(cause: Cause, fixable: str, weak: Sequence[str], lines: list[str], paint: _Paint) -> str:
    finding = cause.first
    place = finding.location
    level = paint.error if finding.severity is Severity.ERROR else paint.warning
    gutter = " " * len(str(place.line))
    likely = ", likely" if finding.confidence is Confidence.LIKELY else ""
    bar = f"{paint.frame}|{paint.reset}"
    code = paint.linked(finding.code)
    out = [
        f"{level}{finding.severity.value}[{code}{likely}]{paint.reset}"
        f"{paint.bold}: {fixable}{one_line(finding.message)}{and_more(cause)}{paint.reset}",
        f"{gutter}{paint.frame}-->{paint.reset} {one_line(place.file)}:{place.line}:{place.column}",
    ]
    if 0 < place.line <= len(lines):
        line = lines[place.line - 1]
        one_row = place.end_line == place.line
        end = place.end_column - 1 if one_row else len(line.rstrip())
        shown, carets = underlined(line, place.column - 1, end)
        more = "" if one_row else f" ... to line {place.end_line}"
        number = f"{paint.frame}{place.line}{paint.reset}"
        out += [
            f"{gutter} {bar}",
            f"{number} {bar} {shown}".rstrip(),
            f"{gutter} {bar} {level}{carets}{more}{paint.reset}",
        ]
    note = f"{gutter} {paint.frame}={paint.reset} {paint.bold}note{paint.reset}:"
    out += [f"{note} {one_line(text)}" for text in finding.notes]
    out += [f"{note} {one_line(text)}" for text in weak]
    for related in finding.related:
        at = related.location
        out.append(f"{note} {one_line(at.file)}:{at.line}:{at.column}: {one_line(related.message)}")
    out += [f"{note} {one_line(text)}" for text in more_places(cause)]
    if finding.hint:
        out.append(
            f"{gutter} {paint.frame}={paint.reset} {paint.bold}help{paint.reset}: "
            f"{one_line(finding.hint)}"
        )
    return "\n".join(out) + "\n\n"
