"""Slices in fixes: the axis that one cuts, and how many elements it has."""

from oakum.records import dataclass
from oakum_lint.facts import nodes
from oakum_lint.fixes.expressions import argument_text
from oakum_lint.fixes.site import Site


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
    """How far the bounds are apart: `k` of `i : i + k`, and of `i - k : i`."""
    lower, upper = node.lower, node.upper
    if lower is None or upper is None:
        return None
    match upper:
        case nodes.BinaryOperation(operator="+", left=left, right=right):
            for same, other in ((left, right), (right, left)):
                if site.text(same) == site.text(lower):
                    return argument_text(site, other)
        case _:
            pass
    match lower:
        case nodes.BinaryOperation(operator="-", left=left, right=right):
            return argument_text(site, right) if site.text(left) == site.text(upper) else None
        case _:
            return None
