"""The words of programs as text, and the error of a text that is no program."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from oakum.errors import OakumError
from oakum.values import codes


class Token(NamedTuple):
    """A word of a program: what it is, how it is written, where, and what it stands for."""

    kind: str
    text: str
    start: int
    value: Any = None


class ProgramTextError(OakumError, ValueError, code=codes.SYNTAX_ERROR):
    """A text is no program."""

    def __init__(self, reason: str, token: Token, text: str) -> None:
        line = text.count("\n", 0, token.start) + 1
        column = token.start - text.rfind("\n", 0, token.start)
        found = f", at {token.text!r}" if token.text else ""
        super().__init__(
            f"The text of the program cannot be read in line {line}, column {column}{found}: "
            f"{reason}",
            hint="Write programs as they are printed; print_jaxpr(program, values=True) writes "
            "constants too.",
        )


_TOKENS: Final = re.compile(
    r"""
      (?P<line> \n)
    | (?P<space> [ \t\r]+)
    | (?P<string> b? (?: '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" ))
    | (?P<bytes> 0x[0-9a-f]*)
    | (?P<complex> \( [-+.\dnaife]+ j \))
    | (?P<number> [-+]?(?:inf|nan)\b | [-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)
    | (?P<opaque> <[^<>\n]*>)
    | (?P<name> [A-Za-z_]\w* (?:[-.][A-Za-z_]\w*)* (?:<\w+>)?)
    | (?P<sign> [(){}\[\],:;=.~])
    """,
    re.VERBOSE,
)


def tokens(text: str) -> Iterator[Token]:
    """Yields the words of a text, without blanks.

    >>> [token.text for token in tokens("b:f32[] = sin a")]
    ['b', ':', 'f32', '[', ']', '=', 'sin', 'a']
    >>> [token.value for token in tokens("-inf 3 (1-0j) 'x'")]
    [-inf, 3, (1-0j), 'x']
    """
    place = 0
    while place < len(text):
        match = _TOKENS.match(text, place)
        if match is None:
            found = Token("sign", text[place], place)
            raise ProgramTextError("this begins no word of a program", found, text)
        kind, word = match.lastgroup, match.group()
        if kind in _VALUES:
            yield Token(
                "string" if kind == "string" else "number", word, place, _VALUES[kind](word)
            )
        elif kind != "space":
            yield Token(str(kind), word, place)
        place = match.end()


def _number(word: str) -> int | float:
    digits = word.lstrip("+-")
    return int(word) if digits.isdigit() else float(word)


def _bytes(word: str) -> bytes:
    return bytes.fromhex(word[2:])


_VALUES: Final[dict[str, Callable[[str], Any]]] = {
    "string": ast.literal_eval,
    "bytes": _bytes,
    "complex": complex,
    "number": _number,
}
"""What words of these kinds stand for."""
