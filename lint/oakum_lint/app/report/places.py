"""Where the edits of a fix stand, as reports count: in lines and columns."""

from collections.abc import Mapping

from oakum_lint.text.edits import Edit
from oakum_lint.text.finding import Location
from oakum_lint.text.source import LineTable


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
