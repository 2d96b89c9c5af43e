"""Histograms, and the bins of values."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Sequence
from typing import Any, cast

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.abstract import results, sorting
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, coercion
from oakum.runtime.topology import ignored_placement
from oakum.tracing.dtype_requests import canonical
from oakum.typing import ArrayLike, Placement
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use


@public("numpy.histogram", sorting.histogram, static=("bins", "density"))
def histogram(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Sequence[ArrayLike] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array]:
    """Counts the elements that fall into bins."""
    arguments.check_arrays("histogram", a, bins)
    if weights is None:
        (x,) = coercion.promote_inexact("histogram", a)
        w = lax.full_like(x, 1)
    else:
        x, w = arguments.arrays("histogram", a, weights)
        if x.shape != w.shape:
            raise ShapeError("weights should have the same shape as a.", hint="Give one for each.")
        x, w = coercion.promote_dtypes([x, w], coercion.to_inexact)
    bounds = _edges(x, bins, range)
    place = jnp.searchsorted(bounds, x, side="right")
    place = jnp.where(jnp.equal(x, bounds[-1]), bounds.shape[0] - 1, place)
    counts = jnp.zeros(bounds.shape[0], w.dtype).at[place].add(w)[1:]
    if density:
        counts = counts / jnp.diff(bounds) / jnp.sum(counts)
    return counts, bounds


def _edges(a: object, bins: object, limits: object) -> Any:
    """Returns the edges of bins: those given, or of a number of bins of one width."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    x = jnp.asarray(a)
    dtype = host.dtype(coercion.to_inexact(arguments.dtype_of(x)))
    arguments.check_arrays("histogram_bin_edges", a)
    if isinstance(bins, (list, tuple)) or arguments.rank_of(bins) == 1:
        return jnp.asarray(bins, dtype)
    count = arguments.static_integer(bins, "bins argument of histogram_bin_edges")
    if limits is None:
        limits = [jnp.min(x), jnp.max(x)]
    bounds = jnp.asarray(limits, dtype)
    if bounds.shape != (2,):
        raise ValueError(f"`range` must be either None or a sequence of scalars, got {limits}")
    low, high = bounds[0], bounds[1]
    empty = jnp.equal(low, high)
    low, high = jnp.where(empty, low - 0.5, low), jnp.where(empty, high + 0.5, high)
    return jnp.linspace(low, high, count + 1, dtype=dtype)


@public("numpy.histogram2d", results.Arrays(3), static=("range", "density"))
def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: ArrayLike | list[ArrayLike] = 10,
    range: Sequence[Array | Sequence[ArrayLike] | None] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """Counts the points of the plane that fall into bins."""
    x_array, y_array = arguments.arrays("histogram2d", x, y)
    edges: Any = bins
    try:
        count = len(edges)
    except TypeError:
        count = 1
    if count not in (1, 2):
        edges = [jnp.asarray(edges)] * 2
    sample = jnp.stack(coercion.promote_dtypes([x_array, y_array]), 1)
    counts, bounds = _histogramdd(sample, edges, range, weights, density)
    return counts, bounds[0], bounds[1]


def _histogramdd(
    sample: Any, bins: object, limits: Any, weights: object, density: object
) -> tuple[Any, list[Any]]:
    """Returns how many points fall into each bin of space; and the edges of each dimension."""
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
        bound = _edges(x, numbers[each], None if limits is None else limits[each])
        place = jnp.searchsorted(bound, x, side="right")
        places.append(jnp.where(jnp.equal(x, bound[-1]), place - 1, place))
        bounds.append(bound)
    return _counted(points, places, bounds, w, density), bounds


def _counted(
    points: Any, places: list[Any], bounds: list[Any], weights: ArrayLike, density: object
) -> Any:
    """Returns the counts of the inner bins; those beyond the edges are counted and dropped."""
    shape = tuple(bound.shape[0] + 1 for bound in bounds)
    flat = jnp.ravel_multi_index(tuple(places), shape, mode="clip")
    counts = bincount(flat, weights, length=math.prod(shape)).reshape(shape)
    counts = counts[(slice(1, -1),) * len(bounds)]
    if density:
        counts = counts.astype(points.dtype)
        counts = counts / jnp.sum(counts)
        for widths in jnp.ix_(*(jnp.diff(bound) for bound in bounds)):
            counts = counts / widths
    return counts


def _per_dimension(bins: object, dimensions: int) -> list[Any]:
    try:
        numbers = list(cast("Sequence[Any]", bins))
    except TypeError:
        return [bins] * dimensions
    if len(numbers) != dimensions:
        raise ValueError("should be a bin for each dimension.")
    return numbers


def _sample(sample: Array, weights: Any) -> tuple[Any, Any]:
    if isinstance(sample, (list, tuple)):
        sample = jnp.asarray(sample).T
    (points,) = arguments.arrays("histogramdd", sample)
    if weights is None:
        return coercion.promote_inexact("histogramdd", points)[0], None
    (w,) = arguments.arrays("histogramdd", weights)
    if w.shape != points.shape[:1]:
        raise ShapeError("should have one weight for each sample.", hint="Give one for each row.")
    points, w = coercion.promote_dtypes([points, w], coercion.to_inexact)
    return points, w


@public("numpy.histogramdd", static=("range", "density"))
def histogramdd(
    sample: ArrayLike,
    bins: ArrayLike | list[ArrayLike] = 10,
    range: Sequence[Array | Sequence[ArrayLike] | None] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, list[Array]]:
    """Counts the points of space that fall into bins."""
    return _histogramdd(sample, bins, range, weights, density)


@public("numpy.histogram_bin_edges", results.array)
def histogram_bin_edges(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Array | Sequence[ArrayLike] | None = None,
    weights: ArrayLike | None = None,
) -> Array:
    """Computes the edges of the bins of a histogram."""
    return _edges(a, bins, range)


@public(
    "numpy.bincount",
    sorting.bincount,
    sizes=("minlength", "length"),
    dynamic_size=DynamicSize("length", ("x",)),
)
def bincount(
    x: ArrayLike,
    weights: ArrayLike | None = None,
    minlength: int = 0,
    *,
    length: int | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Counts how often each integer occurs."""
    ignored_placement.require("numpy.bincount(out_sharding=...)", out_sharding)
    (array,) = arguments.arrays("bincount", x)
    if arguments.is_kind(array, Kind.BOOL):
        array = arguments.convert(array, dtypes.int32)
    if not arguments.is_kind(array, Kind.INT, Kind.UINT):
        raise DTypeError(
            f"x argument to bincount must have an integer type; got {array.dtype}",
            hint="Convert it with astype(int).",
        )
    if array.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    least = arguments.static_integer(minlength, "'minlength' of jnp.bincount()", Use.SIZE)
    if length is None:
        length = least
        if arguments.size_of(array):
            greatest = arguments.demand(jnp.max(array), "jnp.bincount() without length")
            length = max(least, int(max(0, greatest)) + 1)
    else:
        length = arguments.static_integer(length, "'length' of jnp.bincount()", Use.SIZE)
    if weights is None:
        weights = coercion.constant(1, canonical(dtypes.int64))
    elif arguments.shape_of(weights) != array.shape:
        raise ShapeError(
            f"shape of weights must match shape of x; got {arguments.shape_of(weights)} and "
            f"{array.shape}",
            hint="Give one weight for each element.",
        )
    counts = jnp.zeros(length, host.dtype(arguments.dtype_of(weights)))
    return counts.at[jnp.clip(array, 0)].add(weights, mode="drop")


@public("numpy.digitize", sorting.digitize, static=("right", "method"))
def digitize(
    x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: str | None = None
) -> Array:
    """Returns the bin that each element falls into."""
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
