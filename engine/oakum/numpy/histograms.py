"""Histograms in one and more dimensions, counts of integers, bins."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Sequence
from typing import Any, cast

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, promoting, statics
from oakum.tracing.dtype_requests import canonical
from oakum.values import host
from oakum.values.uses import Use


def edges(a: Any, bins: Any, limits: Any) -> Any:
    """The edges of bins: those given, or of a number of bins of one width."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    x = jnp.asarray(a)
    dtype = host.dtype(promoting.to_inexact(arguments.dtype_of(x)))
    arguments.check_arrays("histogram_bin_edges", a)
    if isinstance(bins, (list, tuple)) or arguments.rank_of(bins) == 1:
        return jnp.asarray(bins, dtype)
    count = statics.integer(bins, "bins argument of histogram_bin_edges")
    if limits is None:
        limits = [jnp.min(x), jnp.max(x)]
    bounds = jnp.asarray(limits, dtype)
    if bounds.shape != (2,):
        raise ValueError(f"`range` must be either None or a sequence of scalars, got {limits}")
    low, high = bounds[0], bounds[1]
    empty = jnp.equal(low, high)
    low, high = jnp.where(empty, low - 0.5, low), jnp.where(empty, high + 0.5, high)
    return jnp.linspace(low, high, count + 1, dtype=dtype)


def histogram(a: Any, bins: Any, limits: Any, weights: Any, density: Any) -> tuple[Any, Any]:
    """How many elements fall into each bin, or the sum of their weights; and the edges."""
    arguments.check_arrays("histogram", a, bins)
    if weights is None:
        (x,) = promoting.promote_inexact("histogram", a)
        w = lax.full_like(x, 1)
    else:
        x, w = arguments.arrays("histogram", a, weights)
        if x.shape != w.shape:
            raise ShapeError("weights should have the same shape as a.", hint="Give one for each.")
        x, w = promoting.promote_dtypes([x, w], promoting.to_inexact)
    bounds = edges(x, bins, limits)
    place = jnp.searchsorted(bounds, x, side="right")
    place = jnp.where(jnp.equal(x, bounds[-1]), bounds.shape[0] - 1, place)
    counts = jnp.zeros(bounds.shape[0], w.dtype).at[place].add(w)[1:]
    if density:
        counts = counts / jnp.diff(bounds) / jnp.sum(counts)
    return counts, bounds


def histogram2d(
    x: Any, y: Any, bins: Any, limits: Any, weights: Any, density: Any
) -> tuple[Any, Any, Any]:
    """How many points of the plane fall into each bin."""
    x, y = arguments.arrays("histogram2d", x, y)
    try:
        count = builtins.len(bins)
    except TypeError:
        count = 1
    if count not in (1, 2):
        bins = [jnp.asarray(bins)] * 2
    sample = jnp.stack(promoting.promote_dtypes([x, y]), 1)
    counts, bounds = histogramdd(sample, bins, limits, weights, density)
    return counts, bounds[0], bounds[1]


def _sample(sample: Any, weights: Any) -> tuple[Any, Any]:
    if isinstance(sample, (list, tuple)):
        sample = jnp.asarray(sample).T
    (points,) = arguments.arrays("histogramdd", sample)
    if weights is None:
        return promoting.promote_inexact("histogramdd", points)[0], None
    (w,) = arguments.arrays("histogramdd", weights)
    if w.shape != points.shape[:1]:
        raise ShapeError("should have one weight for each sample.", hint="Give one for each row.")
    points, w = promoting.promote_dtypes([points, w], promoting.to_inexact)
    return points, w


def histogramdd(
    sample: Any, bins: Any, limits: Any, weights: Any, density: Any
) -> tuple[Any, list[Any]]:
    """How many points fall into each bin of space; and the edges of each dimension."""
    points, w = _sample(sample, weights)
    count, dimensions = points.shape
    if limits is not None and (
        builtins.len(limits) != dimensions
        or any(each is not None and builtins.len(each) != 2 for each in limits)
    ):
        raise ValueError(
            f"For sample.shape={(count, dimensions)}, range must be a sequence of {dimensions} "
            f"pairs or Nones; got range={limits!r}"
        )
    numbers = _per_dimension(bins, dimensions)
    bounds: list[Any] = []
    places: list[Any] = []
    for each in range(dimensions):
        x = points[:, each]
        bound = edges(x, numbers[each], None if limits is None else limits[each])
        place = jnp.searchsorted(bound, x, side="right")
        places.append(jnp.where(jnp.equal(x, bound[-1]), place - 1, place))
        bounds.append(bound)
    return _counted(points, places, bounds, w, density), bounds


def _per_dimension(bins: Any, dimensions: int) -> list[Any]:
    try:
        numbers = list(cast("Sequence[Any]", bins))
    except TypeError:
        return [bins] * dimensions
    if len(numbers) != dimensions:
        raise ValueError("should be a bin for each dimension.")
    return numbers


def _counted(points: Any, places: list[Any], bounds: list[Any], weights: Any, density: Any) -> Any:
    """The counts of the inner bins; those beyond the edges are counted and dropped."""
    shape = tuple(bound.shape[0] + 1 for bound in bounds)
    flat = jnp.ravel_multi_index(tuple(places), shape, mode="clip")
    counts = jnp.bincount(flat, weights, length=math.prod(shape)).reshape(shape)
    counts = counts[(slice(1, -1),) * len(bounds)]
    if density:
        counts = counts.astype(points.dtype)
        counts = counts / jnp.sum(counts)
        for widths in jnp.ix_(*(jnp.diff(bound) for bound in bounds)):
            counts = counts / widths
    return counts


def bincount(x: Any, weights: Any, minlength: Any, length: Any) -> Any:
    """How often each integer occurs, or the sum of the weights where it does."""
    (x,) = arguments.arrays("bincount", x)
    if arguments.is_kind(x, Kind.BOOL):
        x = arguments.convert(x, dtypes.int32)
    if not arguments.is_kind(x, Kind.INT, Kind.UINT):
        raise DTypeError(
            f"x argument to bincount must have an integer type; got {x.dtype}",
            hint="Convert it with astype(int).",
        )
    if x.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    least = statics.integer(minlength, "'minlength' of jnp.bincount()", Use.SIZE)
    if length is None:
        length = least
        if arguments.size_of(x):
            greatest = arguments.demand(jnp.max(x), "jnp.bincount() without length")
            length = max(least, int(max(0, greatest)) + 1)
    else:
        length = statics.integer(length, "'length' of jnp.bincount()", Use.SIZE)
    if weights is None:
        weights = promoting.constant(1, canonical(dtypes.int64))
    elif arguments.shape_of(weights) != x.shape:
        raise ShapeError(
            f"shape of weights must match shape of x; got {arguments.shape_of(weights)} and "
            f"{x.shape}",
            hint="Give one weight for each element.",
        )
    counts = jnp.zeros(length, host.dtype(arguments.dtype_of(weights)))
    return counts.at[jnp.clip(x, 0)].add(weights, mode="drop")


def digitize(x: Any, bins: Any, right: bool, method: str | None) -> Any:
    """The bin that each element falls into; bins run up or down."""
    x, bounds = arguments.arrays("digitize", x, bins)
    if bounds.ndim != 1:
        raise ShapeError(
            f"digitize: bins must be a 1-dimensional array; got bins={bins!r}",
            hint="Flatten the bins.",
        )
    count = bounds.shape[0]
    if not count:
        return jnp.zeros_like(x, dtype=host.dtype(dtypes.int32))
    side = "left" if right else "right"
    options: dict[str, Any] = {} if method is None else {"method": method}
    upward = jnp.searchsorted(bounds, x, side=side, **options)
    downward = jnp.searchsorted(bounds[::-1], x, side=side, **options)
    return jnp.where(
        jnp.greater_equal(bounds[-1], bounds[0]), upward, operator.sub(count, downward)
    )
