"""Code actions: the fix of each finding, and all safe fixes of a document at once.

Invariants:
- A fix is offered only for the very text that it was made for, and only if Python takes the result.
- All safe fixes at once are what `oakum check --fix` writes: each confirmed by a new analysis.
"""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from lsprotocol import types

from oakum.records import dataclass
from oakum_lint.config import load
from oakum_lint.edits import Fix, Safety, apply_edits
from oakum_lint.finding import Location
from oakum_lint.fixes.rounds import compiles, fix_findings
from oakum_lint.report.frame import lines_of
from oakum_lint.runner import check_files
from oakum_lint.source import LineTable
from oakum_lsp.positions import to_range

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.oakum"
Encoding = types.PositionEncodingKind | str | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix as the editor applies it, with the diagnostic that it mends."""

    diagnostic: types.Diagnostic
    title: str
    edits: tuple[types.TextEdit, ...]
    is_safe: bool


def make_offer(
    fix: Fix, diagnostic: types.Diagnostic, file: str, text: str, encoding: Encoding
) -> Offer | None:
    """The fix of a finding in a text; None if Python would not take what comes of it."""
    if compiles(text) and not compiles(apply_edits(text, fix.edits)):
        return None
    table, lines = LineTable(text), lines_of(text)
    edits = [
        types.TextEdit(
            to_range(
                Location(file, *table.place(edit.start), *table.place(edit.end)), lines, encoding
            ),
            edit.text,
        )
        for edit in fix.edits
    ]
    return Offer(diagnostic, fix.title, tuple(edits), fix.safety is Safety.SAFE)


def quick_fixes(uri: str, asked: types.Range, offers: Sequence[Offer]) -> list[types.CodeAction]:
    """The fixes of the findings that a range of a document touches."""
    return [
        types.CodeAction(
            title=offer.title if offer.is_safe else f"{offer.title} (unsafe)",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[offer.diagnostic],
            is_preferred=offer.is_safe,
            edit=types.WorkspaceEdit(changes={uri: list(offer.edits)}),
        )
        for offer in offers
        if _touch(offer.diagnostic.range, asked)
    ]


def _touch(first: types.Range, second: types.Range) -> bool:
    return first.start <= second.end and second.start <= first.end


def fix_all(
    uri: str, path: str, texts: Mapping[str, str], encoding: Encoding
) -> types.CodeAction | None:
    """All safe fixes of a document; `texts` are those of all open documents, by their paths."""
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
    edits = _line_edits(path, texts[path].removeprefix("\ufeff"), fixed, encoding)
    return types.CodeAction(
        title="Make all safe fixes of oakum",
        kind=FIX_ALL,
        edit=types.WorkspaceEdit(changes={uri: edits}),
    )


def _line_edits(file: str, before: str, after: str, encoding: Encoding) -> list[types.TextEdit]:
    """The lines that differ: an editor keeps its cursor where nothing changes."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    table, lines = LineTable(before), lines_of(before)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        types.TextEdit(
            to_range(
                Location(file, *table.place(starts[first]), *table.place(starts[last])),
                lines,
                encoding,
            ),
            "".join(new[start:stop]),
        )
        for tag, first, last, start, stop in matcher.get_opcodes()
        if tag != "equal"
    ]
