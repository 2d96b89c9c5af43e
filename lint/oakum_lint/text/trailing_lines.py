"""What stands behind a definition and still belongs to it: the rest of its last line, empty lines,
and comments that are indented as its statements are.
"""

import re

_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_WITHOUT_STATEMENT = re.compile(r"(?:\r\n|\r|\n)([ \t]*)(#[^\r\n]*)?(?=[\r\n]|\Z)")


def end_behind(text: str, start: int, end: int) -> int:
    r"""Returns where the lines behind a definition end that belong to it.

    >>> text = "def f(x):\n  return x  # twice\n\n  # or more\n# Another one.\n"
    >>> text[end_behind(text, 0, text.index("  # twice")) :]
    '\n# Another one.\n'
    """
    margin = start
    while margin and text[margin - 1] in " \t":
        margin -= 1
    rest = _REST_OF_LINE.match(text, end)
    at = end if rest is None else rest.end()
    while (line := _LINE_WITHOUT_STATEMENT.match(text, at)) is not None:
        if line[2] and len(line[1]) <= start - margin:
            break
        at = line.end()
    return at
