"""Results of a size that depends on values: the mask in their place, or a size that is fixed."""

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.scopes import free_name, is_own_step, own_function
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import children, walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix


def known_size(site: Site, parameter: str) -> Fix | None:
    """Passes a known size for a result: that of the array, for that is the most that can be found.

    Indices that only serve as an index are not made at all: the mask is the index. None where the
    number of what was found is asked for.
    """
    call = site.node
    if parameter != "size" or not isinstance(call, nodes.Call) or len(call.arguments) != 1:
        return None
    array = call.arguments[0]
    uses = _uses_of_result(site)
    if (
        uses
        and all(isinstance(use, nodes.Subscript) for use in uses)
        and not call.keywords
        and meaning(site, call.function) in (dotted.WHERE, dotted.NONZERO)
    ):
        edit = site.replace(call, argument_text(site, array))
        return make_fix("Index with the mask itself", [edit], Safety.SAFE)
    if any(isinstance(use, nodes.Attribute | nodes.Call) for use in uses):
        return None
    if any(keyword.name == parameter for keyword in call.keywords) or _is_index(site, array):
        return None
    edits = _sized(site, call, array)
    if edits is None:
        return None
    return make_fix("Fix the size, and fill the rest", edits, Safety.UNSAFE)


def _sized(site: Site, call: nodes.Call, array: nodes.Expression) -> list[Edit] | None:
    """Adds the size; what is more than a name gets one first, where the statement allows it."""
    if isinstance(array, nodes.Name | nodes.Attribute):
        added = added_argument(site, call, f"size={site.text(array)}.size")
        return None if added is None else [added]
    name = free_name(site, "mask", "found", "searched")
    if name is None or not is_own_step(site):
        return None
    added = added_argument(site, call, f"size={name}.size")
    if added is None or site.indent(site.statement) is None:
        return None
    line = site.line_before(site.statement, f"{name} = {site.text(array)}")
    return [line, site.replace(array, name), added]


def _is_index(site: Site, array: nodes.Expression) -> bool:
    """Whether the function of the site takes elements by an array, too: what has another size than
    these does not go with them.
    """
    function, text = own_function(site), site.text(array)
    return function is not None and any(
        isinstance(node, nodes.Subscript) and site.text(node.index) == text
        for node in walk(*function.body)
    )


def _uses_of_result(site: Site) -> list[nodes.Node]:
    """Finds the uses of the flagged result, or of the name that it is assigned to: a subscript
    that has it as its index, an attribute or a call of `len`, or the name itself.
    """
    statement, function = site.statement, own_function(site)
    match site.parent:
        case nodes.Attribute() | nodes.Call(function=nodes.Name(identifier="len")):
            return [site.parent]
        case _:
            pass
    if function is None or not isinstance(statement, nodes.Assignment):
        return []
    match statement.targets:
        case (nodes.Name(identifier=name),) if statement.value is site.node:
            pass
        case _:
            return []
    return [
        _use(node, child)
        for node in walk(*function.body)
        for child in children(node)
        if isinstance(child, nodes.Name)
        and child.identifier == name
        and child is not statement.targets[0]
    ]


def _use(around: nodes.Node, name: nodes.Name) -> nodes.Node:
    match around:
        case nodes.Subscript(index=index) if index is name:
            return around
        case nodes.Attribute() | nodes.Call(function=nodes.Name(identifier="len")):
            return around
        case _:
            return name
