"""Interpolation of images."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public


def _mirrored(index: Any, size: int) -> Any:
    last = size - 1
    return jnp.abs((index + last) % (2 * last) - last)


_AT_EDGES: Final[dict[str, Callable[[Any, int], Any]]] = {
    "constant": lambda index, size: index,
    "nearest": lambda index, size: jnp.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirrored,
    "reflect": lambda index, size: (_mirrored(2 * index + 1, 2 * size + 1) - 1) // 2,
}
"""Which element stands for one beyond the edges, for each mode."""


def _rounded(x: ArrayLike) -> Any:
    return lax.round(x) if arguments.is_inexact(x) else x


def _nodes(coordinate: Any, order: int) -> list[tuple[Any, Any]]:
    """Returns the elements along an axis that a coordinate lies at or between, with their
    weights.
    """
    if order == 0:
        return [(_rounded(coordinate).astype("int32"), 1)]
    lower = jnp.floor(coordinate)
    weight = coordinate - lower
    index = lower.astype("int32")
    return [(index, 1 - weight), (index + 1, weight)]


@public("scipy.ndimage.map_coordinates", results.array, static=("order", "mode", "cval"))
def map_coordinates(
    input: ArrayLike,
    coordinates: Sequence[ArrayLike],
    order: int,
    mode: str = "constant",
    cval: ArrayLike = 0.0,
) -> Any:
    """Interpolates an image at given coordinates."""
    image = jnp.asarray(input)
    if len(coordinates) != image.ndim:
        raise errors.ShapeError(
            "coordinates must be a sequence of length input.ndim, but "
            f"{len(coordinates)} != {image.ndim}"
        )
    if mode not in _AT_EDGES:
        raise NotImplementedError(
            f"jax.scipy.ndimage.map_coordinates does not yet support mode {mode}; its modes are "
            f"{', '.join(_AT_EDGES)}"
        )
    if order not in (0, 1):
        raise NotImplementedError("jax.scipy.ndimage.map_coordinates requires order<=1")
    pairs = zip(map(jnp.asarray, coordinates), image.shape, strict=True)
    axes = [[(*node, size) for node in _nodes(each, order)] for each, size in pairs]
    parts = [_corner(image, corner, mode, cval) for corner in itertools.product(*axes)]
    result = functools.reduce(operator.add, parts)
    if not arguments.is_inexact(image):
        result = _rounded(result)
    return arguments.convert(result, host.read_dtype(image.dtype))


def _corner(image: Array, corner: Sequence[tuple[Any, Any, int]], mode: str, cval: Any) -> Any:
    """Returns what one of the neighbouring elements contributes."""
    value = image[tuple(_AT_EDGES[mode](index, size) for index, _, size in corner)]
    if mode == "constant":
        inside = [(index >= 0) & (index < size) for index, _, size in corner]
        outside = jnp.asarray(cval, image.dtype)
        value = jnp.where(functools.reduce(jnp.logical_and, inside), value, outside)
    return functools.reduce(operator.mul, (weight for _, weight, _ in corner)) * value
