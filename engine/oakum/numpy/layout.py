"""Reshaping: the order of elements, sizes that follow from the others, axes of length one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import errors, lax
from oakum.numpy import arguments, promoting


def reshape(a: Any, shape: Any, order: str = "C") -> Any:
    """The elements of an array in another shape, in which one size may be -1."""
    sizes = complete(a, arguments.sizes(shape, "the shape of jnp.reshape()"))
    if order == "C":
        return lax.reshape(a, sizes)
    if order == "F":
        rank = arguments.rank_of(a)
        turned = lax.reshape(lax.transpose(a, tuple(range(rank))[::-1]), sizes[::-1])
        return lax.transpose(turned, tuple(range(len(sizes)))[::-1])
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented.")
    raise ValueError(f"Unexpected value for 'order' argument: {order}.")


def complete(a: Any, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes with the one that is -1 computed from the others."""
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


def resize(a: Any, shape: tuple[int, ...]) -> Any:
    """The elements in turn in another shape, repeated or cut to its size."""
    (a,) = arguments.arrays("resize", a)
    if any(size < 0 for size in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    count, have = math.prod(shape), arguments.size_of(a)
    if count == 0 or have == 0:
        return lax.full_like(a, 0, shape=shape)
    repeated = lax.concatenate([lax.reshape(a, (have,))] * -(-count // have), 0)
    return lax.reshape(lax.slice_in_dim(repeated, 0, count), shape)


def expand_dims(a: Any, axis: int | Sequence[int]) -> Any:
    """The array with axes of length one, which stand at these places of the result."""
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


def at_least(function: str, values: Sequence[Any], form: Callable[[Any], Any]) -> Any:
    """One array, or the list of several, each in the form."""
    # NumPy takes a single argument that is a list for an array, and so does JAX.
    read = [
        arguments.array_of_list(value) if isinstance(value, (tuple, list)) else value
        for value in values
    ]
    results = [promoting.staged(form(each)) for each in arguments.arrays(function, *read)]
    return results[0] if len(results) == 1 else results


def one_dimensional(a: Any) -> Any:
    """The array, or a vector of one element."""
    return a if arguments.rank_of(a) else lax.reshape(a, (1,))


def two_dimensional(a: Any) -> Any:
    """The array with axes put before its own until it has two."""
    rank = arguments.rank_of(a)
    return a if rank >= 2 else expand_dims(a, tuple(range(2 - rank)))


def three_dimensional(a: Any) -> Any:
    """The array with axes put around its own until it has three."""
    rank = arguments.rank_of(a)
    return a if rank >= 3 else expand_dims(a, ((0, 1, 2), (0, 2), (2,))[rank])
