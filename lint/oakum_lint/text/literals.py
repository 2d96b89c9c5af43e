"""The values of literals, as Python would compute them, from their spelling.

`ast.literal_eval` is not used: it warns of invalid escapes, refuses what the running interpreter
does not know, and costs ten times as much.
"""

import re
import unicodedata
from typing import Final

LONGEST_DECIMAL: Final = 4000
"""Digits of the longest decimal integer that is evaluated; Python itself refuses longer ones."""

_STRING_ESCAPE = re.compile(
    r"\\(?:(?P<line>\r\n|[\r\n])|(?P<simple>[\\'\"abfnrtv])|(?P<octal>[0-7]{1,3})"
    r"|x(?P<hex>[0-9a-fA-F]{2})|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})"
    r"|N\{(?P<name>[^}]+)\})"
)
_BYTES_ESCAPE = re.compile(
    r"\\(?:(?P<line>\r\n|[\r\n])|(?P<simple>[\\'\"abfnrtv])|(?P<octal>[0-7]{1,3})"
    r"|x(?P<hex>[0-9a-fA-F]{2}))"
)
_SIMPLE = {
    "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f",
    "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip


def integer(spelling: str) -> int | None:
    """The value of an integer literal, or None if it is too long to be worth it.

    >>> integer("1_000"), integer("0xff"), integer("00")
    (1000, 255, 0)
    """
    if len(spelling) > LONGEST_DECIMAL:
        return None
    return int(spelling, 0)


def string(spelling: str) -> str | bytes:
    """The value of a string or bytes literal with its prefix and quotes.

    >>> string(r"'a\\tb'"), string(r"rb'\\t'"), string(r"'\\d'")
    ('a\\tb', b'\\\\t', '\\\\d')
    """
    prefix_length = 0
    while spelling[prefix_length] not in "'\"":
        prefix_length += 1
    prefix = spelling[:prefix_length].lower()
    quote_length = 3 if spelling[len(prefix) :].startswith(('"""', "'''")) else 1
    body = spelling[len(prefix) + quote_length : -quote_length]
    if "b" in prefix:
        return unescape(body, prefix).encode("latin-1", "replace")
    return unescape(body, prefix)


def unescape(body: str, prefix: str) -> str:
    """The text between the quotes with escapes and line ends resolved; `prefix` in lower case."""
    if "\\" in body and "r" not in prefix:
        escape = _BYTES_ESCAPE if "b" in prefix else _STRING_ESCAPE
        return escape.sub(_character, _one_kind_of_line_end(body))
    return _one_kind_of_line_end(body)


def _one_kind_of_line_end(body: str) -> str:
    return body.replace("\r\n", "\n").replace("\r", "\n") if "\r" in body else body


def _character(match: re.Match[str]) -> str:
    kind = match.lastgroup
    assert kind is not None
    spelling = match[kind]
    if kind == "line":
        return ""
    if kind == "simple":
        return _SIMPLE[spelling]
    if kind == "octal":
        code = int(spelling, 8)
        return chr(code & 0xFF if match.re is _BYTES_ESCAPE else code)
    if kind == "name":
        try:
            return unicodedata.lookup(spelling)
        except KeyError:
            return match[0]
    code = int(spelling, 16)
    return chr(code) if code <= 0x10FFFF else match[0]
