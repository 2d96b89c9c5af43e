"""Repetition of elements and of whole arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.numpy import arguments
from oakum.values import host


def repeat(a: Any, repeats: Any, axis: int | None, total: int | None) -> Any:
    """Each element along an axis as often as `repeats` says."""
    if isinstance(repeats, (tuple, list)):
        repeats = arguments.array_of_list(repeats)
    a, repeats = arguments.arrays("repeat", a, repeats)
    if arguments.is_inexact(repeats):
        raise errors.DTypeError(
            f"repeats of jnp.repeat() must be integers, got {arguments.dtype_of(repeats)}",
            hint="Convert the numbers of repetitions with astype(int).",
        )
    if axis is None:
        a, axis = lax.reshape(a, (arguments.size_of(a),)), 0
    if arguments.rank_of(a) == 0:
        a = lax.reshape(a, (1,))
    axis = arguments.axis(axis, arguments.rank_of(a))
    if arguments.rank_of(repeats) > 1:
        raise errors.ShapeError("repeats must be a scalar or 1D array")
    size = arguments.shape_of(a)[axis]
    if arguments.size_of(repeats) not in (1, size):
        raise errors.ShapeError(
            f"Incompatible shapes for broadcasting: repeats has {arguments.size_of(repeats)} "
            f"elements, and axis {axis} of the array has {size}"
        )
    if total is not None:
        return _repeat_to(a, repeats, axis, arguments.size(total, "total_repeat_length"))
    counts = arguments.demand(repeats, "jnp.repeat() without total_repeat_length")
    if (counts < 0).any():
        raise errors.ShapeError(
            f"repeats of jnp.repeat() must be from zero on, got {counts}",
            hint="Give numbers of repetitions from zero on.",
        )
    if counts.size == 1:
        return _repeat_all(a, int(counts.reshape(())), axis)
    where = host.np.repeat(host.np.arange(size), counts)
    return jnp.take(a, where.astype("int32"), axis=axis)


def _repeat_all(a: Any, count: int, axis: int) -> Any:
    shape = list(arguments.shape_of(a))
    kept = [i if i <= axis else i + 1 for i in range(len(shape))]
    wide = lax.broadcast_in_dim(a, (*shape[: axis + 1], count, *shape[axis + 1 :]), kept)
    shape[axis] *= count
    return lax.reshape(wide, tuple(shape))


def _repeat_to(a: Any, repeats: Any, axis: int, total: int) -> Any:
    """As many elements as asked for; the last one fills up what is missing."""
    size = arguments.shape_of(a)[axis]
    if total == 0 or size == 0:
        shape = list(arguments.shape_of(a))
        shape[axis] = total
        return lax.full(tuple(shape), 0, arguments.dtype_of(a))
    counts = arguments.broadcast_to(lax.reshape(repeats, (arguments.size_of(repeats),)), (size,))
    ends = lax.cumsum(arguments.convert(counts, arguments.default_int()))
    places = lax.iota(arguments.default_int(), total)
    # The element at a place is the first one whose run ends behind it.
    columns = lax.broadcast_in_dim(places, (total, size), (0,))
    runs = lax.broadcast_in_dim(ends, (total, size), (1,))
    passed = lax.convert_element_type(lax.ge(columns, runs), arguments.default_int())
    where = lax.reduce_sum(passed, (1,))
    return jnp.take(a, lax.min(where, lax.full_like(where, size - 1)), axis=axis)


def tile(a: Any, reps: Any) -> Any:
    """The array repeated as a whole along its axes."""
    (a,) = arguments.arrays("tile", a)
    counts: Sequence[int] = arguments.sizes(reps, "the repetitions of jnp.tile()")
    shape = arguments.shape_of(a)
    rank = max(len(shape), len(counts))
    shape = (1,) * (rank - len(shape)) + shape
    counts = (1,) * (rank - len(counts)) + tuple(counts)
    pairs = [each for pair in zip(counts, shape, strict=True) for each in pair]
    flat = lax.reshape(a, shape)
    wide = lax.broadcast_in_dim(flat, tuple(pairs), tuple(range(1, 2 * rank, 2)))
    return lax.reshape(wide, tuple(c * n for c, n in zip(counts, shape, strict=True)))
