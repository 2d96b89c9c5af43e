"""What the analysis of the open documents has noted of one of them, as editor features ask for it.

It is the analysis that has found the diagnostics: nothing is analysed again.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.app.live.last_programs import LastPrograms
from oakum_lint.app.live.live_parts import LiveParts
from oakum_lint.app.live.observations import Entered, Observations, Seen, Situation, Spot
from oakum_lint.app.report.frame import lines_of
from oakum_lint.domain.values import Value
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.moves import TextMove
from oakum_lint.text.notebook.names import in_cell
from oakum_lint.text.source import LineTable, real_path
from oakum_lsp.documents import uri_of
from oakum_lsp.features.opened import Opened, OpenNotebook, Text, opened
from oakum_lsp.positions import characters, to_range
from oakum_lsp.protocol import Location as PlainLocation
from oakum_lsp.protocol import Position, Range


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of one document; offsets count in the text that the analysis has read: of a cell,
    in that of its notebook, and of a document that is no Python, in that of what it was last.
    """

    documents: Opened
    notebook: OpenNotebook | None
    number: int
    """That of the cell, in a notebook."""
    text: str
    encoding: str
    table: LineTable
    """The lines of the text."""
    programs: LastPrograms
    now: LineTable
    """The lines of the file as it is now."""
    move: TextMove
    """Where what the analysis has read stands in that."""
    lines: Sequence[str]
    """Those of the document itself."""
    observations: Observations
    module: ModuleFacts

    def seen(self) -> Iterator[Seen]:
        """The expressions and bound names."""
        for each in self.observations.seen(self.module):
            if self._is_here(*each.span):
                yield each

    def entered(self) -> Iterator[Entered]:
        """The functions that were traced."""
        for each in self.observations.entered(self.module):
            start = each.unit.base + each.definition.name_start
            if self._is_here(start, start + len(each.definition.name)):
                yield each

    def _is_here(self, start: int, end: int) -> bool:
        """Whether something stands in the document as it is now, and not in another cell."""
        place = self.move.span(start, end)
        if self.notebook is None or place is None:
            return place is not None
        return self.notebook.joined.place(*self.now.place(place[0]))[0].number == self.number

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset in the document, from 1."""
        line, column = self.now.place(self.move.nearest(offset))
        if self.notebook is not None:
            _, line, column = self.notebook.joined.place(line, column)
        return line, column

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets of the text."""
        place = Location("", *self.place(start), *self.place(end))
        return to_range(place, self.lines, self.encoding)

    def offset(self, position: Position) -> int | None:
        """The offset of a position; None behind the last line."""
        if not position["line"] < len(self.lines):
            return None
        line = self.lines[position["line"]]
        column = characters(line, position["character"], self.encoding)
        place = position["line"] + 1, column + 1
        if self.notebook is not None:
            place = self.notebook.joined.position(self.number, *place)
        return self.move.back().nearest(self.now.offset(*place))

    def place_words(self, spot: Spot) -> str:
        """A place as one reads it: the name of the file, or the cell, and the line."""
        name, line = os.path.basename(spot.file), self._line(spot)
        notebook = self.documents.notebook_at(spot.file)
        if notebook is not None:
            cell, line, _ = notebook.joined.place(line, 1)
            name = in_cell(name, cell.number)
        return f"{name}:{line}"

    def location(self, spot: Spot) -> PlainLocation:
        """The line of a place as the protocol has it."""
        uri, line = uri_of(str(spot.file)), self._line(spot)
        notebook = self.documents.notebook_at(spot.file)
        if notebook is not None:
            cell, line, _ = notebook.joined.place(line, 1)
            uri = notebook.uris[cell.number]
        start: Position = {"line": line - 1, "character": 0}
        return {"uri": uri, "range": {"start": start, "end": start}}

    def _line(self, spot: Spot) -> int:
        """The line of a place in its file as it is now."""
        now, move = _as_it_is(spot.unit.module, self.programs)
        return now.place(move.nearest(spot.offset))[0]


def notes_of(
    live: LiveParts, programs: LastPrograms, texts: Mapping[str, Text], uri: str, encoding: str
) -> Notes | None:
    """The notes of a document; None where it was not analysed: nothing in it is about JAX."""
    documents = opened(texts)
    notebook = documents.notebooks.get(documents.homes[uri])
    cell = texts[uri].cell
    resolved = real_path(Path(texts[uri].path))
    for each in live.observed():
        module = each.module(resolved)
        if module is not None:
            source, number = module.source, 0 if cell is None else cell[1]
            now = _as_it_is(module, programs)
            lines = lines_of(texts[uri].text.removeprefix("\ufeff"))
            analysed = source.text, encoding, source.lines, programs
            return Notes(documents, notebook, number, *analysed, *now, lines, each, module)
    return None


def _as_it_is(module: ModuleFacts, programs: LastPrograms) -> tuple[LineTable, TextMove]:
    """The lines of a file as it is now, and where what the analysis has read stands in it."""
    program = programs.find(module.source.path)
    if program is None or program.text != module.source.text:
        return module.source.lines, TextMove()
    return program.source.lines, program.move


def traced_values(seen: Seen) -> list[tuple[Value, Situation]]:
    """The values that an expression had under a transform."""
    return [(value, way) for value, way in seen.values if way.transforms]
