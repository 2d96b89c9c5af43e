"""The texts of the open documents as the analysis reads them: the cells of a notebook as one.

Invariant: a cell that is open by itself, in an editor that knows nothing of notebooks, is a text
like any other, under the path of its notebook.
"""

from collections.abc import Mapping
from pathlib import Path

from oakum.values.records import dataclass, field
from oakum_lint.text.notebook.cells import Cell, JoinedCells
from oakum_lint.text.notebook.names import in_cell
from oakum_lint.text.source import real_path


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an open document, and the path that it is analysed under; of a cell, the URI of
    its notebook and its number there.
    """

    path: str
    text: str
    cell: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class OpenNotebook:
    """A notebook of which cells are open."""

    path: str
    joined: JoinedCells
    uris: Mapping[int, str]
    """The cells' URIs, by their numbers."""


@dataclass(frozen=True, slots=True)
class Opened:
    """All open documents: `files` are those that are analysed, by their URIs, `notebooks` says
    which of them are notebooks, `parts` what is shown of them: cells, or the files themselves, by
    the names that findings have for them.
    """

    files: dict[str, Text] = field(default_factory=dict[str, Text])
    notebooks: dict[str, OpenNotebook] = field(default_factory=dict[str, OpenNotebook])
    homes: dict[str, str] = field(default_factory=dict[str, str])
    """The URI of the file of each document, by its own."""

    def joined(self) -> dict[str, JoinedCells]:
        """The cells of the notebooks, by their paths."""
        return {each.path: each.joined for each in self.notebooks.values()}

    def texts(self) -> dict[str, str]:
        """What is analysed, by paths."""
        return {each.path: each.text for each in self.files.values()}

    def notebook_at(self, file: Path) -> OpenNotebook | None:
        """The notebook of a file, by its path."""
        resolved = real_path(file)
        for each in self.notebooks.values():
            if real_path(Path(each.path)) == resolved:
                return each
        return None


def opened(texts: Mapping[str, Text]) -> Opened:
    """The open documents, with the cells of each notebook as one text."""
    found = Opened()
    cells: dict[str, dict[int, str]] = {}
    for uri, text in texts.items():
        if text.cell is None:
            found.files[uri] = text
            found.homes[uri] = uri
        else:
            notebook, number = text.cell
            cells.setdefault(notebook, {})[number] = uri
            found.homes[uri] = notebook
    for notebook, uris in cells.items():
        numbers = sorted(uris)
        sources = (texts[uris[number]].text for number in numbers)
        joined = JoinedCells(
            [
                Cell(number, source.replace("\r\n", "\n").replace("\r", "\n"), 0, 0)
                for number, source in zip(numbers, sources, strict=True)
            ]
        )
        path = texts[uris[numbers[0]]].path
        found.files[notebook] = Text(path, joined.text)
        found.notebooks[notebook] = OpenNotebook(path, joined, uris)
    return found


def cell_names(notebook: OpenNotebook) -> dict[str, str]:
    """The URIs of the cells of a notebook, by the names that findings have for them."""
    return {in_cell(notebook.path, number): uri for number, uri in notebook.uris.items()}
