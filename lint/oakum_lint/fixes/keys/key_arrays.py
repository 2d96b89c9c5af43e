"""Arrays of several random keys in fixes, `keys = split(key, n)`: the split makes one more array of
them for each use.
"""

from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.keys.key_parts import SPLIT, count_of, free, passed
from oakum_lint.fixes.keys.shared_keys import are_all_uses, uses_of
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import bound_by
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.finding import Location
from oakum_lint.text.notebook.names import CELL_MARK


def split_into_arrays(site: Site, first: Location, names: frozenset[str]) -> Fix | None:
    """Has the split that makes some keys make as many arrays of them, `a, b = split(key, (2, n))`,
    as calls in its block get them.
    """
    earlier = find_site(site.module, first)
    keys = None if earlier is None else _argument_named(earlier, names)
    made = None if earlier is None or keys is None else _made_before(earlier, keys.identifier)
    if keys is None or made is None or CELL_MARK in site.module.source.text:
        return None
    at, count = made
    beside = at.sites_beside()
    behind = [
        e for e in beside if e.unit.base + e.statement.start > at.unit.base + at.statement.start
    ]
    uses = uses_of(behind, keys.identifier)
    if uses is None or len(uses) < 2 or not are_all_uses(uses, keys.identifier, site):
        return None
    if any(keys.identifier in bound_by(each.statement) for each in behind):
        return None
    edits: list[Edit] = [at.replace(count, f"({len(uses)}, {at.text(count)})")]
    if len(uses) == 2:
        other = free(site, f"more_{keys.identifier}", f"other_{keys.identifier}")
        if other is None:
            return None
        place = at.statement.start + len(keys.identifier)
        edits.append(at.replace_range(place, place, f", {other}"))
        texts = [keys.identifier, other]
    else:
        texts = [f"{keys.identifier}[{number}]" for number in range(len(uses))]
    edits += [
        where.replace(use, text)
        for (where, use), text in zip(uses, texts, strict=True)
        if text != keys.identifier
    ]
    return make_fix(f"Split the key into {len(uses)} arrays of keys", edits, Safety.UNSAFE)


def _argument_named(site: Site, names: frozenset[str]) -> nodes.Name | None:
    """The argument of the call at the site that has one of some names."""
    if not isinstance(site.node, nodes.Call):
        return None
    found = [e for e in passed(site.node) if isinstance(e, nodes.Name) and e.identifier in names]
    return found[0] if len(found) == 1 else None


def _made_before(site: Site, name: str) -> tuple[Site, nodes.Expression] | None:
    """The last statement of the block that binds a name before the site, if it is a split into some
    number of keys, and that number.
    """
    for before in reversed(site.at_statement().sites_before()):
        if name not in bound_by(before.statement):
            continue
        match before.statement:
            case nodes.Assignment(targets=(nodes.Name(),), value=nodes.Call() as call) if (
                meaning(before, call.function) == SPLIT
            ):
                count = count_of(call)
                if count is None or isinstance(count, nodes.Display):
                    return None
                return before, count
            case _:
                return None
    return None
