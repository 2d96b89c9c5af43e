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
_CLIP: Final = f"{dotted.JNP}.clip"
_LEAST: Final = 1e-36
"""A smaller number may be zero in single precision."""


def add_under_root(site: Site) -> Fix | None:
    """Adds the square of what is small to the sum of the squares, or bounds that by it."""
    logic, node = Logic(site), site.node
    match node:
        case nodes.BinaryOperation(operator="+", left=left, right=right):
            sides = left, right
        case nodes.Call(arguments=(left, right), keywords=()) if meaning(site, node.function) in (
            _MAXIMUM,
            _CLIP,
        ):
            sides = left, right
        case nodes.Call(
            function=nodes.Attribute(value=left, attribute="clip"),
            arguments=(right,),
            keywords=(),
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
    if isinstance(node, nodes.Call) and len(node.arguments) == 1:
        inner = f"{parts[0]}.clip({parts[1]})"
    elif isinstance(node, nodes.Call):
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
        case nodes.Call(arguments=(vector, *orders), keywords=keywords) if (
            meaning(site, length.function) == dotted.NORM and len(orders) <= 1
        ):
            pass
        case _:
            return None
    options = {each.name: each.value for each in keywords}
    order = options.pop("ord", orders[0] if orders else None)
    if not options.keys() <= {"axis", "keepdims"} or not _is_length(order, options.get("axis")):
        return None
    operand = operand_text(site, vector)
    squared = f"{operand}**2" if isinstance(vector, nodes.Name) else f"{operand} ** 2"
    return logic.call(
        dotted.SUM, squared, *(f"{name}={site.text(value)}" for name, value in options.items())
    )


def _is_length(order: nodes.Expression | None, axis: nodes.Expression | None) -> bool:
    """Whether a norm of some order is the root of the sum of squares: that of a matrix of order 2
    is another one, so it takes one axis.
    """
    match order, axis:
        case ((None | nodes.Constant(value=None)), _):
            return True
        case nodes.Constant(value=2), nodes.Constant(value=int()):
            return True
        case nodes.Constant(value=2), nodes.UnaryOperation(operator="-", operand=number):
            return isinstance(number, nodes.Constant)
        case _:
            return False


def _square_of(site: Site, small: nodes.Expression) -> str | None:
    match small:
        case nodes.Constant(value=float() as number) if number * number > _LEAST:
            return f"{number * number:.6g}".replace("e-0", "e-")
        case nodes.Name() | nodes.Attribute(value=nodes.Name()):
            return f"{site.text(small)}**2"
        case _:
            return None
