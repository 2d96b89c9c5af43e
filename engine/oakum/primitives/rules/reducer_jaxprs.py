"""Programs of two sets of scalars, by which general reductions combine elements.

Invariants:
- Elements are combined in order, beginning with the initial values. More than a few dozen are first
  combined in pairs, with the same result for associative programs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.errors import DTypeError, ShapeError
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.associative_reduce import Combination, fold
from oakum.primitives.rules.batching import batch_scalar_jaxpr
from oakum.primitives.rules.derivatives import eval_jvp, instantiate
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.ir import ClosedJaxpr, eval_closed, run_closed
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import Tracer, aval_of
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray

IN_ORDER = 64
"""Up to this many elements are combined one after another."""


def computation_jaxpr(
    computation: Callable[..., Any], init_values: Sequence[Any], tree: PyTreeDef
) -> tuple[ClosedJaxpr, Any]:
    """Returns the program of a computation on two trees of scalars, and the tree of its results."""
    avals = [aval_of(value).update(shape=(), weak_type=False) for value in init_values]
    found: list[Any] = []

    def function(*scalars: ArrayLike) -> list[Any]:
        left, right = scalars[: len(avals)], scalars[len(avals) :]
        result = computation(pytree.unflatten(tree, left), pytree.unflatten(tree, right))
        flat, out_tree = pytree.flatten(result)
        found.append(out_tree)
        return flat

    closed = stage(function, [*avals, *avals], name=getattr(computation, "__name__", "reduction"))
    if any(isinstance(const, Tracer) for const in closed.consts):
        raise NotImplementedError(
            "Reduction computations can't close over Tracers: give the values as operands"
        )
    return closed, found[0]


def check_computation(
    name: str, operands: Sequence[ShapedArray], inits: Sequence[ShapedArray], closed: ClosedJaxpr
) -> None:
    """Raises an error where operands, initial values and results of a program do not agree."""
    dtypes = [aval.dtype for aval in operands]
    if dtypes != [aval.dtype for aval in inits]:
        raise DTypeError(
            f"{name} got inconsistent dtypes: {name} operand dtypes should match corresponding "
            f"initial value dtypes, got operands={_names(operands)} and "
            f"initial_values={_names(inits)}",
            hint="Convert the initial values to the dtypes of the operands.",
        )
    results = closed.out_avals
    if [(aval.shape, aval.dtype) for aval in results] != [((), dtype) for dtype in dtypes]:
        raise DTypeError(
            f"the computation of {name} must give scalars of the types of the operands, and gives "
            f"{_names(results)} for {_names(operands)}",
            hint="Give the results the dtypes of the arguments.",
        )
    if any(aval.shape != operands[0].shape for aval in operands):
        raise ShapeError(f"{name} needs operands of one shape, and got {_names(operands)}")


def _names(avals: Sequence[ShapedArray]) -> str:
    return ", ".join(map(str, avals))


def combine_raw(
    xp: ModuleType, closed: ClosedJaxpr, left: Sequence[Any], right: Sequence[Any]
) -> list[Any]:
    """Combines the host's arrays element by element by a program of scalars."""
    shape, size = left[0].shape, left[0].size
    flat = [xp.ascontiguousarray(x).reshape(size) for x in (*left, *right)]
    return [x.reshape(shape) for x in run_closed(xp, batch_scalar_jaxpr(closed, size), flat)]


def reduce_raw(
    xp: ModuleType, closed: ClosedJaxpr, inits: Sequence[Any], stacks: Sequence[Any]
) -> list[Any]:
    """Combines the host's arrays along their first axis, beginning with scalars."""
    items = list(stacks)
    shape = items[0].shape[1:]
    state = [xp.broadcast_to(init, shape) for init in inits]
    if 0 in shape:
        return state
    while (size := items[0].shape[0]) > IN_ORDER:
        even = size // 2 * 2
        merged = combine_raw(xp, closed, [x[0:even:2] for x in items], [x[1:even:2] for x in items])
        items = [xp.concatenate([a, b[even:]]) for a, b in zip(merged, items, strict=True)]
    for k in range(items[0].shape[0]):
        state = combine_raw(xp, closed, state, [x[k] for x in items])
    return state


def combination(closed: ClosedJaxpr) -> Combination:
    """Returns the combination of arrays, element by element, by a program of scalars."""

    def combine(left: list[Any], right: list[Any]) -> list[Any]:
        shape = shape_of(left[0])
        size = math.prod(shape)
        flat = [lax.reshape(x, (size,)) for x in (*left, *right)]
        results = eval_closed(batch_scalar_jaxpr(closed, size), *flat)
        return [lax.reshape(x, shape) for x in results]

    return combine


def dual_combination(closed: ClosedJaxpr) -> Combination:
    """Returns the combination of values followed by their tangents, by a program of scalars."""

    def combine(left: list[Any], right: list[Any]) -> list[Any]:
        shape, count = shape_of(left[0]), len(left) // 2
        size = math.prod(shape)
        flat = [lax.reshape(x, (size,)) for x in (*left[:count], *right[:count])]
        changes = [lax.reshape(x, (size,)) for x in (*left[count:], *right[count:])]
        results, out = eval_jvp(batch_scalar_jaxpr(closed, size), flat, changes)
        return [lax.reshape(x, shape) for x in (*results, *map(instantiate, out))]

    return combine


def reduce_stacks(combine: Combination, inits: Sequence[Any], stacks: Sequence[Any]) -> list[Any]:
    """Combines arrays along their first axis by operations, beginning with arrays."""
    items, state = list(stacks), list(inits)
    if shape_of(items[0])[0] > IN_ORDER:
        items = fold(combine, items)
    for k in range(shape_of(items[0])[0]):
        state = combine(state, [lax.index_in_dim(x, k, 0, keepdims=False) for x in items])
    return state
