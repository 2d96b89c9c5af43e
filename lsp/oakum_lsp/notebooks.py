"""Open notebooks: which cells each has, in which order.

Each cell is a document of its own, which knows its notebook and its number there; the analysis
joins them. What the editor is shown of a notebook is what it is shown of its cells.

Invariant: the cells of a notebook are numbered from 1, in their order.
"""

from collections.abc import Callable, Mapping

from oakum_lsp.documents import CellPlace, Document, changed, open_document
from oakum_lsp.parameters import Reader


class Notebooks:
    """The notebooks of one editor."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        put: Callable[[Document], None],
        close: Callable[[str], None],
    ) -> None:
        self._documents = documents
        self._put = put
        self._close = close
        self.encoding = "utf-16"
        self._cells: dict[str, list[str]] = {}
        """The URIs of the cells of each notebook, by its own."""

    def open(self, params: object) -> None:
        """Opens a notebook with its cells."""
        notebook = Reader(params).member("notebookDocument")
        uri = notebook.member("uri").text()
        self._cells[uri] = [_uri_of(cell) for cell in notebook.member("cells").items()]
        self._take_texts(uri, Reader(params).member("cellTextDocuments"))

    def change(self, params: object) -> None:
        """Changes which cells a notebook has, and the texts of cells."""
        uri, change = self._uri(params), Reader(params).member("change")
        if uri not in self._cells or not change.has("cells"):
            return
        cells = change.member("cells")
        if cells.has("structure"):
            self._restructure(uri, cells.member("structure"))
        if cells.has("textContent"):
            for each in cells.member("textContent").items():
                document = each.member("document")
                known = self._documents.get(document.member("uri").text())
                if known is not None:
                    text = changed(known.text, each.member("changes").items(), self.encoding)
                    version = document.member("version").integer()
                    self._put(open_document(known.uri, text, version, known.cell))

    def _restructure(self, uri: str, structure: Reader) -> None:
        array = structure.member("array")
        start, count = array.member("start").integer(), array.member("deleteCount").integer()
        added = array.member("cells").items() if array.has("cells") else ()
        before = self._cells[uri]
        after = [*before[:start], *map(_uri_of, added), *before[start + count :]]
        self._cells[uri] = after
        if structure.has("didOpen"):
            self._take_texts(uri, structure.member("didOpen"))
        for cell in before:
            if cell not in after:
                self._close(cell)
        for number, cell in enumerate(after, 1):
            known = self._documents.get(cell)
            place = CellPlace(uri, number)
            if known is not None and known.cell != place:
                self._put(open_document(cell, known.text, known.version, place))

    def _take_texts(self, uri: str, documents: Reader) -> None:
        numbers = {cell: number for number, cell in enumerate(self._cells[uri], 1)}
        for document in documents.items():
            cell, text = document.member("uri").text(), document.member("text").text()
            if cell in numbers:
                version = document.member("version").integer()
                self._put(open_document(cell, text, version, CellPlace(uri, numbers[cell])))

    def cells(self, params: object) -> list[str]:
        """The cells of the notebook that a message is about."""
        return self._cells.get(self._uri(params), [])

    def close(self, params: object) -> None:
        """Closes a notebook with its cells."""
        for cell in self._cells.pop(self._uri(params), ()):
            self._close(cell)

    @staticmethod
    def _uri(params: object) -> str:
        return Reader(params).member("notebookDocument").member("uri").text()


def _uri_of(cell: Reader) -> str:
    return cell.member("document").text()
