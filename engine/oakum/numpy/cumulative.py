"""Running sums and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import dtypes, errors, lax
from oakum.abstract import reduction
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy import arguments, coercion, reductions
from oakum.numpy.statistics import nan_reductions
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import named_as, public
from oakum.values.facts import AbstractRule


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
        x = coercion.truth(x)
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


def running(instead_of_nan: float | None = None):
    """Declares running sums and products by the operation of `lax`; their signature is inferred."""

    def declare(stated: Callable[[], Callable[..., Array]]):
        def accumulated(
            a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None
        ) -> Array:
            return accumulate(
                stated.__name__, stated(), a, axis, dtype, out, instead_of_nan=instead_of_nan
            )

        declared = public(f"numpy.{stated.__name__}", reduction.cumulative, static=("axis",))
        return declared(named_as(stated, accumulated))

    return declare


@running()
def cumsum() -> Callable[..., Array]:
    """Computes running sums along an axis."""
    return lax.cumsum


@running()
def cumprod() -> Callable[..., Array]:
    """Computes running products along an axis."""
    return lax.cumprod


def _with_initial(
    function: str,
    run: Callable[..., Any],
    a: object,
    axis: Any,
    dtype: object,
    first: int | None,
    *,
    promote_integers: bool,
) -> Any:
    """Accumulates along an axis, with one element more at its beginning if asked for."""
    (x,) = arguments.arrays(function, a)
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


def _from_initial(rule: AbstractRule, first: int, *, promote_integers: bool):
    """Declares sums and products that may begin with an element more, `first`."""

    def declare(stated: Callable[[], Callable[..., Array]]):
        def accumulated(
            x: ArrayLike,
            /,
            *,
            axis: int | None = None,
            dtype: DTypeLike | None = None,
            include_initial: bool = False,
        ) -> Array:
            leading = first if include_initial else None
            return _with_initial(
                stated.__name__,
                stated(),
                x,
                axis,
                dtype,
                leading,
                promote_integers=promote_integers,
            )

        static = ("axis", "include_initial")
        declared = public(f"numpy.{stated.__name__}", rule, static=static)
        return declared(named_as(stated, accumulated))

    return declare


@_from_initial(reduction.cumulative_widened, 0, promote_integers=True)
def cumulative_sum() -> Callable[..., Array]:
    """Computes running sums along an axis, with a leading zero if asked for."""
    return lax.cumsum


@_from_initial(reduction.cumulative_products, 1, promote_integers=False)
def cumulative_prod() -> Callable[..., Array]:
    """Computes running products along an axis, with a leading one if asked for."""
    return lax.cumprod
