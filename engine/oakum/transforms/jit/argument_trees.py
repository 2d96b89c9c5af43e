"""The arguments of a call as one row for each container and leaf, named as the user names them.

The rows are read off the structure alone: no container of a user's is made or taken apart for them,
so the children of such a container have numbers.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from oakum.pytrees.node_types import DICT, LIST, NAMED_TUPLE, NONE, TUPLE, Entry, NodeKind
from oakum.pytrees.treedef import PyTreeDef
from oakum.values.avals import ShapedArray

Node = tuple[NodeKind, int, Any]
"""A container: its kind, its number of children and its data."""

Rows = Mapping[str, Node | ShapedArray]
"""The avals of leaves and the nodes of containers, by path."""


def rows(
    treedef: PyTreeDef, avals: Sequence[ShapedArray], names: Sequence[str]
) -> tuple[Rows, tuple[str, ...], tuple[str, ...]]:
    """Returns the rows of a call whose structure is `(args, kwargs)`, the names of the arguments
    that are given by position, which are `names`, and of those given by keyword.
    """
    args, kwargs = treedef.children()
    given = args.children()
    data = kwargs.node_data()
    assert data is not None
    keywords = tuple(map(str, data[1]))
    positional = tuple(names)
    found: dict[str, Node | ShapedArray] = {}
    leaves = iter(avals)
    for name, each in zip((*positional, *keywords), (*given, *kwargs.children()), strict=True):
        found.update(_rows_below(name, each.entries, leaves))
    return found, positional, keywords


def _rows_below(
    name: str, entries: Sequence[Entry], avals: Iterator[ShapedArray]
) -> Iterator[tuple[str, Node | ShapedArray]]:
    waiting = [name]
    for entry in entries:
        path = waiting.pop()
        yield path, next(avals) if entry is None else entry
        if entry is not None:
            waiting += [path + key for key in reversed(_keys(entry))]


def _keys(node: Node) -> list[str]:
    """Returns the suffixes that reach the children of a node: `.field`, `['key']`, `[0]`."""
    kind, count, data = node
    if kind is NAMED_TUPLE:
        return [f".{field}" for field in data._fields]
    if kind is DICT or kind.container is OrderedDict:
        return [f"[{key!r}]" for key in data]
    if kind.container is defaultdict:
        return [f"[{key!r}]" for key in data[1]]
    return [f"[{number}]" for number in range(count)]


def kind_name(node: Node) -> str:
    """Returns the name of a container's type with its article: "a list"."""
    kind, _, data = node
    if kind is NONE:
        return "None"
    name: str = data.__name__ if kind is NAMED_TUPLE else kind.container.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def own_data(node: Node) -> Any:
    """Returns the metadata of a container other than the keys of its children, or None."""
    kind, _, data = node
    known = (TUPLE, LIST, DICT, NONE, NAMED_TUPLE)
    return None if kind in known or kind.container in (OrderedDict, defaultdict) else data


def text(treedef: PyTreeDef) -> str:
    """Returns a structure, cut where it is long."""
    found = repr(treedef)
    return found if len(found) <= _LONGEST else f"{found[:_LONGEST]}..."


_LONGEST: Final = 200
