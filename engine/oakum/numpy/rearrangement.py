"""Elements of an array reversed, shifted, repeated, and taken along diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import diagonals, padding, reshaping, results
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, coercion, shapes
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize


@public("numpy.flip", reshaping.keeps_along, static=("axis",))
def flip(m: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Reverses the order of elements along axes."""
    (m,) = arguments.arrays("flip", m)
    return lax.rev(m, arguments.axes(axis, arguments.rank_of(m)))


@public("numpy.fliplr", reshaping.flipped(1))
def fliplr(m: ArrayLike) -> Array:
    """Reverses the order of columns."""
    (m,) = arguments.arrays("fliplr", m)
    return flip(m, 1)


@public("numpy.flipud", reshaping.flipped(0))
def flipud(m: ArrayLike) -> Array:
    """Reverses the order of rows."""
    (m,) = arguments.arrays("flipud", m)
    return flip(m, 0)


@public("numpy.roll", reshaping.rolled, static=("axis",))
def roll(
    a: ArrayLike, shift: ArrayLike | Sequence[int], axis: int | Sequence[int] | None = None
) -> Array:
    """Shifts elements along axes, around the ends."""
    return coercion.staged(_roll(a, shift, axis))


def _roll(a: Any, shift: Any, axis: int | Sequence[int] | None) -> Any:
    """Returns the array shifted along axes, around the ends; without axes as if it were flat."""
    (a,) = arguments.arrays("roll", a)
    # Whole turns may be more than an integer of the default dtype holds.
    turn = max(arguments.size_of(a), 1)
    if isinstance(shift, int):
        shift %= turn
    elif isinstance(shift, (tuple, list)):
        # What is made of a list under tracing is not known any more.
        amounts = cast("Sequence[Any]", shift)
        known = all(isinstance(each, int) for each in amounts)
        shift = (
            host.np.asarray([each % turn for each in amounts]) if known else jnp.asarray(amounts)
        )
    a, shift = arguments.arrays("roll", a, shift)
    shape = arguments.shape_of(a)
    if axis is None:
        return lax.reshape(_roll(lax.reshape(a, (arguments.size_of(a),)), shift, 0), shape)
    axes = [arguments.axis(each, len(shape)) for each in _listed(axis)]
    for each, amount in _pairs(axes, shift):
        a = _roll_one(a, amount, each)
    return a


def _roll_one(a: Any, amount: Any, axis: int) -> Any:
    size = arguments.shape_of(a)[axis]
    if size == 0:
        return a
    if isinstance(amount, int):
        cut = -amount % size
        if cut == 0:
            return a
        parts = [lax.slice_in_dim(a, cut, size, axis=axis), lax.slice_in_dim(a, 0, cut, axis=axis)]
        return lax.concatenate(parts, axis)
    # The start is in [0, size], whatever the shift, so that the slice lies in the doubled array.
    start = lax.sub(lax.full_like(amount, size), _modulo(amount, size))
    return lax.dynamic_slice_in_dim(lax.concatenate([a, a], axis), start, size, axis)


def _modulo(value: ArrayLike, size: int) -> Any:
    limit = lax.full_like(value, size)
    return lax.rem(lax.add(lax.rem(value, limit), limit), limit)


def _pairs(axes: list[int], shift: Any) -> list[tuple[int, Any]]:
    """Returns each axis with its shift, an integer where it is known."""
    if arguments.rank_of(shift) > 1:
        raise ValueError("'shift' and 'axis' arguments to roll must be scalars or 1D arrays")
    count = arguments.size_of(shift) if arguments.rank_of(shift) else 1
    (total,) = arguments.broadcast_shapes((len(axes),), (count,))
    known = arguments.known(shift)
    if known is not None:
        amounts: list[Any] = [int(each) for each in known.reshape(-1)]
    else:
        flat = lax.reshape(shift, (count,))
        amounts = [lax.index_in_dim(flat, i, 0, keepdims=False) for i in range(count)]
    if len(axes) == 1:
        axes = axes * total
    if len(amounts) == 1:
        amounts = amounts * total
    return list(zip(axes, amounts, strict=True))


def _listed(axis: int | Sequence[int]) -> Sequence[Any]:
    return axis if isinstance(axis, (tuple, list, range)) else (axis,)


@public("numpy.rot90", reshaping.rot90, static=("k", "axes"))
def rot90(m: ArrayLike, k: float = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Rotates a plane of an array by quarter turns."""
    (array,) = arguments.arrays("rot90", m)
    first, second = arguments.axes(tuple(axes), arguments.rank_of(array))
    turns = k % 4
    if turns == 0:
        return coercion.staged(array)
    if turns == 2:
        return flip(flip(array, first), second)
    if turns == 1:
        return shapes.swapaxes(flip(array, second), first, second)
    return flip(shapes.swapaxes(array, first, second), second)


@public(
    "numpy.repeat",
    padding.repeat,
    static=("axis",),
    sizes=("total_repeat_length",),
    dynamic_size=DynamicSize("total_repeat_length", ("repeats",), numbers=False),
)
def repeat(
    a: ArrayLike,
    repeats: ArrayLike,
    axis: int | None = None,
    *,
    total_repeat_length: int | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Repeats each element along an axis."""
    ignored_placement.require("numpy.repeat(out_sharding=...)", out_sharding)
    if isinstance(repeats, (tuple, list)):
        repeats = jnp.asarray(repeats)
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
    if total_repeat_length is not None:
        return _repeat_to(
            a, repeats, axis, arguments.size(total_repeat_length, "total_repeat_length")
        )
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


def _repeat_all(a: ArrayLike, count: int, axis: int) -> Any:
    shape = list(arguments.shape_of(a))
    kept = [i if i <= axis else i + 1 for i in range(len(shape))]
    wide = lax.broadcast_in_dim(a, (*shape[: axis + 1], count, *shape[axis + 1 :]), kept)
    shape[axis] *= count
    return lax.reshape(wide, tuple(shape))


def _repeat_to(a: ArrayLike, repeats: Any, axis: int, total: int) -> Any:
    """Returns as many elements as asked for; the last one fills up what is missing."""
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


@public("numpy.tile", padding.tile, static=("reps",))
def tile(A: ArrayLike, reps: int | Sequence[int]) -> Array:
    """Repeats a whole array along its axes."""
    (x,) = arguments.arrays("tile", A)
    counts: Sequence[int] = arguments.sizes(reps, "the repetitions of jnp.tile()")
    shape = arguments.shape_of(x)
    rank = max(len(shape), len(counts))
    shape = (1,) * (rank - len(shape)) + shape
    counts = (1,) * (rank - len(counts)) + tuple(counts)
    pairs = [each for pair in zip(counts, shape, strict=True) for each in pair]
    flat = lax.reshape(x, shape)
    wide = lax.broadcast_in_dim(flat, tuple(pairs), tuple(range(1, 2 * rank, 2)))
    return lax.reshape(wide, tuple(c * n for c, n in zip(counts, shape, strict=True)))


@public("numpy.diagonal", diagonals.diagonal, static=("offset", "axis1", "axis2"))
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Takes the diagonals of planes of an array."""
    (x,) = arguments.arrays("diagonal", a)
    offset = arguments.size(offset, "the offset of jnp.diagonal()")
    x = _planes_last(x, axis1, axis2, "diagonal")
    rows, columns = arguments.shape_of(x)[-2:]
    down, right = max(-offset, 0), max(offset, 0)
    size = max(min(rows - down, columns - right), 0)
    at = host.np.arange(size, dtype="int32")
    return x[..., at + down, at + right]


def _planes_last(a: ArrayLike, axis1: int, axis2: int, function: str) -> Any:
    rank = arguments.rank_of(a)
    if rank < 2:
        raise errors.ShapeError(f"{function} requires an array of at least two dimensions.")
    first, second = arguments.axis(axis1, rank), arguments.axis(axis2, rank)
    if first == second:
        raise errors.ShapeError(f"{function}: axis1 and axis2 must differ, both are {axis1}")
    return jnp.moveaxis(a, (first, second), (-2, -1))


@public("numpy.trace", diagonals.trace, static=("axis1", "axis2"))
def trace(
    a: ArrayLike,
    offset: ArrayLike = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
    out: None = None,
) -> Array:
    """Sums the diagonals of planes of an array."""
    arguments.refuse_out("jnp.trace", out)
    (a,) = arguments.arrays("trace", a)
    a = _planes_last(a, axis1, axis2, "trace")
    rows, columns = arguments.shape_of(a)[-2:]
    if arguments.is_kind(a, Kind.BOOL):
        a = arguments.convert(a, arguments.default_int())
    index = arguments.default_int()
    row = lax.broadcasted_iota(index, (rows, columns), 0)
    column = lax.broadcasted_iota(index, (rows, columns), 1)
    shifted = lax.add(row, arguments.convert(lax.full_like(row, 0) + offset, index))
    on_diagonal = arguments.broadcast_to(lax.eq(shifted, column), arguments.shape_of(a))
    kept = lax.select(on_diagonal, a, lax.full_like(a, 0))
    return jnp.sum(kept, axis=(-2, -1), dtype=dtype)


@public(
    "numpy.trim_zeros",
    results.array,
    static=("trim", "axis"),
    dynamic_size=DynamicSize("", ("filt",)),
)
def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: int | Sequence[int] | None = None) -> Array:
    """Removes zeros from the ends of an array."""
    (x,) = arguments.arrays("trim_zeros", filt)
    known = arguments.demand(x, "jnp.trim_zeros()")
    rank = len(known.shape)
    for each in arguments.axes(axis, rank):
        others = tuple(i for i in range(rank) if i != each)
        filled = (known != 0).any(axis=others).nonzero()[0]
        start, stop = (0, known.shape[each]) if filled.size else (0, 0)
        if filled.size and "f" in trim.lower():
            start = int(filled[0])
        if filled.size and "b" in trim.lower():
            stop = int(filled[-1]) + 1
        x = lax.slice_in_dim(x, start, stop, axis=each)
    return x
