"""What only a run decides, written into a random program: which way its tests go, and which numbers
its concrete arrays hold.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Set
from pathlib import Path
from typing import Any, cast

import numpy as np
from program_runs import run

MAX_RUNS = 3
"""Of what an expression gave, so many are tried."""


def with_tests_decided(source: str, reached: Set[int]) -> str:
    """The program with each test in its place that came out one way only, as it did, and each arm
    of a `match` that was the only one taken. A `while` that was entered, and a loop over a computed
    range, has one round here.
    """
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Match):
            _decide_arms(node, lines, reached)
        if isinstance(node, ast.For):
            _decide_rounds(node, lines, reached)
        if not isinstance(node, ast.If | ast.While):
            continue
        taken = {True: node.body[0].lineno in reached}
        taken[False] = bool(node.orelse) and node.orelse[0].lineno in reached
        outcomes = [outcome for outcome, happened in taken.items() if happened]
        if len(outcomes) == 1:
            line = lines[node.lineno - 1]
            word = "if" if isinstance(node, ast.While) else line.split()[0]
            head = line[: len(line) - len(line.lstrip())] + word
            lines[node.lineno - 1] = f"{head} {outcomes[0]}:"
    return "".join(f"{line}\n" for line in lines)


def _decide_rounds(node: ast.For, lines: list[str], reached: Set[int]) -> None:
    """Writes into a loop over a computed range that it had a round, where it had one."""
    match node.iter:
        case ast.Call(ast.Name("range"), args) if node.body[0].lineno in reached and not all(
            isinstance(each, ast.Constant | ast.Name) for each in args
        ):
            before = lines[node.lineno - 1].partition(" in ")[0]
            lines[node.lineno - 1] = f"{before} in range(1):"
        case _:
            pass


def _decide_arms(node: ast.Match, lines: list[str], reached: Set[int]) -> None:
    taken = [case for case in node.cases if case.body[0].lineno in reached]
    if len(taken) != 1:
        return
    for case in node.cases:
        number = case.pattern.lineno - 1
        head, space = lines[number].lstrip(), lines[number][: -len(lines[number].lstrip())]
        binds = any(
            isinstance(part, ast.MatchAs | ast.MatchStar | ast.MatchMapping)
            for part in ast.walk(case.pattern)
        )
        if case not in taken:
            head = "case _ if False:"
        elif case.guard is not None:
            head = head.partition(" if ")[0] + ":"
        elif not binds:
            head = "case _ if True:"
        lines[number] = space + head


def with_numbers_known(source: str, lines: Set[int], path: Path) -> list[str]:
    """The program with integers and truth values in the place of the expressions of these lines
    that gave them, or were traced; once more with the next ones of those that gave several.
    """
    return _with_known(source, lines, path, _number)


def with_shapes_known(source: str, lines: Set[int], path: Path) -> list[str]:
    """The program with arrays of zeros in the place of the expressions of these lines that gave
    arrays, and with their numbers; once more with the next ones of those that gave several.
    """
    return _with_known(source, lines, path, _zeros)


def with_called(source: str, lines: Set[int]) -> frozenset[int]:
    """Some lines, and those of the functions that they name, that these name, and so on: where what
    they give is looked at, its numbers come from there.
    """
    tree = ast.parse(source)
    bodies = {
        node.name: frozenset(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    named = [(node.id, node.lineno) for node in ast.walk(tree) if isinstance(node, ast.Name)]
    around = frozenset(lines)
    while True:
        called = (bodies.get(name, frozenset()) for name, line in named if line in around)
        more = around.union(*called)
        if more == around:
            return around
        around = more


def _with_known(
    source: str, lines: Set[int], path: Path, tell: Callable[[Any], str | None]
) -> list[str]:
    noting = _Noting(lines)
    tree = ast.fix_missing_locations(noting.visit(ast.parse(source)))
    seen: dict[int, dict[str, None]] = {}

    def note(place: int, value: Any) -> Any:
        text = tell(value)
        if text is not None:
            seen.setdefault(place, {})[text] = None
        return value

    run(ast.unparse(tree), path, {"__note__": note})
    several = min(max(map(len, seen.values()), default=1), MAX_RUNS)
    return [
        _replaced(source, [(noting.places[i], _nth(found, turn)) for i, found in seen.items()])
        for turn in range(several)
    ]


def _nth(found: Iterable[str], turn: int) -> str:
    """What an expression gave at a turn, or in the end."""
    listed = list(found)
    return listed[min(turn, len(listed) - 1)]


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


def _number(value: Any) -> str | None:
    try:
        if isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool":
            return str(bool(value))
        return str(operator.index(value))
    except Exception:  # most are no integers, and tracers tell so in their own ways
        return None


def _zeros(value: Any) -> str | None:
    if isinstance(value, float) and not hasattr(value, "dtype"):
        return repr(value)
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if not isinstance(shape, tuple) or dtype is None:
        return None
    library = "np" if isinstance(value, np.ndarray | np.generic) else "jnp"
    return f'{library}.zeros({shape}, "{dtype}")'


def _replaced(source: str, known: Iterable[tuple[tuple[int, int, int], str]]) -> str:
    """The text with numbers in some places, the outermost of those that lie in another."""
    lines = source.splitlines()
    kept: list[tuple[int, int, int, str]] = []
    for (line, start, end), text in sorted(known, key=lambda item: (item[0][1], -item[0][2])):
        if not any(n == line and start < e for n, _, e, _ in kept):
            kept.append((line, start, end, text))
    for line, start, end, text in reversed(kept):
        before = lines[line - 1]
        lines[line - 1] = f"{before[:start]}({text}){before[end:]}"
    return "".join(f"{line}\n" for line in lines)
