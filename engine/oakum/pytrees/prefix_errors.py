"""Describes where and how two trees differ, for error messages."""

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from oakum.errors import TreeError
from oakum.pytrees.node_types import KeyPath, keyed_parts, keystr, kind_of, same_data
from oakum.pytrees.treedef import PyTreeDef

PrefixError = Callable[[str], TreeError]
"""Makes the error, given what the message calls the prefix: `in_axes`."""

Keyed = list[tuple[Any, Any]]


class _Node:
    """A subtree with its kind, its keyed children and its data; a leaf has no kind."""

    def __init__(self, tree: Any, is_leaf: Callable[[Any], Any] | None = None) -> None:
        self.type: type = type(tree)
        self.kind = None if is_leaf is not None and is_leaf(tree) else kind_of(self.type)
        self.children: Keyed = []
        self.data: Any = None
        if self.kind is not None:
            children, self.data = keyed_parts(self.kind, tree)
            self.children = [*children]

    @property
    def is_sequence(self) -> bool:
        """Whether the number of children says all about the keys."""
        return issubclass(self.type, (tuple, list))

    def keys(self) -> list[Any]:
        """Returns the keys of the children."""
        return [key for key, _ in self.children]


def prefix_errors(
    prefix: object, tree: object, is_leaf: Callable[[Any], Any] | None = None
) -> list[PrefixError]:
    """Lists the places where a tree that should be a prefix of another is none.

    >>> error, = prefix_errors({"a": (1, 2)}, {"a": (1, 2, 3)})
    >>> error("in_axes").message.splitlines()[1].strip()
    "in_axes['a']"
    """
    found: list[PrefixError] = []
    waiting: list[tuple[KeyPath, Any, Any]] = [((), prefix, tree)]
    while waiting:
        path, left, right = waiting.pop()
        one = _Node(left, is_leaf)
        if one.kind is None:
            continue  # a leaf is a prefix of any tree
        two = _Node(right)
        if (reason := _prefix_difference(one, two)) is not None:
            found.append(_prefix_error(path, *reason))
            continue
        pairs = zip(one.children, two.children, strict=True)
        below = [((*path, key), child, other) for (key, child), (_, other) in pairs]
        waiting.extend(reversed(below))
    return found


def _prefix_error(path: KeyPath, subject: str, details: str) -> PrefixError:
    def make(name: str) -> TreeError:
        where = f"{name}{keystr(path)}"
        return TreeError(
            f"pytree structure error: different {subject} at key path\n    {where}\n{details}",
            hint="Give both trees the same containers, with the same keys and lengths.",
        )

    return make


def _prefix_difference(one: _Node, two: _Node) -> tuple[str, str] | None:
    """Returns what two containers differ in, and the details; None if at most children differ."""
    if one.type is not two.type:
        return "types", (
            f"The prefix has there a {one.type.__name__}, and the full tree a "
            f"{two.type.__name__}.\n"
            "Give a leaf there, or a container of the same type."
        )
    if len(one.children) != len(two.children):
        return _prefix_counts(one, two)
    if not same_data(one.data, two.data):
        return "pytree metadata", (
            f"The prefix has there a {one.type.__name__} with metadata\n    {one.data}\n"
            f"and the full tree one with metadata\n    {two.data}\n"
            f"which differ so:\n{_line_difference(one.data, two.data)}"
        )
    return None


def _prefix_counts(one: _Node, two: _Node) -> tuple[str, str]:
    counts = len(one.children), len(two.children)
    if one.is_sequence:
        name = one.type.__name__
        return f"lengths of {name}", (
            f"The prefix has there a {name} of length {counts[0]}, and the full tree one of length "
            f"{counts[1]}."
        )
    details = (
        f"The prefix has there a {one.type.__name__} with {counts[0]} children\n"
        f"    {_list_keys(one.keys())}\n"
        f"and the full tree one with {counts[1]} children\n    {_list_keys(two.keys())}\n"
    )
    unshared = _unshared_keys(one, two)
    if unshared is not None:
        details += f"so the symmetric difference on key sets is\n    {_list_keys(unshared)}"
    return "numbers of pytree children", details


def _unshared_keys(one: _Node, two: _Node) -> list[Any] | None:
    """Returns the keys that only one of two containers has; None when keys cannot be compared."""
    try:
        left, right = dict.fromkeys(one.keys()), dict.fromkeys(two.keys())
    except TypeError:
        return None
    return [key for key in left if key not in right] + [key for key in right if key not in left]


def _list_keys(keys: list[Any]) -> str:
    return " ".join(map(str, keys))


def _line_difference(one: object, two: object) -> str:
    import difflib  # Only an error pays for it.

    lines = difflib.ndiff(str(one).splitlines(), str(two).splitlines())
    return textwrap.indent("\n".join(lines), "    ")


def equality_errors(
    one: object, two: object, is_leaf: Callable[[Any], Any] | None = None
) -> Iterator[tuple[KeyPath, str, str, str]]:
    """Lists the places where two trees differ in structure: path, both sides and the reason.

    >>> for path, left, right, reason in equality_errors({"a": (1, 2)}, {"a": (1, 2, 3)}):
    ...     print(f"{keystr(path)}: {left}, {right}: {reason}")
    ['a']: tuple of length 2, tuple of length 3: the lengths do not match
    """
    waiting: list[tuple[KeyPath, Any, Any]] = [((), one, two)]
    while waiting:
        path, left, right = waiting.pop()
        nodes = _Node(left, is_leaf), _Node(right, is_leaf)
        if nodes[0].kind is None and nodes[1].kind is None:
            continue
        if (reason := _difference(*nodes)) is not None:
            yield (path, *reason)
            continue
        pairs = zip(nodes[0].children, nodes[1].children, strict=True)
        below = [((*path, key), child, other) for (key, child), (_, other) in pairs]
        waiting.extend(reversed(below))


def _difference(one: _Node, two: _Node) -> tuple[str, str, str] | None:
    """Describes how two subtrees differ at their roots; None if at most their children differ."""
    if one.type is not two.type or (one.kind is None) != (two.kind is None):
        return str(one.type), str(two.type), "their Python types differ"
    counts = len(one.children), len(two.children)
    if counts[0] != counts[1]:
        if one.is_sequence:
            left, right = (f"{one.type.__name__} of length {count}" for count in counts)
            return left, right, "the lengths do not match"
        left, right = (f"{one.type} with {count} child{'ren' * (count != 1)}" for count in counts)
        unshared = _unshared_keys(one, two)
        keys = f", with these keys on one side only: {_list_keys(unshared)}" if unshared else ""
        return left, right, f"the numbers of children do not match{keys}"
    if not same_data(one.data, two.data):
        left, right = (f"{one.type} with pytree metadata {each.data}" for each in (one, two))
        return left, right, "the pytree node metadata does not match"
    return None


def structure_errors(one: PyTreeDef, two: PyTreeDef) -> Iterator[tuple[KeyPath, str, str, str]]:
    """Lists the places where two structures differ, as `equality_errors` does for trees."""
    leaf = _Leaf()
    return equality_errors(
        one.unflatten([leaf] * one.num_leaves), two.unflatten([leaf] * two.num_leaves)
    )


class _Leaf:
    """Stands for a leaf whose value is not known."""
