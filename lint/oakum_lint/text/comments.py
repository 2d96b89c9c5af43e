"""Where the comments of a file stand, and which lines belong to one logical line.

Read from the structure of the text (`lexer`), not with Python's `tokenize`, which knows only
the syntax of the Python that runs it and stops at the first error: suppression comments depend on
neither.

Invariants:
- Text inside string literals is never a comment.
- Lines end at `\\n`, `\\r\\n` and `\\r` only. Lines and columns count from 1, columns in code
  points.
"""

import re
from bisect import bisect_right

from oakum_lint.text.lexer import tokens

_NEWLINE = re.compile(r"\r\n|\r|\n")


class Comment:
    """One comment: its text from the `#` on, and where it begins."""

    __slots__ = ("alone", "column", "line", "start", "text")

    def __init__(self, line: int, column: int, text: str, alone: bool, start: int) -> None:
        self.start = start
        """Its offset in the text."""
        self.line = line
        self.column = column
        self.text = text
        self.alone = alone
        """Nothing but blanks stands before it on its line."""


class Scan:
    """The comments of a text and its logical lines."""

    __slots__ = ("_last_line", "_line_ends", "_logical_starts", "comments")

    def __init__(
        self,
        comments: list[Comment],
        logical_starts: list[int],
        last_line: int,
        line_ends: dict[int, int],
    ) -> None:
        self.comments = comments
        self._line_ends = line_ends
        self._logical_starts = logical_starts
        self._last_line = last_line

    def end_of(self, line: int) -> int | None:
        """The offset at which a comment could be put at the end of a line, behind all that stands
        on it; None where the line ends in a string or with a backslash.
        """
        return self._line_ends.get(line)

    def logical_line(self, line: int) -> tuple[int, int]:
        """The first and the last line of the logical line that the line belongs to."""
        starts = self._logical_starts
        index = bisect_right(starts, line)
        last = starts[index] - 1 if index < len(starts) else self._last_line
        return starts[index - 1], last


def scan(text: str) -> Scan:
    """Finds the comments and logical lines of a text.

    >>> result = scan("x = '# no'  # yes\\nf(\\n    1,  # one\\n)\\n")
    >>> [(c.line, c.column, c.text) for c in result.comments]
    [(1, 13, '# yes'), (3, 9, '# one')]
    >>> result.logical_line(3)
    (2, 4)
    """
    line_starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
    logical_starts = [1]
    comments: list[Comment] = []
    line_ends: dict[int, int] = {}
    depth = 0
    for kind, start, end in tokens(text):
        match kind:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "newline":
                line_ends[bisect_right(line_starts, start)] = start
                if depth == 0:
                    logical_starts.append(bisect_right(line_starts, end))
            case "comment":
                line = bisect_right(line_starts, start)
                before = text[line_starts[line - 1] : start]
                alone = not before.strip()
                comments.append(Comment(line, len(before) + 1, text[start:end], alone, start))
            case _:
                pass
    line_ends[len(line_starts)] = len(text)
    return Scan(comments, logical_starts, len(line_starts), line_ends)
