"""Slices with traced bounds in fixes: `dynamic_slice_in_dim`, where the length is known."""

from oakum_lint.edits import Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.expressions import argument_text
from oakum_lint.fixes.logic import Logic
from oakum_lint.fixes.site import Site


def dynamic_slice(site: Site) -> Fix | None:
    """A slice of as many elements as its two bounds are apart, from a traced one on.

    None where that number does not stand in the bounds: then the size of the result is not known.
    """
    node, subscript = site.node, site.parent
    axis = 0
    if isinstance(subscript, nodes.Display) and len(site.way) > 2:
        others = [part for part in subscript.elements if part is not node]
        axis = subscript.elements.index(node)
        if not all(_is_whole(part) for part in others):
            return None
        subscript = site.way[-3]
    if not isinstance(subscript, nodes.Subscript) or not isinstance(node, nodes.Slice):
        return None
    start, length = node.lower, _length(site, node)
    if start is None or length is None or node.step is not None or _is_stored(site, subscript):
        return None
    logic = Logic(site)
    arguments = [argument_text(site, subscript.value), argument_text(site, start), length]
    arguments += [f"axis={axis}"] if axis else []
    text = logic.call("jax.lax.dynamic_slice_in_dim", *arguments)
    if text is None:
        return None
    edits = [site.replace(subscript, text), *logic.edits]
    return make_fix("Slice with `jax.lax.dynamic_slice_in_dim`", edits, Safety.UNSAFE)


def _is_whole(part: nodes.Node) -> bool:
    return isinstance(part, nodes.Slice) and (part.lower, part.upper, part.step) == (None,) * 3


def _length(site: Site, node: nodes.Slice) -> str | None:
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


def _is_stored(site: Site, subscript: nodes.Subscript) -> bool:
    """Whether the slice is written to, or stands behind `.at`."""
    around = site.way[site.way.index(subscript) - 1]
    is_target = isinstance(around, nodes.Assignment) and subscript in around.targets
    value = subscript.value
    return is_target or (isinstance(value, nodes.Attribute) and value.attribute == "at")
