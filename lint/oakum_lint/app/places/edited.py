"""Findings in the texts that an editor has, where other texts were analysed in their place.

Invariants:
- A finding stands on what it was found in, or is not shown: where an end of that has changed.
- What lacks a proof does so still: its weak links stay.
- Nothing is fixed in a text that is no Python.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from oakum.values.records import dataclass, replace
from oakum_lint.app.live.last_programs import Program
from oakum_lint.app.places.moving import move_finding, renumber_lines
from oakum_lint.text.failures import tool_finding
from oakum_lint.text.finding import Finding, Location
from oakum_lint.text.source import Source, shown_path


def in_edited(
    findings: list[Finding], programs: Mapping[Path, Program], checked: Iterable[str]
) -> list[Finding]:
    """The findings in programs where they stand in the texts of which these are, with the reasons
    why files that were checked are no Python.
    """
    edited: dict[str, _Edited] = {}
    for path, program in programs.items():
        if program.is_other:
            known = _Edited(program, Source.from_text(program.text))
            edited |= {str(each): known for each in (shown_path(path), path)}
    if not edited:
        return findings
    return sorted([*_moved(findings, edited), *_problems(edited, checked)], key=_place)


@dataclass(frozen=True, slots=True)
class _Edited:
    """A text in whose place another one was analysed."""

    program: Program
    analysed: Source

    def find(self, place: Location) -> Location | None:
        """Where a place stands in the text."""
        start = self.analysed.offset(place.line, place.column)
        span = self.program.move.span(start, self.analysed.offset(place.end_line, place.end_column))
        return None if span is None else self.program.source.location(*span, place.file)

    def nearest(self, place: Location) -> Location:
        """Where a place stands in the text, or where what it stands in begins."""
        start = self.program.move.nearest(self.analysed.offset(place.line, place.column))
        return self.find(place) or self.program.source.location(start, start, place.file)

    def line(self, line: int) -> str:
        """The number of a line in the text: of what stands in it, before which one types."""
        start = self.analysed.offset(line, 1)
        shown = self.analysed.text[start : self.analysed.offset(line + 1, 1)]
        start += len(shown) - len(shown.lstrip(" \t\f"))
        return str(self.program.source.place(self.program.move.nearest(start))[0])


def _moved(findings: Iterable[Finding], edited: Mapping[str, _Edited]) -> Iterator[Finding]:
    def moved(place: Location) -> Location:
        known = edited.get(place.file)
        return place if known is None else known.nearest(place)

    def is_there(place: Location) -> bool:
        known = edited.get(place.file)
        return known is None or known.find(place) is not None

    for finding in findings:
        known = edited.get(finding.location.file)
        if known is not None:
            if finding.code == "OAK001" or not is_there(finding.location):
                continue
            finding = replace(renumber_lines(finding, known.line), fix=None)
        related = tuple([each for each in finding.related if is_there(each.location)])
        yield move_finding(replace(finding, related=related), moved)


def _problems(edited: Mapping[str, _Edited], checked: Iterable[str]) -> Iterator[Finding]:
    for file in checked:
        if file in edited:
            program = edited[file].program
            for problem in program.problems:
                place = program.source.location(problem.start, problem.end, file)
                yield tool_finding(place, problem.code, problem.message, problem.hint)


def _place(finding: Finding) -> tuple[object, ...]:
    return (finding.location, finding.code, finding.message)
