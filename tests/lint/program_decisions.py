"""What only a run decides, written into a random program: which way its tests go, and which numbers
its concrete arrays hold.
"""

import ast
import operator
from collections.abc import Iterable, Set
from pathlib import Path
from typing import Any, cast

from program_runs import run


def with_tests_decided(source: str, reached: Set[int]) -> str:
    """The program with each test in its place that came out one way only, as it did, and with the
    bodies of `try` in the place of those in which nothing was caught.
    """
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.If():
                taken = {True: node.body[0].lineno in reached}
                taken[False] = bool(node.orelse) and node.orelse[0].lineno in reached
                outcomes = [outcome for outcome, happened in taken.items() if happened]
                if len(outcomes) == 1:
                    _put_test(lines, node.lineno, lines[node.lineno - 1].split()[0], *outcomes)
            case ast.Try() if not any(each.body[0].lineno in reached for each in node.handlers):
                _put_test(lines, node.lineno, "if", True)
                for handler in node.handlers:
                    _put_test(lines, handler.lineno, "if", False)
                for after in (node.orelse, node.finalbody):
                    if after:
                        _put_test(lines, after[0].lineno - 1, "if", True)
            case _:
                pass
    return "".join(f"{line}\n" for line in lines)


def _put_test(lines: list[str], number: int, keyword: str, outcome: bool) -> None:
    line = lines[number - 1]
    lines[number - 1] = f"{line[: len(line) - len(line.lstrip())]}{keyword} {outcome}:"


def with_numbers_known(source: str, lines: Set[int], path: Path) -> str:
    """The program with the integers and truth values in the place of the expressions of these lines
    that gave always the same one, or were traced.
    """
    noting = _Noting(lines)
    tree = ast.fix_missing_locations(noting.visit(ast.parse(source)))
    seen: dict[int, set[int]] = {}

    def note(place: int, value: Any) -> Any:
        number = _number(value)
        if number is not None:
            seen.setdefault(place, set()).add(number)
        return value

    run(ast.unparse(tree), path, {"__note__": note})
    known = {noting.places[i]: found.pop() for i, found in seen.items() if len(found) == 1}
    return _replaced(source, known.items())


class _Noting(ast.NodeTransformer):
    """Has the expressions of some lines tell what they give."""

    def __init__(self, lines: Set[int]) -> None:
        self.lines = lines
        self.places: list[tuple[int, int, int]] = []
        """The line of each expression, and the columns where it begins and ends."""

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.JoinedStr | ast.pattern):
            return node
        made = super().generic_visit(node)
        if not isinstance(node, ast.expr) or node.lineno not in self.lines:
            return made
        if isinstance(node, ast.Starred | ast.Slice | ast.Tuple):
            return made
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return made
        self.places.append((node.lineno, node.col_offset, node.end_col_offset or 0))
        number = ast.Constant(len(self.places) - 1)
        return ast.Call(ast.Name("__note__", ast.Load()), [number, cast("ast.expr", made)], [])


def _number(value: Any) -> int | bool | None:
    try:
        if isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool":
            return bool(value)
        return operator.index(value)
    except Exception:  # most are no integers, and tracers tell so in their own ways
        return None


def _replaced(source: str, known: Iterable[tuple[tuple[int, int, int], int]]) -> str:
    """The text with numbers in some places, the outermost of those that lie in another."""
    lines = source.splitlines()
    kept: list[tuple[int, int, int, int]] = []
    for (line, start, end), number in sorted(known, key=lambda item: (item[0][1], -item[0][2])):
        if not any(n == line and start < e for n, _, e, _ in kept):
            kept.append((line, start, end, number))
    for line, start, end, number in reversed(kept):
        text = lines[line - 1]
        lines[line - 1] = f"{text[:start]}({number}){text[end:]}"
    return "".join(f"{line}\n" for line in lines)
