"""Splits a file into its top-level units, without parsing it.

A unit is what is parsed, lowered and kept as one: a top-level statement with the decorators and
comments that lead it, and the blank lines that follow it. An edit changes one unit, a syntax error
silences one unit, and a unit that no analysis asks for is never parsed.

Invariants:
- The units' texts, joined, are the file's text: every character belongs to exactly one unit.
- In a file that parses, a unit begins and ends between statements, unless its f-strings are of a
  kind that the lexer cannot follow: then some unit does not parse although the file does.
- Where brackets or quotes are not closed, a line at the left margin that can only begin a
  statement (`def`, `class`, `import`, a decorator) begins a new unit all the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from oakum.values.records import dataclass, replace
from oakum_lint.text.lexer import is_doubtful, tokens
from oakum_lint.text.sieve import python_accepts


@dataclass(frozen=True, slots=True)
class Unit:
    """One slice of a file.

    `statement` is where its statement begins, behind decorators and comments (relative to
    `start`). `longest_line` counts the characters of its longest logical line without comments
    and plain strings, `deepest` the most brackets open at one time, outside f-strings.
    """

    start: int
    text: str
    statement: int
    longest_line: int
    deepest: int


_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_CAN_CONTINUE = re.compile(r"\f*(?:if|for|while|try|async)\b")
_CERTAIN_START = re.compile(
    r"(?:async[ \t]+def|def|class|import|from)[ \t]+[\w.]"
    r"|(?:@[^\r\n]*(?:\r\n|[\r\n]))+(?:async[ \t]+def|def|class)[ \t]"
)
_LONG_QUOTE = re.compile(r"\\*(?:'''|\"\"\")")
_BLANK_OR_COMMENT = re.compile(r"[ \t\f]*+(?:[\r\n#]|$)")


def split_units(text: str) -> tuple[Unit, ...]:
    """Splits `text` into units, in order.

    >>> [unit.text for unit in split_units("import jax\\n\\n@jax.jit\\ndef f(x):\\n    pass\\n")]
    ['import jax\\n\\n', '@jax.jit\\ndef f(x):\\n    pass\\n']
    """
    splitter = _Splitter(text)
    splitter.run()
    return tuple(splitter.units)


def split_edited(units: Sequence[Unit], text: str) -> tuple[int, Unit, bool] | None:
    """The unit that an edit has changed, by its number, if the units were those of a file before it
    and `text` is the file now, and whether the running Python accepts it. None where the edit may
    have changed where units begin and end: of a file in which a body is typed one unit is split,
    not all of them.
    """
    place = _edited_unit(units, text)
    if place is None:
        return None
    number, end = place
    start = units[number].start
    old, new = _alone(units[number].text), _alone(text[start:end])
    if old.is_doubtful or new.is_doubtful:
        return None  # what follows is read otherwise
    if new.unit is None or old.long_quotes != new.long_quotes:
        return None  # one above, which nothing has closed, may end here
    if not new.is_accepted and not _ends_by_itself(new, text, end):
        return None
    return number, replace(new.unit, start=start), new.is_accepted


@dataclass(frozen=True, slots=True)
class _Alone:
    """A piece of a file as it is split by itself."""

    unit: Unit | None
    """All of it, if that is one unit and nothing of the next one."""
    long_quotes: Sequence[str]
    long_strings: int
    is_doubtful: bool
    is_accepted: bool
    """Whether the running Python accepts it."""
    ends_with_line: bool
    is_closed: bool


@lru_cache(maxsize=4)
def _alone(raw: str) -> _Alone:
    """Splits a piece of a file. An editor asks for the same one four times: twice for a key, and
    for the next one, for what it was before.
    """
    splitter = _Splitter(raw)
    splitter.run()
    return _Alone(
        splitter.units[0] if len(splitter.units) == 1 and splitter.lead is None else None,
        _LONG_QUOTE.findall(raw),
        splitter.long_strings,
        is_doubtful(raw),
        python_accepts(raw),
        splitter.ends_with_line,
        splitter.is_closed,
    )


def _ends_by_itself(unit: _Alone, text: str, end: int) -> bool:
    """Whether what follows a unit that is no Python is split as if it was."""
    if len(unit.long_quotes) != 2 * unit.long_strings:
        return False  # one that is open, or seems so
    if end == len(text) or unit.is_closed:
        return True
    return unit.ends_with_line and _CERTAIN_START.match(text, end) is not None


def _edited_unit(units: Sequence[Unit], text: str) -> tuple[int, int] | None:
    """The number of the unit in which all that differs lies, behind the line with which its
    statement begins, and where it ends now.
    """
    number = next((n for n, each in enumerate(units) if not _has(text, each, each.start)), None)
    if number is None:
        return None
    unit, behind = units[number], units[number + 1 :]
    old_end = unit.start + len(unit.text)
    end = len(text) - sum(len(each.text) for each in behind)
    head = unit.text[: unit.text.find("\n", unit.statement) + 1]
    if not head or end < unit.start + len(head) or not text.startswith(head, unit.start):
        return None
    if behind and text[end - 1] != "\n":
        return None
    moved = all(_has(text, each, end + each.start - old_end) for each in behind)
    return (number, end) if moved else None


def _has(text: str, unit: Unit, position: int) -> bool:
    return text.startswith(unit.text, position)


class _Splitter:
    """The state of one split: the unit that is open, and the lead that may begin the next one.

    The lead is a run of comments and decorators behind the open unit's statement. It belongs to
    the next statement if that begins at the left margin, and to the open one if that goes on.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.units: list[Unit] = []
        self.start = 0
        self.statement: int | None = None
        self.size = _Size()
        self.lead: int | None = None
        self.lead_size = _Size()
        self.long_strings = 0
        """How many strings have three quotes."""
        self.ends_with_line = self.is_closed = True
        """Whether the text ends with a line, and whether one outside brackets."""

    def run(self) -> None:
        depth = deepest = silent = line_start = line_end = 0
        self._begin_line(0)
        for kind, start, end in tokens(self.text):
            if kind == "newline":
                line_end = end
                if depth:
                    if not _CERTAIN_START.match(self.text, end):
                        continue
                    depth = 0
                self._end_line(end - line_start - silent, deepest)
                deepest = silent = 0
                line_start = end
                self._begin_line(end)
            elif kind == "open":
                depth += 1
                deepest = max(deepest, depth)
            elif kind == "close":
                depth = max(depth - 1, 0)
            else:
                self.long_strings += self.text.startswith(("'''", '"""'), start)
                if kind != "formatted":  # fields nest as code does
                    silent += end - start - 2  # so that many strings make a long line
        self.ends_with_line, self.is_closed = (n == len(self.text) for n in (line_end, line_start))
        self._end_line(len(self.text) - line_start - silent, deepest)
        if self.text:
            self._close(len(self.text))

    def _end_line(self, length: int, deepest: int) -> None:
        self.size.take(length, deepest)
        if self.lead is not None:
            self.lead_size.take(length, deepest)

    def _begin_line(self, position: int) -> None:
        """Takes a line that begins at `position`, outside brackets and strings."""
        text = self.text
        first = text[position : position + 1]
        margin = position
        while first == "\f":  # sets the margin back to the left
            margin += 1
            first = text[margin : margin + 1]
        if first in " \t\r\n":  # also at the end of the text, where `first` is empty
            if not _BLANK_OR_COMMENT.match(text, margin):
                self.lead = None
                if self.statement is None:
                    self.statement = position
        elif first in "#@":
            if self.lead is None:
                self.lead = position
                self.lead_size = _Size()
        elif self._goes_on(margin):
            self.lead = None
        else:
            self._begin_statement(position)

    def _goes_on(self, position: int) -> bool:
        """Whether the line at `position` is a further clause of the open unit's statement."""
        return (
            self.statement is not None
            and _CONTINUES.match(self.text, position) is not None
            and _CAN_CONTINUE.match(self.text, self.statement) is not None
        )

    def _begin_statement(self, position: int) -> None:
        if self.statement is not None:
            self._close(position if self.lead is None else self.lead)
            self.size = _Size() if self.lead is None else self.lead_size
        self.lead = None
        self.statement = position

    def _close(self, end: int) -> None:
        statement = end if self.statement is None else self.statement
        self.units.append(
            Unit(
                self.start,
                self.text[self.start : end],
                statement - self.start,
                self.size.longest_line,
                self.size.deepest,
            )
        )
        self.start = end


class _Size:
    """The bounds that a unit's size sets to its nesting."""

    __slots__ = ("deepest", "longest_line")

    def __init__(self) -> None:
        self.longest_line = 0
        self.deepest = 0

    def take(self, length: int, deepest: int) -> None:
        self.longest_line = max(self.longest_line, length)
        self.deepest = max(self.deepest, deepest)
