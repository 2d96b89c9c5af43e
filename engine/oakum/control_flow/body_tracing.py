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
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.jaxpr_trace import Reference, hoist, stage
from oakum.tracing.trace import as_operand, current_axes
from oakum.transforms import flat_functions, references
from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Body:
    """A traced function: its program, the tracers that it closes over, which are the program's
    first arguments, and the structure of its result.

    `references` are those from outside that it uses: what they hold are the next arguments, and the
    first results.
    """

    jaxpr: ClosedJaxpr
    lifted: list[Any]
    out_tree: Any
    references: tuple[Any, ...] = ()

    @property
    def out_avals(self) -> list[ShapedArray]:
        """The avals of the function's own results."""
        return self.jaxpr.out_avals[len(self.references) :]

    def held(self) -> list[Any]:
        """Returns what the references hold."""
        if not self.references:
            return []
        return references.captured_references.read_all(self.references)

    def write_back(self, results: list[Any]) -> list[Any]:
        """Writes the first results of the operation to the references; returns the others."""
        if not self.references:
            return results
        return references.captured_references.write_back(self.references, results)


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
        if not (body.lifted or body.references):
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
    flat = flat_functions.FlatFunction(function, treedef, keywords=False, transform=transform)
    captured: list[Reference] = []
    closed = stage(
        flat,
        avals,
        name=user_frames.name_of(function),
        transform=transform,
        arguments=flat_functions.argument_names(function, arguments, {}),
        traced=function,
        captured=captured,
    )
    closed, lifted = hoist(closed)
    return Body(closed, lifted, flat.out_tree, tuple(captured))


def share_references(bodies: Sequence[Body], returned: Sequence[bool]) -> list[Body]:
    """Returns programs of one operation, each with the references that any of them uses; those that
    `returned` marks return what they hold.
    """
    if not any(body.references for body in bodies):
        return list(bodies)
    programs = references.captured_references
    wanted = programs.united([body.references for body in bodies])
    return [
        Body(
            programs.taking(body.jaxpr, len(body.lifted), body.references, wanted, returned=writes),
            body.lifted,
            body.out_tree,
            wanted if writes else (),
        )
        for body, writes in zip(bodies, returned, strict=True)
    ]
