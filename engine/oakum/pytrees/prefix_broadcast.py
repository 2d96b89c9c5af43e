"""Taking a tree apart along a structure that is not its own: a prefix of it."""

from collections.abc import Sequence
from typing import Any

from oakum.pytrees.node_types import (
    DICT,
    KINDS,
    LIST,
    NAMED_TUPLE,
    NONE,
    TUPLE,
    DictKey,
    Entry,
    FlattenedIndexKey,
    GetAttrKey,
    KeyPath,
    NodeKind,
    SequenceKey,
    keystr,
    kind_of,
    parts,
    same_data,
)


def flatten_up_to(entries: Sequence[Entry], tree: Any) -> list[Any]:
    """Lists the subtrees of a tree that stand where a structure has its leaves."""
    found: list[Any] = []
    waiting = [tree]
    for at, entry in enumerate(entries):
        each = waiting.pop()
        if entry is None:
            found.append(each)
            continue
        kind, count, data = entry
        if kind is TUPLE or kind is LIST:
            if type(each) is not kind.container or len(each) != count:
                raise _mismatch(entries, at, each)
            waiting.extend(reversed(each))
        elif kind is DICT:
            if type(each) is not kind.container or len(each) != count:
                raise _mismatch(entries, at, each)
            try:
                waiting.extend([each[key] for key in reversed(data)])
            except KeyError:
                raise _mismatch(entries, at, each) from None
        else:
            waiting.extend(reversed(_custom_children(entries, at, each)))
    return found


def _custom_children(entries: Sequence[Entry], at: int, value: object) -> Sequence[Any]:
    """Returns the children of a container that is no tuple, list or dict, after checking it."""
    entry = entries[at]
    assert entry is not None
    kind, count, data = entry
    if kind_of(type(value)) is not kind:
        raise _mismatch(entries, at, value)
    below, other = parts(kind, value)
    if len(below) != count or not same_data(data, other):
        raise _mismatch(entries, at, value)
    return below


def _mismatch(entries: Sequence[Entry], at: int, value: object) -> ValueError:
    """Says how a subtree differs from the container of a structure, and where."""
    entry = entries[at]
    assert entry is not None
    where = keystr(path_to(entries, at)) or "the root of the tree"
    return ValueError(f"{_difference(entry, value)} At {where}.")


def _difference(entry: tuple[NodeKind, int, Any], value: Any) -> str:
    kind, count, data = entry
    found = kind_of(type(value))
    match kind.container.__name__:
        case _ if kind is NAMED_TUPLE:
            if not hasattr(value.__class__, "_fields"):
                return f"Expected named tuple, got {value!r}."
            return f"Named tuple type mismatch: expected type: {data!r}, tuple: {value!r}."
        case _ if kind.is_custom:
            return _custom_difference(entry, value)
        case name if found is not kind:
            return f"Expected {'None' if kind is NONE else name}, got {value!r}."
        case "dict":
            return f"Dict key mismatch; expected keys: {[*data]}; present keys: {[*value]}."
        case name:
            return (
                f"{name.capitalize()} arity mismatch: {len(value)} != {count}; {name}: {value!r}."
            )


def _custom_difference(entry: tuple[NodeKind, int, Any], value: object) -> str:
    kind, count, data = entry
    if KINDS.get(type(value)) is not kind:
        return f"Custom node type mismatch: expected type: {kind.container!r}, value: {value!r}."
    below, other = parts(kind, value)
    if not same_data(data, other):
        return f"Mismatch custom node data: {data!r} != {other!r}; value: {value!r}."
    return f"Custom type arity mismatch: {len(below)} != {count}; value: {value!r}."


def broadcast_leaves(
    prefix: Sequence[Entry], values: Sequence[Any], entries: Sequence[Entry]
) -> list[Any]:
    """Repeats the leaves of a prefix of a structure: each for the leaves that it stands above."""
    found: list[Any] = []
    remaining = iter(values)
    at = 0
    for place, entry in enumerate(prefix):
        if entry is None:
            end = end_of(entries, at)
            found += [next(remaining)] * entries[at:end].count(None)
            at = end
            continue
        other = entries[at]
        if other is None or entry[:2] != other[:2] or not same_data(entry[2], other[2]):
            where = keystr(path_to(prefix, place)) or "the root"
            raise ValueError(
                f"a structure is no prefix of another: at {where} it has a {_describe(entry)}, and "
                f"the other a {_describe(other)}"
            )
        at += 1
    return found


def _describe(entry: Entry) -> str:
    if entry is None:
        return "leaf"
    kind, count, data = entry
    container = data if kind is NAMED_TUPLE else kind.container
    about = "" if data is None or kind is NAMED_TUPLE else f" and the data {data!r}"
    return f"{container.__name__} with {count} child{'ren' * (count != 1)}{about}"


def end_of(entries: Sequence[Entry], start: int) -> int:
    """Returns the index behind the subtree that starts at a node."""
    open_nodes, at = 1, start
    while open_nodes:
        entry = entries[at]
        open_nodes += -1 if entry is None else entry[1] - 1
        at += 1
    return at


def path_to(entries: Sequence[Entry], at: int) -> KeyPath:
    """Returns the path from the root of a structure to one of its nodes."""
    path: list[list[Any]] = []  # for each open container: its node and the child that is open
    for entry in entries[:at]:
        if entry is not None and entry[1]:
            path.append([entry, 0])
            continue
        while path:
            path[-1][1] += 1
            if path[-1][1] < path[-1][0][1]:
                break
            path.pop()
    return tuple(_key(entry, child) for entry, child in path)


def _key(entry: tuple[NodeKind, int, Any], child: int) -> Any:
    """Returns the key of a child as far as the structure alone determines it."""
    kind, _, data = entry
    if kind is TUPLE or kind is LIST:
        return SequenceKey(child)
    if kind is DICT:
        return DictKey(data[child])
    if kind is NAMED_TUPLE:
        return GetAttrKey(data._fields[child])
    return FlattenedIndexKey(child)


def leaves_of_iterables(entries: Sequence[Entry], tree: Any) -> list[Any]:
    """Lists the leaves of nested iterables that have the shape of a structure."""
    found: list[Any] = []
    waiting = [tree]
    for at, entry in enumerate(entries):
        each = waiting.pop()
        if entry is None:
            found.append(each)
            continue
        below = list(each)
        if len(below) != entry[1]:
            where = keystr(path_to(entries, at)) or "the root"
            raise ValueError(
                f"Arity mismatch between trees: {len(below)} children where the structure has "
                f"{entry[1]}, at {where}"
            )
        waiting.extend(reversed(below))
    return found
