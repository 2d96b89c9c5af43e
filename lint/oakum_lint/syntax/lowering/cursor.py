"""Where the lowering stands in the text: it walks the tree in source order and reads off positions.

LibCST's nodes carry no positions; its own provider computes them by printing the tree, at twice
the cost of parsing. Here the text itself says where a node is: the lowering steps over each token
that the tree promises next, and over blanks and comments between tokens.

Invariants:
- `position` is always behind the last token taken; names are compared with the text when they are
  taken, so the tree and the text cannot run apart unnoticed: `MisplacedError` is raised.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

from oakum_lint.syntax.lowering.spans import Spans
from oakum_lint.text.lexer import BLANKS

BLANK: Final = frozenset(" \t\f\r\n\\#")


def identifier(spelling: str) -> str:
    """The name that a spelling stands for: Python compares names in the normal form NFKC."""
    return spelling if spelling.isascii() else unicodedata.normalize("NFKC", spelling)


class MisplacedError(Exception):
    """The tree and the text disagree about what comes next; a fault of the front end."""


class Cursor:
    """A position in the text of one unit, and what the walk so far found out."""

    __slots__ = ("failures", "has_yield", "position", "spans", "text")

    def __init__(self, text: str, spans: Callable[[], Spans]) -> None:
        self.text = text + "\0"  # so that a look at the next character is always allowed
        self.position = 0
        self.spans = spans
        """Where the nodes of the tree stand; asked for where the walk does not show it."""
        self.failures: list[tuple[int, int, Exception]] = []
        """The statements that could not be lowered, by a fault of this package."""
        self.has_yield = False
        """Whether the function that is being lowered has a `yield` of its own so far."""

    def skip(self) -> int:
        """Goes over blanks, comments, line ends and joined lines; the new position."""
        text = self.text
        position = self.position
        if text[position] in BLANK:
            position += 1
            if text[position] in BLANK or text[position - 1] in "#\\":
                match = BLANKS.match(text, position - 1)
                assert match is not None
                position = match.end()
            self.position = position
        return position

    def take(self, length: int) -> int:
        """Goes over blanks and then over a token of `length` characters; where the token begins."""
        position = self.position
        if self.text[position] in BLANK:
            position = self.skip()
        self.position = position + length
        return position

    def take_word(self, word: str) -> int:
        """Goes over blanks and then over `word`; where it begins."""
        position = self.position
        if self.text[position] in BLANK:
            position = self.skip()
        if not self.text.startswith(word, position):
            found = self.text[position : position + len(word)]
            raise MisplacedError(f"expected {word!r} at {position}, found {found!r}")
        self.position = position + len(word)
        return position

    def take_if(self, character: str) -> bool:
        """Goes over `character`, with the blanks before it, if it comes next."""
        position = self.skip()
        if self.text[position] == character:
            self.position = position + 1
            return True
        return False
