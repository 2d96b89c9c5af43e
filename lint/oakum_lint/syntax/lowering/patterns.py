"""Lowers the patterns of match statements."""

from collections.abc import Callable
from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, MisplacedError, identifier
from oakum_lint.syntax.lowering.dispatch import expression
from oakum_lint.syntax.lowering.plain_tree import cst


def pattern(cursor: Cursor, node: Any) -> nodes.Pattern:
    """Lowers one pattern. The nesting of patterns is bounded by `nesting`."""
    kind: type[cst.CSTNode] = node.__class__
    if kind is cst.MatchValue or kind is cst.MatchSingleton:
        value = expression(cursor, node.value)
        return nodes.ValuePattern(value.start, value.end, value)
    opening = -1
    for _ in node.lpar:
        opening = cursor.take(1)
    start = cursor.skip()
    lower = _PATTERNS.get(kind)
    if lower is None:
        raise MisplacedError(f"no lowering for {kind.__name__}")
    result = lower(cursor, node, start)
    for index, _ in enumerate(node.rpar):
        closing = cursor.take(1)
        if index == 0 and kind is cst.MatchTuple:
            result.start = opening
            result.end = closing + 1
    return result


def _elements(cursor: Cursor, elements: Any) -> tuple[nodes.Pattern, ...]:
    result: list[nodes.Pattern] = []
    for element in elements:
        if isinstance(element, cst.MatchStar):
            result.append(_star(cursor, element))
        else:
            result.append(pattern(cursor, element.value))
        if type(element.comma) is cst.Comma:
            cursor.take_word(",")
    return tuple(result)


def _star(cursor: Cursor, node: cst.MatchStar) -> nodes.StarPattern:
    start = cursor.take_word("*")
    name = None if node.name is None else node.name.value
    cursor.take_word(name or "_")
    return nodes.StarPattern(start, cursor.position, name and identifier(name))


def _sequence(cursor: Cursor, node: Any, start: int) -> nodes.Pattern:
    brackets = isinstance(node, cst.MatchList) and node.lbracket is not None
    if brackets:
        cursor.take_word("[")
    elements = _elements(cursor, node.patterns)
    if brackets:
        cursor.take_word("]")
    return nodes.SequencePattern(start, cursor.position, elements)


def _mapping(cursor: Cursor, node: cst.MatchMapping, start: int) -> nodes.Pattern:
    cursor.take_word("{")
    keys: list[nodes.Expression] = []
    patterns: list[nodes.Pattern] = []
    for element in node.elements:
        keys.append(expression(cursor, element.key))
        cursor.take_word(":")
        patterns.append(pattern(cursor, element.pattern))
        cursor.take_if(",")
    rest = None
    if node.rest is not None:
        rest = node.rest.value
        cursor.take_word("**")
        cursor.take_word(rest)
        cursor.take_if(",")
    cursor.take_word("}")
    return nodes.MappingPattern(start, cursor.position, tuple(keys), tuple(patterns), rest)


def _class(cursor: Cursor, node: cst.MatchClass, start: int) -> nodes.Pattern:
    cls = expression(cursor, node.cls)
    cursor.take_word("(")
    positional = _elements(cursor, node.patterns)
    names: list[str] = []
    patterns: list[nodes.Pattern] = []
    for element in node.kwds:
        cursor.take_word(element.key.value)
        names.append(identifier(element.key.value))
        cursor.take_word("=")
        patterns.append(pattern(cursor, element.pattern))
        cursor.take_if(",")
    cursor.take_word(")")
    end = cursor.position
    return nodes.ClassPattern(start, end, cls, positional, tuple(names), tuple(patterns))


def _capture(cursor: Cursor, node: cst.MatchAs, start: int) -> nodes.Pattern:
    inner = None
    if node.pattern is not None:
        inner = pattern(cursor, node.pattern)
        cursor.take_word("as")
    name = None if node.name is None else node.name.value
    cursor.take_word(name or "_")
    return nodes.CapturePattern(start, cursor.position, inner, name and identifier(name))


def _or(cursor: Cursor, node: cst.MatchOr, start: int) -> nodes.Pattern:
    alternatives: list[nodes.Pattern] = []
    for index, element in enumerate(node.patterns):
        if index:
            cursor.take_word("|")
        alternatives.append(pattern(cursor, element.pattern))
    return nodes.OrPattern(start, cursor.position, tuple(alternatives))


_PATTERNS: Final[dict[type[cst.CSTNode], Callable[[Cursor, Any, int], nodes.Pattern]]] = {
    cst.MatchList: _sequence,
    cst.MatchTuple: _sequence,
    cst.MatchMapping: _mapping,
    cst.MatchClass: _class,
    cst.MatchAs: _capture,
    cst.MatchOr: _or,
}
