"""File patterns as in `.gitignore`, for ignore files, `exclude` and `per-file-ignores` alike.

Invariants:
- Paths are relative to the directory that the patterns belong to, with `/` between their parts.
- The last pattern that matches decides; `!` at its front turns "ignored" into "kept".
- A pattern of a plain name costs one look-up in a set; regular expressions are made only for
  patterns with wildcards, when they are first needed.
"""

import re
from collections.abc import Iterable, Sequence

_WILDCARDS = re.compile(r"[*?\[\\]")


class Pattern:
    """One line of an ignore file."""

    __slots__ = ("_regex", "anchored", "directories_only", "literal", "negated", "text")

    def __init__(self, text: str) -> None:
        self.negated = text.startswith("!")
        if self.negated:
            text = text[1:]
        if text.startswith(("\\#", "\\!")):
            text = text[1:]
        self.directories_only = text.endswith("/")
        text = text.rstrip("/") if self.directories_only else text
        self.anchored = "/" in text
        self.text = text.removeprefix("/")
        self.literal = not _WILDCARDS.search(self.text)
        self._regex: re.Pattern[str] | None = None

    def matches(self, path: str, name: str, is_directory: bool) -> bool:
        """Whether the pattern matches this very path (not one of its parents)."""
        if self.directories_only and not is_directory:
            return False
        subject = path if self.anchored else name
        if self.literal:
            return subject == self.text
        if self._regex is None:
            self._regex = re.compile(_translate(self.text), re.DOTALL)
        return self._regex.fullmatch(subject) is not None


class PatternSet:
    """The patterns of one ignore file or one configuration key, in order.

    >>> patterns = PatternSet(["*.tmp.py", "build/", "!keep.tmp.py"])
    >>> patterns.decide("a/x.tmp.py", False), patterns.decide("keep.tmp.py", False)
    (True, False)
    >>> patterns.decide("x.py", False) is None
    True
    """

    __slots__ = ("_names", "_patterns")

    def __init__(self, lines: Iterable[str]) -> None:
        patterns: list[Pattern] = []
        for line in lines:
            text = _strip_trailing_blanks(line)
            if text and not text.startswith("#") and text not in ("/", "!"):
                patterns.append(Pattern(text))
        # A list of plain names, such as the default excludes, is one set: no loop for each entry.
        plain = all(
            p.literal and not (p.negated or p.anchored or p.directories_only) for p in patterns
        )
        self._names = frozenset(p.text for p in patterns) if plain else None
        self._patterns = patterns

    def decide(self, path: str, is_directory: bool) -> bool | None:
        """True: the path is ignored; False: it is kept by a `!`; None: no pattern says anything."""
        name = path.rpartition("/")[2]
        if self._names is not None:
            return True if name in self._names else None
        for pattern in reversed(self._patterns):
            if pattern.matches(path, name, is_directory):
                return not pattern.negated
        return None

    def covers(self, path: str) -> bool:
        """Whether the file or one of its parent directories is ignored.

        >>> PatternSet(["tests/*"]).covers("tests/unit/test_a.py")
        True
        """
        end = path.find("/")
        while end != -1:
            if self.decide(path[:end], True):
                return True
            end = path.find("/", end + 1)
        return bool(self.decide(path, False))


def _strip_trailing_blanks(line: str) -> str:
    line = line.rstrip("\r\n")
    while line.endswith((" ", "\t")) and not line.endswith("\\ "):
        line = line[:-1]
    return line


def _translate(pattern: str) -> str:
    """The regular expression of a pattern with wildcards.

    Of several stars only the last may try all places. What follows another one is matched at its
    first place, in an atomic group, for the later star takes up what is left: with all of them free
    a name of 60 letters takes years.
    """
    sections = [""]
    """What stands between double stars."""
    pieces = [""]
    """What stands between the stars of the last part of the path."""
    is_open = False
    position, end = 0, len(pattern)
    while position < end:
        character = pattern[position]
        if character == "*":
            is_double, position = _take_stars(pattern, position)
            if is_double:
                sections.append("")
                is_open = position == end and pattern[-1] == "*"
            else:
                pieces.append("")
            continue
        if character == "[":
            item, position = _translate_class(pattern, position)
            pieces[-1] += item
            continue
        item = "[^/]" if character == "?" else re.escape(character)
        if character == "\\" and position + 1 < end:
            position += 1
            character = pattern[position]
            item = re.escape(character)
        position += 1
        if character == "/":
            sections[-1] += f"{_translate_part(pieces)}/"
            pieces = [""]
        else:
            pieces[-1] += item
    sections[-1] += _translate_part(pieces)
    first, *others = sections
    if not others:
        return first
    settled = "".join(f"(?>(?:.*?/)??{section})" for section in others[:-1])
    return first + settled + (".*" if is_open else f"(?:.*/)?{others[-1]}")


def _translate_part(pieces: Sequence[str]) -> str:
    """The regular expression of one part of a path, by what stands between its stars."""
    first, *others = pieces
    if not others:
        return first
    settled = "".join(f"(?>[^/]*?{piece})" for piece in others[:-1])
    return f"{first}{settled}[^/]*{others[-1]}"


def _take_stars(pattern: str, position: int) -> tuple[bool, int]:
    """Whether the stars here are two alone between slashes, which stand for any directories, and
    the position behind them and their slash. Otherwise they stop at a slash as one star does.
    """
    after = position
    while after < len(pattern) and pattern[after] == "*":
        after += 1
    starts_part = position == 0 or pattern[position - 1] == "/"
    if after - position == 2 and starts_part:
        if after == len(pattern):
            return True, after
        if pattern[after] == "/":
            return True, after + 1
    return False, after


def _translate_class(pattern: str, position: int) -> tuple[str, int]:
    """`[abc]`, `[a-z]`, `[!abc]`; a bracket that is never closed stands for itself."""
    start = position + 1
    negated = pattern[start : start + 1] in ("!", "^")
    start += negated
    # A bracket right after the opening one is a member of the class.
    close = pattern.find("]", start + 1)
    if close == -1:
        return re.escape("["), position + 1
    members = re.sub(r"([\\\[&~|^\]])", r"\\\1", pattern[start:close])
    expression = f"(?!/)[{'^' if negated else ''}{members}]"
    try:
        re.compile(expression)
    except re.error:  # for instance a range that runs backwards: git matches nothing with it
        expression = "(?!)"
    return expression, close + 1
