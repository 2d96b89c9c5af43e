"""Functions that flatten pytrees, in fixes: items of the metadata become children.

Invariant: `tree_unflatten` hands over all children and then the metadata; an item becomes the last
child that is the first of the metadata, or is named like the parameter behind the children.
"""

from collections.abc import Sequence
from typing import Final

from oakum.values.records import dataclass
from oakum_lint.fixes.editing.expressions import argument_text
from oakum_lint.fixes.editing.values import value_of
from oakum_lint.fixes.functions.pytree_registrations import find_registration
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit

_REGISTER: Final = dotted.REGISTER_PYTREE_NODE


@dataclass(frozen=True, slots=True)
class _Returned:
    """The result of a function: the expression, and the names of its parameters."""

    site: Site
    value: nodes.Expression
    parameters: tuple[str, ...]


def moved_items(
    place: Site, cls: nodes.ClassDefinition, members: Sequence[str]
) -> list[Edit] | None:
    """The edits after which items of the metadata of a class are children."""
    found = _functions(place, cls)
    if found is None:
        return None
    flatten, unflatten = found
    match flatten.value:
        case nodes.Display(kind="tuple", elements=(children, metadata)):
            children, metadata = _written(flatten, children), _written(flatten, metadata)
        case _:
            return None
    if not isinstance(children, nodes.Display):
        return None
    if any(isinstance(element, nodes.Starred) for element in children.elements):
        return None
    items = _items(metadata)
    if not set(members) <= items.keys():
        return None
    edits = _unflattened(unflatten, members)
    if edits is None or not _fits(cls, unflatten, len(children.elements), members):
        return None
    texts = [argument_text(flatten.site, items[member]) for member in members]
    kept = {name: item for name, item in items.items() if name not in members}
    edits.append(flatten.site.replace(children, _joined(flatten.site, children, texts)))
    edits.append(flatten.site.replace(metadata, _remaining(flatten.site, metadata, kept)))
    return edits


# --- the two functions ------------------------------------------------------------------------


def _functions(place: Site, cls: nodes.ClassDefinition) -> tuple[_Returned, _Returned] | None:
    """Returns the results of the functions that flatten and unflatten a class."""
    own = {s.name: s for s in cls.body if isinstance(s, nodes.FunctionDefinition)}
    if "tree_flatten_with_keys" in own:
        return None
    if "tree_flatten" in own and "tree_unflatten" in own:
        sites = [
            Site(place.module, place.unit, (cls, own[name]))
            for name in ("tree_flatten", "tree_unflatten")
        ]
    else:
        sites = _registered(place, cls.name)
    returned = [found for site in sites if (found := _returned(site)) is not None]
    return (returned[0], returned[1]) if len(returned) == 2 else None


def _registered(place: Site, name: str) -> list[Site]:
    """The sites of the functions that a class is registered with at the top of its module."""
    found = find_registration(place.module, name, _REGISTER)
    if found is None:
        return []
    site, call = found
    return [function for f in call.arguments[1:] if (function := _function_at(site, f))]


def _function_at(site: Site, node: nodes.Expression) -> Site | None:
    if isinstance(node, nodes.Lambda):
        return Site(site.module, site.unit, (*site.way, node))
    return find_definition(site.module, site.text(node))


def _returned(site: Site) -> _Returned | None:
    """Finds the result of a function in its one `return`."""
    function = site.node
    match function:
        case nodes.Lambda(body=value):
            pass
        case nodes.FunctionDefinition(body=(*_, nodes.Return(value=value) as last)) if value:
            returns = [n for n in walk(*function.body, into=False) if isinstance(n, nodes.Return)]
            if returns != [last]:
                return None
            site = Site(site.module, site.unit, (*site.way, last))
        case _:
            return None
    return _Returned(site, value, tuple(p.name for p in function.parameters.items))


def _written(returned: _Returned, node: nodes.Expression) -> nodes.Expression:
    """Returns the expression of a part of the result, also where it got a name first."""
    value = value_of(returned.site, node) if isinstance(node, nodes.Name) else None
    return value or node


# --- what is moved ----------------------------------------------------------------------------


def _items(metadata: nodes.Expression) -> dict[str, nodes.Expression]:
    """The items of a tuple or dict written out, by their places; another value has none."""
    match metadata:
        case nodes.Display(elements=elements):
            return {str(place): element for place, element in enumerate(elements)}
        case nodes.DictDisplay(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {str(k.value): v for k, v in pairs if isinstance(k, nodes.Constant)}
        case _:
            return {"": metadata}


def _fits(
    cls: nodes.ClassDefinition, unflatten: _Returned, count: int, members: Sequence[str]
) -> bool:
    """Whether items behind so many children come to the parameters that they came to before."""
    match unflatten.value:
        case nodes.Call(keywords=(nodes.Keyword(name=None),)):
            return _parameters(cls)[count : count + len(members)] == list(members)
        case nodes.Call(arguments=(_, nodes.Starred())):
            return list(members) == [str(place) for place in range(len(members))]
        case nodes.Call(arguments=(_, nodes.Name()), keywords=()):
            return list(members) == [""]
        case _:
            return False


def _unflattened(unflatten: _Returned, members: Sequence[str]) -> list[Edit] | None:
    """The edits of the function that makes the object again, of the children and then the metadata;
    None if it does something else.
    """
    *_, metadata, children = ("", "", *unflatten.parameters)
    call = unflatten.value
    if not isinstance(call, nodes.Call):
        return None
    match (*call.arguments, *call.keywords):
        case (nodes.Starred(value=nodes.Name(identifier=first)) as all_children, rest):
            pass
        case _:
            return None
    match rest:
        case nodes.Keyword(name=None, value=nodes.Name(identifier=second)):
            edits: list[Edit] = []
        case nodes.Starred(value=nodes.Name(identifier=second)):
            edits = []
        case nodes.Name(identifier=second):
            edits = [unflatten.site.replace_range(all_children.end, rest.end, "")]
        case _:
            return None
    return edits if (first, second) == (children, metadata) else None


def _parameters(cls: nodes.ClassDefinition) -> list[str]:
    """The parameters of a class in order: of its `__init__`, or the fields of a dataclass."""
    for statement in cls.body:
        if isinstance(statement, nodes.FunctionDefinition) and statement.name == "__init__":
            items = statement.parameters.items[1:]
            return [item.name for item in items if item.kind == "positional"]
    if cls.bases:
        return []
    return [
        statement.target.identifier
        for statement in cls.body
        if isinstance(statement, nodes.AnnotatedAssignment)
        and isinstance(statement.target, nodes.Name)
    ]


def _joined(site: Site, children: nodes.Display, texts: Sequence[str]) -> str:
    """The children with new ones behind them."""
    written = ", ".join([*(site.text(element) for element in children.elements), *texts])
    if children.kind == "list":
        return f"[{written}]"
    return f"({written})" if children.elements or len(texts) > 1 else f"({written},)"


def _remaining(site: Site, metadata: nodes.Expression, kept: dict[str, nodes.Expression]) -> str:
    """The metadata with the items that are kept."""
    match metadata:
        case nodes.DictDisplay(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            entries = [
                site.unit.text[k.start : v.end] for k, v in pairs if k and v in kept.values()
            ]
            return f"{{{', '.join(entries)}}}"
        case nodes.Display(kind=kind):
            written = ", ".join(site.text(item) for item in kept.values())
            if kind == "list":
                return f"[{written}]"
            return f"({written},)" if len(kept) == 1 else f"({written})"
        case _:
            return "None"
