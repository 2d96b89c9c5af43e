"""Prints in fixes: `jax.debug.print` shows the value each time the program runs."""

import ast
import string
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from oakum_lint.fixes.editing.comments import comments_of
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.spelling import spell
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix
from oakum_lint.text.expressions import PLAIN_PERCENT

_FORMATTER: Final = string.Formatter()


def debug_print(site: Site, safety: Safety) -> Fix | None:
    """`jax.debug.print("x {}", x)` in the place of `print("x", x)`, also of text that is made of
    values by f-strings, `%`, `format`, `str` and `+`.
    """
    call = site.node
    if not isinstance(call, nodes.Call) or site.text(call.function) != "print":
        return None
    spelling, separator = spell(site, dotted.PRINT), _separator(call)
    if spelling is None or separator is None:
        return None
    values: list[str] = []
    template = [_template(site, argument, values) for argument in call.arguments]
    if None in template or comments_of(site, call.start, call.end, ()):
        return None
    text = _escaped(separator).join(piece or "" for piece in template)
    arguments = ", ".join([*_shown_text(text), *values])
    edits = [site.replace(call, f"{spelling.text}({arguments})"), *spelling.edits]
    return make_fix("Print with `jax.debug.print`", edits, safety)


def values_apart(site: Site) -> Fix | None:
    """`jax.debug.print("x {}", x)` in the place of `jax.debug.print(f"x {x}")`."""
    call = site.node
    if not isinstance(call, nodes.Call) or len(call.arguments) != 1 or call.keywords:
        return None
    values: list[str] = []
    text = _template(site, call.arguments[0], values)
    if text is None or comments_of(site, call.start, call.end, ()):
        return None
    edit = site.replace(call.arguments[0], ", ".join([*_shown_text(text), *values]))
    return make_fix("Hand the values over", [edit], Safety.SAFE)


def print_around(site: Site) -> Fix | None:
    """`jax.debug.print` in the place of the `print` that shows the site as part of a text."""
    for position in range(len(site.way) - 1, 0, -1):
        around = site.way[position - 1]
        if isinstance(around, nodes.Call) and site.text(around.function) == "print":
            return debug_print(Site(site.module, site.unit, site.way[:position]), Safety.SAFE)
        if not _makes_text(around):
            return None
    return None


def _makes_text(node: nodes.Node) -> bool:
    """Whether a node around a value may be part of what makes a text of it."""
    match node:
        case nodes.FormattedString() | nodes.FormattedValue() | nodes.Display(kind="tuple"):
            return True
        case nodes.BinaryOperation(operator="+" | "%"):
            return True
        case nodes.Attribute(attribute="item" | "tolist" | "format"):
            return True
        case nodes.Call(function=nodes.Name(identifier="float" | "str" | "format")):
            return True
        case nodes.Call(function=nodes.Attribute(attribute="item" | "tolist" | "format")):
            return True
        case _:
            return False


def _separator(call: nodes.Call) -> str | None:
    """Returns the text between the arguments of `print`; None where more options are passed than
    whether the text is shown at once.
    """
    options = [
        each
        for each in call.keywords
        if each.name != "flush" or not isinstance(each.value, nodes.Constant)
    ]
    match options:
        case []:
            return " "
        case [nodes.Keyword(name="sep", value=nodes.Constant(value=str(text)))]:
            return text
        case _:
            return None


# --- texts ------------------------------------------------------------------------------------


def _template(site: Site, node: nodes.Expression, values: list[str]) -> str | None:
    """The template of what `print` shows of an argument; its values are added to `values`."""
    match node:
        case nodes.Constant(value=str(text)):
            return _escaped(text)
        case nodes.FormattedString():
            return _formatted(site, node, values)
        case nodes.BinaryOperation(operator="+", left=left, right=right) if _is_text(node):
            first, second = _template(site, left, values), _template(site, right, values)
            return None if first is None or second is None else first + second
        case nodes.BinaryOperation(operator="%", left=nodes.Constant(value=str(text)), right=right):
            operands = right.elements if isinstance(right, nodes.Display) else (right,)
            return _filled(site, _from_percent(text), operands, values)
        case nodes.Call(
            function=nodes.Attribute(value=nodes.Constant(value=str(text)), attribute="format"),
            keywords=(),
        ):
            return _filled(site, _FORMATTER.parse(text), node.arguments, values)
        case nodes.Call(function=nodes.Name(identifier="str"), arguments=(only,), keywords=()):
            return _template(site, only, values)
        case nodes.Starred():
            return None
        case _:
            return _filled(site, (("", "", "", None),), (node,), values)


def _is_text(node: nodes.Expression) -> bool:
    """Whether a sum is one of texts."""
    while isinstance(node, nodes.BinaryOperation) and node.operator == "+":
        match node.right:
            case nodes.Constant(value=str()) | nodes.FormattedString():
                return True
            case nodes.Call(function=nodes.Name(identifier="str")):
                return True
            case _:
                node = node.left
    return isinstance(node, nodes.FormattedString) or (
        isinstance(node, nodes.Constant) and isinstance(node.value, str)
    )


_Fields = Iterable[tuple[str, str | None, str | None, str | None]]
"""A template in parts: a text, and of the field behind it the name, the format, the conversion."""


def _filled(
    site: Site, fields: _Fields | None, operands: Sequence[nodes.Expression], values: list[str]
) -> str | None:
    """A template with one value for each of its fields, which have no names."""
    parts: list[str] = []
    left = list(operands)
    for text, name, spec, conversion in fields or ():
        parts.append(_escaped(text))
        if name is None:
            continue
        if name or conversion or not left or "{" in (spec or "") or _has_text(left[0]):
            return None
        match left.pop(0):
            case nodes.Constant(value=str()) if spec:
                return None
            case nodes.Constant(value=word) if not spec:
                # As a value a number would be rounded to 32 bits.
                parts.append(_escaped(str(word)))
            case value:
                parts.append(f"{{:{spec}}}" if spec else "{}")
                values.append(_shown(site, value, spec or ""))
    return None if left or fields is None else "".join(parts)


def _has_text(node: nodes.Expression) -> bool:
    """Whether a part of a value would be made a text when it is traced, or is none but one."""
    return any(
        isinstance(part, nodes.FormattedString | nodes.Starred)
        or (
            isinstance(part, nodes.Call)
            and isinstance(part.function, nodes.Name)
            and part.function.identifier in ("str", "repr", "format")
        )
        or (isinstance(part, nodes.Attribute) and part.attribute in ("format", "join"))
        for part in walk(node)
    )


def _shown(site: Site, value: nodes.Expression, spec: str) -> str:
    """What is passed to show a value: of a shape its text, as its numbers would become arrays."""
    text = argument_text(site, _as_array(value))
    is_shape = isinstance(value, nodes.Attribute) and value.attribute == "shape"
    return f"str({text})" if is_shape and not spec else text


def _as_array(node: nodes.Expression) -> nodes.Expression:
    """Returns the expression that is converted to a number only to be shown."""
    match node:
        case nodes.Call(function=nodes.Name(identifier="float"), arguments=(only,), keywords=()):
            return only
        case nodes.Call(
            function=nodes.Attribute(value=value, attribute="item" | "tolist"), arguments=()
        ):
            return value
        case _:
            return node


def _from_percent(text: str) -> _Fields | None:
    """The parts of a template of the operator `%`; None where `{}` has no such field."""
    fields: list[tuple[str, str | None, str | None, str | None]] = []
    position = 0
    for found in PLAIN_PERCENT.finditer(text):
        before = text[position : found.start()]
        position = found.end()
        width, kind = found["width"], found["kind"]
        if kind == "%" and not width:
            fields.append((f"{before}%", None, None, None))
        elif kind in "sd" and not width:
            fields.append((before, "", "", None))
        elif kind in "feEgG" and not width.startswith("-"):
            fields.append((before, "", f"{width}{kind}", None))
        else:
            return None
    return None if "%" in text[position:] else [*fields, (text[position:], None, None, None)]


def _formatted(site: Site, string: nodes.FormattedString, values: list[str]) -> str | None:
    """The template of an f-string; its values are added to `values`."""
    parts: list[str] = []
    for part in string.parts:
        if isinstance(part, str):
            parts.append(_escaped(part))
            continue
        named = site.text(part).rstrip("} ").endswith("=")  # `x=` is a part of its own
        is_plain = part.conversion is None or (named and part.conversion == "r")
        if not is_plain or _has_text(part.value):
            return None
        spec = ""
        if part.format_spec is not None:
            if not all(isinstance(piece, str) for piece in part.format_spec.parts):
                return None
            spec = ":" + "".join(str(piece) for piece in part.format_spec.parts)
        parts.append(f"{{{spec}}}")
        values.append(_shown(site, part.value, spec))
    return "".join(parts)


def _shown_text(template: str) -> Sequence[str]:
    """The first arguments of `jax.debug.print`: a template, and the text before its first field if
    that has braces. JAX takes a template that begins with braces written twice for plain text.
    """
    fields = takewhile(lambda part: part[1] is None, _FORMATTER.parse(template))
    text = "".join(part[0] for part in fields)
    if _escaped(text) == text:
        return (_literal(template),)
    return _literal(f"{{}}{template.removeprefix(_escaped(text))}"), _literal(text)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _literal(text: str) -> str:
    """A text as a Python literal, in double quotes where that needs no escapes."""
    written = repr(text)
    if written[0] == "'" and '"' not in text:
        written = f'"{written[1:-1]}"'
    assert ast.literal_eval(written) == text
    return written
