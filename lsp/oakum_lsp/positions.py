"""Positions between oakum and the editor.

A finding counts lines and columns from 1, columns in code points. The protocol counts from 0,
columns in the units that client and server agreed on: UTF-16 unless they say otherwise.
"""

from collections.abc import Sequence

from lsprotocol import types

from oakum_lint.finding import Location


def to_range(
    location: Location, lines: Sequence[str], encoding: types.PositionEncodingKind | str | None
) -> types.Range:
    """The range of a location in a file with these lines.

    >>> place = Location("a.py", 1, 8, 1, 9)
    >>> found = to_range(place, ["s = '\U0001f600' + x"], types.PositionEncodingKind.Utf16)
    >>> found.start.character, found.end.character
    (8, 9)
    """
    return types.Range(
        _position(location.line, location.column, lines, encoding),
        _position(location.end_line, location.end_column, lines, encoding),
    )


def _position(
    line: int, column: int, lines: Sequence[str], encoding: types.PositionEncodingKind | str | None
) -> types.Position:
    if not 0 < line <= len(lines):
        return types.Position(max(0, line - 1), max(0, column - 1))
    return types.Position(line - 1, units(lines[line - 1][: column - 1], encoding))


def units(text: str, encoding: types.PositionEncodingKind | str | None) -> int:
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
