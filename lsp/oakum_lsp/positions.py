"""Positions between oakum and the editor.

A finding counts lines and columns from 1, columns in code points. The protocol counts from 0,
columns in the units that client and server agreed on: UTF-16 unless they say otherwise.
"""

from collections.abc import Sequence

from oakum_lint.text.finding import Location
from oakum_lsp.protocol import Position, Range

START: Range = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
"""Where a diagnostic stands that is about a whole document."""


def to_range(location: Location, lines: Sequence[str], encoding: str) -> Range:
    """The range of a location in a file with these lines.

    >>> place = Location("a.py", 1, 8, 1, 9)
    >>> found = to_range(place, ["s = '\U0001f600' + x"], "utf-16")
    >>> found["start"]["character"], found["end"]["character"]
    (8, 9)
    """
    return Range(
        start=_position(location.line, location.column, lines, encoding),
        end=_position(location.end_line, location.end_column, lines, encoding),
    )


def _position(line: int, column: int, lines: Sequence[str], encoding: str) -> Position:
    if not 0 < line <= len(lines):
        return Position(line=max(0, line - 1), character=max(0, column - 1))
    return Position(line=line - 1, character=units(lines[line - 1][: column - 1], encoding))


def units(text: str, encoding: str) -> int:
    """The length of a text in the units of an encoding.

    >>> [units("a\U0001f600", encoding) for encoding in ("utf-16", "utf-8", "utf-32")]
    [3, 5, 2]
    """
    match encoding:
        case "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        case "utf-32":
            return len(text)
        case _:
            return len(text) + sum(character > "\uffff" for character in text)


def characters(text: str, count: int, encoding: str) -> int:
    """How many characters of a text so many units of an encoding are; a part of one is none.

    >>> [characters("a\U0001f600b", 3, encoding) for encoding in ("utf-16", "utf-8", "utf-32")]
    [2, 1, 3]
    """
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text))
    used = 0
    for place, character in enumerate(text):
        used += units(character, encoding)
        if used > count:
            return place
    return len(text)


def touch(first: Range, second: Range) -> bool:
    """Whether two ranges have a place in common."""
    return _order(first["start"]) <= _order(second["end"]) and _order(second["start"]) <= _order(
        first["end"]
    )


def _order(position: Position) -> tuple[int, int]:
    return position["line"], position["character"]
