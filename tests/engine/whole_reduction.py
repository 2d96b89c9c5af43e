# pyright: basic
# Random programs are text: what stands in it has no types.
"""Makes a whole program small that shows a disagreement.

Statements, results and parts of expressions are left out, operands made plain.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.engine.whole_programs import INDENT, WholeProgram

Shows = Callable[[WholeProgram], bool]


def reduced(program: WholeProgram, shows: Shows, looks: int = 400) -> WholeProgram:
    """A program that `shows` the same, and no longer does when more is left out, or as small as it
    becomes in so many looks.
    """
    left = itertools.count(looks, -1)

    def holds(smaller: WholeProgram) -> bool:
        return _parses(smaller) and next(left) > 0 and shows(smaller)

    while smaller := next(filter(holds, _smaller(program)), None):
        program = smaller
    return program


def _parses(program: WholeProgram) -> bool:
    try:
        compile(program.source, "", "exec")
    except SyntaxError:
        return False
    return True


def _smaller(program: WholeProgram) -> Iterator[WholeProgram]:
    """The program with one thing less, what takes away most first."""
    for place in reversed(range(len(program.results))):
        if len(program.results) > 1:
            kept = (*program.results[:place], *program.results[place + 1 :])
            yield replace(program, results=kept)
    for place in reversed(range(len(program.body))):
        end = _end(program.body, place)
        before, after = program.body[:place], program.body[end:]
        yield replace(program, body=(*before, *after))
        if end > place + 1:
            block = tuple(line.removeprefix(INDENT) for line in program.body[place + 1 : end])
            inner = tuple(line for line in block if not line.startswith("return"))
            yield replace(program, body=(*before, *inner, *after))
    yield from _plainer(program)
    for place, line in enumerate(program.body):
        for text in _parts(line):
            yield replace(program, body=(*program.body[:place], text, *program.body[place + 1 :]))


def _plainer(program: WholeProgram) -> Iterator[WholeProgram]:
    for field in ("donated", "arrays", "constants"):
        if getattr(program, field):
            yield replace(program, **{field: ()})
    if program.wide:
        yield replace(program, wide=False)
    for place, each in enumerate(program.operands):
        for change in ({"layout": "plain"}, {"what": "small"}, {"dtype": "float32"}):
            plain = replace(each, **change)
            if plain != each:
                given = (*program.operands[:place], plain, *program.operands[place + 1 :])
                yield replace(program, operands=given)


def _end(body: tuple[str, ...], place: int) -> int:
    depth = _depth(body[place])
    end = place + 1
    while end < len(body) and _depth(body[end]) > depth:
        end += 1
    return end


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parts(text: str) -> Iterator[str]:
    """A line with one expression of it replaced by a part of it."""
    depth = _depth(text)
    source = text[depth:]
    try:
        tree = ast.parse(source + (" pass" if source.endswith(":") else ""))
    except SyntaxError:
        return
    if source.startswith(("def ", "return")):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or isinstance(node, ast.Name):
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.expr) and part is not node:
                yield text[:depth] + "".join(
                    (source[: node.col_offset], _piece(source, part), source[node.end_col_offset :])
                )


def _piece(source: str, part: ast.expr) -> str:
    return source[part.col_offset : part.end_col_offset]
