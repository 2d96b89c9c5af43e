"""Changes of shape and order of the elements of one array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import errors, lax
from oakum.abstract import diagonals, joining, padding, reshaping, results
from oakum.array import Array
from oakum.numpy import (
    arguments,
    bits,
    differences,
    layout,
    pads,
    planes,
    promoting,
    repetition,
    shifts,
)
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import public


@public(
    "numpy.reshape",
    reshaping.reshape,
    static=("order",),
    shapes=("shape",),
    edge="linear",
    hands_through="all",
)
def reshape(
    a: ArrayLike,
    shape: int | Shape,
    order: str = "C",
    *,
    copy: bool | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Gives an array another shape with the same elements."""
    ignored_placement.require("numpy.reshape(out_sharding=...)", out_sharding)
    (a,) = arguments.arrays("reshape", a)
    return layout.reshape(a, shape, order)


@public("numpy.ravel", reshaping.ravel, static=("order",), edge="linear")
def ravel(a: ArrayLike, order: str = "C", *, out_sharding: Placement | None = None) -> Array:
    """Flattens an array to one dimension."""
    ignored_placement.require("numpy.ravel(out_sharding=...)", out_sharding)
    (a,) = arguments.arrays("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'.")
    return promoting.staged(layout.reshape(a, (-1,), order))


@public("numpy.resize", padding.resize, shapes=("new_shape",))
def resize(a: ArrayLike, new_shape: Shape) -> Array:
    """Gives an array another shape, repeating or dropping elements."""
    return layout.resize(a, arguments.sizes(new_shape, "the new shape of jnp.resize()"))


@public(
    "numpy.transpose", reshaping.transpose, static=("axes",), edge="linear", hands_through="own"
)
def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """Permutes the axes of an array; without axes it reverses them."""
    (array,) = arguments.arrays("transpose", a)
    rank = arguments.rank_of(array)
    order = range(rank)[::-1] if axes is None else [arguments.axis(each, rank) for each in axes]
    return promoting.owned(lax.transpose(array, tuple(order)), a)


@public("numpy.permute_dims", reshaping.transpose, static=("axes",), hands_through="own")
def permute_dims(a: ArrayLike, /, axes: tuple[int, ...]) -> Array:
    """Permutes the axes of an array."""
    arguments.check_arrays("permute_dims", a)
    if axes is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise TypeError("permute_dims() needs axes; jnp.transpose reverses them without")
    return transpose(a, axes)


@public("numpy.matrix_transpose", reshaping.matrix_transpose)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchanges the last two axes."""
    (x,) = arguments.arrays("matrix_transpose", x)
    rank = arguments.rank_of(x)
    if rank < 2:
        raise errors.ShapeError(
            f"x must be at least two-dimensional for matrix_transpose; got ndim={rank}"
        )
    return lax.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


@public("numpy.swapaxes", reshaping.swapaxes, static=("axis1", "axis2"))
def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Exchanges two axes."""
    (a,) = arguments.arrays("swapaxes", a)
    order = list(range(arguments.rank_of(a)))
    one, other = arguments.axis(axis1, len(order)), arguments.axis(axis2, len(order))
    order[one], order[other] = order[other], order[one]
    return promoting.staged(lax.transpose(a, tuple(order)))


@public("numpy.moveaxis", reshaping.moveaxis, static=("source", "destination"))
def moveaxis(a: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Moves axes to other positions."""
    (a,) = arguments.arrays("moveaxis", a)
    rank = arguments.rank_of(a)
    sources, targets = arguments.axes(source, rank), arguments.axes(destination, rank)
    if len(sources) != len(targets):
        raise ValueError(f"Inconsistent number of elements: {len(sources)} vs {len(targets)}")
    order = [each for each in range(rank) if each not in sources]
    for target, origin in sorted(zip(targets, sources, strict=True)):
        order.insert(target, origin)
    return promoting.staged(lax.transpose(a, tuple(order)))


@public("numpy.rollaxis", reshaping.rollaxis, static=("axis", "start"))
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Moves an axis back to before another."""
    (a,) = arguments.arrays("rollaxis", a)
    rank = arguments.rank_of(a)
    origin = arguments.axis(axis, rank)
    if not -rank <= start <= rank:
        raise ValueError(f"start={start} must satisfy {-rank}<=start<={rank}")
    target = start + rank if start < 0 else start
    return moveaxis(a, origin, target - 1 if target > origin else target)


@public("numpy.expand_dims", reshaping.expand_dims, static=("axis",), edge="linear")
def expand_dims(a: ArrayLike, axis: int | Sequence[int]) -> Array:
    """Inserts axes of length one."""
    (array,) = arguments.arrays("expand_dims", a)
    return promoting.owned(layout.expand_dims(array, axis), a)


@public("numpy.squeeze", reshaping.squeeze, static=("axis",), edge="linear")
def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Removes axes of length one."""
    (a,) = arguments.arrays("squeeze", a)
    shape = arguments.shape_of(a)
    if axis is None:
        removed = tuple(i for i, size in enumerate(shape) if size == 1)
    else:
        removed = arguments.axes(axis, len(shape))
    return promoting.staged(lax.squeeze(a, removed))


@public("numpy.broadcast_to", reshaping.broadcast_to, shapes=("shape",), hands_through="own")
def broadcast_to(
    array: ArrayLike, shape: int | Shape, *, out_sharding: Placement | None = None
) -> Array:
    """Repeats an array along axes until it has a shape."""
    ignored_placement.require("numpy.broadcast_to(out_sharding=...)", out_sharding)
    (given,) = arguments.arrays("broadcast_to", array)
    sizes = arguments.sizes(shape, "the shape of jnp.broadcast_to()")
    return promoting.owned(arguments.broadcast_to(given, sizes), array)


@public("numpy.broadcast_arrays", joining.broadcast_arrays)
def broadcast_arrays(*args: ArrayLike) -> list[Array]:
    """Broadcasts arrays against each other."""
    if not args:
        return []
    shaped = arguments.broadcast(*arguments.arrays("broadcast_arrays", *args))
    return [promoting.staged(each) for each in shaped]


@public("numpy.atleast_1d", reshaping.atleast(1))
def atleast_1d(*arys: ArrayLike) -> Array | list[Array]:
    """Gives arrays one dimension at least."""
    return layout.at_least("atleast_1d", arys, layout.one_dimensional)


@public("numpy.atleast_2d", reshaping.atleast(2))
def atleast_2d(*arys: ArrayLike) -> Array | list[Array]:
    """Gives arrays two dimensions at least."""
    return layout.at_least("atleast_2d", arys, layout.two_dimensional)


@public("numpy.atleast_3d", reshaping.atleast(3))
def atleast_3d(*arys: ArrayLike) -> Array | list[Array]:
    """Gives arrays three dimensions at least."""
    return layout.at_least("atleast_3d", arys, layout.three_dimensional)


@public("numpy.flip", reshaping.keeps_along, static=("axis",))
def flip(m: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Reverses the order of elements along axes."""
    (m,) = arguments.arrays("flip", m)
    return lax.rev(m, arguments.axes(axis, arguments.rank_of(m)))


@public("numpy.fliplr", reshaping.keeps)
def fliplr(m: ArrayLike) -> Array:
    """Reverses the order of columns."""
    (m,) = arguments.arrays("fliplr", m)
    return flip(m, 1)


@public("numpy.flipud", reshaping.keeps)
def flipud(m: ArrayLike) -> Array:
    """Reverses the order of rows."""
    (m,) = arguments.arrays("flipud", m)
    return flip(m, 0)


@public("numpy.roll", reshaping.keeps_along, static=("axis",))
def roll(
    a: ArrayLike, shift: ArrayLike | Sequence[int], axis: int | Sequence[int] | None = None
) -> Array:
    """Shifts elements along axes, around the ends."""
    return promoting.staged(shifts.roll(a, shift, axis))


@public("numpy.rot90", reshaping.rot90, static=("k", "axes"))
def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Rotates a plane of an array by quarter turns."""
    (array,) = arguments.arrays("rot90", m)
    first, second = arguments.axes(tuple(axes), arguments.rank_of(array))
    turns = k % 4
    if turns == 0:
        return promoting.staged(array)
    if turns == 2:
        return flip(flip(array, first), second)
    if turns == 1:
        return swapaxes(flip(array, second), first, second)
    return flip(swapaxes(array, first, second), second)


@public(
    "numpy.repeat",
    padding.repeat,
    static=("axis",),
    sizes=("total_repeat_length",),
    dynamic_size=results.of_array("repeats", results.without("total_repeat_length")),
    size_parameter="total_repeat_length",
    size_operands=("repeats",),
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
    return repetition.repeat(a, repeats, axis, total_repeat_length)


@public("numpy.tile", padding.tile, static=("reps",))
def tile(A: ArrayLike, reps: int | Sequence[int]) -> Array:
    """Repeats a whole array along its axes."""
    return repetition.tile(A, reps)


@public("numpy.pad", padding.pad, static=("pad_width", "mode"))
def pad(
    array: ArrayLike, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any
) -> Array:
    """Adds elements at the ends of the axes."""
    return promoting.staged(pads.pad(array, pad_width, mode, kwargs))


@public("numpy.diagonal", diagonals.diagonal, static=("offset", "axis1", "axis2"))
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Takes the diagonals of planes of an array."""
    return planes.diagonal(a, offset, axis1, axis2)


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
    return planes.trace(a, offset, axis1, axis2, dtype)


@public("numpy.diff", padding.diff, static=("n", "axis"))
def diff(
    a: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Array:
    """Computes the differences of neighbours along an axis, several times."""
    return differences.diff(a, n, axis, prepend, append)


@public("numpy.ediff1d", results.array)
def ediff1d(
    ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None
) -> Array:
    """Computes the differences of neighbours of a flattened array."""
    return differences.neighbours(ary, to_end, to_begin)


@public("numpy.gradient", static=("axis", "edge_order"))
def gradient(
    f: ArrayLike,
    *varargs: ArrayLike,
    axis: int | Sequence[int] | None = None,
    edge_order: int | None = None,
) -> Array | list[Array]:
    """Estimates derivatives by differences of neighbours, along each axis."""
    return differences.gradient(f, varargs, axis, edge_order)


@public(
    "numpy.trim_zeros",
    results.array,
    static=("trim", "axis"),
    dynamic_size=results.always,
    size_operands=("filt",),
)
def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: int | Sequence[int] | None = None) -> Array:
    """Removes zeros from the ends of an array."""
    return shifts.trim_zeros(filt, trim, axis)


@public("numpy.packbits", results.array, static=("axis", "bitorder"))
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Packs booleans into the bits of bytes."""
    return bits.packbits(a, axis, bitorder)


@public("numpy.unpackbits", results.array, static=("axis", "count", "bitorder"))
def unpackbits(
    a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Array:
    """Unpacks the bits of bytes."""
    return bits.unpackbits(a, axis, count, bitorder)
