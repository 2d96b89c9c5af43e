"""The structure of a tree: what is left of it when its leaves are taken out.

Invariants:
- A structure is its nodes in preorder, in one flat tuple: comparing and hashing two structures
  are operations on tuples, and no depth of nesting exhausts the stack.
- Equal structures hash equal. Data that cannot be hashed is left out of the hash.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, final

from oakum.pytrees import prefix_broadcast, protobuf, treedef_repr
from oakum.pytrees.node_types import DICT, NAMED_TUPLE, Entry, NodeKind, kind_of, same_data


@final
class PyTreeDef:
    """The structure of a tree, from which leaves make a tree again.

    >>> from oakum.pytrees import pytree as trees
    >>> leaves, structure = trees.flatten({"b": (1, None), "a": 2})
    >>> leaves, structure
    ([2, 1], PyTreeDef({'a': *, 'b': (*, None)}))
    >>> structure.unflatten([3, 4])
    {'a': 3, 'b': (4, None)}
    """

    __slots__ = ("__weakref__", "_hash", "entries", "num_leaves")

    entries: tuple[Entry, ...]
    """The nodes in preorder."""
    num_leaves: int

    def __init__(self, entries: Iterable[Entry], num_leaves: int | None = None) -> None:
        self.entries = entries = tuple(entries)
        self.num_leaves = entries.count(None) if num_leaves is None else num_leaves
        self._hash: int | None = None

    @property
    def num_nodes(self) -> int:
        """The number of containers and leaves."""
        return len(self.entries)

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Makes the tree of this structure that has these leaves."""
        values = leaves if isinstance(leaves, (list, tuple)) else list(leaves)
        if len(values) != self.num_leaves:
            raise ValueError(_wrong_count(self, len(values)))
        entries = self.entries
        if len(entries) == len(values) + 1 and entries[0] is not None:  # all children are leaves
            kind, _, data = entries[0]
            return kind.put_together(data, tuple(values))
        return _build(entries, iter(values))

    def flatten_up_to(self, tree: object) -> list[Any]:
        """Lists the subtrees of a tree that stand where this structure has its leaves."""
        return prefix_broadcast.flatten_up_to(self.entries, tree)

    def children(self) -> list["PyTreeDef"]:
        """Lists the structures of the children."""
        return [PyTreeDef(each) for each in split(self.entries)]

    def node_data(self) -> tuple[type, Any] | None:
        """Returns the type of the root and its data; None for a leaf."""
        entry = self.entries[0]
        if entry is None:
            return None
        kind, _, data = entry
        if kind is NAMED_TUPLE:
            return data, None
        return kind.container, list(data) if kind is DICT else data

    @staticmethod
    def from_node_data_and_children(
        registry: object, node_data: tuple[type, Any] | None, children: Iterable["PyTreeDef"]
    ) -> "PyTreeDef":
        """Makes a structure from what `node_data` and `children` give."""
        below = list(children)
        if node_data is None:
            if below:
                raise ValueError(f"a leaf has no children, and {len(below)} are given")
            return LEAF
        root, data = node_data
        return PyTreeDef(
            (_entry(root, len(below), data), *(entry for child in below for entry in child.entries))
        )

    def compose(self, inner: "PyTreeDef") -> "PyTreeDef":
        """Puts a structure in the place of each leaf."""
        below = inner.entries
        made = [found for entry in self.entries for found in (below if entry is None else (entry,))]
        return PyTreeDef(made, self.num_leaves * inner.num_leaves)

    def walk(
        self,
        f_node: Callable[[Any, Any], Any],
        f_leaf: Callable[[Any], Any] | None,
        leaves: Iterable[Any],
    ) -> Any:
        """Combines the leaves from the bottom up by a function of each node's children and data."""
        values = list(leaves)
        if len(values) != self.num_leaves:
            raise ValueError(_wrong_count(self, len(values)))
        return _fold(self.entries, iter(values), f_node, f_leaf)

    def from_iterable_tree(self, tree: object) -> Any:
        """Makes a tree of this structure from nested iterables of the same shape."""
        return self.unflatten(prefix_broadcast.leaves_of_iterables(self.entries, tree))

    def serialize_using_proto(self) -> bytes:
        """Writes the structure as a protocol buffer; only built-in containers can be written."""
        return protobuf.write(self.entries)

    @staticmethod
    def deserialize_using_proto(registry: object, data: bytes) -> "PyTreeDef":
        """Reads what `serialize_using_proto` wrote."""
        return PyTreeDef(protobuf.read(data))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PyTreeDef):
            return NotImplemented
        return same_data(self.entries, other.entries)

    def __hash__(self) -> int:
        if self._hash is None:
            try:
                self._hash = hash(self.entries)
            except Exception:
                shape = tuple(entry and entry[:2] for entry in self.entries)
                self._hash = hash(shape)
        return self._hash

    def __repr__(self) -> str:
        return f"PyTreeDef({treedef_repr.text(self.entries)})"

    def __reduce__(self) -> Any:
        return _restore, ([_portable(entry) for entry in self.entries],)


LEAF = PyTreeDef((None,), 1)
"""The structure of a leaf."""


def split(entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    """Returns the nodes of each child of the root."""
    root = entries[0]
    found: list[tuple[Entry, ...]] = []
    start = 1
    for _ in range(root[1] if root is not None else 0):
        end = prefix_broadcast.end_of(entries, start)
        found.append(tuple(entries[start:end]))
        start = end
    return found


def _build(entries: Sequence[Entry], leaves: Iterator[Any]) -> Any:
    """Puts a tree together, from left to right: the order of calls of users' functions."""
    above: list[tuple[Any, list[Any], int]] = []
    entry: Any = None
    children: list[Any] = []
    need = 1
    for each in entries:
        if each is None:
            children.append(next(leaves))
        elif each[1]:
            above.append((entry, children, need))
            entry, children, need = each, [], each[1]
        else:
            children.append(each[0].put_together(each[2], ()))
        while len(children) == need and above:
            made = entry[0].put_together(entry[2], tuple(children))
            entry, children, need = above.pop()
            children.append(made)
    return children[0]


def _fold(
    entries: Sequence[Entry],
    leaves: Iterator[Any],
    f_node: Callable[[Any, Any], Any],
    f_leaf: Callable[[Any], Any] | None,
) -> Any:
    """Combines leaves from the bottom up, from left to right."""

    def combine(entry: tuple[NodeKind, int, Any]) -> NodeKind:
        kind, _, data = entry
        data = list(data) if kind is DICT else data
        return NodeKind(kind.container, kind.take_apart, lambda _, xs: f_node(xs, data))

    renamed = [entry and (combine(entry), entry[1], None) for entry in entries]
    return _build(renamed, leaves if f_leaf is None else map(f_leaf, leaves))


def _wrong_count(structure: PyTreeDef, count: int) -> str:
    few_or_many = "few" if count < structure.num_leaves else "many"
    return (
        f"Too {few_or_many} leaves for PyTreeDef; expected {structure.num_leaves}, got {count}. "
        f"Give one leaf for each * of {structure}"
    )


def _entry(root: type, count: int, data: Any) -> Entry:
    """Returns the node of a container of a given type."""
    kind = kind_of(root)
    if kind is None:
        raise RuntimeError(
            f"{root!r} is no container: register it with register_pytree_node or one of the "
            "other functions of tree_util before its structures are used"
        )
    if kind is NAMED_TUPLE:
        return kind, count, root
    return kind, count, tuple(data) if kind is DICT else data


def _portable(entry: Entry) -> tuple[type, int, Any] | None:
    """Returns a node as it is pickled: by the type that is registered, not by its kind."""
    if entry is None:
        return None
    kind, count, data = entry
    return (data, count, None) if kind is NAMED_TUPLE else (kind.container, count, data)


def _restore(nodes: Iterable[tuple[type, int, Any] | None]) -> PyTreeDef:
    return PyTreeDef(node and _entry(*node) for node in nodes)
