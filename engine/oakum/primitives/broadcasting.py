"""`broadcast_in_dim` and `tile`: elements repeated along axes."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from oakum import lax
from oakum.abstract import lax_rules
from oakum.errors import ShapeError
from oakum.primitives.rules import lowering
from oakum.primitives.rules.arguments import Sizes, inserted, shape_of
from oakum.primitives.rules.batching import move
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _broadcast_abstract(
    operand: ShapedArray, *, shape: Sizes, broadcast_dimensions: Sizes, sharding: object = None
) -> ShapedArray:
    return lax_rules.exact_broadcast_in_dim(operand, shape, broadcast_dimensions)


def _broadcast(
    xp: ModuleType,
    x: host.Array,
    *,
    shape: Sizes,
    broadcast_dimensions: Sizes,
    sharding: object = None,
) -> Any:
    if x.ndim:
        order = sorted(range(x.ndim), key=broadcast_dimensions.__getitem__)
        sizes = [1] * len(shape)
        for size, d in zip(x.shape, broadcast_dimensions, strict=True):
            sizes[d] = size
        x = x.transpose(order).reshape(sizes)
    if math.prod(shape) > _COPIED:
        return xp.broadcast_to(x, shape)
    result = xp.empty(shape, x.dtype)
    result[...] = x
    return result


_COPIED: Final = 4096
"""Up to this many elements, a copy is quicker than a view that repeats them."""


def _broadcast_transpose(
    cotangent: ArrayLike,
    operand: object,
    *,
    shape: Sizes,
    broadcast_dimensions: Sizes,
    sharding: object = None,
) -> list[Any]:
    given = shape_of(operand)
    pairs = zip(given, broadcast_dimensions, strict=True)
    kept = [d for size, d in pairs if size == shape[d]]
    summed = tuple(d for d in range(len(shape)) if d not in kept)
    total = lax.reduce_sum(cotangent, summed) if summed else cotangent
    in_order = sorted(kept)
    return [lax.reshape(lax.transpose(total, tuple(map(in_order.index, kept))), given)]


def _broadcast_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int],
    *,
    shape: Sizes,
    broadcast_dimensions: Sizes,
    sharding: object = None,
) -> tuple[Any, int]:
    operand = move(operands[0], dims[0], 0)
    dimensions = (0, *(d + 1 for d in broadcast_dimensions))
    return lax.broadcast_in_dim(operand, (axis.size, *shape), dimensions), 0


def _broadcast_place(
    position: lowering.Position,
    operand: Sizes,
    *,
    shape: Sizes,
    broadcast_dimensions: Sizes,
    sharding: object = None,
) -> lowering.Position:
    pairs = zip(operand, broadcast_dimensions, strict=True)
    return tuple(0 if size == 1 else position[d] for size, d in pairs)


broadcast_in_dim_p = Primitive(
    "broadcast_in_dim",
    abstract=_broadcast_abstract,
    evaluate=_broadcast,
    linear=True,
    transpose=_broadcast_transpose,
    batch=_broadcast_batch,
    lower=lowering.Moved(_broadcast_place),
    exact=True,
)


def _tile_abstract(operand: ShapedArray, *, reps: Sizes) -> ShapedArray:
    shape = shape_of(operand)
    if len(shape) != len(reps):
        raise ShapeError(
            f"reps length must be equal to the ndim of x, got {len(reps)=} for {operand}",
            hint="Give a number of repetitions for each axis, or use jnp.tile.",
        )
    if any(count < 0 for count in reps):
        raise ShapeError(
            f"tile repeats an axis a nonnegative number of times, got reps {reps}",
            hint="Give numbers of repetitions from zero on.",
        )
    return operand.update(shape=tuple(n * count for n, count in zip(shape, reps, strict=True)))


def _tile(xp: ModuleType, x: host.Array, *, reps: Sizes) -> Any:
    return xp.tile(x, reps)


def _interleaved(shape: Sizes, reps: Sizes) -> Sizes:
    """Returns the shape with an axis of repetitions before each axis."""
    return tuple(n for pair in zip(reps, shape, strict=True) for n in pair)


def _tile_transpose(cotangent: ArrayLike, operand: object, *, reps: Sizes) -> list[Any]:
    split = _interleaved(shape_of(operand), reps)
    return [lax.reduce_sum(lax.reshape(cotangent, split), tuple(range(0, len(split), 2)))]


def _tile_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int], *, reps: Sizes
) -> tuple[Any, int]:
    return lax.tile(operands[0], inserted(reps, dims[0], 1)), dims[0]


def _tile_lower(operand: ArrayLike, *, reps: Sizes) -> Any:
    shape = shape_of(operand)
    own_axes = range(1, 2 * len(shape), 2)
    spread = lax.broadcast_in_dim(operand, _interleaved(shape, reps), own_axes)
    return lax.reshape(spread, tuple(map(operator.mul, shape, reps)))


tile_p = Primitive(
    "tile",
    abstract=_tile_abstract,
    evaluate=_tile,
    linear=True,
    transpose=_tile_transpose,
    batch=_tile_batch,
    lower=lowering.Decomposed(_tile_lower),
    exact=True,
)
