"""The functions that loops and branches are given, as programs.

A program is kept for a function, the structure and the avals of its arguments and all else that
tracing could see, as JAX keeps it: a loop that is called again does not trace its body again.
Programs that close over tracers are not kept.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from oakum import config
from oakum.errors import InvalidValueError
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import as_operand, aval_of, current_axes
from oakum.transforms import flat_functions
from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame


@dataclass(frozen=True, slots=True)
class Body:
    """A traced function: its program, the tracers that it closes over, which are the program's
    first arguments, and the structure of its result.
    """

    jaxpr: ClosedJaxpr
    lifted: list[Any]
    out_tree: Any

    @property
    def out_avals(self) -> list[ShapedArray]:
        """The avals of the results."""
        return self.jaxpr.out_avals


_bodies: weakref.WeakKeyDictionary[Any, dict[Any, Body]] = weakref.WeakKeyDictionary()
"""The programs of each function."""


def clear() -> None:
    """Forgets all programs."""
    _bodies.clear()


def leaves_of(tree: object) -> tuple[list[Any], Any]:
    """Returns the arrays of a tree, and its structure; raises `InvalidValueError` for
    other leaves.
    """
    leaves, treedef = pytree.flatten(tree)
    return [as_operand(x) for x in leaves], treedef


def trace_body(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    avals: Sequence[ShapedArray],
    *,
    transform: str,
    owner: Callable[..., Any] | None = None,
) -> Body:
    """Returns the program of a function of the trees `arguments`, whose leaves have the avals
    `avals`.

    `owner` is the user's function where `function` was made from it: the program is kept for it.
    """
    treedef = pytree.structure(arguments)
    cache = _cache(function if owner is None else owner)
    if cache is None:
        return _trace(function, arguments, treedef, avals, transform)
    key = (transform, owner is None, treedef, tuple(avals), config.trace_key(), current_axes())
    body = cache.get(key)
    if body is None:
        body = _trace(function, arguments, treedef, avals, transform)
        if not body.lifted:
            cache[key] = body
    return body


def _cache(function: Callable[..., Any]) -> dict[Any, Body] | None:
    try:
        cache = _bodies.get(function)
        if cache is None:
            cache = _bodies[function] = {}
    except TypeError:  # It cannot be hashed, or nothing can refer to it weakly.
        return None
    return cache


def _trace(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    treedef: PyTreeDef,
    avals: Sequence[ShapedArray],
    transform: str,
) -> Body:
    flat = flat_functions.FlatFunction(function, treedef, keywords=False)

    def call(*leaves: object) -> list[Any]:
        results = flat(*leaves)
        _check_results(function, results, flat.out_tree, transform)
        return results

    closed = stage(
        call,
        avals,
        name=user_frames.name_of(function),
        transform=transform,
        arguments=flat_functions.argument_names(function, arguments, {}),
        traced=function,
    )
    closed, lifted = hoist(closed)
    return Body(closed, lifted, flat.out_tree)


def _check_results(
    function: Callable[..., Any], results: Sequence[Any], out_tree: PyTreeDef, transform: str
) -> None:
    for position, result in enumerate(results):
        try:
            aval_of(result)
        except InvalidValueError:
            tree = pytree.unflatten(out_tree, range(len(results)))
            paths = [path for path, _ in pytree.flatten_with_path(tree)[0]]
            path = pytree.keystr(paths[position])
            at = f" at output component {path}" if path else ""
            raise InvalidValueError(
                f"function {user_frames.place_of(function)} traced for {transform} "
                f"returned a value of type {type(result)}{at}, "
                "which is not a valid JAX type",
                frame=user_frame(),
                hint="Return arrays and numbers, in tuples, lists, dicts or other pytrees.",
            ) from None
