"""Where findings and the edits of fixes stand, as reports name places."""

from collections.abc import Mapping

from oakum_lint.text.edits import Edit
from oakum_lint.text.finding import Location
from oakum_lint.text.notebook.names import file_and_cell
from oakum_lint.text.source import LineTable


def in_file(place: Location) -> Location:
    """A place as formats need it that know files only: a notebook is flagged as a whole, for its
    cells have no lines in it.
    """
    file, cell = file_and_cell(place.file)
    return place if cell is None else Location(file, 1, 1, 1, 2)


def with_cell(place: Location, text: str) -> str:
    """A message that says where in a notebook it belongs, for such formats."""
    cell = file_and_cell(place.file)[1]
    return text if cell is None else f"cell {cell}, line {place.line}: {text}"


class Lines:
    """The line tables of the texts of a run, made when they are first asked for."""

    __slots__ = ("_tables", "_texts")

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._tables: dict[str, LineTable] = {}

    def location(self, file: str, edit: Edit) -> Location:
        """The range that an edit replaces."""
        if file not in self._tables:
            self._tables[file] = LineTable(self._texts[file])
        table = self._tables[file]
        return Location(file, *table.place(edit.start), *table.place(edit.end))
