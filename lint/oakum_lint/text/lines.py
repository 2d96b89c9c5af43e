"""Lines and characters of a text as they are shown."""

import re

LINE_NUMBERS = re.compile(r"(?<=\bline )\d+(?:(?:, | and | or )\d+)*")
"""The numbers after the word `line` in a message."""
NUMBER = re.compile(r"\d+")
LINE_END = re.compile(r"\r\n|\r|\n")
UNSAFE_CHARACTER = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Characters that break lines, move the cursor of a terminal, or turn the direction of a text."""
NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""What else than control characters no XML document can hold."""


def one_line(text: str) -> str:
    r"""The text with control and bidirectional characters written as escapes.

    >>> one_line("a\nb\u202e")
    'a\\nb\\u202e'
    """
    return UNSAFE_CHARACTER.sub(lambda match: repr(match.group())[1:-1], text)
