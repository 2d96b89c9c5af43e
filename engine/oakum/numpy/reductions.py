"""Reductions over axes, and running sums and products."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum.abstract import reduction
from oakum.array import Array
from oakum.numpy import accumulating, arguments, comparing, moments, reducing
from oakum.typing import ArrayLike, Axis, DTypeLike
from oakum.values.declarations import public


@public("numpy.sum", reduction.sums, static=("axis", "keepdims", "promote_integers"), edge="linear")
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
    return reducing.reduce(
        "sum",
        reducing.SUM,
        a,
        axis,
        dtype=dtype,
        out=out,
        keepdims=keepdims,
        initial=initial,
        where=where,
        widen=dtype is None,
        promote_integers=promote_integers,
    )


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
    return reducing.reduce(
        "prod",
        reducing.PRODUCT,
        a,
        axis,
        dtype=dtype,
        out=out,
        keepdims=keepdims,
        initial=initial,
        where=where,
        widen=dtype is None,
        promote_integers=promote_integers,
    )


@public("numpy.mean", reduction.means, static=("axis", "keepdims"), edge="linear")
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
    return moments.mean(a, axis, dtype, out, keepdims, where)


@public("numpy.std", reduction.deviations, static=("axis", "keepdims"), edge="deviation")
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
    wanted = moments.deviation_dtype("std", dtype)
    return lax.sqrt(
        moments.variance("std", a, axis, wanted, out, ddof, keepdims, where, mean, correction)
    )


@public("numpy.var", reduction.deviations, static=("axis", "keepdims"), edge="variance")
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
    return moments.variance("var", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


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
    options: dict[str, Any] = {"keepdims": keepdims, "initial": initial, "where": where}
    return reducing.reduce("max", reducing.MAXIMUM, a, axis, out=out, **options)


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
    options: dict[str, Any] = {"keepdims": keepdims, "initial": initial, "where": where}
    return reducing.reduce("min", reducing.MINIMUM, a, axis, out=out, **options)


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
    options: dict[str, Any] = {"keepdims": keepdims, "initial": initial, "where": where}
    return reducing.reduce("max", reducing.MAXIMUM, a, axis, out=out, **options)


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
    options: dict[str, Any] = {"keepdims": keepdims, "initial": initial, "where": where}
    return reducing.reduce("min", reducing.MINIMUM, a, axis, out=out, **options)


@public("numpy.ptp", reduction.extrema, static=("axis", "keepdims"))
def ptp(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
    """Gives the difference of the greatest and the least element along axes."""
    (x,) = arguments.arrays("ptp", a)
    arguments.refuse_out("jnp.ptp", out)
    return lax.sub(max(x, axis, keepdims=keepdims), min(x, axis, keepdims=keepdims))


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
    options: dict[str, Any] = {"out": out, "keepdims": keepdims, "where": where}
    return reducing.reduce("all", reducing.ALL, a, axis, **options)


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
    options: dict[str, Any] = {"out": out, "keepdims": keepdims, "where": where}
    return reducing.reduce("any", reducing.ANY, a, axis, **options)


@public("numpy.argmax", reduction.positions, static=("axis", "keepdims"))
def argmax(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the greatest element along an axis."""
    return accumulating.position("argmax", a, axis, out, keepdims)


@public("numpy.argmin", reduction.positions, static=("axis", "keepdims"))
def argmin(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the least element along an axis."""
    return accumulating.position("argmin", a, axis, out, keepdims)


@public("numpy.count_nonzero", reduction.counts, static=("axis", "keepdims"))
def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Counts the elements along axes that are not zero."""
    (x,) = arguments.arrays("count_nonzero", a)
    return sum(comparing.truth(x), axis, int, keepdims=keepdims)


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
    (x,) = arguments.arrays("nansum", a)
    return sum(moments.without_nan(x, 0), axis, dtype, out, keepdims, initial, where)


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
    (x,) = arguments.arrays("nanprod", a)
    return prod(moments.without_nan(x, 1), axis, dtype, out, keepdims, initial, where)


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
    return moments.nanmean(a, axis, dtype, out, keepdims, where)


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
    wanted = moments.deviation_dtype("nanstd", dtype)
    return lax.sqrt(moments.nanvar("nanstd", a, axis, wanted, out, ddof, keepdims, where, mean))


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
    return moments.nanvar("nanvar", a, axis, dtype, out, ddof, keepdims, where, mean)


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
    return accumulating.nan_extremum("nanmax", a, axis, out, keepdims, initial, where)


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
    return accumulating.nan_extremum("nanmin", a, axis, out, keepdims, initial, where)


@public("numpy.nanargmax", reduction.positions, static=("axis", "keepdims"))
def nanargmax(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the greatest element along an axis, leaving out NaN."""
    return accumulating.nan_position("nanargmax", a, axis, out, keepdims)


@public("numpy.nanargmin", reduction.positions, static=("axis", "keepdims"))
def nanargmin(
    a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None
) -> Array:
    """Gives the position of the least element along an axis, leaving out NaN."""
    return accumulating.nan_position("nanargmin", a, axis, out, keepdims)


@public("numpy.cumsum", reduction.cumulative, static=("axis",))
def cumsum(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running sums along an axis."""
    return accumulating.accumulate("cumsum", lax.cumsum, a, axis, dtype, out)


@public("numpy.cumprod", reduction.cumulative, static=("axis",))
def cumprod(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running products along an axis."""
    return accumulating.accumulate("cumprod", lax.cumprod, a, axis, dtype, out)


@public("numpy.nancumsum", reduction.cumulative, static=("axis",))
def nancumsum(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running sums along an axis, leaving out NaN."""
    return accumulating.accumulate("nancumsum", lax.cumsum, a, axis, dtype, out, instead_of_nan=0)


@public("numpy.nancumprod", reduction.cumulative, static=("axis",))
def nancumprod(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running products along an axis, leaving out NaN."""
    return accumulating.accumulate("nancumprod", lax.cumprod, a, axis, dtype, out, instead_of_nan=1)


@public("numpy.cumulative_sum", reduction.cumulative_widened, static=("axis", "include_initial"))
def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Computes running sums along an axis, with a leading zero if asked for."""
    return accumulating.with_initial(
        "cumulative_sum",
        lax.cumsum,
        x,
        axis,
        dtype,
        0 if include_initial else None,
        promote_integers=True,
    )


@public("numpy.cumulative_prod", reduction.cumulative_products, static=("axis", "include_initial"))
def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Computes running products along an axis, with a leading one if asked for."""
    return accumulating.with_initial(
        "cumulative_prod",
        lax.cumprod,
        x,
        axis,
        dtype,
        1 if include_initial else None,
        promote_integers=False,
    )
