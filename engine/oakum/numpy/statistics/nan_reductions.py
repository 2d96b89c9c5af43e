"""Reductions and running sums that leave out NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import reduction
from oakum.array import Array
from oakum.numpy import arguments, coercion, cumulative, logic, reductions, selection
from oakum.numpy.reductions import SUM, Reduction
from oakum.numpy.statistics import moments
from oakum.primitives.rules.arguments import integer
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, Axis, DTypeLike
from oakum.values.declarations import named_as, public


def without_nan(x: ArrayLike, instead: float) -> Any:
    """Returns an array with a number in the place of NaN."""
    if not arguments.is_inexact(x):
        return x
    return lax.select(logic.is_nan(x), lax.full_like(x, instead), x)


def _totals(stated: Callable[[], tuple[Callable[..., Array], int]]):
    """Declares sums and products by what they are without NaN, and what stands in its place."""

    def total(
        a: ArrayLike,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        (x,) = arguments.arrays(stated.__name__, a)
        reduce, instead = stated()
        return reduce(without_nan(x, instead), axis, dtype, out, keepdims, initial, where)

    declared = public(f"numpy.{stated.__name__}", reduction.sums, static=("axis", "keepdims"))
    return declared(named_as(stated, total))


@_totals
def nansum() -> tuple[Callable[..., Array], int]:
    """Sums the elements along axes, leaving out NaN."""
    return reductions.sum, 0


@_totals
def nanprod() -> tuple[Callable[..., Array], int]:
    """Multiplies the elements along axes, leaving out NaN."""
    return reductions.prod, 1


@public("numpy.nanmean", reduction.means, static=("axis", "keepdims"))
def nanmean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    where: ArrayLike | None = None,
) -> Array:
    """Averages the elements along axes, leaving out NaN."""
    return _nanmean(a, axis, dtype, out, keepdims, where)


def _nanmean(
    a: object, axis: object, dtype: object, out: object, keepdims: bool, where: object
) -> Any:
    """Returns means of the elements that are not NaN."""
    (x,) = arguments.arrays("nanmean", a)
    if not arguments.is_inexact(x):
        return moments.compute_mean(x, axis, dtype, out, keepdims, where, function="nanmean")
    arguments.refuse_out("jnp.nanmean", out)
    mask = reductions.mask_of("nanmean", where)
    axes = arguments.static_axes("nanmean", axis)
    result = arguments.dtype_of(x) if dtype is None else requested(dtype, "nanmean")
    options: dict[str, Any] = {"dtype": result, "keepdims": keepdims, "where": mask}
    valid = lax.bitwise_not(logic.is_nan(x))
    count = reductions.reduce("sum", SUM, valid, axes, **options)
    return lax.div(reductions.reduce("sum", SUM, without_nan(x, 0), axes, **options), count)


def _nanvar(
    function: str,
    a: object,
    axis: object,
    dtype: object,
    out: object,
    ddof: object,
    keepdims: bool,
    where: object,
    given_mean: object,
) -> Any:
    """Returns variances of the elements that are not NaN."""
    (x,) = arguments.arrays(function, a)
    mask = reductions.mask_of(function, where)
    asked = None if dtype is None else requested(dtype, function)
    arguments.refuse_out(f"jnp.{function}", out)
    axes = arguments.static_axes(function, axis)
    working, result = moments.variance_dtypes(function, arguments.dtype_of(x), asked)
    x = arguments.convert(x, working)
    if given_mean is None:
        center = _nanmean(x, axes, working, None, True, mask)
    else:
        center = arguments.convert(given_mean, working)
    gone = logic.is_nan(x)
    offset = lax.sub(*arguments.broadcast(x, center))
    squares = moments.squares(lax.select(gone, lax.full_like(offset, 0), offset))
    options: dict[str, Any] = {"keepdims": keepdims, "where": mask}
    count = jnp.sum(lax.bitwise_not(gone), axes, **options) - ddof
    total = reductions.reduce("sum", SUM, squares, axes, **options)
    none = jnp.less_equal(count, 0)
    divisor = arguments.convert(selection.select_where(none, 1, count), arguments.dtype_of(total))
    quotient = lax.div(selection.select_where(none, math.nan, total), divisor)
    return arguments.convert(quotient, result)


def _deviations(compute: Callable[..., Array]):
    """Declares deviations by how they are computed; their signature is inferred."""

    def deviation(
        a: ArrayLike,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,
        where: ArrayLike | None = None,
        mean: ArrayLike | None = None,
    ) -> Array:
        return compute(a, axis, dtype, out, ddof, keepdims, where, mean)

    static = ("axis", "keepdims")
    declared = public(f"numpy.{compute.__name__}", reduction.deviations, static=static)
    return declared(named_as(compute, deviation))


@_deviations
def nanstd(a: object, axis: object, dtype: object, *options: Any) -> Array:
    """Computes standard deviations along axes, leaving out NaN."""
    wanted = moments.deviation_dtype("nanstd", dtype)
    return lax.sqrt(_nanvar("nanstd", a, axis, wanted, *options))


@_deviations
def nanvar(*given: Any) -> Array:
    """Computes variances along axes, leaving out NaN."""
    return _nanvar("nanvar", *given)


def _extremum(
    function: str,
    kind: Reduction,
    a: object,
    axis: object,
    *,
    out: object,
    keepdims: bool,
    initial: object,
    where: object,
) -> Array:
    """Returns the greatest or the least number; NaN where there is none."""
    (x,) = arguments.arrays(function, a)
    bounded = without_nan(x, -math.inf if kind is reductions.MAXIMUM else math.inf)
    options: dict[str, Any] = {"keepdims": keepdims, "where": where}
    result = reductions.reduce(function, kind, bounded, axis, out=out, initial=initial, **options)
    if initial is not None or not arguments.is_inexact(x):
        return result
    none = reductions.reduce("all", reductions.ALL, logic.is_nan(x), axis, **options)
    return selection.select_where(none, coercion.like(result, math.nan), result)


@reductions.extrema(_extremum)
def nanmax() -> Reduction:
    """Returns the greatest elements along axes, leaving out NaN."""
    return reductions.MAXIMUM


@reductions.extrema(_extremum)
def nanmin() -> Reduction:
    """Returns the least elements along axes, leaving out NaN."""
    return reductions.MINIMUM


def _nan_position(function: str, a: object, axis: object, out: object, keepdims: object) -> Any:
    """Returns the position of the greatest or the least number; -1 where there is none."""
    (x,) = arguments.arrays(function, a)
    if not arguments.is_inexact(x):
        return reductions.position(function, x, axis, out, keepdims)
    instead = -math.inf if function.endswith("argmax") else math.inf
    result = reductions.position(function, without_nan(x, instead), axis, out, keepdims)
    at = None if axis is None else integer(axis)
    none = reductions.reduce("all", reductions.ALL, logic.is_nan(x), at, keepdims=bool(keepdims))
    return selection.select_where(none, coercion.like(result, -1), result)


@reductions.positions(_nan_position)
def nanargmax() -> None:
    """Returns the position of the greatest element along an axis, leaving out NaN."""


@reductions.positions(_nan_position)
def nanargmin() -> None:
    """Returns the position of the least element along an axis, leaving out NaN."""


@cumulative.running(instead_of_nan=0)
def nancumsum() -> Callable[..., Array]:
    """Computes running sums along an axis, leaving out NaN."""
    return lax.cumsum


@cumulative.running(instead_of_nan=1)
def nancumprod() -> Callable[..., Array]:
    """Computes running products along an axis, leaving out NaN."""
    return lax.cumprod
