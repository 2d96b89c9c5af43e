"""Pytrees: nested containers of arrays, and how to map over their leaves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from oakum import tree as trees
from oakum.abstract import results
from oakum.pytrees import pytree, registry
from oakum.pytrees.node_types import DictKey as DictKey
from oakum.pytrees.node_types import FlattenedIndexKey as FlattenedIndexKey
from oakum.pytrees.node_types import GetAttrKey as GetAttrKey
from oakum.pytrees.node_types import KeyEntry as KeyEntry
from oakum.pytrees.node_types import KeyPath as KeyPath
from oakum.pytrees.node_types import Partial as Partial
from oakum.pytrees.node_types import SequenceKey as SequenceKey
from oakum.pytrees.registry import default_registry as default_registry
from oakum.pytrees.treedef import PyTreeDef as PyTreeDef
from oakum.values.declarations import public, renamed

tree_map = renamed("tree_util.tree_map", trees.map)
tree_map_with_path = renamed("tree_util.tree_map_with_path", trees.map_with_path)
tree_leaves = renamed("tree_util.tree_leaves", trees.leaves)
tree_leaves_with_path = renamed("tree_util.tree_leaves_with_path", trees.leaves_with_path)
tree_flatten = renamed("tree_util.tree_flatten", trees.flatten)
tree_flatten_with_path = renamed("tree_util.tree_flatten_with_path", trees.flatten_with_path)
tree_unflatten = renamed("tree_util.tree_unflatten", trees.unflatten)
tree_structure = renamed("tree_util.tree_structure", trees.structure)
tree_reduce = renamed("tree_util.tree_reduce", trees.reduce)
tree_reduce_associative = renamed("tree_util.tree_reduce_associative", trees.reduce_associative)
tree_all = renamed("tree_util.tree_all", trees.all)
tree_broadcast = renamed("tree_util.tree_broadcast", trees.broadcast)
tree_transpose = renamed("tree_util.tree_transpose", trees.transpose)


@public("tree_util.all_leaves", static_result=True)
def all_leaves(iterable: Iterable[Any], is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Returns whether all elements of an iterable are leaves."""
    return pytree.all_leaves(iterable, is_leaf)


@public("tree_util.flatten_one_level")
def flatten_one_level(tree: object) -> tuple[Iterable[Any], Hashable]:
    """Takes one level of a tree apart."""
    return registry.one_level(tree)


@public("tree_util.flatten_one_level_with_keys")
def flatten_one_level_with_keys(tree: object) -> Any:
    """Takes one level of a tree apart, with keys."""
    return registry.one_level_with_keys(tree)


@public("tree_util.is_tree_node", static_result=True)
def is_tree_node(typ: object) -> bool:
    """Returns whether instances of a type are containers."""
    return default_registry.is_node(typ)


@public("tree_util.keystr", static_result=True)
def keystr(keys: KeyPath, *, simple: bool = False, separator: str = "") -> str:
    """Writes a path as text."""
    return pytree.keystr(keys, simple=simple, separator=separator)


@public("tree_util.register_dataclass")
def register_dataclass(
    nodetype: object,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Any:
    """Registers a dataclass as a container."""
    registry.register_dataclass(nodetype, data_fields, meta_fields, drop_fields)
    return nodetype


@public("tree_util.register_pytree_node", results.nothing)
def register_pytree_node(
    nodetype: object,
    flatten_func: Callable[..., Any],
    unflatten_func: Callable[..., Any],
    flatten_with_keys_func: Callable[..., Any] | None = None,
) -> None:
    """Registers a type as a container by a pair of functions."""
    registry.register_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func)


@public("tree_util.register_pytree_node_class", results.first)
def register_pytree_node_class(cls: object) -> Any:
    """Registers a class that has the methods of a container."""
    registry.register_class(cls)
    return cls


@public("tree_util.register_pytree_with_keys", results.nothing)
def register_pytree_with_keys(
    nodetype: object,
    flatten_with_keys: Callable[..., Any],
    unflatten_func: Callable[..., Any],
    flatten_func: Callable[..., Any] | None = None,
) -> Any:
    """Registers a type as a container whose children have keys."""
    registry.register_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func)


@public("tree_util.register_pytree_with_keys_class", results.first)
def register_pytree_with_keys_class(cls: object) -> Any:
    """Registers a class that has the methods of a container with keys."""
    registry.register_class_with_keys(cls)
    return cls


@public("tree_util.register_static", results.first)
def register_static(cls: object) -> Any:
    """Registers a class whose instances are parts of the structure, not leaves."""
    registry.register_static(cls)
    return cls


@public("tree_util.treedef_children", static_result=True)
def treedef_children(treedef: PyTreeDef) -> Any:
    """Lists the structures of the children of a structure."""
    return treedef.children()


@public("tree_util.treedef_is_leaf", static_result=True)
def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Returns whether a structure is that of a leaf."""
    return treedef.num_nodes == 1


@public("tree_util.treedef_tuple", static_result=True)
def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> Any:
    """Makes the structure of a tuple of structures."""
    return PyTreeDef.from_node_data_and_children(default_registry, (tuple, None), treedefs)
