"""Pytrees, with short names: JAX's `jax.tree`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.abstract import trees
from oakum.facts import public, transform


@public("tree.all")
def all(tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Tells whether all leaves are true."""
    ...


@public("tree.broadcast")
def broadcast(
    prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Broadcasts a tree that is a prefix to the structure of a full one."""
    ...


@public("tree.flatten", trees.flattened)
def flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Takes a tree apart into its leaves and its structure."""
    ...


@public("tree.flatten_with_path")
def flatten_with_path(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, is_leaf_takes_path: bool = False
) -> Any:
    """Takes a tree apart into its leaves with their paths, and its structure."""
    ...


@public("tree.leaves", trees.leaves)
def leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Lists the leaves of a tree."""
    ...


@public("tree.leaves_with_path")
def leaves_with_path(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, is_leaf_takes_path: bool = False
) -> Any:
    """Lists the leaves of a tree with their paths."""
    ...


@transform("tree.map", "tree_map", ("f",), staged=False)
def map(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Applies a function to the leaves of trees of one structure."""
    ...


@public("tree.map_with_path")
def map_with_path(
    f: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: Callable[[Any], bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """Applies a function to the leaves of trees together with their paths."""
    ...


@public("tree.reduce")
def reduce(
    function: Callable[..., Any],
    tree: Any,
    initializer: Any = None,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Combines the leaves of a tree by a function, one after another."""
    ...


@public("tree.reduce_associative")
def reduce_associative(
    operation: Callable[..., Any],
    tree: Any,
    *,
    identity: Any = None,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Combines the leaves of a tree by an associative function."""
    ...


@public("tree.static")
def static(**kwargs: Any) -> Any:
    """Marks the fields of a dataclass that are parts of the structure."""
    ...


@public("tree.structure", static_result=True)
def structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Gives the structure of a tree."""
    ...


@public("tree.transpose")
def transpose(outer_treedef: Any, inner_treedef: Any, pytree_to_transpose: Any) -> Any:
    """Exchanges the outer and the inner structure of a tree of trees."""
    ...


@public("tree.unflatten")
def unflatten(treedef: Any, leaves: Any) -> Any:
    """Puts a tree together from a structure and leaves."""
    ...
