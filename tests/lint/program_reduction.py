"""Makes a random program small that shows a disagreement: lines and parts of lines are left out."""

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from program_lines import Line, RandomProgram


def reduced(
    program: RandomProgram, shows: Callable[[RandomProgram], bool], looks: int = 500
) -> RandomProgram:
    """A program that `shows` the same, and no longer does when more is left out, or as small as it
    becomes in so many looks.
    """
    left = itertools.count(looks, -1)

    def holds(lines: Sequence[Line]) -> bool:
        shorter = RandomProgram.under_head(lines)
        return _parses(shorter.repaired()) and next(left) > 0 and shows(shorter)

    lines = [line for line in program.body if line.text]
    before: list[Line] = []
    while lines != before:
        before = lines
        for place in reversed(range(len(before))):
            if place < len(lines):
                lines = next(filter(holds, _without(lines, place)), lines)
    while shorter := next(filter(holds, _simpler(lines)), None):
        lines = shorter
    return RandomProgram.under_head(lines)


def _parses(source: str) -> bool:
    try:
        compile(source, "", "exec")
    except SyntaxError:
        return False
    return True


def _without(lines: list[Line], place: int) -> Iterator[list[Line]]:
    """The lines without one and its block; and with its block alone."""
    depth = _depth(lines[place])
    end = place + 1
    while end < len(lines) and _depth(lines[end]) > depth:
        end += 1
    yield lines[:place] + lines[end:]
    if end > place + 1:
        block = [
            replace(line, text=line.text[4:], replacement=None) for line in lines[place + 1 : end]
        ]
        yield lines[:place] + block + lines[end:]


def _depth(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _simpler(lines: list[Line]) -> Iterator[list[Line]]:
    """The lines with one expression of one of them replaced by a part of it."""
    for place, line in enumerate(lines):
        for text in _parts(line.text):
            yield [*lines[:place], replace(line, text=text), *lines[place + 1 :]]


def _parts(text: str) -> Iterator[str]:
    depth = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(text[depth:] + (" pass" if text.endswith(":") else ""))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            for part in ast.walk(node):
                if isinstance(part, ast.expr) and part is not node:
                    inner = text[depth + part.col_offset : _end(part, depth)]
                    yield text[: depth + node.col_offset] + inner + text[_end(node, depth) :]


def _end(node: ast.expr, depth: int) -> int:
    assert node.end_col_offset is not None
    return depth + node.end_col_offset
