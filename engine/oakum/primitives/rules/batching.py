"""Forms of batching that many primitives share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum.errors import BatchingRuleError
from oakum.tracing.ir import Atom, ClosedJaxpr, Var, kept
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import AxisData, Primitive, Rule, aval_of, shared
from oakum.typing import ArrayLike

Dims = Sequence[int | None]


def move(operand: ArrayLike, source: int, destination: int) -> Any:
    """Moves an axis of an array."""
    rank = len(aval_of(operand).shape or ())
    source, destination = source % rank, destination % rank
    if source == destination:
        return operand
    order = [axis for axis in range(rank) if axis != source]
    order.insert(destination, source)
    return lax.transpose(operand, tuple(order))


def broadcast(operand: ArrayLike, size: int, axis: int) -> Any:
    """Repeats an array along a new axis."""
    shape: list[Any] = list(aval_of(operand).shape or ())
    kept = [each for each in range(len(shape) + 1) if each != axis]
    shape.insert(axis, size)
    return lax.broadcast_in_dim(operand, tuple(shape), tuple(kept))


def move_to_front(operand: ArrayLike, dim: int | None, size: int) -> Any:
    """Returns the array with its mapped axis first; one that is not mapped is repeated."""
    return broadcast(operand, size, 0) if dim is None else move(operand, dim, 0)


def _elementwise(
    primitive: Primitive, axis: AxisData, operands: Sequence[Any], dims: Dims, **params: object
) -> tuple[Any, int]:
    """Batches an operation on operands of one shape element by element."""
    dim = next(each for each in dims if each is not None)
    if all(each == dim for each in dims):
        return primitive.bind(*operands, **params), dim
    pairs = zip(operands, dims, strict=True)
    aligned = [broadcast(x, axis.size, dim) if d is None else move(x, d, dim) for x, d in pairs]
    return primitive.bind(*aligned, **params), dim


elementwise = shared(_elementwise)


def _one_by_one(
    primitive: Primitive, axis: AxisData, operands: Sequence[Any], dims: Dims, **params: object
) -> tuple[Any, Any]:
    """Batches by a loop over the mapped axis: for operations that know no batches."""
    parts = [
        [
            lax.index_in_dim(x, i, d, keepdims=False) if d is not None else x
            for i in range(axis.size)
        ]
        for x, d in zip(operands, dims, strict=True)
    ]
    results = [primitive.bind(*each, **params) for each in zip(*parts, strict=True)]
    if not primitive.multiple_results:
        return _stack(results), 0
    stacked = [_stack(list(column)) for column in zip(*results, strict=True)]
    return stacked, [0] * len(stacked)


def _stack(parts: list[Any]) -> Any:
    return lax.concatenate([broadcast(part, 1, 0) for part in parts], 0)


one_by_one = shared(_one_by_one)


def rule_of(primitive: Primitive) -> Rule:
    """Returns the batching rule of a primitive; raises `BatchingRuleError` where it has none."""
    if primitive.batch is None:
        raise BatchingRuleError(
            f"Batching rule for '{primitive.name}' not implemented",
            hint="Map with jax.lax.map, or give the function a rule with jax.custom_batching.",
        )
    return primitive.batch


@kept
def batch_scalar_jaxpr(closed: ClosedJaxpr, size: int) -> ClosedJaxpr:
    """Returns the program of as many elements of a program of scalars, all mapped along their only
    axis.

    It is what `vmap` returns of the program, without a trace.
    """
    axis = AxisData(None, size)

    def function(*arguments: ArrayLike) -> list[Any]:
        return _eval_batched(closed, axis, arguments)

    avals = [aval.update(shape=(size,)) for aval in closed.in_avals]
    return stage(function, avals, name=closed.jaxpr.name, transform="vmap")


def _eval_batched(closed: ClosedJaxpr, axis: AxisData, arguments: Sequence[Any]) -> list[Any]:
    """Returns the results of a program for all elements of arguments, which are mapped along axis
    0.
    """
    jaxpr = closed.jaxpr
    values: dict[Var, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
    values.update(zip(jaxpr.invars, arguments, strict=True))
    mapped: dict[Var, int | None] = dict.fromkeys(jaxpr.invars, 0)

    def read(atom: Atom) -> tuple[Any, int | None]:
        return (values[atom], mapped.get(atom)) if isinstance(atom, Var) else (atom.val, None)

    for eqn in jaxpr.eqns:
        pairs = [read(atom) for atom in eqn.inputs]
        operands, dims = [value for value, _ in pairs], [dim for _, dim in pairs]
        several = eqn.primitive.multiple_results
        if all(dim is None for dim in dims):
            result = eqn.primitive.bind(*operands, **eqn.params)
            out: Any = [None] * len(eqn.outputs)
        else:
            result, out = rule_of(eqn.primitive)(axis, operands, dims, **eqn.params)
            out = out if several else [out]
        values.update(zip(eqn.outputs, result if several else [result], strict=True))
        mapped.update(zip(eqn.outputs, out, strict=True))
    return [move_to_front(value, dim, axis.size) for value, dim in map(read, jaxpr.outvars)]
