"""Boolean masks in fixes: the shape is kept, and `where` says which elements count.

A mask of fewer dimensions than the array selects whole rows: it has no fix. Where the dimensions
are not known, a fix is safe only if the mask compares the array's own elements.
"""

from typing import Final

from oakum.values import declarations
from oakum_lint.fixes.arrays.reductions import parts_alike, reduction_around
from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.expressions import argument_text, operand_text, receiver_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.editing.values import compares, value_of
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_at, children, names_in, walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_OPERATORS: Final = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "mul": "*",
    "divide": "/",
    "power": "**",
}
_FUNCTIONS: Final = {"min": "minimum", "max": "maximum"}
_NEUTRAL: Final = {"add": "0", "subtract": "0", "multiply": "1", "mul": "1", "divide": "1"}
"""What changes nothing when an update is made with it."""


def masked_update(site: Site, whole: bool | None) -> Fix | None:
    """`jnp.where(mask, value, x)` in the place of `x.at[mask].set(value)`.

    `whole` says whether the mask has as many dimensions as the array, where that is known.
    """
    match site.node:
        case nodes.Call(
            function=nodes.Attribute(
                value=nodes.Subscript(
                    value=nodes.Attribute(value=array, attribute="at"), index=mask
                ),
                attribute=method,
            ),
            arguments=(value,),
            keywords=(),
        ):
            pass
        case _:
            return None
    logic = Logic(site)
    if isinstance(mask, nodes.Display):
        return _update_beside_constants(logic, mask, value, method)
    if whole is False or (whole is None and _drops_axis(site, mask)):
        return None
    if whole is None and not compares(site, mask, array):
        logic.safety = Safety.UNSAFE
    value_text, is_taken = unmasked(site, value, mask)
    if not is_taken and not is_number(value):
        logic.safety = Safety.UNSAFE
    updated = updated_text(logic, array, method, value, value_text)
    kept = argument_text(site, array)
    text = updated and logic.call(dotted.WHERE, argument_text(site, mask), updated, kept)
    if text is None:
        return None
    return make_fix(
        "Select with `jnp.where`", [site.replace(site.node, text), *logic.edits], logic.safety
    )


def _drops_axis(site: Site, mask: nodes.Expression) -> bool:
    """Whether a mask is made of parts of arrays alone, at a number on one of their axes, or of what
    is so along one: a mask of rows.
    """
    pending, drops = [mask], False
    while pending:
        node = pending.pop()
        while isinstance(node, nodes.Name) and (value := value_of(site, node)) is not None:
            node = value
        match node:
            case nodes.Comparison(left=left, comparators=comparators):
                pending += (left, *comparators)
            case nodes.BinaryOperation(left=left, right=right):
                pending += (left, right)
            case nodes.UnaryOperation(operand=operand):
                pending.append(operand)
            case nodes.Constant():
                pass
            case _ if not _is_part(site, node):
                return False
            case _:
                drops = True
    return drops


def _is_part(site: Site, node: nodes.Expression) -> bool:
    match node:
        case nodes.Subscript(index=nodes.Display(elements=elements)):
            return any(map(_is_one, elements))
        case nodes.Subscript(index=index):
            return _is_one(index)
        case nodes.Call(function=nodes.Attribute(attribute="any" | "all") as function) as call:
            # The first argument of a function is the array.
            own = 1 if meaning(site, function) else 0
            return len(call.arguments) + len(call.keywords) > own
        case _:
            return False


def _is_one(index: nodes.Expression) -> bool:
    """Whether an index is a number, or a name, as of a counter."""
    match index:
        case nodes.Constant(value=value):
            return value is not None and value is not ...
        case nodes.UnaryOperation(operator="-") | nodes.Name():
            return True
        case _:
            return False


def updated_text(
    logic: Logic, array: nodes.Expression, method: str, value: nodes.Expression, value_text: str
) -> str | None:
    """Returns what an update by `value`, whose text is `value_text`, makes of the elements."""
    name = operand_text(logic.site, array)
    if method == "set":
        return value_text
    if method in _OPERATORS:
        is_tight = is_number(value) or isinstance(value, nodes.Name | nodes.Call | nodes.Subscript)
        return f"{name} {_OPERATORS[method]} {value_text if is_tight else f'({value_text})'}"
    if method in _FUNCTIONS:
        return logic.call(f"{dotted.IN_JNP}{_FUNCTIONS[method]}", name, value_text)
    return None


def unmasked(site: Site, value: nodes.Expression, mask: nodes.Expression) -> tuple[str, bool]:
    """The text of a value with `y` for each `y[mask]` in it, and whether there was one."""
    text = argument_text(site, value)
    offset = value.start - (len(text) - len(site.text(value))) // 2
    taken = [
        node
        for node in walk(value)
        if isinstance(node, nodes.Subscript) and site.text(node.index) == site.text(mask)
    ]
    for node in reversed(taken):
        start, end = node.start - offset, node.end - offset
        text = text[:start] + operand_text(site, node.value) + text[end:]
    return text, bool(taken)


def _update_beside_constants(
    logic: Logic, index: nodes.Display, value: nodes.Expression, method: str
) -> Fix | None:
    """The update of a column where a mask of its elements holds, by what changes nothing."""
    site = logic.site
    masks = [item for item in index.elements if not isinstance(item, nodes.Constant)]
    if len(masks) != 1 or method not in _NEUTRAL or not is_number(value):
        return None
    value_text = argument_text(site, value)
    text = logic.call(dotted.WHERE, argument_text(site, masks[0]), value_text, _NEUTRAL[method])
    if text is None or isinstance(masks[0], nodes.Slice):
        return None
    edits = [site.replace(masks[0], ":"), site.replace(value, text), *logic.edits]
    return make_fix("Update all, by what changes nothing", edits, Safety.UNSAFE)


def masked_reduction(site: Site, whole: bool | None) -> Fix | None:
    """`x.mean(where=mask)` in the place of `x[mask].mean()`, and so for `jnp.mean(x[mask])`, also
    where `x[mask]` gets a name that is only reduced.
    """
    node = site.node
    if whole is False or not isinstance(node, nodes.Subscript) or len(site.way) < 3:
        return None
    if isinstance(node.index, nodes.Display) or (whole is None and _drops_axis(site, node.index)):
        return None
    edit = _reduced(site, site.way[-3], site.way[-2], node, node)
    edits = _reductions_of_name(site, node) if edit is None else [edit]
    if edits is None:
        return _reduced_elementwise(site, node)
    is_certain = whole or compares(site, node.index, node.value)
    safety = Safety.SAFE if is_certain else Safety.UNSAFE
    return make_fix("Reduce with `where=`", edits, safety)


def _reduced(
    site: Site,
    outer: nodes.Node,
    around: nodes.Node,
    reduced: nodes.Expression,
    masked: nodes.Subscript,
) -> Edit | None:
    """The reduction of `reduced`, which stands for `x[mask]`, with `where=`; `around` is the node
    around it and `outer` the one around that.
    """
    mask, array = argument_text(site, masked.index), masked.value
    match around, outer:
        case (nodes.Attribute(attribute=name), nodes.Call(function=called, arguments=())) if (
            called is around and not outer.keywords and takes_where(f"Array.{name}")
        ):
            return site.replace(outer, f"{receiver_text(site, array)}.{name}(where={mask})")
        case (nodes.Call(arguments=(argument,), keywords=()), _) if argument is reduced:
            path = meaning(site, around.function).removeprefix(dotted.IN_JAX)
            if path.startswith(dotted.IN_NUMPY) and takes_where(path):
                return site.replace(reduced, f"{argument_text(site, array)}, where={mask}")
            return None
        case _:
            return None


def _reduced_elementwise(site: Site, masked: nodes.Subscript) -> Fix | None:
    """The reduction of what is computed of each element of `x[mask]`, with `where=`. The elements
    that are left out may be infinite, and so the gradients of those that are not.
    """
    found = reduction_around(site, len(site.way) - 1)
    if found is None:
        return None
    call, operand, reduction = found
    parts = parts_alike(site, operand, masked)
    mask = argument_text(site, masked.index)
    added = added_argument(site, call, f"where={mask}")
    if not parts or added is None or not takes_where(reduction):
        return None
    is_method = reduction.startswith("Array.")
    if len(call.arguments) != 1 - is_method or {k.name for k in call.keywords} - {"ddof", "dtype"}:
        return None  # an axis of `x[mask]` is another than that of `x`
    edits = [added, *(site.replace(part, operand_text(site, part.value)) for part in parts)]
    return make_fix("Reduce with `where=`", edits, Safety.UNSAFE)


def takes_where(reduction: str) -> bool:
    """Whether a reduction can leave elements out, of any dtype."""
    declared = declarations.find(reduction)
    if declared is None or "where" not in declared.signature.parameters:
        return False
    # A least or greatest value needs one to begin with, which depends on the dtype.
    return not reduction.endswith(("min", "max"))


def _reductions_of_name(site: Site, masked: nodes.Subscript) -> list[Edit] | None:
    """The reductions of the name that `x[mask]` is assigned to, and its assignment taken out."""
    statement, function = site.statement, own_function(site)
    match statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value):
            pass
        case _:
            return None
    if function is None or value is not masked or not site.is_alone(statement):
        return None
    later = [n for n in walk(*function.body) if n.start >= statement.end]
    needed = names_in(masked) | {name}
    if any(needed & bound_at(n) for n in later):
        return None
    reads = [n for n in later if isinstance(n, nodes.Name) and n.identifier == name]
    edits = [
        edit
        for outer in walk(*function.body)
        for around in children(outer)
        for reduced in children(around)
        if isinstance(reduced, nodes.Name) and reduced.identifier == name
        if (edit := _reduced(site, outer, around, reduced, masked)) is not None
    ]
    if not reads or len(edits) != len(reads):
        return None
    return [site.removal(statement), *edits]


def is_number(node: nodes.Expression) -> bool:
    """Whether a number is written out."""
    if isinstance(node, nodes.UnaryOperation):
        return node.operator == "-" and is_number(node.operand)
    return isinstance(node, nodes.Constant) and isinstance(node.value, int | float | complex)
