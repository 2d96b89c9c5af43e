"""Prints in fixes: `jax.debug.print` shows the value each time the program runs."""

import ast

from oakum_lint.edits import Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.comments import comments_of
from oakum_lint.fixes.expressions import argument_text
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.spelling import spell


def debug_print(site: Site) -> Fix | None:
    """`jax.debug.print("x {}", x)` in the place of `print("x", x)`, also of f-strings."""
    call = site.node
    if not isinstance(call, nodes.Call) or site.text(call.function) != "print":
        return None
    spelling = spell(site, "jax.debug.print")
    if call.keywords or spelling is None:
        return None
    template: list[str] = []
    values: list[str] = []
    for argument in call.arguments:
        match argument:
            case nodes.Constant(value=str(text)):
                template.append(_escaped(text))
            case nodes.FormattedString():
                text = _formatted(site, argument, values)
                if text is None:
                    return None
                template.append(text)
            case nodes.Starred():
                return None
            case _:
                template.append("{}")
                values.append(argument_text(site, argument))
    if comments_of(site, call.start, call.end, ()):
        return None
    arguments = ", ".join([_literal(" ".join(template)), *values])
    edits = [site.replace(call, f"{spelling.text}({arguments})"), *spelling.edits]
    return make_fix("Print with `jax.debug.print`", edits, Safety.SAFE)


def print_around(site: Site) -> Fix | None:
    """`jax.debug.print` in the place of the `print` whose f-string the site is a value of."""
    for position in range(len(site.way) - 1, 0, -1):
        node, around = site.way[position], site.way[position - 1]
        if isinstance(around, nodes.Call) and isinstance(node, nodes.FormattedString):
            return debug_print(Site(site.module, site.unit, site.way[:position]))
    return None


def _formatted(site: Site, string: nodes.FormattedString, values: list[str]) -> str | None:
    """The template of an f-string; its values are added to `values`."""
    parts: list[str] = []
    for part in string.parts:
        if isinstance(part, str):
            parts.append(_escaped(part))
            continue
        text = site.text(part)
        if part.conversion is not None or text.rstrip("} ").endswith("="):
            return None
        spec = ""
        if part.format_spec is not None:
            if not all(isinstance(piece, str) for piece in part.format_spec.parts):
                return None
            spec = ":" + "".join(str(piece) for piece in part.format_spec.parts)
        parts.append(f"{{{spec}}}")
        values.append(argument_text(site, part.value))
    return "".join(parts)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _literal(text: str) -> str:
    """A text as a Python literal, in double quotes where that needs no escapes."""
    written = repr(text)
    if written[0] == "'" and '"' not in text:
        written = f'"{written[1:-1]}"'
    assert ast.literal_eval(written) == text
    return written
