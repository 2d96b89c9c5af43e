"""What a unit is and which names it binds, known from its first words without parsing it.

Invariant: a set of names comes only where it is certain; a unit whose statement could bind
  more (a compound statement, a star import, a walrus, several statements on a line) is answered
with None, and has to be parsed to know.
"""

import re
from typing import Literal

UnitKind = Literal["definition", "import", "assignment", "expression", "compound", "other"]

_DEFINITION = re.compile(r"[\f]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_COMPOUND = re.compile(
    r"[\f]*(?:if|for|while|with|try|async)\b"
    r"|[\f]*match\b[^=\r\n]*:[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)"
)
_IMPORT = re.compile(r"[\f]*(?:lazy[ \t]+)?(?:import|from)\b")
_ASSIGNMENT = re.compile(r"[\f]*([^\W\d]\w*)[ \t]*(:[^=\r\n#]*)?=(?!=)")
_ANNOTATION = re.compile(r"[\f]*[^\W\d]\w*[ \t]*:[^=\r\n]*(?:[\r\n]|$)")
_AUGMENTED = re.compile(r"[\f]*([^\W\d]\w*)[ \t]*(?:[-+*/%@&|^]|//|\*\*|<<|>>)=")
_SECOND_TARGET = re.compile(r"[^=(\[{\"'\r\n#]*=(?!=)|[ \t]*[(\[][\w\s,*.]*[)\]][ \t]*=(?!=)")
_WORD = re.compile(
    r"[\f]*(?:del|global|nonlocal|return|raise|assert|pass|break|continue|type)\b(?![ \t]*[=.(\[])"
)
_FROM = re.compile(
    r"[\f]*(?:lazy[ \t]+)?from\b[^#\r\n;]*?\bimport\b[ \t]*"
    r"(?:\(([^)]*)\)|((?:[^#\r\n;\\]|\\\r?\n)*))"
)
_PLAIN = re.compile(r"[\f]*(?:lazy[ \t]+)?import\b((?:[^#\r\n;\\]|\\\r?\n)*)")
_STAR = re.compile(r"\bimport[\s\\]*\*")
_COMMENT = re.compile(r"#[^\r\n]*|\\")
_HOLDS_MORE = re.compile(r"\s*(?:async\s+)?(?:def|class)\b.*:\s*\S|.*;")
_ALIAS = re.compile(r"\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$")


def holds_more(line: str) -> bool:
    """Whether a line has several statements, or is a definition with its body.

    >>> holds_more("def f(x): return x"), holds_more("def f(x):")
    (True, False)
    """
    return _HOLDS_MORE.match(line) is not None


def classify(text: str, statement: int) -> tuple[UnitKind, frozenset[str] | None]:
    """The kind of a unit and the names it binds; its statement begins at `statement`.

    >>> classify("def f(x): ...", 0)
    ('definition', frozenset({'f'}))
    >>> classify("a = b = 1", 0)
    ('assignment', None)
    """
    match = _DEFINITION.match(text, statement)
    if match is not None:
        return "definition", frozenset((match[1],))
    is_simple = ";" not in text and ":=" not in text
    if _IMPORT.match(text, statement):
        return "import", _imported(text, statement) if is_simple else None
    if _COMPOUND.match(text, statement):
        return "compound", None
    match = _ASSIGNMENT.match(text, statement)
    if match is not None:
        is_one = is_simple and not _SECOND_TARGET.match(text, match.end())
        return "assignment", frozenset((match[1],)) if is_one else None
    match = _AUGMENTED.match(text, statement)
    if match is not None:
        return "assignment", frozenset((match[1],)) if is_simple else None
    return _other(text, statement, is_simple)


def bound_names(text: str) -> frozenset[str] | None:
    """The names that a unit binds, or may bind, by Python's own account of them; None where it does
    not say them.

    >>> sorted(bound_names("if (a := x): b, c = 1, [d for d in x]") or ())
    ['a', 'b', 'c']
    >>> bound_names("from a import *")
    """
    import symtable  # what most runs do without
    import warnings

    if _STAR.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symbols = symtable.symtable(text, "<unit>", "exec").get_symbols()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return frozenset(
        each.get_name() for each in symbols if each.is_assigned() or each.is_imported()
    )


def _other(text: str, statement: int, is_simple: bool) -> tuple[UnitKind, frozenset[str] | None]:
    nothing: frozenset[str] = frozenset()
    if statement >= len(text):
        return "other", nothing
    if _WORD.match(text, statement):
        binds_nothing = is_simple and not text.startswith("type", statement)
        return "other", nothing if binds_nothing else None
    if _ANNOTATION.match(text, statement) and is_simple:
        return "assignment", nothing
    # A string of its own is a docstring; its text may hold anything. What else has no `=` outside
    # its brackets is an expression, and binds nothing.
    if text[statement] in "\"'":
        return "expression", nothing
    if is_simple and len(text) - statement < _LONG and "=" not in _outside(text[statement:]):
        return "expression", nothing
    return "other", None


_STRINGS = re.compile(r"#[^\r\n]*|\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'")
_FIRST_BRACKET = re.compile(r"[(\[{]")
_LONG = 1000


def _outside(text: str) -> str:
    """Returns the text before the first bracket and behind the last, without strings, comments."""
    text = _STRINGS.sub("", text)
    first = _FIRST_BRACKET.search(text)
    last = max(text.rfind(bracket) for bracket in ")]}")
    return text if first is None else text[: first.start()] + text[last + 1 :]


def _imported(text: str, statement: int) -> frozenset[str] | None:
    match = _FROM.match(text, statement)
    is_from = match is not None
    match = match or _PLAIN.match(text, statement)
    if match is None:
        return None
    listed = match[1] if match[1] is not None else match[2]
    names: set[str] = set()
    for part in _COMMENT.sub(" ", listed).split(","):
        alias = _ALIAS.match(part)
        if alias is not None:
            names.add(alias[2] or (alias[1] if is_from else alias[1].partition(".")[0]))
        elif part.strip():
            return None  # a star, or no valid import
    return frozenset(names)
