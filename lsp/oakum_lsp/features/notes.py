"""What the analysis of the open documents has noted of one of them, as editor features ask for it.

It is the analysis that has found the diagnostics: nothing is analysed again.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.app.live.live_parts import LiveParts
from oakum_lint.app.live.observations import Entered, Observations, Seen, Situation, Spot
from oakum_lint.app.report.frame import lines_of
from oakum_lint.domain.values import Value
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.source import LineTable, real_path
from oakum_lsp.documents import uri_of
from oakum_lsp.positions import characters, to_range
from oakum_lsp.protocol import Position, Range


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of one document; places count in its text, as the analysis has read it."""

    path: str
    text: str
    encoding: str
    table: LineTable
    lines: Sequence[str]
    observations: Observations
    module: ModuleFacts

    def seen(self) -> Iterator[Seen]:
        """The expressions and bound names."""
        return self.observations.seen(self.module)

    def entered(self) -> Iterator[Entered]:
        """The functions that were traced."""
        return self.observations.entered(self.module)

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets of the text."""
        place = Location(self.path, *self.table.place(start), *self.table.place(end))
        return to_range(place, self.lines, self.encoding)

    def offset(self, position: Position) -> int | None:
        """The offset of a position; None behind the last line."""
        if not position["line"] < len(self.lines):
            return None
        line = self.lines[position["line"]]
        column = characters(line, position["character"], self.encoding)
        return self.table.offset(position["line"] + 1, column + 1)


def notes_of(live: LiveParts, path: str, encoding: str) -> Notes | None:
    """The notes of a document; None where it was not analysed: nothing in it is about JAX."""
    resolved = real_path(Path(path))
    for each in live.observed():
        module = each.module(resolved)
        if module is not None:
            text = module.source.text
            return Notes(path, text, encoding, LineTable(text), lines_of(text), each, module)
    return None


def traced_values(seen: Seen) -> list[tuple[Value, Situation]]:
    """The values that an expression had under a transform."""
    return [(value, way) for value, way in seen.values if way.transforms]


def place_words(spot: Spot) -> str:
    """A place as one reads it: the name of the file, and the line."""
    return f"{os.path.basename(spot.file)}:{spot.line}"


def location_of(spot: Spot) -> dict[str, object]:
    """A place as the protocol has it; only its line is exact in a file that is not open."""
    line = spot.line - 1
    start = {"line": line, "character": 0}
    return {"uri": uri_of(str(spot.file)), "range": {"start": start, "end": start}}
