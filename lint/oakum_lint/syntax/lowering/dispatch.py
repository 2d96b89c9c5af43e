"""Lowers LibCST expressions to the compact syntax tree, in source order: the driver.

Ranges are those of Python's `ast`: without an expression's own parentheses, which a tuple and a
generator expression count as theirs, and with the parts of f-strings as Python 3.12 places them.

Invariants:
- An expression is lowered from where the cursor stands before it (blanks and its parentheses
  included) and leaves the cursor behind it (its closing parentheses included).
- Chains that lean to the left (`a + b + c`, `a.b().c[d]`) are walked with a stack of their own,
  of any length. Other nesting recurses, within the bound that `nesting` sets.
- `LEAVES` and `LINKS` are filled by the package, once, and not changed after.
"""

from collections.abc import Callable
from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import BLANK, Cursor, MisplacedError, identifier
from oakum_lint.syntax.lowering.plain_tree import cst
from oakum_lint.syntax.lowering.unknown import outermost

Leaf = Callable[[Cursor, Any, int], nodes.Expression]
"""Lowers an expression that begins with a token of its own, at the position."""
Link = Callable[[Cursor, Any, int, nodes.Expression], nodes.Expression]
"""Lowers the rest of an expression whose leftmost part is lowered already."""

LEAVES: Final[dict[type[cst.CSTNode], Leaf]] = {}
LINKS: Final[dict[type[cst.CSTNode], Link]] = {}

_LEFTMOST: Final[dict[type[cst.CSTNode], str]] = {
    cst.Attribute: "value",
    cst.Call: "func",
    cst.Subscript: "value",
    cst.BinaryOperation: "left",
    cst.BooleanOperation: "left",
    cst.Comparison: "left",
    cst.IfExp: "body",
}
_OWNS_PARENTHESES: Final = (cst.Tuple, cst.GeneratorExp)
_NAMED_CONSTANTS: Final[dict[str, Any]] = {"None": None, "True": True, "False": False}


def expression(cursor: Cursor, node: Any) -> nodes.Expression:
    """Lowers one expression."""
    kind: type[cst.CSTNode] = node.__class__
    if kind is cst.Name and not node.lpar:
        return lower_name(cursor, node)
    spine: list[tuple[Any, int]] = []
    while True:
        opening = -1
        for _ in node.lpar:
            opening = cursor.take(1)
        start = cursor.skip()
        leftmost = _LEFTMOST.get(kind)
        if leftmost is None:
            break
        spine.append((node, start))
        node = getattr(node, leftmost)
        kind = node.__class__
    value = LEAVES.get(kind, _unknown)(cursor, node, start)
    if node.lpar:
        _close(cursor, node, value, opening)
    while spine:
        node, start = spine.pop()
        value = LINKS[type(node)](cursor, node, start, value)
        for _ in node.rpar:
            cursor.take(1)
    return value


def _unknown(cursor: Cursor, node: Any, start: int) -> nodes.Expression:
    """Lowers an expression of a kind that is not known, with the known ones in it."""
    spans = cursor.spans()
    _, end = spans.of(node)
    inner, _, has_scope = outermost(node, spans)
    parts = () if has_scope else lower_all(cursor, inner)
    cursor.position = end
    return nodes.OpaqueExpression(start, end, parts)


def lower_all(cursor: Cursor, expressions: list[Any]) -> tuple[nodes.Expression, ...]:
    """Lowers expressions with anything between them."""
    result: list[nodes.Expression] = []
    for each in expressions:
        cursor.position = cursor.spans().start_of(each)
        result.append(expression(cursor, each))
    return tuple(result)


def _close(cursor: Cursor, node: Any, value: nodes.Expression, opening: int) -> None:
    """Takes closing parentheses. The innermost pair belongs to a tuple or generator expression."""
    for index, _ in enumerate(node.rpar):
        closing = cursor.take(1)
        if index == 0 and type(node) in _OWNS_PARENTHESES:
            value.start = opening
            value.end = closing + 1


def optional(cursor: Cursor, node: Any) -> nodes.Expression | None:
    """Lowers an expression that may be absent."""
    return None if node is None else expression(cursor, node)


def lower_name(cursor: Cursor, node: cst.Name) -> nodes.Expression:
    text = cursor.text
    start = cursor.position
    if text[start] in BLANK:
        start = cursor.skip()
    value = node.value
    end = start + len(value)
    if text[start:end] != value:
        raise MisplacedError(f"expected {value!r} at {start}, found {text[start:end]!r}")
    cursor.position = end
    constant = _NAMED_CONSTANTS.get(value, cursor)
    if constant is not cursor:
        return nodes.Constant(start, end, constant)
    return nodes.Name(start, end, value if value.isascii() else identifier(value))
