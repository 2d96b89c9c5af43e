"""Pytrees: nested containers of arrays, and how to map over their leaves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from oakum.abstract import results
from oakum.abstract import trees as rules
from oakum.pytrees import pytree, registry
from oakum.pytrees.key_paths import DictKey as DictKey
from oakum.pytrees.key_paths import FlattenedIndexKey as FlattenedIndexKey
from oakum.pytrees.key_paths import GetAttrKey as GetAttrKey
from oakum.pytrees.key_paths import KeyEntry as KeyEntry
from oakum.pytrees.key_paths import KeyPath as KeyPath
from oakum.pytrees.key_paths import Partial as Partial
from oakum.pytrees.key_paths import SequenceKey as SequenceKey
from oakum.pytrees.pytree import ABSENT
from oakum.pytrees.registry import default_registry as default_registry
from oakum.pytrees.treedef import PyTreeDef as PyTreeDef
from oakum.values.declarations import public, transform


@transform("tree_util.tree_map", "tree_map", ("f",), staged=False)
def tree_map(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Applies a function to the leaves of trees of one structure."""
    return pytree.map(f, tree, *rest, is_leaf=is_leaf)


@public("tree_util.tree_map_with_path")
def tree_map_with_path(
    f: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: Callable[[Any], bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Applies a function to the leaves of trees together with their paths."""
    return pytree.map_with_path(
        f, tree, *rest, is_leaf=is_leaf, is_leaf_takes_path=is_leaf_takes_path
    )


@public("tree_util.tree_leaves", rules.leaves)
def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Lists the leaves of a tree."""
    return pytree.leaves(tree, is_leaf)


@public("tree_util.tree_leaves_with_path")
def tree_leaves_with_path(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, is_leaf_takes_path: bool = False
) -> Any:
    """Lists the leaves of a tree with their paths."""
    return pytree.flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


@public("tree_util.tree_flatten", rules.flattened)
def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Takes a tree apart into its leaves and its structure."""
    return pytree.flatten(tree, is_leaf)


@public("tree_util.tree_flatten_with_path")
def tree_flatten_with_path(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, is_leaf_takes_path: bool = False
) -> Any:
    """Takes a tree apart into its leaves with their paths, and its structure."""
    return pytree.flatten_with_path(tree, is_leaf, is_leaf_takes_path)


@public("tree_util.tree_unflatten")
def tree_unflatten(treedef: Any, leaves: Any) -> Any:
    """Puts a tree together from a structure and leaves."""
    return treedef.unflatten(leaves)


@public("tree_util.tree_structure", static_result=True)
def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Gives the structure of a tree."""
    return pytree.structure(tree, is_leaf)


@public("tree_util.tree_reduce")
def tree_reduce(
    function: Callable[..., Any],
    tree: Any,
    initializer: Any = ABSENT,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Combines the leaves of a tree by a function, one after another."""
    return pytree.reduce(function, tree, initializer, is_leaf)


@public("tree_util.tree_reduce_associative")
def tree_reduce_associative(
    operation: Callable[..., Any],
    tree: Any,
    *,
    identity: Any = ABSENT,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Combines the leaves of a tree by an associative function."""
    return pytree.reduce_associative(operation, tree, identity, is_leaf)


@public("tree_util.tree_all")
def tree_all(tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Tells whether all leaves are true."""
    return all(pytree.leaves(tree, is_leaf))


@public("tree_util.tree_broadcast")
def tree_broadcast(
    prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Broadcasts a tree that is a prefix to the structure of a full one."""
    return pytree.broadcast(prefix_tree, full_tree, is_leaf)


@public("tree_util.tree_transpose")
def tree_transpose(outer_treedef: Any, inner_treedef: Any, pytree_to_transpose: Any) -> Any:
    """Exchanges the outer and the inner structure of a tree of trees."""
    return pytree.transpose(outer_treedef, inner_treedef, pytree_to_transpose)


@public("tree_util.all_leaves", static_result=True)
def all_leaves(iterable: Iterable[Any], is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Tells whether all elements of an iterable are leaves."""
    return pytree.all_leaves(iterable, is_leaf)


@public("tree_util.flatten_one_level")
def flatten_one_level(tree: Any) -> tuple[Iterable[Any], Hashable]:
    """Takes one level of a tree apart."""
    return registry.one_level(tree)


@public("tree_util.flatten_one_level_with_keys")
def flatten_one_level_with_keys(tree: Any) -> Any:
    """Takes one level of a tree apart, with keys."""
    return registry.one_level_with_keys(tree)


@public("tree_util.is_tree_node", static_result=True)
def is_tree_node(typ: Any) -> bool:
    """Tells whether instances of a type are containers."""
    return default_registry.is_node(typ)


@public("tree_util.keystr", static_result=True)
def keystr(keys: Any, *, simple: bool = False, separator: str = "") -> str:
    """Writes a path as text."""
    return pytree.keystr(keys, simple=simple, separator=separator)


@public("tree_util.register_dataclass")
def register_dataclass(
    nodetype: Any,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Any:
    """Registers a dataclass as a container."""
    registry.register_dataclass(nodetype, data_fields, meta_fields, drop_fields)
    return nodetype


@public("tree_util.register_pytree_node", results.nothing)
def register_pytree_node(
    nodetype: Any,
    flatten_func: Callable[..., Any],
    unflatten_func: Callable[..., Any],
    flatten_with_keys_func: Callable[..., Any] | None = None,
) -> None:
    """Registers a type as a container by a pair of functions."""
    registry.register_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func)


@public("tree_util.register_pytree_node_class", results.first)
def register_pytree_node_class(cls: Any) -> Any:
    """Registers a class that has the methods of a container."""
    registry.register_class(cls)
    return cls


@public("tree_util.register_pytree_with_keys", results.nothing)
def register_pytree_with_keys(
    nodetype: Any,
    flatten_with_keys: Callable[..., Any],
    unflatten_func: Callable[..., Any],
    flatten_func: Callable[..., Any] | None = None,
) -> Any:
    """Registers a type as a container whose children have keys."""
    registry.register_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func)


@public("tree_util.register_pytree_with_keys_class", results.first)
def register_pytree_with_keys_class(cls: Any) -> Any:
    """Registers a class that has the methods of a container with keys."""
    registry.register_class_with_keys(cls)
    return cls


@public("tree_util.register_static", results.first)
def register_static(cls: Any) -> Any:
    """Registers a class whose instances are parts of the structure, not leaves."""
    registry.register_static(cls)
    return cls


@public("tree_util.treedef_children", static_result=True)
def treedef_children(treedef: Any) -> Any:
    """Lists the structures of the children of a structure."""
    return treedef.children()


@public("tree_util.treedef_is_leaf", static_result=True)
def treedef_is_leaf(treedef: Any) -> bool:
    """Tells whether a structure is that of a leaf."""
    return treedef.num_nodes == 1


@public("tree_util.treedef_tuple", static_result=True)
def treedef_tuple(treedefs: Any) -> Any:
    """Makes the structure of a tuple of structures."""
    return PyTreeDef.from_node_data_and_children(default_registry, (tuple, None), treedefs)
