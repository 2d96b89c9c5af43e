"""Averages, quantiles, correlations and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import contraction, reduction, results, sorting
from oakum.array import Array
from oakum.numpy import convolution, covariance, histograms, moments, promoting, quantiles
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, Axis, DTypeLike, Placement, PrecisionLike
from oakum.values.declarations import public


def _refuse_overwriting(function: str, overwrite_input: bool, out: object) -> None:
    if overwrite_input or out is not None:
        raise ValueError(
            f"jax.numpy.{function} does not support overwrite_input=True or out != None"
        )


@public("numpy.average", reduction.average, static=("axis", "returned", "keepdims"), edge="linear")
def average(
    a: ArrayLike,
    axis: Axis = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    keepdims: bool = False,
) -> Array | tuple[Array, Array]:
    """Averages elements along axes with weights."""
    return moments.average(a, axis, weights, returned, keepdims)


@public("numpy.median", reduction.medians, static=("axis", "overwrite_input", "keepdims"))
def median(
    a: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Array:
    """Computes medians along axes."""
    _refuse_overwriting("median", overwrite_input, out)
    return quantiles.quantile("median", a, 0.5, axis, "midpoint", keepdims, ignore_nan=False)


@public("numpy.nanmedian", reduction.medians, static=("axis", "overwrite_input", "keepdims"))
def nanmedian(
    a: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Array:
    """Computes medians along axes, leaving out NaN."""
    _refuse_overwriting("nanmedian", overwrite_input, out)
    return quantiles.quantile("nanmedian", a, 0.5, axis, "midpoint", keepdims, ignore_nan=True)


@public(
    "numpy.quantile", reduction.quantiles, static=("axis", "overwrite_input", "method", "keepdims")
)
def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Computes quantiles along axes."""
    _refuse_overwriting("quantile", overwrite_input, out)
    return quantiles.quantile(
        "quantile", a, q, axis, method, keepdims, ignore_nan=False, weights=weights
    )


@public(
    "numpy.nanquantile",
    reduction.quantiles,
    static=("axis", "overwrite_input", "method", "keepdims"),
)
def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Computes quantiles along axes, leaving out NaN."""
    _refuse_overwriting("nanquantile", overwrite_input, out)
    return quantiles.quantile(
        "nanquantile", a, q, axis, method, keepdims, ignore_nan=True, weights=weights
    )


@public(
    "numpy.percentile",
    reduction.quantiles,
    static=("axis", "overwrite_input", "method", "keepdims"),
)
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Computes percentiles along axes."""
    ignored_placement.require("numpy.percentile(out_sharding=...)", out_sharding)
    _refuse_overwriting("percentile", overwrite_input, out)
    (share,) = promoting.promote_inexact("percentile", q)
    return quantiles.quantile(
        "percentile", a, share / 100, axis, method, keepdims, ignore_nan=False, weights=weights
    )


@public(
    "numpy.nanpercentile",
    reduction.quantiles,
    static=("axis", "overwrite_input", "method", "keepdims"),
)
def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | tuple[int, ...] | None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Computes percentiles along axes, leaving out NaN."""
    _refuse_overwriting("nanpercentile", overwrite_input, out)
    (share,) = promoting.promote_inexact("nanpercentile", q)
    return quantiles.quantile(
        "nanpercentile", a, share / 100, axis, method, keepdims, ignore_nan=True, weights=weights
    )


@public("numpy.cov", results.array, static=("rowvar", "bias", "ddof"))
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Estimates a covariance matrix from observations."""
    return covariance.cov(m, y, rowvar, bias, ddof, fweights, aweights, dtype)


@public("numpy.corrcoef", results.array, static=("rowvar",))
def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: DTypeLike | None = None
) -> Array:
    """Computes the matrix of correlation coefficients."""
    return covariance.corrcoef(x, y, rowvar, dtype)


@public("numpy.histogram", sorting.histogram, static=("bins", "density"))
def histogram(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Sequence[ArrayLike] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array]:
    """Counts the elements that fall into bins."""
    return histograms.histogram(a, bins, range, weights, density)


@public("numpy.histogram2d", results.arrays(3), static=("range", "density"))
def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: ArrayLike | list[ArrayLike] = 10,
    range: Sequence[Array | Sequence[ArrayLike] | None] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """Counts the points of the plane that fall into bins."""
    return histograms.histogram2d(x, y, bins, range, weights, density)


@public("numpy.histogramdd", static=("range", "density"))
def histogramdd(
    sample: ArrayLike,
    bins: ArrayLike | list[ArrayLike] = 10,
    range: Sequence[Array | Sequence[ArrayLike] | None] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, list[Array]]:
    """Counts the points of space that fall into bins."""
    return histograms.histogramdd(sample, bins, range, weights, density)


@public("numpy.histogram_bin_edges", results.array)
def histogram_bin_edges(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Array | Sequence[ArrayLike] | None = None,
    weights: ArrayLike | None = None,
) -> Array:
    """Computes the edges of the bins of a histogram."""
    return histograms.edges(a, bins, range)


@public(
    "numpy.bincount",
    sorting.bincount,
    sizes=("minlength", "length"),
    dynamic_size=results.without("length"),
    size_parameter="length",
    size_operands=("x",),
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
    return histograms.bincount(x, weights, minlength, length)


@public("numpy.digitize", sorting.digitize, static=("right", "method"))
def digitize(
    x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: str | None = None
) -> Array:
    """Gives the bin that each element falls into."""
    return histograms.digitize(x, bins, right, method)


@public("numpy.convolve", contraction.convolve, static=("mode",))
def convolve(
    a: ArrayLike,
    v: ArrayLike,
    mode: str = "full",
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Convolves two one-dimensional arrays."""
    options: dict[str, Any] = {
        "precision": precision,
        "preferred_element_type": preferred_element_type,
    }
    return convolution.convolve("convolve", a, v, mode, **options)


@public("numpy.correlate", contraction.convolve, static=("mode",))
def correlate(
    a: ArrayLike,
    v: ArrayLike,
    mode: str = "valid",
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Correlates two one-dimensional arrays."""
    options: dict[str, Any] = {
        "precision": precision,
        "preferred_element_type": preferred_element_type,
    }
    return convolution.convolve("correlate", a, v, mode, **options)


@public("numpy.trapezoid", reduction.integrated, static=("axis",))
def trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1
) -> Array:
    """Integrates with the trapezoidal rule."""
    return convolution.trapezoid(y, x, dx, axis)
