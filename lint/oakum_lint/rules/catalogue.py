"""The catalogue of codes, as users name them: the rows of the engine, for what a run reports too,
and those of rules that only a check can find.

Invariants:
- Which codes there are is known without loading a rule; a row is loaded with its rule.
"""

from collections.abc import Mapping
from functools import cache

from oakum.values import codes
from oakum.values.code_row import Code
from oakum_lint.rules.rule_files import rule_files


@cache
def names() -> Mapping[str, str]:
    """The names of all codes, in the order of codes."""
    found = {code.code: code.name for code in codes.CATALOGUE}
    for code, stem in rule_files().items():
        found.setdefault(code, stem.partition("_")[2].replace("_", "-"))
    return dict(sorted(found.items()))


@cache
def rows() -> tuple[Code, ...]:
    """All rows, in the order of codes."""
    return tuple(row for code in names() if (row := find(code)) is not None)


def code_of(word: str) -> str | None:
    """The code that a number or a name means, in either case.

    >>> code_of("oak220"), code_of("Discarded-Update"), code_of("OAK999")
    ('OAK220', 'OAK220', None)
    """
    if word.upper() in names():
        return word.upper()
    return next((code for code, name in names().items() if name == word.lower()), None)


def find(word: str) -> Code | None:
    """Finds a row by the number or the name of its code, in either case.

    >>> find("oak201") is find("tracer-in-branch") is codes.TRACER_IN_BRANCH
    True
    >>> find("OAK220").name
    'discarded-update'
    >>> find("OAK999") is None
    True
    """
    code = code_of(word)
    if code is None:
        return None
    row = codes.find(code)
    if row is None:
        from oakum_lint.rules.register import rule_of  # the rules are loaded only for their rows

        rule = rule_of(code)
        row = None if rule is None else rule.code
    return row


def suggest(word: str) -> str | None:
    """Returns the code that a misspelt number or name most likely means.

    >>> suggest("tracer-in-brnach")
    'OAK201'
    >>> suggest("nothing like it") is None
    True
    """
    import difflib  # Only a misspelt code pays for it.

    known = {word: code for code, name in names().items() for word in (code.lower(), name)}
    matches = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.75)
    return known[matches[0]] if matches else None
