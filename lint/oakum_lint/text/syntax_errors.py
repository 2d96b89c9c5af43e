"""Says in words, and at a place, why code is not valid Python.

LibCST decides whether a unit can be analysed, for it knows syntax that is newer than the running
interpreter. Python explains what is wrong: LibCST's messages list tokens of its grammar. And what
Python accepts is no error, though LibCST does not parse all of it: it is reported as not analysed.
"""

import gc
import re
import warnings
from typing import Final, Literal

from oakum.values.records import dataclass
from oakum_lint.text.lexer import tokens
from oakum_lint.text.source import LineTable


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a piece of a file could not be analysed.

    Offsets count from the start of the file, or of the unit where a unit's own problem is meant.
    """

    code: Literal["OAK001", "OAK003", "OAK004"]
    start: int
    end: int
    message: str
    hint: str = ""
    """What to do, where the hint of the code does not fit."""


_ONLY_TREE: Final = 0x400  # ast.PyCF_ONLY_AST, without the cost of importing ast

_CERTAIN: Final = (
    "cannot assign to",
    "cannot delete",
    "cannot mix bytes",
    "cannot use assignment expressions with",
    "duplicate argument",
    "expression cannot contain assignment",
    "expression expected after dictionary key",
    "Generator expression must be parenthesized",
    "illegal target for annotation",
    "iterable argument unpacking follows",
    "keyword argument repeated",
    "named arguments must follow bare *",
    "non-default argument follows default",
    "only single target",
    "parameter without a default follows",
    "positional argument follows",
    "positional patterns follow keyword patterns",
    "source code ",  # holds null bytes
    "trailing comma not allowed",
    "'",  # "'tuple' is an illegal expression for augmented assignment"
)
"""How Python's messages begin for errors that no later version of Python allows."""


_STRUCTURAL: Final = (
    "closing parenthesis ",
    "expected an indented block after ",
    "unexpected indent",
    "unindent does not match",
    "unmatched ",
    "unterminated ",
)
"""How they begin for brackets, quotes and margins that fit no grammar."""


def python_problem(text: str, *, certain: bool) -> Problem | None:
    """Returns the objection of the running Python to `text`, which does not nest deeply.

    With `certain`, only what no later version of Python would accept.

    >>> python_problem("f(*a, b=1, c)", certain=True).message
    'this is not valid Python: positional argument follows keyword argument'
    """
    return _objection(text, _CERTAIN if certain else ("",))


def structural_problem(text: str) -> Problem | None:
    """Returns the objection of the running Python to brackets, quotes and margins that fit no
    grammar, if the strings of `text` end for all versions of Python where `tokens` says.

    >>> structural_problem("x = (1,").message
    "this is not valid Python: '(' was never closed"
    >>> structural_problem("x = = 1") is None
    True
    """
    depth = 0
    for kind, _, _ in tokens(text):
        depth += (kind == "open") - (kind == "close")
    return _objection(text, ("'", *_STRUCTURAL) if depth > 0 else _STRUCTURAL)


def _objection(text: str, beginnings: tuple[str, ...]) -> Problem | None:
    """Returns what the running Python objects to, if it begins so."""
    collects = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            # Of invalid escapes, which may have been made errors.
            warnings.simplefilter("ignore")
            compile(text, "<source>", "exec", _ONLY_TREE, dont_inherit=True)
    except SyntaxError as error:
        if not error.msg.startswith(beginnings):
            return None
        return _at(text, error.lineno or 1, error.offset or 1, error.msg)
    except (ValueError, OverflowError) as error:  # a null character, or half a surrogate pair
        return _at(text, 1, 1, str(error))
    except (RecursionError, MemoryError):
        return None
    finally:
        if collects:
            gc.enable()
    return None


_DETECTED = re.compile(r" \(detected at line \d+\)")


def _at(text: str, line: int, column: int, message: str) -> Problem:
    place = LineTable(text).offset(line, column)
    # The line that Python names counts from the start of the unit, not of the file.
    message = _DETECTED.sub("", message)
    sentence = f"this is not valid Python: {message.strip().rstrip('.')}"
    # At the end of a line there is nothing to underline.
    end = place + (text[place : place + 1] not in ("", "\r", "\n"))
    return Problem("OAK001", place, end, sentence)
