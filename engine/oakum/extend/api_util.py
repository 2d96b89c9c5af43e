"""What `jax.api_util` has: functions of trees as functions of their leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.extend.linear_util import Store, WrappedFun, transformation_with_aux2
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.trace import aval_of
from oakum.values import user_frames
from oakum.values.avals import ShapedArray


def debug_info(traced_for: str, fun: Callable[..., Any], *_: object, **__: object) -> str:
    """Returns what messages call a function that a library traces."""
    return f"{user_frames.name_of(fun)} for {traced_for}"


def shaped_abstractify(x: object) -> ShapedArray:
    """Returns the aval of an array or a Python number."""
    return aval_of(x)


def flatten_fun(f: WrappedFun, in_tree: PyTreeDef) -> tuple[WrappedFun, Callable[[], PyTreeDef]]:
    """Returns the function of the leaves of `(args, kwargs)`, and what gives the tree of its result
    once it was called.
    """
    return transformation_with_aux2(_call_with_keywords, f, in_tree)


def flatten_fun_nokwargs(
    f: WrappedFun, in_tree: PyTreeDef
) -> tuple[WrappedFun, Callable[[], PyTreeDef]]:
    """Returns the function of the leaves of its arguments, and what gives the tree of its result
    once it was called.
    """
    return transformation_with_aux2(_call, f, in_tree)


def _call_with_keywords(
    function: Callable[..., Any], out_tree: Store, in_tree: PyTreeDef, *leaves: object
) -> Sequence[Any]:
    args, kwargs = pytree.unflatten(in_tree, leaves)
    return _flattened(function(*args, **kwargs), out_tree)


def _call(
    function: Callable[..., Any], out_tree: Store, in_tree: PyTreeDef, *leaves: object
) -> Sequence[Any]:
    return _flattened(function(*pytree.unflatten(in_tree, leaves)), out_tree)


def _flattened(result: object, out_tree: Store) -> Sequence[Any]:
    leaves, tree = pytree.flatten(result)
    out_tree.store(tree)
    return leaves
