"""Pytrees, with short names: JAX's `jax.tree`."""

from __future__ import annotations

import builtins
import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from oakum.abstract import trees as rules
from oakum.pytrees import pytree
from oakum.pytrees.pytree import ABSENT
from oakum.pytrees.treedef import PyTreeDef
from oakum.values.declarations import public, transform


@public("tree.all")
def all(tree: object, *, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Returns whether all leaves are true."""
    return builtins.all(pytree.leaves(tree, is_leaf))


@public("tree.broadcast")
def broadcast(
    prefix_tree: object, full_tree: object, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Broadcasts a tree that is a prefix to the structure of a full one."""
    return pytree.broadcast(prefix_tree, full_tree, is_leaf)


@public("tree.flatten", rules.flattened)
def flatten(tree: object, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Takes a tree apart into its leaves and its structure."""
    return pytree.flatten(tree, is_leaf)


@public("tree.flatten_with_path")
def flatten_with_path(
    tree: object, is_leaf: Callable[[Any], bool] | None = None, is_leaf_takes_path: bool = False
) -> Any:
    """Takes a tree apart into its leaves with their paths, and its structure."""
    return pytree.flatten_with_path(tree, is_leaf, is_leaf_takes_path)


@public("tree.leaves", rules.leaves)
def leaves(tree: object, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Lists the leaves of a tree."""
    return pytree.leaves(tree, is_leaf)


@public("tree.leaves_with_path")
def leaves_with_path(
    tree: object, is_leaf: Callable[[Any], bool] | None = None, is_leaf_takes_path: bool = False
) -> Any:
    """Lists the leaves of a tree with their paths."""
    return pytree.flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


@transform("tree.map", "tree_map", ("f",), staged=False)
def map(
    f: Callable[..., Any], tree: object, *rest: object, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Applies a function to the leaves of trees of one structure."""
    return pytree.map(f, tree, *rest, is_leaf=is_leaf)


@public("tree.map_with_path")
def map_with_path(
    f: Callable[..., Any],
    tree: object,
    *rest: object,
    is_leaf: Callable[[Any], bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Applies a function to the leaves of trees together with their paths."""
    return pytree.map_with_path(
        f, tree, *rest, is_leaf=is_leaf, is_leaf_takes_path=is_leaf_takes_path
    )


@public("tree.reduce")
def reduce(
    function: Callable[..., Any],
    tree: object,
    initializer: object = ABSENT,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Combines the leaves of a tree by a function, one after another."""
    return pytree.reduce(function, tree, initializer, is_leaf)


@public("tree.reduce_associative")
def reduce_associative(
    operation: Callable[..., Any],
    tree: object,
    *,
    identity: object = ABSENT,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Combines the leaves of a tree by an associative function."""
    return pytree.reduce_associative(operation, tree, identity, is_leaf)


@public("tree.static")
def static(**kwargs: Any) -> Any:
    """Marks the fields of a dataclass that are parts of the structure."""
    metadata: dict[str, Any] = {"static": True, **(kwargs.pop("metadata", None) or {})}
    return dataclasses.field(metadata=metadata, **kwargs)


@public("tree.structure", static_result=True)
def structure(tree: object, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Returns the structure of a tree."""
    return pytree.structure(tree, is_leaf)


@public("tree.transpose")
def transpose(
    outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: object
) -> Any:
    """Exchanges the outer and the inner structure of a tree of trees."""
    return pytree.transpose(outer_treedef, inner_treedef, pytree_to_transpose)


@public("tree.unflatten")
def unflatten(treedef: PyTreeDef, leaves: Iterable[object]) -> Any:
    """Puts a tree together from a structure and leaves."""
    return treedef.unflatten(leaves)
