"""Running sums and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import dtypes, errors, lax
from oakum.abstract import reduction
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy import logic, reductions
from oakum.numpy.operands import arguments
from oakum.numpy.statistics import nan_reductions
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("numpy.cumsum", reduction.cumulative, static=("axis",))
def cumsum(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running sums along an axis."""
    return accumulate("cumsum", lax.cumsum, a, axis, dtype, out)


def accumulate(
    function: str,
    run: Callable[..., Any],
    a: object,
    axis: object,
    dtype: object,
    out: object,
    *,
    instead_of_nan: float | None = None,
    promote_integers: bool = False,
) -> Any:
    """Accumulates along an axis, or over all elements where none is given."""
    (x,) = arguments.arrays(function, a)
    arguments.refuse_out(f"jnp.{function}", out)
    if axis is None:
        x = lax.reshape(x, (x.size,))
    at = 0 if axis is None else arguments.static_integer(axis, f"the axis of jnp.{function}()")
    at = arguments.axis(at, x.ndim)
    if instead_of_nan is not None:
        x = nan_reductions.without_nan(x, instead_of_nan)
    working, result = _dtypes(function, arguments.dtype_of(x), dtype, promote_integers)
    if result is dtypes.bool_:
        x = logic.truth(x)
    return arguments.convert(run(arguments.convert(x, working), at), result)


def _dtypes(
    function: str, own: DType, dtype: object, promote_integers: bool
) -> tuple[DType, DType]:
    if dtype is None:
        wide = promote_integers or own is dtypes.bool_
        result = reductions.widened_integer(own) if wide else own
        return result, result
    result = requested(dtype, function)
    return reductions.widened_integer(result) if result is dtypes.bool_ else result, result


@public("numpy.cumprod", reduction.cumulative, static=("axis",))
def cumprod(
    a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Computes running products along an axis."""
    return accumulate("cumprod", lax.cumprod, a, axis, dtype, out)


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
    return _with_initial(
        "cumulative_sum",
        lax.cumsum,
        x,
        axis,
        dtype,
        0 if include_initial else None,
        promote_integers=True,
    )


def _with_initial(
    function: str,
    run: Callable[..., Any],
    x: Any,
    axis: Any,
    dtype: Any,
    first: int | None,
    *,
    promote_integers: bool,
) -> Any:
    """Accumulates along an axis, with one element more at its beginning if asked for."""
    (x,) = arguments.arrays(function, x)
    if x.ndim == 0:
        raise errors.ShapeError(
            f"The input must be non-scalar to take {function}, however a scalar value or scalar "
            "array was given."
        )
    if axis is None and x.ndim > 1:
        raise errors.ShapeError(
            f"The input array has rank {x.ndim}, however axis was not set to an explicit value. "
            "The axis argument is only optional for one-dimensional arrays."
        )
    at = arguments.axis(0 if axis is None else axis, x.ndim)
    result = accumulate(function, run, x, at, dtype, None, promote_integers=promote_integers)
    if first is None:
        return result
    shape = tuple(1 if each == at else size for each, size in enumerate(x.shape))
    return lax.concatenate([lax.full(shape, first, result.dtype), result], at)


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
    return _with_initial(
        "cumulative_prod",
        lax.cumprod,
        x,
        axis,
        dtype,
        1 if include_initial else None,
        promote_integers=False,
    )
