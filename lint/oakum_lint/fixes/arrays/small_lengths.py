"""Lengths to which something small is added in fixes, `jnp.linalg.norm(x) + 1e-6`: it is put under
the root, where it keeps the derivative finite.
"""

from typing import Final

from oakum_lint.fixes.editing.expressions import operand_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_MAXIMUM: Final = f"{dotted.JNP}.maximum"
_LEAST: Final = 1e-36
"""A smaller number may be zero in single precision."""


def add_under_root(site: Site) -> Fix | None:
    """Adds the square of what is small to the sum of the squares, or bounds that by it."""
    logic, node = Logic(site), site.node
    match node:
        case nodes.BinaryOperation(operator="+", left=left, right=right):
            sides = left, right
        case nodes.Call(arguments=(left, right), keywords=()) if (
            meaning(site, node.function) == _MAXIMUM
        ):
            sides = left, right
        case _:
            return None
    lengths = [sum_of_squares(site, side, logic) for side in sides]
    small = [_square_of(site, side) for side in sides]
    match lengths, small:
        case ([str() as total, None], [_, str() as least]):
            parts = total, least
        case ([None, str() as total], [str() as least, _]):
            parts = least, total
        case _:
            return None
    if isinstance(node, nodes.Call):
        inner = f"{site.text(node.function)}({', '.join(parts)})"
    else:
        inner = " + ".join(parts)
    text = logic.call(dotted.SQRT, inner)
    if text is None:
        return None
    edits = [site.replace_range(*site.with_parentheses(node), text), *logic.edits]
    # A length is a real float, also of complex numbers: the sum is not.
    return make_fix("Put the epsilon under the root", edits, Safety.UNSAFE)


def sum_of_squares(site: Site, length: nodes.Expression, logic: Logic) -> str | None:
    """The sum of the squares of the vectors whose lengths along an axis a call computes."""
    match length:
        case nodes.Call(arguments=(vector,)) if meaning(site, length.function) == dotted.NORM:
            pass
        case _:
            return None
    options = [(each.name, site.text(each.value)) for each in length.keywords]
    if any(name not in ("axis", "keepdims") for name, _ in options):
        return None
    operand = operand_text(site, vector)
    squared = f"{operand}**2" if isinstance(vector, nodes.Name) else f"{operand} ** 2"
    return logic.call(dotted.SUM, squared, *(f"{name}={value}" for name, value in options))


def _square_of(site: Site, small: nodes.Expression) -> str | None:
    match small:
        case nodes.Constant(value=float() as number) if number * number > _LEAST:
            return f"{number * number:.6g}".replace("e-0", "e-")
        case nodes.Name() | nodes.Attribute(value=nodes.Name()):
            return f"{site.text(small)}**2"
        case _:
            return None
