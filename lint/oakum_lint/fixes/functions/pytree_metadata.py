"""Metadata of pytrees in fixes: what holds an array becomes a child, where it is declared."""

from collections.abc import Sequence
from typing import Final

from oakum_lint.fixes.functions.pytree_flattening import moved_items
from oakum_lint.fixes.functions.pytree_registrations import find_registration
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.models.types import STATIC_METADATA
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_REGISTER: Final = dotted.REGISTER_DATACLASS


def make_children(site: Site, name: str, members: Sequence[str]) -> Fix | None:
    """Makes children of some parts of the metadata of a class of the module."""
    place = find_definition(site.module, name)
    if place is None or not isinstance(place.node, nodes.ClassDefinition):
        return None
    edits = moved_items(place, place.node, members) or _data_fields(place, place.node, members)
    if not edits:
        return None
    title = f"Make what holds an array a child of `{name}`"
    return make_fix(title, edits, Safety.UNSAFE, everywhere=True)


def _data_fields(
    place: Site, cls: nodes.ClassDefinition, members: Sequence[str]
) -> list[Edit] | None:
    """The edits after which some fields of a dataclass are data."""
    fields = {
        statement.target.identifier: statement
        for statement in cls.body
        if isinstance(statement, nodes.AnnotatedAssignment)
        and isinstance(statement.target, nodes.Name)
    }
    if not all(name in fields for name in members):
        return None
    unmarked = [_unmarked(place, fields[name]) for name in members]
    edits = [edit for edit in unmarked if edit is not None]
    return edits if len(edits) == len(members) else _moved_names(place, cls, members)


def _unmarked(place: Site, statement: nodes.AnnotatedAssignment) -> Edit | None:
    """Takes the mark from the declaration of a field, and the call with it if it said no more."""
    match statement.value:
        case nodes.Call(arguments=(), keywords=keywords):
            marked = [keyword for keyword in keywords if _is_mark(keyword)]
        case _:
            return None
    if len(marked) != 1:
        return None
    match marked[0].value:
        case nodes.DictDisplay(keys=keys, values=values) if len(keys) > 1:
            marks = [_is_entry(key, value) for key, value in zip(keys, values, strict=True)]
            starts = [(key or value).start for key, value in zip(keys, values, strict=True)]
            ranges = list(zip(starts, [value.end for value in values], strict=True))
            return _without(place, ranges, marks.index(True))
        case _:
            pass
    if len(keywords) == 1:
        return place.replace_range(statement.annotation.end, statement.end, "")
    ranges = [(keyword.start, keyword.end) for keyword in keywords]
    return _without(place, ranges, keywords.index(marked[0]))


def _is_mark(keyword: nodes.Keyword) -> bool:
    """Whether an option of a field says that it is static: `static=True`, `metadata=...`."""
    match keyword.value:
        case nodes.Constant(value=value):
            return keyword.name in STATIC_METADATA and STATIC_METADATA[keyword.name] is value
        case nodes.DictDisplay(keys=keys, values=values) if keyword.name == "metadata":
            return any(map(_is_entry, keys, values))
        case nodes.Call(function=nodes.Name(identifier="dict"), arguments=(), keywords=(only,)):
            return keyword.name == "metadata" and _is_mark(only)
        case _:
            return False


def _is_entry(key: nodes.Expression | None, value: nodes.Expression) -> bool:
    match key, value:
        case nodes.Constant(value=str(name)), nodes.Constant(value=said):
            return name in STATIC_METADATA and STATIC_METADATA[name] is said
        case _:
            return False


def _without(place: Site, ranges: Sequence[tuple[int, int]], position: int) -> Edit:
    """Takes one of several items out of a listing, with the comma before or behind it."""
    start, end = ranges[position]
    if position:
        return place.replace_range(ranges[position - 1][1], end, "")
    return place.replace_range(start, ranges[1][0], "")


# --- names in `meta_fields` ---------------------------------------------------------------------


def _moved_names(
    place: Site, cls: nodes.ClassDefinition, members: Sequence[str]
) -> list[Edit] | None:
    """The edits after which names stand in `data_fields` that stood in `meta_fields`."""
    found = _registering(place, cls)
    if found is None:
        return None
    site, call = found
    options = {keyword.name: keyword.value for keyword in call.keywords}
    match options.get("data_fields"), options.get("meta_fields"):
        case nodes.Display() as data, nodes.Display() as meta:
            pass
        case _:
            return None
    listed = {str(n.value): n for n in meta.elements if isinstance(n, nodes.Constant)}
    if len(listed) != len(meta.elements) or not set(members) <= listed.keys():
        return None
    kept = [node for name, node in listed.items() if name not in members]
    moved = [listed[name] for name in members]
    return [
        site.replace(meta, _listing(site, meta, kept)),
        site.replace(data, _listing(site, data, [*data.elements, *moved])),
    ]


def _registering(place: Site, cls: nodes.ClassDefinition) -> tuple[Site, nodes.Call] | None:
    """The call of the module that registers a dataclass: a decorator, or a statement behind it."""
    for node in walk(*cls.decorators):
        if isinstance(node, nodes.Call) and any(k.name == "meta_fields" for k in node.keywords):
            return place, node
    return find_registration(place.module, cls.name, _REGISTER)


def _listing(site: Site, display: nodes.Display, elements: Sequence[nodes.Expression]) -> str:
    """A list or tuple of other elements."""
    written = ", ".join(site.text(element) for element in elements)
    if display.kind == "list":
        return f"[{written}]"
    return f"({written},)" if len(elements) == 1 else f"({written})"
