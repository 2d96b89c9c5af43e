"""Slices of a known length in fixes: `dynamic_slice` from a traced start, or indices to update."""

from oakum_lint.fixes.arrays.slice_axis import Cut, is_whole, length_of
from oakum_lint.fixes.editing.expressions import argument_text, operand_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


def dynamic_slice(site: Site, cut: Cut, length: str) -> Fix | None:
    """A slice of as many elements as its two bounds are apart, from a traced one on."""
    assert cut.part.lower is not None
    logic = Logic(site)
    arguments = [argument_text(site, cut.array), argument_text(site, cut.part.lower), length]
    arguments += [f"axis={cut.axis}"] if cut.axis else []
    text = logic.call(dotted.DYNAMIC_SLICE_IN_DIM, *arguments)
    if text is None:
        return None
    edits = [site.replace(cut.subscript, text), *logic.edits]
    return make_fix("Slice with `jax.lax.dynamic_slice_in_dim`", edits, Safety.UNSAFE)


def indexed_update(site: Site, part: nodes.Slice, length: str) -> Fix | None:
    """An update at as many indices as the bounds are apart."""
    assert part.lower is not None
    logic = Logic(site)
    offsets = logic.call(dotted.ARANGE, length)
    if offsets is None:
        return None
    text = f"{operand_text(site, part.lower)} + {offsets}"
    return make_fix("Update by index", [site.replace(part, text), *logic.edits], Safety.UNSAFE)


def window(site: Site, rank: int | None) -> Fix | None:
    """A slice of known lengths along several axes of a named array."""
    subscript, index = site.way[-3] if len(site.way) > 2 else None, site.parent
    if not isinstance(subscript, nodes.Subscript) or not isinstance(index, nodes.Display):
        return None
    array = subscript.value
    if not isinstance(array, nodes.Name | nodes.Attribute) or _is_written(site, subscript, array):
        return None
    if rank is None or len(index.elements) > rank:
        return None
    starts, sizes = list[str](), list[str]()
    for axis in range(rank):
        part = index.elements[axis] if axis < len(index.elements) else None
        if part is None or is_whole(part):
            starts.append("0")
            sizes.append(f"{site.text(array)}.shape[{axis}]")
            continue
        length = length_of(site, part) if isinstance(part, nodes.Slice) else None
        if length is None or not isinstance(part, nodes.Slice) or part.lower is None or part.step:
            return None
        starts.append(argument_text(site, part.lower))
        sizes.append(length)
    logic = Logic(site)
    operands = [f"({', '.join(texts)})" for texts in (starts, sizes)]
    text = logic.call(dotted.DYNAMIC_SLICE, site.text(array), *operands)
    if text is None:
        return None
    edits = [site.replace(subscript, text), *logic.edits]
    return make_fix("Slice with `jax.lax.dynamic_slice`", edits, Safety.UNSAFE)


def slice_beside(site: Site) -> Fix | None:
    """A slice of known length along one axis of a named array, and then what the other indices
    select of it.
    """
    subscript, index, part = site.way[-3] if len(site.way) > 2 else None, site.parent, site.node
    match subscript, index, part:
        case (
            nodes.Subscript(value=nodes.Name() | nodes.Attribute() as array),
            nodes.Display(elements=elements),
            nodes.Slice(lower=start, step=None),
        ) if start is not None and not _is_written(site, subscript, array):
            pass
        case _:
            return None
    axis, length = elements.index(part), length_of(site, part)
    others = [element for element in elements if element is not part]
    if length is None or not all(_takes_one_axis(element) for element in others):
        return None
    logic = Logic(site)
    arguments = [site.text(array), argument_text(site, start), length, f"axis={axis}"]
    text = logic.call(dotted.DYNAMIC_SLICE_IN_DIM, *arguments[: 4 if axis else 3])
    if text is None:
        return None
    selected = [":" if element is part else site.text(element) for element in elements]
    while selected[-1] == ":":
        selected.pop()
    edits = [site.replace(subscript, f"{text}[{', '.join(selected)}]"), *logic.edits]
    return make_fix("Slice with `jax.lax.dynamic_slice_in_dim`", edits, Safety.UNSAFE)


def _is_written(site: Site, subscript: nodes.Node, array: nodes.Expression) -> bool:
    """Whether a subscript says where an array is updated."""
    around = site.way[site.way.index(subscript) - 1]
    is_target = isinstance(around, nodes.Assignment) and subscript in around.targets
    return is_target or (isinstance(array, nodes.Attribute) and array.attribute == "at")


def _takes_one_axis(part: nodes.Expression) -> bool:
    """Whether a part of an index is one number, or all of an axis."""
    match part:
        case nodes.Constant(value=int()) | nodes.UnaryOperation(operand=nodes.Constant()):
            return True
        case _:
            return is_whole(part) or isinstance(part, nodes.Name)
