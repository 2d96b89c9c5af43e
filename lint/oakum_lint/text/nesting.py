"""Bounds how deeply a unit nests, before a recursive parser sees it.

LibCST's parser is native and recursive: nesting beyond its stack ends the process. It also takes
time quadratic in the length of a chain such as `a.b.c`, and exponential in the nesting of the
patterns of a `case`. This module counts tokens instead of parsing.

Invariants:
- The depth found is at least half of the depth of the tree that a parser builds (see `_Level`),
  and for most code more than all of it.
- Ordinary code is passed by cheap tests on the size of the unit; only a unit with a long logical
  line, a long chain of `elif`, wide indentation or a `case` is counted token by token.
"""

import re
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.text.lexer import tokens
from oakum_lint.text.split_units import Unit

DEEPEST_NESTING: Final = 200
"""Levels of brackets, prefix operators, lambdas, conditional expressions and blocks."""
LONGEST_CHAIN: Final = 600
"""Links of operators, attributes, calls and indices, summed over the brackets around them."""
LONGEST_ELIF: Final = 1000
LONGEST_JOIN: Final = 5000
"""String literals between two commas."""
MOST_FIELDS: Final = 5000
"""Replacement fields of one f-string, for which LibCST takes quadratic time."""
DEEPEST_PATTERN: Final = 6
"""Brackets within the pattern of one `case`: LibCST takes four times as long for each more."""
SHALLOW: Final = 30
"""The depth up to which a stack of 2 MiB, less than most threads have, suffices for the parser."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """How deeply a unit nests: `depth` in all measures together, `excess` in words if too deeply.

    `place` is the offset in the unit at which the bound was passed.
    """

    depth: int
    excess: str = ""
    place: int = 0


_NEEDS_COUNT = re.compile(r"[\r\n](?: [^ \t\r\n]|[ \t]{40}|\t{10}|[ \t]*case\b)")
_SHORT_LINE = 800
_FEW_BRACKETS = 20


def measure(unit: Unit) -> Nesting:
    """Measures the nesting of a unit.

    >>> from oakum_lint.text.split_units import split_units
    >>> measure(split_units("x = " + "[" * 300 + "]" * 300)[0]).excess
    'more than 200 nested brackets, prefix operators or blocks'
    """
    is_ordinary = (
        unit.longest_line <= _SHORT_LINE
        and unit.deepest <= _FEW_BRACKETS
        and unit.text.count("elif") < SHALLOW
        and not _NEEDS_COUNT.search(unit.text)
    )
    return Nesting(0) if is_ordinary else _Counter(unit.text).run()


def measure_text(text: str) -> Nesting:
    """Measures the nesting of any text, token by token."""
    return _Counter(text).run()


_CODE = re.compile(
    r"(?P<prefix>\*\*|\b(?:not(?!\s+in\b)|await)\b|~)"
    r"|(?P<link>\bis\s+not\b|\bnot\s+in\b|\b(?:and|or|is)\b|[*/%@&|^]|<[<=>]?|>[>=]?|[!=]=)"
    r"|(?P<sign>[-+])"
    r"|(?P<dot>\.)"
    r"|(?P<conditional>\bif\b)"
    r"|(?P<lambda>\blambda\b)"
    r"|(?P<colon>:(?!=))"
    r"|(?P<for>\bfor\b)"
    r"|(?P<in>\bin\b)"
    r"|(?P<comma>[,;])"
)
_AFTER_OPERAND = re.compile(r"(?:\w|[)\]}\"'])\s*$")
_FIELD_BRACKET = re.compile(
    r"(?P<open>[(\[{])|(?P<close>[)\]}])|\b(?:not|lambda|if|await)\b|[-+~]|\*\*"
)


class _Level:
    """The state between two brackets, back to the last comma.

    `prefixes` are prefix operators and powers, which the next infix operator closes. A `not` stays
    open over it, but no second one can follow: so the depth is found to at least one half.
    """

    __slots__ = ("conditionals", "links", "parameters", "prefixes", "strings", "targets")

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.links = 0
        self.prefixes = 0
        self.conditionals = 0  # and lambdas, and `for` clauses
        self.parameters = 0  # lambdas whose colon is still to come
        self.targets = 0  # comprehensions whose `in` is still to come
        self.strings = 0


class _Counter:
    """One count over the text of a unit."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.levels = [_Level()]
        self.outer_nesting = 0
        self.outer_links = 0
        self.indents = [0]
        self.elifs = [0]
        self.in_pattern = False
        self.deepest = 0
        self.excess: Nesting | None = None

    def run(self) -> Nesting:
        """Counts until the end, or until the first bound is passed."""
        self._begin_line(0)
        end_of_last = 0
        for kind, start, end in tokens(self.text):
            self._code(end_of_last, start)
            end_of_last = end
            if kind == "open":
                self._open(start)
            elif kind == "close":
                self._close()
            elif kind == "string" or kind == "formatted":
                self._string(start, end, kind == "formatted")
            elif kind == "newline" and len(self.levels) == 1:
                self.levels[0].clear()
                self._begin_line(end)
            if self.excess is not None:
                return self.excess
        self._code(end_of_last, len(self.text))
        return self.excess or Nesting(self.deepest)

    def _begin_line(self, position: int) -> None:
        line = _LINE.match(self.text, position)
        if line is None:
            return
        width = len(line["indent"].expandtabs(8))
        while width < self.indents[-1]:
            self.indents.pop()
            self.elifs.pop()
        if width > self.indents[-1]:
            self.indents.append(width)
            self.elifs.append(0)
        word = line["word"]
        self.elifs[-1] = self.elifs[-1] + 1 if word == "elif" else 0
        if self.elifs[-1] > LONGEST_ELIF:
            self._exceed(f"more than {LONGEST_ELIF} `elif` in a row", position)
        self.in_pattern = word == "case"
        self._check(position)

    def _open(self, position: int) -> None:
        level = self.levels[-1]
        level.links += 1
        self.outer_links += level.links
        self.outer_nesting += 1 + level.prefixes + level.conditionals
        self.levels.append(_Level())
        if self.in_pattern and len(self.levels) - 1 > DEEPEST_PATTERN:
            self._exceed(f"more than {DEEPEST_PATTERN} brackets in a pattern", position)
        self._check(position)

    def _close(self) -> None:
        if len(self.levels) > 1:
            self.levels.pop()
            level = self.levels[-1]
            self.outer_links -= level.links
            self.outer_nesting -= 1 + level.prefixes + level.conditionals

    def _string(self, start: int, end: int, is_formatted: bool) -> None:
        level = self.levels[-1]
        level.strings += 1
        if level.strings > LONGEST_JOIN:
            self._exceed(f"more than {LONGEST_JOIN} strings joined", start)
        if is_formatted:
            self._fields(start, end)

    def _fields(self, start: int, end: int) -> None:
        """Counts in an f-string, without regard to the strings in its fields."""
        depth = operators = fields = 0
        for match in _FIELD_BRACKET.finditer(self.text, start, end):
            if match.lastgroup == "open":
                fields += not depth
                depth += 1
            elif match.lastgroup == "close":
                depth = max(depth - 1, 0)
            else:
                operators += 1
            if not depth:
                operators = 0
            if depth + operators > DEEPEST_NESTING // 2:
                self._exceed("an f-string whose fields nest too deeply", match.start())
                return
            if fields > MOST_FIELDS:
                self._exceed(f"an f-string with more than {MOST_FIELDS} fields", match.start())
                return

    def _code(self, start: int, end: int) -> None:
        """Counts the operators of the code between two structural tokens."""
        for match in _CODE.finditer(self.text, start, end):
            kind = match.lastgroup
            if kind == "sign":
                operand = _AFTER_OPERAND.search(
                    self.text, max(match.start() - 40, 0), match.start()
                )
                kind = "prefix" if operand is None else "link"
            self._operator(str(kind))
            self._check(match.start())

    def _operator(self, kind: str) -> None:
        level = self.levels[-1]
        match kind:
            case "dot":
                level.links += 1
            case "link":
                level.links += 1
                level.prefixes = 0
            case "prefix":
                level.prefixes += 1
            case "conditional":
                level.conditionals += 1
                self.in_pattern = self.in_pattern and len(self.levels) > 1
            case "lambda":
                level.conditionals += 1
                level.parameters += 1
            case "colon":
                level.parameters = max(level.parameters - 1, 0)
                self.in_pattern = self.in_pattern and len(self.levels) > 1
            case "for":
                level.conditionals += 1
                level.targets += 1
            case "in":
                level.targets = max(level.targets - 1, 0)
            case _:
                if not level.parameters and not level.targets:
                    level.clear()

    def _check(self, position: int) -> None:
        level = self.levels[-1]
        nesting = self.outer_nesting + level.prefixes + level.conditionals + len(self.indents)
        links = self.outer_links + level.links
        self.deepest = max(self.deepest, nesting + links + level.strings + self.elifs[-1])
        if nesting > DEEPEST_NESTING:
            what = "nested brackets, prefix operators or blocks"
            self._exceed(f"more than {DEEPEST_NESTING} {what}", position)
        elif links > LONGEST_CHAIN:
            what = "operators, calls or indices in one expression"
            self._exceed(f"more than {LONGEST_CHAIN} {what}", position)

    def _exceed(self, what: str, place: int) -> None:
        if self.excess is None:
            self.excess = Nesting(self.deepest, what, place)


_LINE = re.compile(r"(?P<indent>[ \t]*)(?=[^ \t\f\r\n#])(?P<word>elif|case|)\b")
