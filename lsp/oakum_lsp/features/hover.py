"""Hover: what the analysis knows of the expression under the cursor.

It says what an expression is where it is traced (`tracer f32[8,3]`, and in which transform), and
what it is outside. The open documents and what they import are seen, as while one types.
"""

from collections.abc import Mapping
from pathlib import Path

from oakum_lint.app.inspection import NothingThereError, expression_at
from oakum_lint.app.report.frame import lines_of
from oakum_lint.text.finding import Location
from oakum_lint.text.source import LineTable, real_path
from oakum_lsp.positions import characters, to_range
from oakum_lsp.protocol import Hover, Position

_LONGEST = 60
"""More characters of the expression are not shown."""


def hover(path: str, texts: Mapping[str, str], position: Position, encoding: str) -> Hover | None:
    """What is known at a position of a document; None where there is nothing to say. `texts` are
    those of all open documents, by their paths.
    """
    text = texts[path].removeprefix("\ufeff")
    lines = lines_of(text)
    if not position["line"] < len(lines):
        return None
    table = LineTable(text)
    column = characters(lines[position["line"]], position["character"], encoding)
    offset = table.offset(position["line"] + 1, column + 1)
    overlay = {real_path(Path(file)): each for file, each in texts.items()}
    try:
        found = expression_at(Path(path), offset, overlay)
    except NothingThereError:
        return None
    if found is None:
        return None
    spelled = " ".join(text[found.start : found.end].split())
    shown = spelled if len(spelled) <= _LONGEST else f"{spelled[: _LONGEST - 3]}..."
    values = "\n".join(f"- {value}" for value in found.values)
    place = Location(path, *table.place(found.start), *table.place(found.end))
    return {
        "contents": {"kind": "markdown", "value": f"```python\n{shown}\n```\n{values}"},
        "range": to_range(place, lines, encoding),
    }
