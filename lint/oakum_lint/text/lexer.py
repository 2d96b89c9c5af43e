"""The structure of source text without parsing it: strings, comments, brackets and line ends.

What splits a file into units, what bounds its nesting and what finds suppression comments read
these tokens; everything between them is passed over. Text that is not valid Python yields tokens
too, in some order.

Invariants:
- A token never starts inside a string or a comment, and the quotes, brackets and line ends inside
  a string are no tokens of their own; f-strings follow PEP 701, with strings nested in fields.
- A string that never ends is no token: its line is passed over, and what follows is code.
- The time is linear in the length of the text, whatever the text.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal

Kind = Literal["string", "formatted", "comment", "open", "close", "joined", "newline"]
"""`formatted` is an f-string or t-string from its quote on, `joined` a line end after a `\\`."""

# Each match first runs over what is of no interest: so the search never tries the alternatives at
# every character. The last two alternatives see to it that there is always a match, for a search
# that fails would begin again one character later.
_STRUCTURE = re.compile(
    r"""[^"'#()\[\]{}\\\r\n]*+(?:"""
    r"(?P<newline>\r?\n|\r)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comment>\#[^\r\n]*+)"
    r"""|(?P<string>"{3}(?:[^"\\]++|\\.|"(?!""))*+"{3}|'{3}(?:[^'\\]++|\\.|'(?!''))*+'{3}"""
    r"""|"(?:[^"\\\r\n]++|\\(?:\r\n|.))*+"|'(?:[^'\\\r\n]++|\\(?:\r\n|.))*+')"""
    r"|(?P<joined>\\(?:\r\n|[\r\n]))"
    r"""|(?P<stray>["'][^\r\n]*+|\\)|(?P<end>\Z))""",
    re.DOTALL,
)
_KINDS: Final[tuple[Kind, ...]] = ("newline", "open", "close", "comment", "string", "joined")
_STRING: Final = 5
_JOINED: Final = 6
_END: Final = 8
_LITERAL = re.compile(
    r"""\\N\{[^}'"\r\n]*\}|\\[^{}]|\{\{|\}\}|(?P<stop>[{'"\r\n])""",
    re.DOTALL,
)
_FIELD = re.compile(r"""\#[^\r\n]*+|(?P<stop>[(\[{}\])'":])""")
BLANKS: Final = re.compile(r"(?:[ \t\f\r\n]++|\\(?:\r\n|[\r\n])|#[^\r\n]*+)*+")
"""What may stand between two tokens."""
_PREFIX = re.compile(r"(?<!\w)(?:[fF][rR]?|[rR][fF]|[tT][rR]?|[rR][tT])$")
_LAST_OF_PREFIX = frozenset("fFtTrR")
_DEEPEST_FIELDS: Final = 100


def tokens(text: str) -> Iterator[tuple[Kind, int, int]]:
    """Yields the kind, start and end of each structural token.

    >>> [kind for kind, start, end in tokens('f(")")  # [')]
    ['open', 'string', 'close', 'comment']
    """
    position = 0
    looks_into_fields = True
    while position >= 0:
        for match in _STRUCTURE.finditer(text, position):
            group = match.lastindex or 0
            start, end = match.span(group)
            if group < _STRING or group == _JOINED:
                yield _KINDS[group - 1], start, end
            elif group != _END and text[start - 1] in _LAST_OF_PREFIX and _prefixed(text, start):
                # A quote that its line does not close may open an f-string whose fields go on.
                actual_end = _formatted_end(text, start, end) if looks_into_fields else end
                if actual_end < 0:
                    # Invalid, or invalid before Python 3.12. Trying again at each further string
                    # would take quadratic time on a file made for that.
                    looks_into_fields = False
                    actual_end = end
                if group == _STRING or actual_end > end:
                    yield "formatted", start, actual_end
                if actual_end > end:
                    position = actual_end
                    break
            elif group == _STRING:
                yield "string", start, end
        else:
            return


def bare(text: str) -> str:
    """The text without its strings and comments; formatted strings stay, as names stand in them.

    >>> bare('f(x, "y")  # z')
    'f(x, )  '
    """
    parts: list[str] = []
    position = 0
    for kind, start, end in tokens(text):
        if kind in ("string", "comment"):
            parts.append(text[position:start])
            position = end
    return "".join((*parts, text[position:]))


def is_doubtful(text: str) -> bool:
    """Whether an f-string may end elsewhere than `tokens` says: it does not end at its next quote.

    >>> is_doubtful("f'{x}'"), is_doubtful("f'{d['key']}'")
    (False, True)
    """
    for kind, start, _ in tokens(text):
        if kind == "formatted":
            match = _STRUCTURE.match(text, start)
            if match is None or _formatted_end(text, start, match.end()) != match.end():
                return True
    return False


def _prefixed(text: str, quote: int) -> bool:
    """Whether an f-string or t-string begins with the quote at `quote`, as its prefix says."""
    return _PREFIX.search(text, max(quote - 3, 0), quote) is not None


def _formatted_end(text: str, start: int, plain_end: int) -> int:
    """Where the f-string with its quote at `start` ends, or -1 if its fields are not well formed.

    If its fields hold its own quote, that is later than its next quote, which is at `plain_end`.
    The stack holds, from the outside in, the quotes of the strings that are open and, between
    them, the number of brackets that are open in the field being read. `0` on top means that a
    field's own expression is being read, a string that its literal text is. A format spec is
    literal text that ends at `}` and is marked by the empty string.
    """
    if text.find("{", start, plain_end) < 0:
        return plain_end
    quote = text[start : start + 3]
    if quote not in ('"""', "'''"):
        quote = quote[:1]
    position = start + len(quote)
    stack: list[str | int] = [quote]
    while len(stack) < _DEEPEST_FIELDS:
        top = stack[-1]
        if isinstance(top, str):
            position = _literal_step(text, position, stack, top)
        else:
            position = _field_step(text, position, stack, top)
        if position < 0 or not stack:
            return position
    return -1


def _literal_step(text: str, position: int, stack: list[str | int], quote: str) -> int:
    if not quote:
        return _spec_step(text, position, stack)
    for match in _LITERAL.finditer(text, position):
        stop = match["stop"]
        if stop is None:
            continue
        if stop == "{":
            stack.append(0)
            return match.end()
        if text.startswith(quote, match.start()):
            stack.pop()
            return match.start() + len(quote)
        if stop in "\r\n" and len(quote) == 1:
            return -1
    return -1


def _spec_step(text: str, position: int, stack: list[str | int]) -> int:
    quote = next(entry for entry in reversed(stack) if isinstance(entry, str) and entry)
    while position < len(text):
        character = text[position]
        if character == "}":
            stack.pop()  # the spec
            stack.pop()  # its field
            return position + 1
        if character == "{":
            stack.append(0)
            return position + 1
        if text.startswith(quote, position) or (character in "\r\n" and len(quote) == 1):
            return -1
        position += 1
    return -1


def _field_step(text: str, position: int, stack: list[str | int], depth: int) -> int:
    match = _FIELD.search(text, position)
    while match is not None and match["stop"] is None:
        match = _FIELD.search(text, match.end())
    if match is None:
        return -1
    stop = match["stop"]
    end = match.end()
    if stop in "([{":
        stack[-1] = depth + 1
    elif stop in ")]}" and depth:
        stack[-1] = depth - 1
    elif stop == "}":
        stack.pop()
    elif stop == ":":
        if not depth:
            stack.append("")
    elif stop in "'\"":
        return _nested_string(text, match.start(), stack)
    else:
        return -1
    return end


def _nested_string(text: str, start: int, stack: list[str | int]) -> int:
    if _prefixed(text, start):
        quote = text[start : start + 3]
        quote = quote if quote in ('"""', "'''") else quote[:1]
        stack.append(quote)
        return start + len(quote)
    match = _STRUCTURE.match(text, start)
    return -1 if match is None or match.lastindex != _STRING else match.end()
