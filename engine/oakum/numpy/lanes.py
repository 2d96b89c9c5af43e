"""Functions of vectors and of indices, applied to the lanes of an array."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oakum import numpy as jnp
from oakum.api.batching import vmap
from oakum.numpy import arguments


def apply_along_axis(
    function: Callable[..., Any], axis: Any, arr: Any, args: Any, keywords: Mapping[str, Any]
) -> Any:
    """The results of a function of vectors for each lane along an axis, put in its place."""
    (arr,) = arguments.arrays("apply_along_axis", arr)
    rank = arguments.rank_of(arr)
    place = arguments.axis(axis, rank)

    def mapped(lane: Any) -> Any:
        return function(lane, *args, **keywords)

    for i in range(1, rank - place):
        mapped = vmap(mapped, in_axes=i, out_axes=-1)
    for _ in range(place):
        mapped = vmap(mapped, in_axes=0, out_axes=0)
    return mapped(arr)


def apply_over_axes(function: Callable[[Any, int], Any], a: Any, axes: Sequence[int]) -> Any:
    """What is left after a function that reduces was applied for one axis after another."""
    (a,) = arguments.arrays("apply_over_axes", a)
    for axis in axes:
        rank = arguments.rank_of(a)
        result = function(a, axis)
        if arguments.rank_of(result) == rank - 1:
            result = jnp.expand_dims(result, axis)
        elif arguments.rank_of(result) != rank:
            raise ValueError("function is not returning an array of the correct shape")
        a = result
    return a


def from_function(
    function: Callable[..., Any], shape: Any, dtype: Any, keywords: Mapping[str, Any]
) -> Any:
    """The results of a function for the indices of all places of a shape."""
    sizes = arguments.sizes(shape, "shape argument of jnp.fromfunction()")

    def mapped(*indices: Any) -> Any:
        return function(*indices, **keywords)

    for i in range(len(sizes)):
        axes = tuple(0 if j == len(sizes) - 1 - i else None for j in range(len(sizes)))
        mapped = vmap(mapped, in_axes=axes)
    return mapped(*(jnp.arange(size, dtype=dtype) for size in sizes))
