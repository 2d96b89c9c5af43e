"""Large lists, tuples and dicts in a text, cut into pieces that are parsed one after another.

LibCST's tree takes 4 KB for each element of a list: 415 MB for 100,000 numbers. What is lowered of
it takes a fraction; so only the tree of one piece is held at a time.

Invariant: a cut stands behind a comma that is directly in the brackets; a comma of a lambda is one
too, and the piece does not parse then.
"""

import re
from itertools import pairwise
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.text.lexer import tokens

SHORTEST: Final = 50_000
"""No shorter text is looked through."""
PIECE: Final = 1_000
"""So many elements are parsed at a time."""
_COMMA: Final = re.compile(",")


@dataclass(frozen=True, slots=True)
class LargeDisplay:
    """The offsets of the opening bracket and of the closing one, and those between pieces."""

    start: int
    stop: int
    cuts: tuple[int, ...]

    def pieces(self) -> list[tuple[int, int]]:
        """Where each piece begins and ends, which is in front of a bracket or behind a comma."""
        edges = (self.start + 1, *self.cuts, self.stop)
        return list(pairwise(edges))


class _Open:
    """A bracket that is open."""

    __slots__ = ("commas", "cuts", "found", "start")

    def __init__(self, start: int, found: int) -> None:
        self.start = start
        self.found = found
        """How many large displays end before it."""
        self.commas = 0
        self.cuts: list[int] = []


def large_displays(text: str) -> list[LargeDisplay]:
    """The outermost brackets that hold more than two pieces, in order.

    >>> [(d.start, len(d.cuts)) for d in large_displays("x = [" + "123456789012345, " * 4000 + "]")]
    [(4, 4)]
    """
    found: list[LargeDisplay] = []
    if len(text) < SHORTEST:
        return found
    brackets: list[_Open] = []
    end_of_last = 0
    for kind, start, end in tokens(text):
        if brackets:
            top = brackets[-1]
            for match in _COMMA.finditer(text, end_of_last, start):
                top.commas += 1
                if top.commas % PIECE == 0:
                    top.cuts.append(match.end())
        end_of_last = end
        if kind == "open":
            brackets.append(_Open(start, len(found)))
        elif kind == "close" and brackets:
            top = brackets.pop()
            if len(top.cuts) > 1:
                found[top.found :] = [LargeDisplay(top.start, start, tuple(top.cuts))]
    return found


def without(text: str, displays: list[LargeDisplay]) -> str:
    """The text with blanks in the place of all elements of some displays."""
    parts: list[str] = []
    position = 0
    for display in displays:
        parts += (text[position : display.start + 1], " " * (display.stop - display.start - 1))
        position = display.stop
    return "".join((*parts, text[position:]))
