"""Running sums and products, and the positions of extrema."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import dtypes, errors, lax
from oakum.dtypes import DType
from oakum.numpy import arguments, comparing, moments, promoting, reducing, selecting, statics
from oakum.tracing.dtype_requests import canonical, requested
from oakum.values import host, integer_arguments


def accumulate(
    function: str,
    run: Callable[..., Any],
    a: Any,
    axis: Any,
    dtype: Any,
    out: Any,
    *,
    instead_of_nan: float | None = None,
    promote_integers: bool = False,
) -> Any:
    """Accumulates along an axis, or over all elements where none is given."""
    (x,) = arguments.arrays(function, a)
    arguments.refuse_out(f"jnp.{function}", out)
    if axis is None:
        x = lax.reshape(x, (x.size,))
    at = 0 if axis is None else statics.integer(axis, f"the axis of jnp.{function}()")
    at = arguments.axis(at, x.ndim)
    if instead_of_nan is not None:
        x = moments.without_nan(x, instead_of_nan)
    working, result = _dtypes(function, arguments.dtype_of(x), dtype, promote_integers)
    if result is dtypes.bool_:
        x = comparing.truth(x)
    return arguments.convert(run(arguments.convert(x, working), at), result)


def _dtypes(function: str, own: DType, dtype: Any, promote_integers: bool) -> tuple[DType, DType]:
    if dtype is None:
        wide = promote_integers or own is dtypes.bool_
        result = reducing.widened_integer(own) if wide else own
        return result, result
    result = requested(dtype, function)
    return reducing.widened_integer(result) if result is dtypes.bool_ else result, result


def with_initial(
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


def position(function: str, a: Any, axis: Any, out: Any, keepdims: Any) -> Any:
    """The position of the greatest or the least element along an axis, or of all elements."""
    (x,) = arguments.arrays(function, a)
    arguments.refuse_out(f"jnp.{function}", out)
    find = lax.argmax if function.endswith("argmax") else lax.argmin
    rank = x.ndim
    at = None if axis is None else statics.integer(axis, f"the axis of jnp.{function}()")
    if at is None:
        x = lax.reshape(x, (x.size,))
    along = arguments.axis(0 if at is None else at, x.ndim)
    if x.shape[along] == 0:
        name = function.removeprefix("nan")
        raise ValueError(f"attempt to get {name} of an empty sequence")
    result = find(x, along, host.dtype(canonical(dtypes.int64)))
    if not keepdims:
        return result
    return lax.expand_dims(result, tuple(range(rank)) if at is None else (along,))


def nan_position(function: str, a: Any, axis: Any, out: Any, keepdims: Any) -> Any:
    """The position of the greatest or the least number; -1 where there is none."""
    (x,) = arguments.arrays(function, a)
    if not arguments.is_inexact(x):
        return position(function, x, axis, out, keepdims)
    instead = -math.inf if function.endswith("argmax") else math.inf
    result = position(function, moments.without_nan(x, instead), axis, out, keepdims)
    at = None if axis is None else integer_arguments.index(axis)
    none = reducing.reduce("all", reducing.ALL, comparing.isnan(x), at, keepdims=bool(keepdims))
    return selecting.where(none, promoting.like(result, -1), result)


def nan_extremum(
    function: str, a: Any, axis: Any, out: Any, keepdims: bool, initial: Any, where: Any
) -> Any:
    """The greatest or the least number; NaN where there is none."""
    (x,) = arguments.arrays(function, a)
    greatest = function == "nanmax"
    kind = reducing.MAXIMUM if greatest else reducing.MINIMUM
    options: dict[str, Any] = {"keepdims": keepdims, "where": where}
    result = reducing.reduce(
        function,
        kind,
        moments.without_nan(x, -math.inf if greatest else math.inf),
        axis,
        out=out,
        initial=initial,
        **options,
    )
    if initial is not None or not arguments.is_inexact(x):
        return result
    none = reducing.reduce("all", reducing.ALL, comparing.isnan(x), axis, **options)
    return selecting.where(none, promoting.like(result, math.nan), result)
