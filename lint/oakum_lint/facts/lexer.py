"""The structure of source text without parsing it: strings, comments, brackets and line ends.

What splits a file into units and what bounds its nesting both read these tokens; everything between
them is passed over. Text that is not valid Python yields tokens too, in some order.

Invariants:
- A token never starts inside a string or a comment, and the quotes, brackets and line ends inside
  a string are no tokens of their own; f-strings follow PEP 701, with strings nested in fields.
- A string that never ends is no token: its opening quote is passed over, and what follows is code.
"""

import re
from collections.abc import Iterator

STRUCTURE = re.compile(
    r"""(?P<string>"{3}(?:[^"\\]++|\\.|"(?!""))*+"{3}|'{3}(?:[^'\\]++|\\.|'(?!''))*+'{3}"""
    r"""|"(?:[^"\\\r\n]++|\\(?:\r\n|.))*+"|'(?:[^'\\\r\n]++|\\(?:\r\n|.))*+')"""
    r"|(?P<comment>\#[^\r\n]*+)"
    r"|(?P<open>[(\[{])"
    r"|(?P<close>[)\]}])"
    r"|(?P<joined>\\(?:\r\n|[\r\n]))"
    r"|(?P<newline>\r\n|[\r\n])",
    re.DOTALL,
)
"""The tokens that give a file its shape; `joined` is a line end behind a backslash."""

_LITERAL = re.compile(
    r"""\\N\{[^}'"\r\n]*\}|\\[^{}]|\{\{|\}\}|(?P<stop>[{'"\r\n])""",
    re.DOTALL,
)
_FIELD = re.compile(r"""\#[^\r\n]*+|(?P<stop>[(\[{}\])'":])""")
_PREFIX = re.compile(r"(?<!\w)(?:[fF][rR]?|[rR][fF]|[tT][rR]?|[rR][tT])$")
_LAST_OF_PREFIX = frozenset("fFtTrR")


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields the kind, start and end of each structural token.

    >>> [kind for kind, start, end in tokens('f(")")  # [')]
    ['open', 'string', 'close', 'comment']
    """
    position = 0
    looks_into_fields = True
    while position >= 0:
        for match in STRUCTURE.finditer(text, position):
            kind = match.lastgroup or ""
            start, end = match.span()
            if looks_into_fields and kind == "string" and text[start - 1] in _LAST_OF_PREFIX:
                actual_end = string_end(text, start, end)
                if actual_end < 0:
                    # Invalid, or invalid before Python 3.12. Trying again at each further string
                    # would take quadratic time on a file made for that.
                    looks_into_fields = False
                elif actual_end != end:
                    yield kind, start, actual_end
                    position = actual_end
                    break
            yield kind, start, end
        else:
            return


def string_end(text: str, start: int, plain_end: int) -> int:
    """Where the string whose quote stands at `start` ends; `plain_end` if it is no f-string.

    An f-string whose fields hold its own quote ends later than its next quote. The answer is -1
    where the fields are not well formed.

    >>> source = 'f"{x["a"]}" + 1'
    >>> string_end(source, 1, 6)
    11
    """
    if not _PREFIX.search(text, max(start - 3, 0), start) or text.find("{", start, plain_end) < 0:
        return plain_end
    quote = text[start : start + 3]
    if quote not in ('"""', "'''"):
        quote = quote[:1]
    return _formatted_string_end(text, start + len(quote), quote)


def _formatted_string_end(text: str, position: int, quote: str) -> int:
    """The end of an f-string whose text begins at `position`, or -1 if it is not well formed.

    The stack holds, from the outside in, the quotes of the strings that are open and, between
    them, the number of brackets that are open in the field being read. `0` on top means that a
    field's own expression is being read, a string that its literal text is. A format spec is
    literal text that ends at `}` and is marked by the empty string.
    """
    stack: list[str | int] = [quote]
    while True:
        top = stack[-1]
        if isinstance(top, str):
            position = _literal_step(text, position, stack, top)
        else:
            position = _field_step(text, position, stack, top)
        if position < 0 or not stack:
            return position


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
    if _PREFIX.search(text, max(start - 3, 0), start):
        quote = text[start : start + 3]
        quote = quote if quote in ('"""', "'''") else quote[:1]
        stack.append(quote)
        return start + len(quote)
    match = STRUCTURE.match(text, start)
    return -1 if match is None or match.lastgroup != "string" else match.end()
