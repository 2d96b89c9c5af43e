"""Shapes, the order of axes, and broadcasting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import joining, padding, reshaping
from oakum.array import Array
from oakum.numpy import arguments, coercion
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, Placement, Shape
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
    """Returns an array another shape with the same elements."""
    ignored_placement.require("numpy.reshape(out_sharding=...)", out_sharding)
    (a,) = arguments.arrays("reshape", a)
    return _reshape(a, shape, order)


def _reshape(a: ArrayLike, shape: Any, order: str = "C") -> Any:
    """Returns the elements of an array in another shape, in which one size may be -1."""
    sizes = _complete(a, arguments.sizes(shape, "the shape of jnp.reshape()"))
    if order == "C":
        return lax.reshape(a, sizes)
    if order == "F":
        rank = arguments.rank_of(a)
        turned = lax.reshape(lax.transpose(a, tuple(range(rank))[::-1]), sizes[::-1])
        return lax.transpose(turned, tuple(range(len(sizes)))[::-1])
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented.")
    raise ValueError(f"Unexpected value for 'order' argument: {order}.")


def _complete(a: ArrayLike, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the sizes with the one that is -1 computed from the others."""
    total = arguments.size_of(a)
    unknown = [i for i, each in enumerate(sizes) if each == -1]
    if len(unknown) > 1:
        raise errors.ShapeError(
            f"jnp.reshape: can only specify one unknown axis size, and {sizes} has {len(unknown)}",
            hint="Give all sizes but one.",
        )
    rest = math.prod(each for each in sizes if each != -1)
    if unknown and rest and total % rest == 0:
        place = unknown[0]
        return (*sizes[:place], total // rest, *sizes[place + 1 :])
    if unknown or rest != total or any(each < 0 for each in sizes):
        raise errors.ShapeError(
            f"cannot reshape array of shape {arguments.shape_of(a)} (size {total}) into shape "
            f"{sizes} (size {rest})",
            hint="Give a shape with as many elements as the array has.",
        )
    return sizes


@public("numpy.ravel", reshaping.ravel, static=("order",), edge="linear")
def ravel(a: ArrayLike, order: str = "C", *, out_sharding: Placement | None = None) -> Array:
    """Flattens an array to one dimension."""
    ignored_placement.require("numpy.ravel(out_sharding=...)", out_sharding)
    (a,) = arguments.arrays("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'.")
    return coercion.staged(_reshape(a, (-1,), order))


@public("numpy.resize", padding.resize, shapes=("new_shape",))
def resize(a: ArrayLike, new_shape: Shape) -> Array:
    """Returns an array another shape, repeating or dropping elements."""
    shape = arguments.sizes(new_shape, "the new shape of jnp.resize()")
    (a,) = arguments.arrays("resize", a)
    if any(size < 0 for size in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    count, have = math.prod(shape), arguments.size_of(a)
    if count == 0 or have == 0:
        return lax.full_like(a, 0, shape=shape)
    repeated = lax.concatenate([lax.reshape(a, (have,))] * -(-count // have), 0)
    return lax.reshape(lax.slice_in_dim(repeated, 0, count), shape)


@public(
    "numpy.transpose", reshaping.transpose, static=("axes",), edge="linear", hands_through="own"
)
def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """Permutes the axes of an array; without axes it reverses them."""
    (array,) = arguments.arrays("transpose", a)
    rank = arguments.rank_of(array)
    order = range(rank)[::-1] if axes is None else [arguments.axis(each, rank) for each in axes]
    return coercion.owned(lax.transpose(array, tuple(order)), a)


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
    return coercion.staged(lax.transpose(a, tuple(order)))


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
    return coercion.staged(lax.transpose(a, tuple(order)))


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
    return coercion.owned(insert_axes(array, axis), a)


def insert_axes(a: ArrayLike, axis: int | Sequence[int]) -> Any:
    """Returns the array with axes of length one, which stand at these places of the result."""
    given = axis if isinstance(axis, (tuple, list, range)) else (axis,)
    rank = arguments.rank_of(a) + len(given)
    places = [arguments.axis(each, rank) for each in given]
    if len(set(places)) != len(places):
        raise errors.ShapeError(f"repeated axis in expand_dims: {tuple(given)}")
    kept = [each for each in range(rank) if each not in places]
    shape = [1] * rank
    for place, size in zip(kept, arguments.shape_of(a), strict=True):
        shape[place] = size
    return lax.broadcast_in_dim(a, tuple(shape), tuple(kept))


@public("numpy.squeeze", reshaping.squeeze, static=("axis",), edge="linear")
def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Removes axes of length one."""
    (a,) = arguments.arrays("squeeze", a)
    shape = arguments.shape_of(a)
    if axis is None:
        removed = tuple(i for i, size in enumerate(shape) if size == 1)
    else:
        removed = arguments.axes(axis, len(shape))
    return coercion.staged(lax.squeeze(a, removed))


@public("numpy.broadcast_to", reshaping.broadcast_to, shapes=("shape",), hands_through="own")
def broadcast_to(
    array: ArrayLike, shape: int | Shape, *, out_sharding: Placement | None = None
) -> Array:
    """Repeats an array along axes until it has a shape."""
    ignored_placement.require("numpy.broadcast_to(out_sharding=...)", out_sharding)
    (given,) = arguments.arrays("broadcast_to", array)
    sizes = arguments.sizes(shape, "the shape of jnp.broadcast_to()")
    return coercion.owned(arguments.broadcast_to(given, sizes), array)


@public("numpy.broadcast_arrays", joining.broadcast_arrays)
def broadcast_arrays(*args: ArrayLike) -> list[Array]:
    """Broadcasts arrays against each other."""
    if not args:
        return []
    shaped = arguments.broadcast(*arguments.arrays("broadcast_arrays", *args))
    return [coercion.staged(each) for each in shaped]


@public("numpy.atleast_1d", reshaping.atleast(1))
def atleast_1d(*arys: ArrayLike) -> Array | list[Array]:
    """Returns arrays one dimension at least."""
    return _at_least("atleast_1d", arys, one_dimensional)


def one_dimensional(a: ArrayLike) -> Any:
    """Returns the array, or a vector of one element."""
    return a if arguments.rank_of(a) else lax.reshape(a, (1,))


def _at_least(function: str, values: Sequence[Any], form: Callable[[Any], Any]) -> Any:
    """Returns one array, or the list of several, each in the form."""
    # NumPy takes a single argument that is a list for an array, and so does JAX.
    read = [jnp.asarray(value) if isinstance(value, (tuple, list)) else value for value in values]
    results = [coercion.staged(form(each)) for each in arguments.arrays(function, *read)]
    return results[0] if len(results) == 1 else results


@public("numpy.atleast_2d", reshaping.atleast(2))
def atleast_2d(*arys: ArrayLike) -> Array | list[Array]:
    """Returns arrays two dimensions at least."""
    return _at_least("atleast_2d", arys, two_dimensional)


def two_dimensional(a: ArrayLike) -> Any:
    """Returns the array with axes put before its own until it has two."""
    rank = arguments.rank_of(a)
    return a if rank >= 2 else insert_axes(a, tuple(range(2 - rank)))


@public("numpy.atleast_3d", reshaping.atleast(3))
def atleast_3d(*arys: ArrayLike) -> Array | list[Array]:
    """Returns arrays three dimensions at least."""
    return _at_least("atleast_3d", arys, three_dimensional)


def three_dimensional(a: ArrayLike) -> Any:
    """Returns the array with axes put around its own until it has three."""
    rank = arguments.rank_of(a)
    return a if rank >= 3 else insert_axes(a, ((0, 1, 2), (0, 2), (2,))[rank])
