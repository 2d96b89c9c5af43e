"""Trees as the engine uses them: plain functions, without declarations.

`tree_util` and `tree` are the public faces of what is here.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any, Final

from oakum.pytrees import prefix_broadcast
from oakum.pytrees.node_types import (
    DICT,
    KINDS,
    LIST,
    NAMED_TUPLE,
    NONE,
    NONE_ENTRY,
    TUPLE,
    Entry,
    KeyPath,
    keyed_parts,
    kind_of,
    parts,
    sorted_keys,
)
from oakum.pytrees.node_types import keystr as keystr
from oakum.pytrees.prefix_errors import equality_errors as equality_errors
from oakum.pytrees.prefix_errors import prefix_errors as prefix_errors
from oakum.pytrees.prefix_errors import structure_errors as structure_errors
from oakum.pytrees.treedef import LEAF as LEAF
from oakum.pytrees.treedef import PyTreeDef as PyTreeDef

ABSENT: Final[Any] = object()
"""Stands for an argument that is not given."""

_TUPLE: Final[Any] = tuple

IsLeaf = Callable[[Any], Any] | None


def flatten(tree: object, is_leaf: IsLeaf = None) -> tuple[list[Any], PyTreeDef]:
    """Takes a tree apart into its leaves and its structure.

    >>> flatten({"b": 1, "a": (2, None)})
    ([2, 1], PyTreeDef({'a': (*, None), 'b': *}))
    """
    found: list[Any] = []
    entries: list[Entry] = []
    if is_leaf is None:
        if type(tree) not in KINDS and not isinstance(tree, _TUPLE):
            return [tree], LEAF
        try:
            _descend((tree,), found, entries)
            return found, PyTreeDef(entries, len(found))
        except RecursionError:
            found, entries = [], []
    _descend_iteratively(tree, is_leaf, found, entries)
    return found, PyTreeDef(entries, len(found))


def _descend(children: Iterable[Any], found: list[Any], entries: list[Entry]) -> None:
    """Adds the leaves and the nodes below a container.

    One call for each container is the fastest that Python does; a tree that is too deep for it is
    taken apart by `_descend_iteratively`.
    """
    kind_of_type = KINDS.get
    for each in children:
        cls = each.__class__
        kind = kind_of_type(cls)
        if kind is None:
            if isinstance(each, _TUPLE) and hasattr(cls, "_fields"):
                entries.append((NAMED_TUPLE, len(each), cls))
                _descend(each, found, entries)
            else:
                entries.append(None)
                found.append(each)
        elif kind is TUPLE or kind is LIST:
            entries.append((kind, len(each), None))
            _descend(each, found, entries)
        elif kind is DICT:
            keys = tuple(sorted_keys(each))
            entries.append((DICT, len(keys), keys))
            _descend([each[key] for key in keys], found, entries)
        elif kind is NONE:
            entries.append(NONE_ENTRY)
        else:
            below, data = parts(kind, each)
            entries.append((kind, len(below), data))
            _descend(below, found, entries)


def _descend_iteratively(
    tree: object, is_leaf: IsLeaf, found: list[Any], entries: list[Entry]
) -> None:
    """Adds the leaves and the nodes of a tree of any depth, with a predicate for leaves."""
    waiting = [tree]
    while waiting:
        each = waiting.pop()
        kind = None if is_leaf and says_leaf(is_leaf(each)) else kind_of(type(each))
        if kind is None:
            entries.append(None)
            found.append(each)
        else:
            below, data = parts(kind, each)
            entries.append((kind, len(below), data))
            waiting.extend(reversed(below))


def says_leaf(answer: object) -> bool:
    """Reads the answer of a predicate for leaves, which has to be a bool."""
    if answer is True or answer is False:
        return answer
    if answer is None:
        return False
    raise ValueError(
        f"is_leaf predicate returned a non-boolean value {answer!r}; expected a boolean. "
        "Return True for a subtree that is to be a leaf and False for others"
    )


def leaves(tree: object, is_leaf: IsLeaf = None) -> list[Any]:
    """Lists the leaves of a tree."""
    return flatten(tree, is_leaf)[0]


def structure(tree: object, is_leaf: IsLeaf = None) -> PyTreeDef:
    """Returns the structure of a tree."""
    return flatten(tree, is_leaf)[1]


def unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """Puts a tree together from a structure and leaves."""
    return treedef.unflatten(leaves)


def flatten_up_to(treedef: PyTreeDef, tree: object) -> list[Any]:
    """Lists the subtrees of a tree that stand where a structure has its leaves."""
    return prefix_broadcast.flatten_up_to(treedef.entries, tree)


def flatten_with_path(
    tree: Any, is_leaf: Callable[..., Any] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[KeyPath, Any]], PyTreeDef]:
    """Takes a tree apart into its leaves with their paths, and its structure.

    >>> [(keystr(path), leaf) for path, leaf in flatten_with_path({"w": [1, 2]})[0]]
    [("['w'][0]", 1), ("['w'][1]", 2)]
    """
    found: list[tuple[KeyPath, Any]] = []
    entries: list[Entry] = []
    waiting: list[tuple[KeyPath, Any]] = [((), tree)]
    while waiting:
        path, each = waiting.pop()
        stops = is_leaf and (is_leaf(path, each) if is_leaf_takes_path else is_leaf(each))
        kind = None if says_leaf(stops) else kind_of(type(each))
        if kind is None:
            entries.append(None)
            found.append((path, each))
        else:
            below, data = keyed_parts(kind, each)
            entries.append((kind, len(below), data))
            waiting.extend([((*path, key), child) for key, child in reversed(below)])
    return found, PyTreeDef(entries, len(found))


def map(f: Callable[..., Any], tree: object, *rest: object, is_leaf: IsLeaf = None) -> Any:
    """Applies a function to the leaves of trees of one structure."""
    first, treedef = flatten(tree, is_leaf)
    others = [_match("tree_map", tree, treedef, each, is_leaf) for each in rest]
    return treedef.unflatten([f(*xs) for xs in zip(first, *others, strict=True)])


def map_with_path(
    f: Callable[..., Any],
    tree: object,
    *rest: object,
    is_leaf: Callable[..., Any] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Applies a function to the leaves of trees together with their paths."""
    first, treedef = flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    stops = None if is_leaf_takes_path else is_leaf
    others = [_match("tree_map_with_path", tree, treedef, each, stops) for each in rest]
    return treedef.unflatten(
        [f(path, leaf, *xs) for (path, leaf), *xs in zip(first, *others, strict=True)]
    )


def _match(
    function: str, tree: object, treedef: PyTreeDef, other: object, is_leaf: IsLeaf
) -> list[Any]:
    """Returns the subtrees of a further tree of a map; an error says where the trees differ."""
    try:
        return prefix_broadcast.flatten_up_to(treedef.entries, other)
    except ValueError as error:
        errors = prefix_errors(tree, other, is_leaf)
        raise (errors[0](f"{function} tree") if errors else error) from None


def broadcast_prefix(prefix: object, tree: object, is_leaf: IsLeaf = None) -> list[Any]:
    """Lists, for each leaf of a tree, the leaf of the prefix that stands above it.

    >>> broadcast_prefix((1, 2), ("a", {"b": "c", "d": "e"}))
    [1, 2, 2]
    """
    values, treedef = flatten(prefix, is_leaf)
    try:
        below = prefix_broadcast.flatten_up_to(treedef.entries, tree)
    except ValueError as error:
        errors = prefix_errors(prefix, tree, is_leaf)
        raise (errors[0]("broadcast_prefix prefix_tree") if errors else error) from None
    counts = [structure(each).num_leaves for each in below]
    return [value for value, count in zip(values, counts, strict=True) for _ in range(count)]


def broadcast_prefix_to(prefix: object, treedef: PyTreeDef, is_leaf: IsLeaf = None) -> list[Any]:
    """Lists, for each leaf of a structure, the leaf of the prefix that stands above it."""
    values, shape = flatten(prefix, is_leaf)
    return prefix_broadcast.broadcast_leaves(shape.entries, values, treedef.entries)


def broadcast(prefix: object, tree: object, is_leaf: IsLeaf = None) -> Any:
    """Broadcasts a tree that is a prefix to the structure of a full one."""
    return structure(tree).unflatten(broadcast_prefix(prefix, tree, is_leaf))


def reduce(f: Callable[..., Any], tree: object, initial: object, is_leaf: IsLeaf = None) -> Any:
    """Combines the leaves by a function, from left to right."""
    found = leaves(tree, is_leaf)
    return functools.reduce(f, found) if initial is ABSENT else functools.reduce(f, found, initial)


def reduce_associative(
    f: Callable[..., Any], tree: object, identity: object, is_leaf: IsLeaf = None
) -> Any:
    """Combines the leaves by an associative function, in a balanced tree of calls."""
    found = leaves(tree, is_leaf)
    if not found:
        if identity is ABSENT:
            raise TypeError(
                "a tree without leaves has nothing to reduce: must specify identity for it"
            )
        return identity

    def combine(start: int, end: int) -> Any:
        if end - start == 1:
            return found[start]
        middle = start + (end - start) // 2
        return f(combine(start, middle), combine(middle, end))

    return combine(0, len(found))


def all_leaves(iterable: Iterable[Any], is_leaf: IsLeaf = None) -> bool:
    """Returns whether all elements of an iterable are leaves."""
    if is_leaf is None:
        return all(kind_of(type(each)) is None for each in iterable)
    items = list(iterable)
    found = leaves(items, is_leaf)
    return len(found) == len(items) and all(
        item is leaf for item, leaf in zip(items, found, strict=True)
    )


def transpose(outer: PyTreeDef, inner: PyTreeDef | None, tree: object) -> Any:
    """Exchanges the outer and the inner structure of a tree of trees."""
    values, treedef = flatten(tree)
    if inner is None:
        inner = structure(outer.flatten_up_to(tree)[0])
    width = inner.num_leaves
    if len(values) != width * outer.num_leaves:
        raise TypeError(
            f"Mismatch: the tree has the structure\n{treedef}\nand not\n"
            f"{outer.compose(inner)}\nwhich the two structures given make"
        )
    return inner.unflatten([outer.unflatten(values[i::width]) for i in range(width)])
