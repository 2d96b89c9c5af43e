"""Reductions over axes, and running sums and products."""

from __future__ import annotations

from oakum.abstract import reduction, scans
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Axis, DTypeLike


@public("numpy.sum", reduction.sums, static=("axis", "keepdims", "promote_integers"))
def sum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
    promote_integers: bool = True,
) -> Array:
    """Sums the elements along axes."""
    ...


@public("numpy.prod", reduction.sums, static=("axis", "keepdims", "promote_integers"))
def prod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
    promote_integers: bool = True,
) -> Array:
    """Multiplies the elements along axes."""
    ...


@public("numpy.mean", reduction.means, static=("axis", "keepdims"))
def mean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Averages the elements along axes."""
    ...


@public("numpy.std", reduction.deviations, static=("axis", "keepdims"))
def std(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: int | float | None = None,
) -> Array:
    """Computes standard deviations along axes."""
    ...


@public("numpy.var", reduction.deviations, static=("axis", "keepdims"))
def var(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: int | float | None = None,
) -> Array:
    """Computes variances along axes."""
    ...


@public("numpy.max", reduction.extrema, static=("axis", "keepdims"))
def max(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Gives the greatest elements along axes."""
    ...


@public("numpy.min", reduction.extrema, static=("axis", "keepdims"))
def min(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Gives the least elements along axes."""
    ...


@public("numpy.amax", reduction.extrema, static=("axis", "keepdims"))
def amax(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Gives the greatest elements along axes."""
    ...


@public("numpy.amin", reduction.extrema, static=("axis", "keepdims"))
def amin(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Gives the least elements along axes."""
    ...


@public("numpy.ptp", reduction.extrema, static=("axis", "keepdims"))
def ptp(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
    """Gives the difference of the greatest and the least element along axes."""
    ...


@public("numpy.all", reduction.tests, static=("axis", "keepdims"))
def all(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Tells whether all elements along axes are true."""
    ...


@public("numpy.any", reduction.tests, static=("axis", "keepdims"))
def any(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Tells whether some element along axes is true."""
    ...


@public("numpy.argmax", reduction.positions, static=("axis", "keepdims"))
def argmax(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the greatest element along an axis."""
    ...


@public("numpy.argmin", reduction.positions, static=("axis", "keepdims"))
def argmin(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the least element along an axis."""
    ...


@public("numpy.count_nonzero", reduction.counts, static=("axis", "keepdims"))
def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Counts the elements along axes that are not zero."""
    ...


@public("numpy.nansum", reduction.sums, static=("axis", "keepdims"))
def nansum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Sums the elements along axes, leaving out NaN."""
    ...


@public("numpy.nanprod", reduction.sums, static=("axis", "keepdims"))
def nanprod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Multiplies the elements along axes, leaving out NaN."""
    ...


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
    ...


@public("numpy.nanstd", reduction.deviations, static=("axis", "keepdims"))
def nanstd(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Array:
    """Computes standard deviations along axes, leaving out NaN."""
    ...


@public("numpy.nanvar", reduction.deviations, static=("axis", "keepdims"))
def nanvar(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Array:
    """Computes variances along axes, leaving out NaN."""
    ...


@public("numpy.nanmax", reduction.extrema, static=("axis", "keepdims"))
def nanmax(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Gives the greatest elements along axes, leaving out NaN."""
    ...


@public("numpy.nanmin", reduction.extrema, static=("axis", "keepdims"))
def nanmin(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Gives the least elements along axes, leaving out NaN."""
    ...


@public("numpy.nanargmax", reduction.positions, static=("axis", "keepdims"))
def nanargmax(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the greatest element along an axis, leaving out NaN."""
    ...


@public("numpy.nanargmin", reduction.positions, static=("axis", "keepdims"))
def nanargmin(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the least element along an axis, leaving out NaN."""
    ...


@public("numpy.cumsum", scans.cumulative, static=("axis",))
def cumsum(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running sums along an axis."""
    ...


@public("numpy.cumprod", scans.cumulative, static=("axis",))
def cumprod(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running products along an axis."""
    ...


@public("numpy.nancumsum", scans.cumulative, static=("axis",))
def nancumsum(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running sums along an axis, leaving out NaN."""
    ...


@public("numpy.nancumprod", scans.cumulative, static=("axis",))
def nancumprod(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running products along an axis, leaving out NaN."""
    ...


@public("numpy.cumulative_sum", scans.cumulative_widened, static=("axis", "include_initial"))
def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Computes running sums along an axis, with a leading zero if asked for."""
    ...


@public("numpy.cumulative_prod", scans.cumulative_products, static=("axis", "include_initial"))
def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Computes running products along an axis, with a leading one if asked for."""
    ...
