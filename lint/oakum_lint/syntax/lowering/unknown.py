"""Lowers syntax for which there is no lowering: newer than this package, or met by a fault of it.

An unknown expression is an `OpaqueExpression`, an unknown statement binds its names to one; what
in them is known is lowered as it stands. So new syntax costs what it stands for, and no more.
"""

from collections.abc import Iterator
from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, identifier
from oakum_lint.syntax.lowering.plain_tree import cst
from oakum_lint.syntax.lowering.spans import Spans

_SCOPES: Final = (cst.CompFor, cst.Parameters)
"""What binds names for an expression alone: without them its parts would mean other names."""


def outermost(node: Any, spans: Spans) -> tuple[list[Any], list[Any], bool]:
    """The expressions and the suites directly in an unknown node, in source order, and whether it
    has a scope of its own: what it binds there is left out.
    """
    expressions: list[Any] = []
    suites: list[Any] = []
    has_scope = False
    pending: list[Any] = list(reversed(spans.parts_of(node)))
    while pending:
        child = pending.pop()
        if isinstance(child, _SCOPES):
            has_scope = True
        elif spans.is_expression(child):
            expressions.append(child)
        elif spans.is_suite(child):
            suites.append(child)
        else:
            pending.extend(reversed(spans.parts_of(child)))
    return expressions, suites, has_scope


def bound_names(expressions: list[Any]) -> tuple[str, ...]:
    """The names that an unknown statement may bind: what stands in it by itself, `a.b` for `a`."""
    return tuple(dict.fromkeys(name for each in expressions for name in _targets(each)))


def _targets(expression: Any) -> Iterator[str]:
    pending = [expression]
    while pending:
        current = pending.pop()
        match current:
            case cst.Name():
                yield identifier(current.value)
            case cst.Attribute():
                pending.append(current.value)
            case cst.Tuple() | cst.List():
                pending.extend(element.value for element in reversed(current.elements))
            case _:
                pass


def assignment(
    cursor: Cursor,
    start: int,
    end: int,
    names: tuple[str, ...],
    parts: tuple[nodes.Expression, ...],
) -> nodes.Statement:
    """A statement that evaluates parts and binds names to what is not known."""
    value = nodes.OpaqueExpression(start, end, parts)
    cursor.position = end
    if not names:
        return nodes.ExpressionStatement(start, end, value)
    targets = tuple(nodes.Name(start, end, name) for name in names)
    return nodes.Assignment(start, end, targets, value)
