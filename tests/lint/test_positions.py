"""The places of nodes are those that LibCST's own, slower, position provider computes.

`ast` cannot serve as the judge of syntax that is newer than the running Python, LibCST can.
"""

import importlib.util
from collections import Counter
from dataclasses import fields
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from oakum_lint.syntax import nodes
from oakum_lint.syntax.parse import lower_text
from oakum_lint.text.nesting import Nesting
from oakum_lint.text.source import LineTable

SAME: dict[type[cst.CSTNode], type[nodes.Node]] = {
    cst.Call: nodes.Call,
    cst.Subscript: nodes.Subscript,
    cst.BinaryOperation: nodes.BinaryOperation,
    cst.UnaryOperation: nodes.UnaryOperation,
    cst.Comparison: nodes.Comparison,
    cst.IfExp: nodes.Conditional,
    cst.Lambda: nodes.Lambda,
    cst.Dict: nodes.DictDisplay,
    cst.ListComp: nodes.Comprehension,
    cst.Assign: nodes.Assignment,
    cst.TypeAlias: nodes.Assignment,
    cst.AugAssign: nodes.AugmentedAssignment,
    cst.Return: nodes.Return,
    cst.Assert: nodes.Assert,
    cst.Expr: nodes.ExpressionStatement,
    cst.NamedExpr: nodes.NamedExpression,
    cst.Await: nodes.Await,
}
"""Classes whose ranges have the same meaning in both trees."""

NEW_SYNTAX = """\
type Pair[T] = tuple[T, T]


def first[T: (int, str) = int, *Ts, **P](pair: Pair[T], /) -> T:
    try:
        return f"{pair["first"]!r:>{width(pair) + 1}} {f'{f"{x + 1}"}'}"
    except* (KeyError, ValueError) as errors:
        assert (y := errors)[0] and not (z + (1))


class Box[T](Base[T], metaclass=Meta(T)):
    x: T = [a async for a in await b() if a]
    match x:
        case Point(x=0, y=[1, *_]) | {"k": -1, **rest} if f(x)(y)[z : w + 1]:
            del (a[0]), b
"""


def places_by_libcst(text: str) -> Counter[tuple[type[nodes.Node], int, int]]:
    lines = LineTable(text)
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    found: Counter[tuple[type[nodes.Node], int, int]] = Counter()
    for node, place in wrapper.resolve(PositionProvider).items():
        kind = SAME.get(type(node))
        if kind is not None:
            start = lines.offset(place.start.line, place.start.column + 1)
            found[kind, start, lines.offset(place.end.line, place.end.column + 1)] += 1
    return found


def places_by_us(text: str) -> Counter[tuple[type[nodes.Node], int, int]]:
    lowered = lower_text(text, Nesting(0))
    assert lowered.problem is None
    found: Counter[tuple[type[nodes.Node], int, int]] = Counter()
    pending: list[object] = [*lowered.body]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(node, nodes.Node):
            pending.extend(getattr(node, field.name) for field in fields(node))
            is_other = isinstance(node, nodes.Comprehension) and node.kind != "list"
            if type(node) in SAME.values() and not is_other:
                found[type(node), node.start, node.end] += 1
    return found


def sample() -> list[Path]:
    files: list[Path] = []
    for package in ("flax", "optax", "numpy"):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.rglob("*.py"))[20::90]
    return files


def test_new_syntax_is_placed_as_libcst_places_it() -> None:
    assert places_by_us(NEW_SYNTAX) == places_by_libcst(NEW_SYNTAX)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_kinds_count_as_libcst_counts_them(newline: str) -> None:
    text = NEW_SYNTAX.replace("\n", newline) + '"""a\nb\r\nc\rd"""; f(x)' + newline
    assert places_by_us(text) == places_by_libcst(text)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("file", sample(), ids=lambda file: "/".join(file.parts[-3:]))
def test_real_files_are_placed_as_libcst_places_them(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as stream:
        text = stream.read()
    assert places_by_us(text) == places_by_libcst(text)
