"""Writes comments that suppress findings into a text: `x = int(y)  # oakum: ignore[OAK204] why`.

A comment is put where it counts for the finding (see `comments`) and a line can take one: at the
end of the last line of what is flagged, or else of a line of the statement that holds it. A comment
that is there already and names codes gets one more.
"""

from collections.abc import Sequence

from oakum_lint.app.suppression.comments import lines_of
from oakum_lint.text.comments import Comment, Scan, scan
from oakum_lint.text.edits import Edit, apply_edits
from oakum_lint.text.finding import Finding
from oakum_lint.text.suppressions import NOQA, NOQA_ITEM, OURS


def suppress(text: str, findings: Sequence[Finding], reason: str) -> tuple[str, list[Finding]]:
    """The text with comments for findings in it, and the findings for which there is no place."""
    scanned = scan(text)
    comments = {comment.line: comment for comment in scanned.comments}
    codes: dict[int, dict[str, None]] = {}
    left: list[Finding] = []
    for finding in findings:
        line = _line_for(finding, scanned)
        if line is None:
            left.append(finding)
        else:
            codes.setdefault(line, {})[finding.code] = None
    edits = [
        _edit(text, scanned, line, list(named), comments.get(line), reason)
        for line, named in sorted(codes.items())
    ]
    return apply_edits(text, edits), left


def suppressing_edit(text: str, finding: Finding, scanned: Scan) -> Edit | None:
    """The edit that suppresses one finding in a text, without a reason; None where no line takes a
    comment.
    """
    line = _line_for(finding, scanned)
    if line is None:
        return None
    comment = next((each for each in scanned.comments if each.line == line), None)
    return _edit(text, scanned, line, [finding.code], comment, "")


def _line_for(finding: Finding, scanned: Scan) -> int | None:
    """The line that takes the comment for a finding."""
    place = finding.location
    candidates = lines_of(place, scanned)
    last = place.end_line if place.end_line in candidates else place.line
    for line in (last, place.line, *reversed(candidates)):
        if scanned.end_of(line) is not None:
            return line
    return None


def _edit(
    text: str, scanned: Scan, line: int, codes: list[str], comment: Comment | None, reason: str
) -> Edit:
    if comment is not None:
        listed = _end_of_list(comment)
        if listed is not None:
            place = comment.start + listed
            return Edit(place, place, "".join(f", {code}" for code in codes))
    end = scanned.end_of(line)
    assert end is not None
    start = len(text[:end].rstrip(" \t\f"))
    why = f" {reason}" if reason else ""
    return Edit(start, end, f"  # oakum: ignore[{', '.join(codes)}]{why}")


def _end_of_list(comment: Comment) -> int | None:
    """Where a comment that suppresses codes of ours takes one more; None where it does not."""
    ours = OURS.search(comment.text)
    if ours is not None:
        if ours["word"] != "ignore" or ours["list"] is None or not ours["items"].strip():
            return None
        return ours.start("items") + len(ours["items"].rstrip())
    noqa = NOQA.search(comment.text)
    if noqa is None or noqa["list"] is None:
        return None
    position, last = noqa.end(), None
    while (found := NOQA_ITEM.match(comment.text, position)) is not None:
        position = found.end()
        last = position if found["item"].upper().startswith("OAK") else last
    return last
