"""Random keys for the leaves of a tree, in fixes: each leaf gets a key of its own."""

from typing import Final

from oakum_lint.fixes.editing.scopes import is_own_step
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.keys.key_parts import SPLIT, free
from oakum_lint.fixes.site import Site, line_start
from oakum_lint.fixes.tree import names_in, walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix

_MAPS: Final = frozenset((dotted.MAP, dotted.TREE_MAP))


def split_for_leaves(site: Site, names: frozenset[str]) -> Fix | None:
    """Passes a tree of keys to the `lambda` that is mapped over a tree, and draws for each leaf by
    a key of one of some names. The site is the call that maps, or the draw.
    """
    calls = [n for n, node in enumerate(site.way) if _maps(site, node)]
    if not calls:
        return None
    around = Site(site.module, site.unit, site.way[: calls[-1] + 1])
    match around.node:
        case nodes.Call(arguments=(nodes.Lambda() as function, tree, *_), keywords=()) as call if (
            _is_simple(tree)
        ):
            pass
        case _:
            return None
    parameters = function.parameters.items
    known = len(parameters) == len(call.arguments) - 1 and all(
        each.kind == "positional" and each.default is None for each in parameters
    )
    uses = [n for n in walk(function) if isinstance(n, nodes.Name) and n.identifier in names]
    if not known or len(uses) != 1 or uses[0].identifier in {each.name for each in parameters}:
        return None
    return _with_keys(around, call, function, tree, uses[0]) if is_own_step(around) else None


def _maps(site: Site, node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and meaning(site, node.function) in _MAPS


def _with_keys(
    site: Site, call: nodes.Call, function: nodes.Lambda, tree: nodes.Expression, key: nodes.Name
) -> Fix | None:
    spelled = [spell(site, path) for path in (SPLIT, dotted.TREE_STRUCTURE, dotted.TREE_UNFLATTEN)]
    names = free(site, "structure", "treedef"), free(site, "keys", "leaf_keys")
    part = next((n for n in ("key", "subkey", "leaf_key") if n not in names_in(function)), None)
    known = [each for each in spelled if each is not None]
    indent = site.indent(site.statement)
    if len(known) < len(spelled) or None in (*names, part) or indent is None:
        return None
    split, structure, unflatten = (each.text for each in known)
    made, keys = names
    lines = (
        f"{made} = {structure}({site.text(tree)})",
        f"{keys} = {unflatten}({made}, {split}({key.identifier}, {made}.num_leaves))",
    )
    last_parameter, last = function.parameters.items[-1], call.arguments[-1]
    before = site.unit.text[line_start(site.unit.text, last.start) : last.start]
    gap = " " if before.strip() else f"{site.line_end}{before}"
    edits = [
        # One edit: of two at one place, the order would be that of their texts.
        site.line_before(site.statement, f"{site.line_end}{indent}".join(lines)),
        site.replace_range(last_parameter.end, last_parameter.end, f", {part}"),
        site.replace(key, f"{part}"),
        site.replace_range(last.end, last.end, f",{gap}{keys}"),
        *(edit for each in known for edit in each.edits),
    ]
    return make_fix("Split the key for the leaves", edits, Safety.UNSAFE)


def _is_simple(tree: nodes.Expression) -> bool:
    """Whether a tree can be written twice."""
    return not any(
        isinstance(node, nodes.Call | nodes.Await | nodes.NamedExpression) for node in walk(tree)
    )
