"""The code frame: the line of a finding with its range underlined, as a terminal shows it.

Invariants:
- The underline stands under the characters it means, whatever tabs, wide characters and combining
  marks stand before them.
- No character of the file can move the cursor, change colours or reorder the line.
- A line longer than the window is cut around the range.
"""

import unicodedata

from oakum_lint.text.lines import LINE_END, one_line

_TAB_WIDTH = 4
_WINDOW = 140
_ELLIPSIS = "…"


def lines_of(text: str) -> list[str]:
    """The lines of a text as findings count them (form feeds do not end a line)."""
    return LINE_END.split(text)


def underlined(line: str, start: int, end: int) -> tuple[str, str]:
    r"""The line as shown, and the blanks and carets below it for the columns from `start` to `end`.

    Columns are code points from 0; at least one caret is drawn.

    >>> underlined("\tif x:", 4, 5)
    ('    if x:', '       ^')
    >>> underlined("s = '日本' + x", 11, 12)[1]
    '             ^'
    """
    start = max(0, min(start, len(line)))
    end = max(start, min(end, len(line)))
    first, last = _window(len(line), start, end)
    before, column = (_ELLIPSIS, 1) if first > 0 else ("", 0)
    shown: list[str] = [before]
    left = right = column
    for position in range(first, last):
        if position == start:
            left = column
        character = line[position]
        if character == "\t":
            piece = " " * (_TAB_WIDTH - column % _TAB_WIDTH)
            width = len(piece)
        else:
            piece = one_line(character)
            width = _width(character) if piece == character else len(piece)
        shown.append(piece)
        column += width
        if position < end:
            right = column
    if start >= last:
        left = column
    if last < len(line):
        shown.append(_ELLIPSIS)
    return "".join(shown), " " * left + "^" * max(1, right - left)


def _window(length: int, start: int, end: int) -> tuple[int, int]:
    if length <= _WINDOW:
        return 0, length
    margin = max(10, (_WINDOW - (end - start)) // 2)
    first = max(0, min(start - margin, length - _WINDOW))
    return first, min(length, first + _WINDOW)


def _width(character: str) -> int:
    """Returns how many columns a character takes in a terminal."""
    if character.isascii():
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
