"""Fingerprints of findings: what stays the same when the lines above a finding move.

A fingerprint is made from the code, the file and the text of the flagged line, not from its number.
The same mistake in two equal lines of a file counts them.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from oakum_lint.text.lines import LINE_END

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from oakum_lint.text.finding import Finding


class FlaggedLines:
    """The texts of the lines that findings flag, without what formatters change."""

    __slots__ = ("_lines", "_texts")

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def of(self, finding: "Finding") -> str:
        """Returns the line on which a finding begins, each run of blanks in it as one; "" where the
        file could not be read.
        """
        place = finding.location
        if place.file not in self._lines:
            self._lines[place.file] = LINE_END.split(self._texts.get(place.file, ""))
        lines = self._lines[place.file]
        return " ".join(lines[place.line - 1].split()) if place.line <= len(lines) else ""


def fingerprints(findings: "Sequence[Finding]", texts: Mapping[str, str]) -> list[str]:
    """Returns the fingerprint of each finding."""
    flagged = FlaggedLines(texts)
    seen: Counter[str] = Counter()
    marks: list[str] = []
    for finding in findings:
        content = "\0".join((finding.code, finding.location.file, flagged.of(finding)))
        mark = hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:20]
        seen[mark] += 1
        marks.append(f"{mark}:{seen[mark]}")
    return marks
