"""Assignments to items in fixes: `x[i] = v` becomes `x = x.at[i].set(v)`."""

import re
from typing import Final

from oakum_lint.edits import Edit, Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.fixes.calls import takes
from oakum_lint.fixes.expressions import is_enclosed, operand_text
from oakum_lint.fixes.scopes import is_own, is_read_later, own_function
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.spelling import meaning, spell
from oakum_lint.fixes.tree import walk

METHODS: Final = {
    "": "set",
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "**": "power",
}
"""The methods of `.at[...]` that do what an assignment with this operator does."""
_EQUALS = re.compile(r"\s*(?:\*\*|//|<<|>>|[-+*/%@&|^])?=\s*")


def functional_update(site: Site) -> Fix | None:
    """The update of an array, bound to the name of the array.

    None where the name would be another variable, or where nobody would see its new value.
    """
    target = site.node
    if not isinstance(target, nodes.Subscript):
        return None
    container = target.value
    if isinstance(container, nodes.Name):
        if not is_own(site, container.identifier):
            return None
        if not is_read_later(site, container.identifier):
            return None  # it was to change what the caller holds
    elif not _is_plain(container):
        return None
    edits = _update(site, site.statement, target)
    if edits is None:
        return None
    name = site.text(container)
    return make_fix(f"Update `{name}` through `{name}.at`", edits, Safety.SAFE)


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
    equals = _EQUALS.match(text, target.end, statement.end)
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
    spelling = spell(site, f"jax.{path}") if path.startswith("numpy.") else None
    if spelling is None or not takes(f"jax.{path}", made[0]):
        return None
    return [*spelling.edits, site.replace(made[0].function, spelling.text)]
