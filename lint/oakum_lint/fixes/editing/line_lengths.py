"""Lengths of lines in fixes: a line that a fix makes longer than those of its file is broken within
brackets, as formatters do.
"""

from collections.abc import Iterator
from typing import Final

from oakum.values.records import replace
from oakum_lint.text.bindings import holds_more
from oakum_lint.text.edits import Edit, Fix, apply_edits, is_import
from oakum_lint.text.lexer import tokens

_SHORTEST: Final = 79
_LONGEST: Final = 120
"""A longer line is none that a file means to have."""
_ENOUGH: Final = 40
"""A file of fewer lines does not show how long its lines may be."""
_USUAL: Final = 100
_STEP: Final = "    "
_SHORT_END: Final = 24
"""What stands behind brackets that are broken is short: in a long sum another place is better."""
_CLAUSES: Final = (" for ", " async for ", " if ")


def keep_length(text: str, fix: Fix) -> Fix:
    """A fix of a text that breaks the lines which only it makes longer than those of the text."""
    limit = _limit(text)
    edits: list[Edit] = [each for each in fix.edits if is_import(each)]
    for start, end, inside in _regions(text, fix):
        before = text[start:end]
        after = apply_edits(
            before, [Edit(each.start - start, each.end - start, each.text) for each in inside]
        )
        lines = after.split("\n")
        is_short = all(len(line) <= limit for line in before.splitlines())
        broken = [each for line in lines for each in _broken(line, limit)] if is_short else lines
        edits += inside if broken == lines else [Edit(start, end, "\n".join(broken))]
    return replace(fix, edits=tuple(sorted(edits)))


def _limit(text: str) -> int:
    lengths = [*map(len, text.splitlines())]
    least = _SHORTEST if len(lengths) >= _ENOUGH else _USUAL
    return max((n for n in lengths if least <= n <= _LONGEST), default=least)


def _regions(text: str, fix: Fix) -> Iterator[tuple[int, int, list[Edit]]]:
    """The lines that edits change, each region with its edits."""
    start, end, inside = 0, -1, list[Edit]()
    for edit in fix.edits:
        if is_import(edit):
            continue
        begin = text.rfind("\n", 0, edit.start) + 1
        stop = text.find("\n", edit.end)
        stop = len(text) if stop < 0 else stop
        if inside and begin <= end:
            end = max(end, stop)
            inside.append(edit)
            continue
        if inside:
            yield start, end, inside
        start, end, inside = begin, stop, [edit]
    if inside:
        yield start, end, inside


def _broken(line: str, limit: int) -> list[str]:
    """A line, or those that it is broken into, within brackets, if it is too long.

    >>> _broken("x = f(alpha, beta)", 12)
    ['x = f(', '    alpha,', '    beta,', ')']
    >>> _broken("x = f(alpha, beta)", 16)
    ['x = f(', '    alpha, beta', ')']
    >>> _broken("x = [f(y) for y in z]", 17)
    ['x = [', '    f(y)', '    for y in z', ']']
    """
    found: list[str] = []
    pending = [line]
    while pending:
        line = pending.pop()
        parts = _parts(line, limit) if len(line.rstrip("\r")) > limit else None
        if parts is None:
            found.append(line)
        else:
            pending += reversed(parts)
    return found


def _parts(line: str, limit: int) -> list[str] | None:
    """The lines that one is broken into at the brackets which have the most in them."""
    ending = "\r" if line.endswith("\r") else ""
    line = line.removesuffix("\r")
    indent = line[: len(line) - len(line.lstrip())]
    step = f"{indent}\t" if "\t" in indent else indent + _STEP
    bounds = None if holds_more(line) else _brackets(line)
    if bounds is None:
        return None
    start, end, ends = bounds
    head, tail = line[:start], indent + line[end:]
    if not line[start:end].strip() or len(head) > limit or len(line) - end > _SHORT_END:
        return None
    whole = step + line[start:end].strip()
    if len(whole) <= limit:
        items = [whole]
    else:
        if "lambda" in line[start:end]:
            # Its commas are not those of the call.
            return None
        parts = [line[a:b].strip() for a, b in zip((start, *ends), (*ends, end), strict=True)]
        if len(parts) > 1 and parts[0].endswith(",") and parts[-1] and parts[-1][-1] != ",":
            parts[-1] += ","
        items = [step + part for part in parts if part]
    return [each + ending for each in (head, *items, tail)]


def _brackets(line: str) -> tuple[int, int, list[int]] | None:
    """Where what stands in the widest brackets of a line begins and ends, and where its parts end;
    None where the line has a comment, or brackets that go on in another one.
    """
    depth, opened, inner = 0, 0, list[tuple[int, int]]()
    best: tuple[int, int] | None = None
    for kind, start, end in tokens(line):
        match kind:
            case "open":
                opened = end if depth == 0 else opened
                depth += 1
            case "close":
                depth -= 1
                if depth < 0:
                    return None
                if depth == 0 and (best is None or start - opened > best[1] - best[0]):
                    best = opened, start
            case "string" | "formatted":
                inner.append((start, end))
            case _:
                return None
    if best is None or depth:
        return None
    return *best, _ends(line, *best, inner)


def _ends(line: str, begin: int, end: int, strings: list[tuple[int, int]]) -> list[int]:
    """Where the items of brackets end, each with its comma, or the clauses of a comprehension."""
    depth, commas, clauses = 0, list[int](), list[int]()
    for place in range(begin, end):
        if any(a <= place < b for a, b in strings):
            continue
        match line[place]:
            case "(" | "[" | "{":
                depth += 1
            case ")" | "]" | "}":
                depth -= 1
            case "," if depth == 0:
                commas.append(place + 1)
            case " " if depth == 0 and line.startswith(_CLAUSES, place):
                clauses.append(place)
            case _:
                pass
    return clauses or commas
