"""Findings at other places than those that the analysis knows: all places of a finding move, and
the numbers of lines in its sentences.
"""

import re
from collections.abc import Callable, Sequence

from oakum.values.records import replace
from oakum_lint.text.finding import Finding, Location, Related
from oakum_lint.text.lines import LINE_NUMBERS, NUMBER


def move_finding(finding: Finding, moved: Callable[[Location], Location]) -> Finding:
    """The finding with all its places moved; the edits of its fix stay."""

    def all_moved(places: Sequence[Related]) -> tuple[Related, ...]:
        return tuple([replace(each, location=moved(each.location)) for each in places])

    return replace(
        finding,
        location=moved(finding.location),
        related=all_moved(finding.related),
        weak=all_moved(finding.weak),
        cause=None if finding.cause is None else moved(finding.cause),
    )


def renumber_lines(finding: Finding, numbered: Callable[[int], str]) -> Finding:
    """The finding with other numbers of lines in its sentences: code that they quote stays."""

    def number(match: re.Match[str]) -> str:
        return numbered(int(match.group()))

    def renumbered(text: str) -> str:
        pieces = text.split("`")
        for place in range(0, len(pieces), 2):
            said = pieces[place]
            pieces[place] = LINE_NUMBERS.sub(lambda match: NUMBER.sub(number, match.group()), said)
        return "`".join(pieces)

    return replace(
        finding,
        message=renumbered(finding.message),
        notes=tuple(map(renumbered, finding.notes)),
        hint=renumbered(finding.hint),
    )
