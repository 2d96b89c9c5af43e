"""Slices in fixes: the axis that one cuts, and how many elements it has."""

from oakum.values.records import dataclass
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class Cut:
    """A slice along one axis, which counts from the end where `...` stands before it."""

    array: nodes.Expression
    subscript: nodes.Subscript
    part: nodes.Slice
    axis: int


def cut_at(site: Site) -> Cut | None:
    """The slice at the site, if it is all that its subscript selects."""
    node, subscript, axis = site.node, site.parent, 0
    if isinstance(subscript, nodes.Display) and len(site.way) > 2:
        axis = subscript.elements.index(node)
        others = [part for part in subscript.elements if part is not node]
        if any(_is_rest(part) for part in subscript.elements[:axis]):
            axis -= len(subscript.elements)
        if not all(is_whole(part) or _is_rest(part) for part in others):
            return None
        subscript = site.way[-3]
    if not isinstance(subscript, nodes.Subscript) or not isinstance(node, nodes.Slice):
        return None
    return Cut(subscript.value, subscript, node, axis)


def is_whole(part: nodes.Node) -> bool:
    """Whether a part of an index takes all of its axis."""
    return isinstance(part, nodes.Slice) and (part.lower, part.upper, part.step) == (None,) * 3


def _is_rest(part: nodes.Node) -> bool:
    return isinstance(part, nodes.Constant) and part.value is ...


def length_of(site: Site, node: nodes.Slice) -> str | None:
    """How far the bounds are apart: `k` of `i : i + k`, of `i - k : i` and of
    `i * k : (i + 1) * k`, and 2 of `i + 1 : i + 3`.
    """
    lower, upper = node.lower, node.upper
    if lower is None or upper is None:
        return None
    steps = _difference(site, lower, upper)
    if steps is not None:
        return steps
    for same, first in _factors(lower):
        for factor, last in _factors(upper):
            if site.text(same) == site.text(factor) and _difference(site, first, last) == "1":
                return argument_text(site, same)
    return None


def _difference(site: Site, first: nodes.Expression, last: nodes.Expression) -> str | None:
    """Returns the difference between the last of two expressions and the first, by their forms."""
    for same, other in _summands(last):
        if site.text(same) == site.text(first):
            return argument_text(site, other)
        for base, start in _summands(first):
            match start, other:
                case nodes.Constant(value=int(low)), nodes.Constant(value=int(high)) if (
                    high > low and site.text(base) == site.text(same)
                ):
                    return str(high - low)
                case _:
                    pass
    match first:
        case nodes.BinaryOperation(operator="-", left=left, right=right):
            return argument_text(site, right) if site.text(left) == site.text(last) else None
        case _:
            return None


def _summands(node: nodes.Expression) -> tuple[tuple[nodes.Expression, nodes.Expression], ...]:
    """The two sides of a sum, in both orders."""
    match node:
        case nodes.BinaryOperation(operator="+", left=left, right=right):
            return (left, right), (right, left)
        case _:
            return ()


def _factors(node: nodes.Expression) -> tuple[tuple[nodes.Expression, nodes.Expression], ...]:
    """The two sides of a product, in both orders."""
    match node:
        case nodes.BinaryOperation(operator="*", left=left, right=right):
            return (left, right), (right, left)
        case _:
            return ()
