"""Selectors: what `select`, `ignore` and suppression comments name codes by.

A selector is a code (`OAK201`), the name of one (`tracer-in-branch`), the beginning of codes
(`OAK2`, `OAK`), or `ALL`.
"""

from collections.abc import Sequence
from functools import cache

from oakum_lint.rules import catalogue

ALWAYS_ON = frozenset({"OAK001", "OAK002", "OAK003", "OAK004"})
"""What the tool says of a file that it could not check: `select` cannot leave these out, since a
file would then pass in silence. `ignore` can, when it names them."""


@cache
def codes_of(selector: str) -> frozenset[str]:
    """The codes that a selector names; none if it names nothing.

    >>> sorted(codes_of("tracer-in-branch")), sorted(codes_of("OAK21"))[:2]
    (['OAK201'], ['OAK210', 'OAK211'])
    >>> codes_of("OAK999")
    frozenset()
    """
    found = catalogue.code_of(selector)
    if found is not None:
        return frozenset({found})
    beginning = selector.upper()
    if beginning == "ALL":
        beginning = "OAK"
    if not beginning.startswith("OAK"):
        return frozenset()
    return frozenset(code for code in catalogue.names() if code.startswith(beginning))


def correction(selector: str) -> str:
    """The sentence that says which code was meant, or "" where none is near.

    >>> correction("tracer-in-brnach")
    'Write `tracer-in-branch` (OAK201).'
    """
    likely = catalogue.suggest(selector)
    return "" if likely is None else f"Write {_both_names(selector, likely)}."


def suggestion(selector: str) -> str:
    """The end of a sentence that says which code was meant, as far as it is known.

    >>> suggestion("tracer-in-brnach")
    '; did you mean `tracer-in-branch` (OAK201)?'
    """
    likely = catalogue.suggest(selector)
    if likely is None:
        return "; `oakum rules` lists all codes"
    return f"; did you mean {_both_names(selector, likely)}?"


def _both_names(selector: str, likely: str) -> str:
    """A code by the kind of name that was written, and by the other."""
    name = catalogue.names()[likely]
    word, other = (likely, name) if selector.upper().startswith("OAK") else (name, likely)
    return f"`{word}` ({other})"


def enabled(select: Sequence[str], ignore: Sequence[str]) -> frozenset[str]:
    """The codes that are on: the narrower selector wins, `ignore` in a tie.

    >>> sorted(enabled(["OAK201"], ["OAK2"]) - ALWAYS_ON)
    ['OAK201']
    >>> "OAK110" in enabled(["OAK"], ["side-effect-under-tracing"])
    False
    """
    chosen: dict[str, int] = dict.fromkeys(ALWAYS_ON, 1)
    for selector in select:
        for code in codes_of(selector):
            chosen[code] = max(chosen.get(code, 0), _narrowness(selector))
    for selector in ignore:
        for code in codes_of(selector):
            if chosen.get(code, 7) <= _narrowness(selector):
                chosen.pop(code, None)
    return frozenset(chosen)


def _narrowness(selector: str) -> int:
    if catalogue.code_of(selector) is not None:
        return 6
    return 3 if selector.upper() == "ALL" else len(selector)
