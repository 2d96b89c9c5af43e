"""Findings in notebooks as reports name them: by cell, line and column.

The analysis sees the cells of a notebook as one text (see `text.notebook.cells`); only what is
reported at the end names cells: `a.ipynb:cell 3` stands in the place of the file, with the source
of the cell as its text.
"""

from collections.abc import Mapping

from oakum.values.records import replace
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.places.moving import move_finding, renumber_lines
from oakum_lint.text.edits import Edit, Fix
from oakum_lint.text.finding import Finding, Location
from oakum_lint.text.notebook.cells import JoinedCells, Notebook, notebook_at, read_notebook
from oakum_lint.text.notebook.names import file_and_cell, in_cell, is_notebook
from oakum_lint.text.source import LineTable


def name_cells(result: CheckResult, opened: Mapping[str, JoinedCells] | None = None) -> None:
    """Has the findings of a result name the cells of notebooks: of those on disk, or of those that
    are open in an editor, by their paths.
    """
    notebooks: dict[str, JoinedCells | None] = {}

    def notebook_of(file: str) -> JoinedCells | None:
        if opened is not None:
            return opened.get(file)
        if file not in notebooks:
            notebooks[file] = _read(file, result) if is_notebook(file) else None
        return notebooks[file]

    def moved(place: Location) -> Location:
        notebook = notebook_of(place.file)
        if notebook is None or not notebook.cells:
            return place
        cell, line, column = notebook.place(place.line, place.column)
        last, end_line, end_column = notebook.place(place.end_line, place.end_column)
        file = in_cell(place.file, cell.number)
        result.texts[file] = cell.source
        if last is not cell:  # a finding of a whole file
            end_line, end_column = line, column
        return Location(file, line, column, end_line, end_column)

    findings: list[Finding] = []
    for finding in result.findings:
        notebook, finding = notebook_of(finding.location.file), move_finding(finding, moved)
        findings.append(finding if notebook is None else _named(finding, notebook))
    result.findings = findings


def _named(finding: Finding, notebook: JoinedCells) -> Finding:
    """The finding in a cell, with its fix and its sentences as that counts."""
    if finding.fix is not None:
        finding = replace(finding, fix=_in_cell(finding.fix, notebook, finding.location))
    return _renumbered(finding, notebook) if notebook.cells else finding


def _renumbered(finding: Finding, notebook: JoinedCells) -> Finding:
    """The finding whose sentences count lines as its cell does."""
    own = file_and_cell(finding.location.file)[1]

    def number(line: int) -> str:
        cell, line, _ = notebook.place(line, 1)
        return f"{line}" if cell.number == own else f"{line} of cell {cell.number}"

    return renumber_lines(finding, number)


def _read(file: str, result: CheckResult) -> Notebook | None:
    """The notebook of which the analysis has seen the text; None where it is another one now."""
    data = result.standard_input if file in result.files else None
    notebook = notebook_at(file) if data is None else read_notebook(data)
    text = result.texts.get(file)
    return None if notebook is None or text not in (None, notebook.text) else notebook


def _in_cell(fix: Fix, notebook: JoinedCells, place: Location) -> Fix:
    """The fix with edits of the cell; without any where it changes other cells too."""
    lines = LineTable(notebook.text)
    edits: list[Edit] = []
    for edit in fix.edits:
        ends = [notebook.place(*lines.place(offset)) for offset in (edit.start, edit.end)]
        if any(cell.number != file_and_cell(place.file)[1] for cell, _, _ in ends):
            return replace(fix, edits=())
        own = LineTable(ends[0][0].source)
        start, end = (own.offset(line, column) for _, line, column in ends)
        edits.append(Edit(start, end, edit.text))
    return replace(fix, edits=tuple(edits))
