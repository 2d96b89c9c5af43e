"""Assignments to items in fixes: `x[i] = v` becomes `x = x.at[i].set(v)`."""

from typing import Final

from oakum_lint.fixes.arrays.masks import is_number, unmasked, updated_text
from oakum_lint.fixes.editing.calls import takes
from oakum_lint.fixes.editing.expressions import argument_text, is_enclosed, operand_text
from oakum_lint.fixes.editing.logic import Logic
from oakum_lint.fixes.editing.scopes import is_own, is_read_later, own_function
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.editing.values import compares, is_truth
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.names import EQUALS

METHODS: Final = {
    "": "set",
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "**": "power",
}
"""The methods of `.at[...]` that do what an assignment with this operator does."""


def functional_update(site: Site) -> Fix | None:
    """The update of an array, bound to the name of the array.

    None where the name would be another variable, or where nobody would see its new value.
    """
    target = site.node
    if not isinstance(target, nodes.Subscript) or not _is_seen(site, target.value):
        return None
    container = target.value
    if is_truth(site, target.index):
        return masked_assignment(site, None)
    edits = _updates_at_once(site, container) or _update(site, site.statement, target)
    if edits is None:
        return None
    name = site.text(container)
    return make_fix(f"Update `{name}` through `{name}.at`", edits, Safety.SAFE)


def _updates_at_once(site: Site, container: nodes.Expression) -> list[Edit] | None:
    """The edits that make `x[i], x[j] = a, b` functional, where all items are of one array."""
    statement, name = site.statement, site.text(container)
    match statement:
        case nodes.Assignment(
            targets=(nodes.Display(kind="tuple", elements=targets),),
            value=nodes.Display(kind="tuple", elements=values),
        ) if len(targets) == len(values):
            pass
        case _:
            return None
    updates: list[str] = []
    for target, value in zip(targets, values, strict=True):
        if not isinstance(target, nodes.Subscript) or site.text(target.value) != name:
            return None
        if isinstance(value, nodes.Starred):
            return None
        updates.append(f".at[{site.text(target.index)}].set({argument_text(site, value)})")
    return [site.replace(statement, f"{name} = {name}{''.join(updates)}")]


def _is_seen(site: Site, container: nodes.Expression) -> bool:
    """Whether binding what holds an array to a new one is what reads of it later see."""
    if isinstance(container, nodes.Name):
        # Where it is not read later, it was to change what the caller holds.
        return is_own(site, container.identifier) and is_read_later(site, container.identifier)
    return _is_plain(container)


def _update(site: Site, statement: nodes.Statement, target: nodes.Subscript) -> list[Edit] | None:
    """The edits that make one assignment to an item functional."""
    match statement:
        case nodes.Assignment(targets=(only,), value=value) if only is target:
            operator = ""
        case nodes.AugmentedAssignment(value=value, operator=operator):
            if statement.target is not target:
                return None
        case _:
            return None
    method = METHODS.get(operator)
    prefix = "" if method else f"{site.text(target)} {operator} "
    method = method or "set"
    text = site.unit.text
    equals = EQUALS.match(text, target.end, statement.end)
    if equals is None or statement.start != target.start:
        return None
    container = site.text(target.value)
    first, end = equals.end(), statement.end
    is_bare = value.start > first and is_enclosed(text[first:end])
    is_tuple = isinstance(value, nodes.Display) and value.kind == "tuple"
    if prefix or (is_tuple and not is_bare):
        written = [site.replace_range(first, end, f"{prefix}{operand_text(site, value)})")]
        is_bare = False
    else:
        written = [] if is_bare else [site.replace_range(end, end, ")")]
    return [
        site.replace_range(statement.start, statement.start, f"{container} = "),
        site.replace_range(target.value.end, target.value.end, ".at"),
        site.replace_range(target.end, first, f".{method}" if is_bare else f".{method}("),
        *written,
    ]


def masked_assignment(site: Site, whole: bool | None) -> Fix | None:
    """`x = jnp.where(mask, value, x)` in the place of `x[mask] = value`, also where the value is
    combined with the elements. The site is what is assigned to.
    """
    target, statement = site.node, site.statement
    match statement:
        case nodes.Assignment(targets=(only,), value=value) if only is target:
            method = "set"
        case nodes.AugmentedAssignment(target=only, value=value) if only is target:
            method = METHODS.get(statement.operator, "")
        case _:
            return None
    if not isinstance(target, nodes.Subscript) or whole is False or not method:
        return None
    if not _is_seen(site, target.value):
        return None
    array, mask, logic = target.value, target.index, Logic(site)
    inner, is_taken = unmasked(site, value, mask)
    is_plain = is_taken or is_number(value)
    if not is_plain or (whole is None and not compares(site, mask, array)):
        logic.safety = Safety.UNSAFE
    updated = updated_text(logic, array, method, value, inner)
    name = site.text(array)
    text = updated and logic.call(dotted.WHERE, argument_text(site, mask), updated, name)
    if text is None:
        return None
    edits = [site.replace(statement, f"{name} = {text}"), *logic.edits]
    return make_fix("Select with `jnp.where`", edits, logic.safety)


def _is_plain(node: nodes.Node) -> bool:
    """Whether reading an expression twice is reading it once: attributes and constant keys."""
    while isinstance(node, nodes.Attribute | nodes.Subscript):
        if isinstance(node, nodes.Subscript) and not isinstance(
            node.index, nodes.Constant | nodes.Name
        ):
            return False
        node = node.value
    return isinstance(node, nodes.Name)


def traceable_buffer(site: Site) -> Fix | None:
    """Makes a buffer of NumPy that is filled item by item one of JAX, with all its updates."""
    target, function = site.node, own_function(site)
    if function is None or not isinstance(target, nodes.Subscript):
        return None
    if not isinstance(target.value, nodes.Name):
        return None
    name = target.value.identifier
    made: list[nodes.Expression] = []
    edits: list[Edit] = []
    for node in walk(*function.body):
        match node:
            case nodes.Assignment(targets=(only,)) | nodes.AugmentedAssignment(target=only):
                if isinstance(only, nodes.Name) and only.identifier == name:
                    made.append(node.value)
                elif isinstance(only, nodes.Subscript) and site.text(only.value) == name:
                    edits += _update(site, node, only) or ()
            case _:
                pass
    creation = _in_jax(site, made)
    if creation is None or not edits:
        return None
    title = f"Make `{name}` an array of JAX, updated through `.at`"
    return make_fix(title, [*edits, *creation], Safety.UNSAFE)


def _in_jax(site: Site, made: list[nodes.Expression]) -> list[Edit] | None:
    """The edits that make the one array by JAX; None if it is not made once, and by NumPy."""
    if len(made) != 1 or not isinstance(made[0], nodes.Call):
        return None
    path = meaning(site, made[0].function)
    spelling = spell(site, f"{dotted.IN_JAX}{path}") if path.startswith(dotted.IN_NUMPY) else None
    if spelling is None or not takes(f"{dotted.IN_JAX}{path}", made[0]):
        return None
    return [*spelling.edits, site.replace(made[0].function, spelling.text)]


def assign_update(site: Site) -> Fix | None:
    """`x = x.at[i].set(v)` in the place of `x.at[i].set(v)`, where `x` is a local variable, or one
    of the module in a statement of it.
    """
    call = site.node
    if not isinstance(call, nodes.Call) or not isinstance(
        site.statement, nodes.ExpressionStatement
    ):
        return None
    target = call.function
    while isinstance(target, nodes.Attribute | nodes.Subscript):
        target = target.value
    if not isinstance(target, nodes.Name) or site.with_parentheses(call) != (call.start, call.end):
        return None
    name = target.identifier
    if not site.text(call.function).startswith(f"{name}.at[") or not is_own(site, name):
        return None
    edit = site.replace_range(call.start, call.start, f"{name} = ")
    return make_fix(f"Assign the result to `{name}`", [edit], Safety.UNSAFE)
