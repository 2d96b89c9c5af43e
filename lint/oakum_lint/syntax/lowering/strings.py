"""Lowers string literals: plain, joined, formatted (f-strings) and templates (t-strings)."""

from typing import Any, Final

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, MisplacedError
from oakum_lint.syntax.lowering.dispatch import Leaf, expression
from oakum_lint.syntax.lowering.plain_tree import cst
from oakum_lint.text import literals

Parts = list[str | nodes.FormattedValue]


def _plain(cursor: Cursor, node: cst.SimpleString, start: int) -> nodes.Expression:
    spelling = node.value
    cursor.position = end = start + len(spelling)
    if not cursor.text.startswith(spelling, start):
        raise MisplacedError(f"expected a string at {start}")
    return nodes.Constant(start, end, literals.string(spelling))


def _formatted(cursor: Cursor, node: Any, start: int) -> nodes.Expression:
    cursor.take_word(node.start)
    prefix = node.start.rstrip("\"'").lower()
    parts = _parts(cursor, node.parts, prefix)
    cursor.position += len(node.end)
    return nodes.FormattedString(start, cursor.position, tuple(parts))


def _template(cursor: Cursor, node: Any, start: int) -> nodes.Expression:
    formatted = _formatted(cursor, node, start)
    assert isinstance(formatted, nodes.FormattedString)
    return nodes.OpaqueExpression(start, cursor.position, _values(formatted))


def _values(string: nodes.FormattedString) -> tuple[nodes.Expression, ...]:
    return tuple(part.value for part in string.parts if isinstance(part, nodes.FormattedValue))


def _parts(cursor: Cursor, contents: Any, prefix: str) -> Parts:
    parts: Parts = []
    for content in contents:
        if content.expression is None:
            cursor.position += len(content.value)
            text = content.value.replace("{{", "{").replace("}}", "}")
            _append_text(parts, literals.unescape(text, prefix))
        else:
            _field(cursor, content, prefix, parts)
    return parts


def _append_text(parts: Parts, text: str) -> None:
    """Adds text; neighbouring texts become one, as in `ast`."""
    if parts and isinstance(parts[-1], str):
        parts[-1] += text
    elif text:
        parts.append(text)


def _field(cursor: Cursor, node: Any, prefix: str, parts: Parts) -> None:
    start = cursor.position
    cursor.position += 1
    value = expression(cursor, node.expression)
    conversion = node.conversion
    if node.equal is not None:
        cursor.take_word("=")
        cursor.skip()
        _append_text(parts, cursor.text[start + 1 : cursor.position])
        if conversion is None and node.format_spec is None:
            conversion = "r"
    if node.conversion is not None:
        cursor.take_word("!")
        cursor.take_word(node.conversion)
    format_spec = None
    if node.format_spec is not None:
        cursor.take_word(":")
        spec_start = cursor.position
        spec_parts = _parts(cursor, node.format_spec, prefix)
        format_spec = nodes.FormattedString(spec_start, cursor.position, tuple(spec_parts))
        cursor.position += 1
    else:
        cursor.take_word("}")
    end = cursor.position
    parts.append(nodes.FormattedValue(start, end, value, conversion, format_spec))


def _joined(cursor: Cursor, node: cst.ConcatenatedString, start: int) -> nodes.Expression:
    """Lowers `"a" f"b" "c"` to one literal. LibCST nests the pieces to the right."""
    pieces: list[Any] = []
    rest: Any = node
    while type(rest) is cst.ConcatenatedString:
        pieces.append(rest.left)
        rest = rest.right
    pieces.append(rest)
    lowered = [expression(cursor, piece) for piece in pieces]
    end = cursor.position
    values = [piece.value for piece in lowered if isinstance(piece, nodes.Constant)]
    if len(values) == len(lowered):
        return nodes.Constant(start, end, _join(values))
    parts: Parts = []
    opaque: list[nodes.Expression] = []
    is_template = False
    for piece in lowered:
        if isinstance(piece, nodes.OpaqueExpression):
            is_template = True
            opaque += piece.parts
        elif isinstance(piece, nodes.FormattedString):
            opaque += _values(piece)
            for part in piece.parts:
                _append_text(parts, part) if isinstance(part, str) else parts.append(part)
        elif isinstance(piece, nodes.Constant):
            _append_text(parts, str(piece.value))
    if is_template:
        return nodes.OpaqueExpression(start, end, tuple(opaque))
    return nodes.FormattedString(start, end, tuple(parts))


def _join(values: list[object]) -> str | bytes:
    if all(isinstance(value, bytes) for value in values):
        return b"".join(value for value in values if isinstance(value, bytes))
    return "".join(value for value in values if isinstance(value, str))


STRINGS: Final[dict[type[cst.CSTNode], Leaf]] = {
    cst.SimpleString: _plain,
    cst.FormattedString: _formatted,
    cst.ConcatenatedString: _joined,
    cst.TemplatedString: _template,
}
