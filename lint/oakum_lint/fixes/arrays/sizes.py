"""Results of a size that depends on values: the mask in their place, or a size that is fixed."""

from typing import Final

from oakum_lint.fixes.arrays.masks import is_number
from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.expressions import argument_text, operand_text
from oakum_lint.fixes.editing.scopes import free_name, is_own_step, own_function
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.editing.values import compares, is_truth
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by, walk, way_to
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_FINDING: Final = frozenset((dotted.WHERE, dotted.NONZERO))


def known_size(site: Site, parameter: str, *, is_mask: bool) -> Fix | None:
    """Passes a known size for a result: that of the array, for that is the most that can be found.

    Indices that only serve as an index are not made at all: the mask is the index, which the array
    is itself or `is_mask` says. Those at which
    the array is changed that was searched are filled with one that it has not, which changes
    nothing; another array may have it. None where what fills the rest would count: it is handed
    back, or the first of it are, and nothing else.
    """
    call = site.node
    if parameter != "size" or not isinstance(call, nodes.Call) or len(call.arguments) != 1:
        return None
    array, finds = call.arguments[0], meaning(site, call.function) in _FINDING
    uses = _uses_of_result(site)
    if uses and finds and not call.keywords and all(_takes_items(site, way) for way in uses):
        # Numbers are an index of their own.
        is_mask = is_mask or is_truth(site, array)
        mask = argument_text(site, array) if is_mask else f"{operand_text(site, array)} != 0"
        edit = site.replace(call, mask)
        return make_fix("Index with the mask itself", [edit], Safety.SAFE)
    if any(keyword.name == parameter for keyword in call.keywords) or _is_index(site, array):
        return None
    changes = bool(uses) and finds and all(_changes_items(site, way, array) for way in uses)
    if not changes and not all(map(_hands_back, uses)):
        return None
    edits = _sized(site, call, array, fills=changes)
    if edits is None:
        return None
    return make_fix("Fix the size, and fill the rest", edits, Safety.UNSAFE)


def _sized(
    site: Site, call: nodes.Call, array: nodes.Expression, *, fills: bool
) -> list[Edit] | None:
    """Adds the size; what is more than a name gets one first, where the statement allows it."""
    if isinstance(array, nodes.Name | nodes.Attribute):
        added = added_argument(site, call, _size_of(site.text(array), fills=fills))
        return None if added is None else [added]
    name = free_name(site, "mask", "found", "searched")
    if name is None or not is_own_step(site):
        return None
    added = added_argument(site, call, _size_of(name, fills=fills))
    if added is None or site.indent(site.statement) is None:
        return None
    line = site.line_before(site.statement, f"{name} = {site.text(array)}")
    return [line, site.replace(array, name), added]


def _size_of(name: str, *, fills: bool) -> str:
    size = f"size={name}.size"
    return f"{size}, fill_value={name}.size" if fills else size


def _is_index(site: Site, array: nodes.Expression) -> bool:
    """Whether the function of the site takes elements by an array, too: what has another size than
    these does not go with them.
    """
    function, text = own_function(site), site.text(array)
    return function is not None and any(
        isinstance(node, nodes.Subscript) and site.text(node.index) == text
        for node in walk(*function.body)
    )


_Way = tuple[nodes.Node, ...]


def _uses_of_result(site: Site) -> list[_Way]:
    """The ways to where the flagged result stands, or one of its parts, `nonzero(x)[0]`, or to the
    names that it is assigned to, where they are read.
    """
    way, statement, function = site.way, site.statement, own_function(site)
    match site.parent:
        case nodes.Subscript(value=value, index=nodes.Constant()) if value is site.node:
            way = way[:-1]
        case _:
            pass
    if function is None or not isinstance(statement, nodes.Assignment):
        return [way]
    if statement.value is not way[-1]:
        return [way]
    names = bound_by(statement)
    return [
        way_to(site.unit.body, node.start, node.end)
        for node in walk(*function.body)
        if isinstance(node, nodes.Name) and node.identifier in names
        if not statement.start <= node.start < statement.value.start
    ]


def _taken_by(way: _Way) -> nodes.Subscript | None:
    """What takes items by a value at the end of a way, or by a tuple in which it stands."""
    around = way[-3] if isinstance(way[-2], nodes.Display) else way[-2]
    index = way[-2] if isinstance(way[-2], nodes.Display) else way[-1]
    return around if isinstance(around, nodes.Subscript) and around.index is index else None


def _takes_items(site: Site, way: _Way) -> bool:
    """Whether items are taken by the flagged value itself, which is a tuple of indices."""
    around, statement = way[-2], site.statement
    if way[-1] is not site.node:
        match statement:
            case nodes.Assignment(targets=(nodes.Name(),), value=value) if value is site.node:
                pass
            case _:
                return False
    if not isinstance(around, nodes.Subscript) or around.index is not way[-1]:
        return False
    match way[-4:-2]:
        case (nodes.Call(arguments=(value, *_)), nodes.Attribute()):
            # So many elements as are found are no number that all of the mask gets.
            return is_number(value)
        case _:
            return True


def _changes_items(site: Site, way: _Way, searched: nodes.Expression) -> bool:
    """Whether the array that was searched is changed at the indices, `x.at[rows].add(1)`, and those
    that it has not are left out, as they are without a `mode`.
    """
    taken = _taken_by(way)
    match way[way.index(taken) - 2 : way.index(taken)] if taken is not None else ():
        case (nodes.Call(), nodes.Attribute(attribute="get")):
            return False
        case (nodes.Call(keywords=()), nodes.Attribute()):
            at = None if taken is None else taken.value
            return (
                isinstance(at, nodes.Attribute)
                and at.attribute == "at"
                and compares(site, searched, at.value)
            )
        case _:
            return False


def _hands_back(way: _Way) -> bool:
    """Whether a value is returned, alone or with more, or so many of its first items."""
    match way[-2]:
        case nodes.Subscript(
            value=value, index=nodes.Slice(lower=None, upper=upper, step=None)
        ) if value is way[-1] and not isinstance(upper, nodes.UnaryOperation):
            way = way[:-1]
        case _:
            pass
    around = way[-3] if isinstance(way[-2], nodes.Display) else way[-2]
    return isinstance(around, nodes.Return)
