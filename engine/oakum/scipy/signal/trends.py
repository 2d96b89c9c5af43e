"""Trends of signals."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, cast

from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


def remove(data: Any, axis: int, kind: str, breaks: Any) -> Any:
    """Returns a signal without its mean, or without the line through each of its parts."""
    if kind not in ("constant", "linear"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    (data,) = arguments.promote_inexact(jnp.asarray(data))
    if kind == "constant":
        return data - jnp.mean(data, axis, keepdims=True)
    size = data.shape[axis]
    given = cast("Iterable[Any]", breaks) if hasattr(breaks, "__iter__") else (breaks,)
    bounds = sorted({0, size, *(int(each) for each in given)})
    if bounds[0] < 0 or bounds[-1] > size:
        raise ValueError(
            "Breakpoints must be non-negative and less than length of data along given axis."
        )
    moved = jnp.moveaxis(data, axis, -1)
    parts = [_without_line(moved[..., start:stop]) for start, stop in itertools.pairwise(bounds)]
    return jnp.moveaxis(jnp.concatenate(parts, -1), -1, axis)


def _without_line(x: Array) -> Any:
    """Returns a signal without the line that fits it best."""
    size = x.shape[-1]
    centred = x - jnp.mean(x, -1, keepdims=True)
    times = jnp.arange(size, dtype=x.dtype) - (size - 1) / 2
    spread = max((size**3 - size) / 12, 1)
    slope = jnp.sum(centred * times, -1, keepdims=True) / spread
    return centred - slope * times


@public("scipy.signal.detrend", results.array, static=("axis", "type", "bp"))
def detrend(
    data: ArrayLike,
    axis: int = -1,
    type: str = "linear",
    bp: int | Sequence[int] | ArrayLike = 0,
    overwrite_data: None = None,
) -> Array:
    """Removes a linear or constant trend."""
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    return remove(data, axis, type, bp)
