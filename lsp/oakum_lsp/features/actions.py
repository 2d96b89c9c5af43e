"""Code actions: the fix of each finding, a comment that suppresses it, and all safe fixes of a
document at once.

Invariants:
- A fix is offered only for the very text that it was made for, and only if Python takes the result.
- All safe fixes at once are of those that `oakum check --fix` writes: each is safe with the project
  around the document, and confirmed by a new analysis of both, as a fix is that was chosen in an
  editor which resolves edits.
"""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict

from oakum.values.records import dataclass
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.config import load
from oakum_lint.app.fixing.fixpoint import Check, check_with, fix_findings, fix_some
from oakum_lint.app.fixing.trials import compiles
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.project_context import project_context
from oakum_lint.app.report.frame import lines_of
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.app.suppression.comments import CANNOT_BE_HIDDEN
from oakum_lint.app.suppression.insertion import suppressing_edit
from oakum_lint.text.comments import scan
from oakum_lint.text.edits import Edit, Fix, Safety, apply_edits
from oakum_lint.text.finding import Finding, Location
from oakum_lint.text.notebook.cells import BadNotebookError
from oakum_lint.text.source import LineTable
from oakum_lsp.features.opened import Opened
from oakum_lsp.positions import to_range
from oakum_lsp.protocol import Marked, TextEdit


class Offer(TypedDict):
    """Edits as the editor applies them; `diagnostic` is the place of the diagnostic that they are
    for among those of the document.
    """

    diagnostic: int
    title: str
    edits: list[TextEdit]
    preferred: bool
    """Whether an editor may make them without a choice by the user."""
    suppresses: bool
    """Whether they make a comment that suppresses the finding."""


def make_offer(fix: Fix, diagnostic: int, file: str, text: str, encoding: str) -> Offer | None:
    """The fix of a finding in a text; None if Python would not take what comes of it."""
    if compiles(text) and not compiles(apply_edits(text, fix.edits)):
        return None
    edits = _text_edits(fix.edits, file, LineTable(text), lines_of(text), encoding)
    is_safe = fix.safety is Safety.SAFE
    title = fix.title if is_safe else f"{fix.title} (unsafe)"
    return Offer(
        diagnostic=diagnostic, title=title, edits=edits, preferred=is_safe, suppresses=False
    )


def make_suppressions(
    findings: Sequence[Finding], file: str, text: str, encoding: str
) -> Iterator[Offer]:
    """Yields for each finding in a text, where a line takes it, the comment that suppresses it."""
    if all(finding.code in CANNOT_BE_HIDDEN for finding in findings):
        return
    table, lines, scanned = LineTable(text), lines_of(text), scan(text)
    for diagnostic, finding in enumerate(findings):
        if finding.code in CANNOT_BE_HIDDEN:
            continue
        edit = suppressing_edit(text, finding, scanned)
        if edit is not None:
            edits = _text_edits([edit], file, table, lines, encoding)
            title = f"Suppress {finding.code} with a comment"
            yield Offer(
                diagnostic=diagnostic, title=title, edits=edits, preferred=False, suppresses=True
            )


def _text_edits(
    edits: Sequence[Edit], file: str, table: LineTable, lines: Sequence[str], encoding: str
) -> list[TextEdit]:
    return [
        TextEdit(
            range=to_range(
                Location(file, *table.place(edit.start), *table.place(edit.end)), lines, encoding
            ),
            newText=edit.text,
        )
        for edit in edits
    ]


def fix_all(documents: Opened, uri: str, encoding: str) -> dict[str, list[TextEdit]]:
    """The edits of all safe fixes of a file, by the URIs of its documents: of itself, or of the
    cells of a notebook.
    """
    file = documents.homes[uri]
    path = documents.files[file].path
    if not _has_safe_fix(_Run.of(documents, file, with_project=False), path):
        return {}  # as in most documents that are saved, for which no project need be read
    run = _Run.of(documents, file, with_project=True)
    if run is None:
        return {}
    run.result.findings = [f for f in run.result.findings if f.location.file == path]
    fixed = fix_findings(run.result, run.settings, run.overlay, run.parts, unsafe=False)
    return _changes(documents, uri, fixed.texts.get(path), encoding)


def _has_safe_fix(run: "_Run | None", path: str) -> bool:
    return run is not None and any(
        finding.location.file == path and finding.fix.applies(unsafe=False)
        for finding in run.result.findings
        if finding.fix is not None
    )


def fix_chosen(
    documents: Opened, uri: str, chosen: Sequence[Marked], encoding: str
) -> dict[str, list[TextEdit]]:
    """The edits of the fixes of some findings in a document that stand the test of an analysis, by
    the URIs of documents.
    """
    file = documents.homes[uri]
    run = _Run.of(documents, file, with_project=True)
    if run is None:
        return {}
    found = [f for f in run.result.findings if _marked(f, documents, uri, encoding) in chosen]
    fixed = fix_some(run.result, found, run.check())
    return _changes(documents, uri, fixed.get(documents.files[file].path), encoding)


def _marked(finding: Finding, documents: Opened, uri: str, encoding: str) -> Marked | None:
    """What a diagnostic of a document says of a finding; None where it is of another one."""
    file = documents.homes[uri]
    if finding.location.file != documents.files[file].path:
        return None
    place, text = finding.location, documents.files[file].text
    notebook = documents.notebooks.get(file)
    if notebook is not None:
        cell, line, column = notebook.joined.place(place.line, place.column)
        _, end_line, end_column = notebook.joined.place(place.end_line, place.end_column)
        if notebook.uris[cell.number] != uri:
            return None
        place, text = Location(place.file, line, column, end_line, end_column), cell.source
    return Marked(code=finding.code, range=to_range(place, lines_of(text), encoding))


def _changes(
    documents: Opened, uri: str, fixed: str | None, encoding: str
) -> dict[str, list[TextEdit]]:
    """The edits that make a file the fixed one, by the URIs of its documents."""
    if fixed is None:
        return {}
    file = documents.homes[uri]
    path, notebook = documents.files[file].path, documents.notebooks.get(file)
    if notebook is None:
        text = documents.files[file].text.removeprefix("\ufeff")
        return {uri: _line_edits(path, text, fixed, encoding)}
    try:
        sources = notebook.joined.sources(fixed)
    except BadNotebookError:
        return {}
    return {
        notebook.uris[cell.number]: _line_edits(path, cell.source, sources[cell.number], encoding)
        for cell in notebook.joined.cells
        if sources[cell.number] != cell.source
    }


@dataclass(frozen=True, slots=True)
class _Run:
    """An analysis of a file of documents, beside the other ones."""

    result: CheckResult
    settings: Settings
    overlay: dict[Path, str]
    parts: PassParts

    @classmethod
    def of(cls, documents: Opened, file: str, *, with_project: bool) -> "_Run | None":
        """That of a file by its URI, perhaps with the project around it; None where its
        configuration excludes it.
        """
        path = documents.files[file].path
        settings = load([path])
        if settings.excludes(path):
            return None
        texts = {**documents.texts(), path: documents.files[file].text}
        overlay = {Path(each): text for each, text in texts.items()}
        files = [path, *(each for each in texts if each != path)]
        parts = PassParts()
        context = project_context([path], settings, keeps=True) if with_project else None
        result = check_files(
            files, settings, overlay, cache=parts.cache, context=context, index=parts
        )
        return cls(result, settings, overlay, parts)

    def check(self) -> Check:
        """The analysis of other texts."""
        return check_with(self.result, self.settings, self.overlay, self.parts)


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
