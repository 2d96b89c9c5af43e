"""Forms of batching that many primitives share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum.tracing.trace import AxisData, Primitive, aval_of, shared

Dims = Sequence[int | None]


def move(operand: Any, source: int, destination: int) -> Any:
    """Moves an axis of an array."""
    rank = len(aval_of(operand).shape or ())
    source, destination = source % rank, destination % rank
    if source == destination:
        return operand
    order = [axis for axis in range(rank) if axis != source]
    order.insert(destination, source)
    return lax.transpose(operand, tuple(order))


def broadcast(operand: Any, size: int, axis: int) -> Any:
    """Repeats an array along a new axis."""
    shape: list[Any] = list(aval_of(operand).shape or ())
    kept = [each for each in range(len(shape) + 1) if each != axis]
    shape.insert(axis, size)
    return lax.broadcast_in_dim(operand, tuple(shape), tuple(kept))


def move_to_front(operand: Any, dim: int | None, size: int) -> Any:
    """The array with its mapped axis first; one that is not mapped is repeated."""
    return broadcast(operand, size, 0) if dim is None else move(operand, dim, 0)


def _elementwise(
    primitive: Primitive, axis: AxisData, operands: Sequence[Any], dims: Dims, **params: Any
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
    primitive: Primitive, axis: AxisData, operands: Sequence[Any], dims: Dims, **params: Any
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
