"""Code actions: the fix of each finding, and all safe fixes of a document at once.

Invariants:
- A fix is offered only for the very text that it was made for, and only if Python takes the result.
- All safe fixes at once are what `oakum check --fix` writes: each confirmed by a new analysis.
"""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from oakum_lint.app.config import load
from oakum_lint.app.fixpoint import compiles, fix_findings
from oakum_lint.app.report.frame import lines_of
from oakum_lint.app.runner import check_files
from oakum_lint.text.edits import Fix, Safety, apply_edits
from oakum_lint.text.finding import Location
from oakum_lint.text.source import LineTable
from oakum_lsp.positions import to_range
from oakum_lsp.protocol import TextEdit


class Offer(TypedDict):
    """A fix as the editor applies it; `diagnostic` is the place of the diagnostic that it is for
    among those of the document.
    """

    diagnostic: int
    title: str
    edits: list[TextEdit]
    safe: bool


def make_offer(fix: Fix, diagnostic: int, file: str, text: str, encoding: str) -> Offer | None:
    """The fix of a finding in a text; None if Python would not take what comes of it."""
    if compiles(text) and not compiles(apply_edits(text, fix.edits)):
        return None
    table, lines = LineTable(text), lines_of(text)
    edits: list[TextEdit] = []
    for edit in fix.edits:
        place = Location(file, *table.place(edit.start), *table.place(edit.end))
        edits.append(TextEdit(range=to_range(place, lines, encoding), newText=edit.text))
    is_safe = fix.safety is Safety.SAFE
    return Offer(diagnostic=diagnostic, title=fix.title, edits=edits, safe=is_safe)


def fix_all(path: str, texts: Mapping[str, str], encoding: str) -> list[TextEdit] | None:
    """The edits of all safe fixes of a document, None where nothing is fixed; `texts` are those of
    all open documents, by their paths.
    """
    settings = load([path])
    if settings.excludes(path):
        return None
    overlay = {Path(file): text for file, text in texts.items()}
    files = [path, *(file for file in texts if file != path)]
    result = check_files(files, settings, overlay)
    result.findings = [f for f in result.findings if f.location.file == path]
    fixed = fix_findings(result, files, settings, overlay, unsafe=False).texts.get(path)
    if fixed is None:
        return None
    return _line_edits(path, texts[path].removeprefix("\ufeff"), fixed, encoding)


def _line_edits(file: str, before: str, after: str, encoding: str) -> list[TextEdit]:
    """The lines that differ: an editor keeps its cursor where nothing changes."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    table, lines = LineTable(before), lines_of(before)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        TextEdit(
            range=to_range(
                Location(file, *table.place(starts[first]), *table.place(starts[last])),
                lines,
                encoding,
            ),
            newText="".join(new[start:stop]),
        )
        for tag, first, last, start, stop in matcher.get_opcodes()
        if tag != "equal"
    ]
