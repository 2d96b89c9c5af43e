"""Copies of an array that are changed at an index or at indices: `x.at[index]`, put, place."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NoReturn

from oakum import config, errors, lax
from oakum import numpy as jnp
from oakum.abstract import indexing, results
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.lax.options import ScatterDimensionNumbers
from oakum.numpy import arguments
from oakum.numpy.indexing import gather, gather_plan, index_items
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike
from oakum.values import codes, declared_errors, host
from oakum.values.declarations import public
from oakum.values.traceback_filtering import api_boundary, filter_traceback, register


class IndexUpdates:
    """`x.at`: takes an index."""

    __slots__ = ("array",)

    def __init__(self, array: ArrayLike) -> None:
        self.array = array

    def __getitem__(self, index: object) -> _IndexUpdate:
        return _IndexUpdate(self.array, index)

    @api_boundary
    def __setitem__(self, index: object, value: object) -> NoReturn:
        raise errors.InvalidValueError(
            "x.at[index] cannot be assigned: it changes no array, but makes a changed copy",
            hint="Write `x = x.at[index].set(value)`.",
            code=codes.ITEM_ASSIGNMENT,
        )

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


def _refuse(self: object, *_: object) -> NoReturn:
    """Stands for the operators: the place of an array is none."""
    try:
        raise errors.InvalidValueError(
            "x.at[index] stands for a place in an array, and has no operators",
            hint="Read the elements, `x.at[index].get()`, or make a changed copy: "
            "`x.at[index].set(value)`, `.add(value)`, `.multiply(value)`.",
            code=codes.ITEM_ASSIGNMENT,
        )
    except errors.InvalidValueError as error:
        filter_traceback(error)
        raise


register(_refuse)


class _IndexUpdate:
    """`x.at[index]`: its methods give copies of `x` changed there.

    All take `indices_are_sorted`, `unique_indices`, `mode` and `wrap_negative_indices`. `mode` says
    what becomes of positions out of bounds: "drop" or "fill", "clip", or "promise_in_bounds".
    """

    __slots__ = ("array", "index")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __abs__ = __getitem__ = _refuse

    def __init__(self, array: ArrayLike, index: object) -> None:
        self.array = array
        self.index = index

    def __repr__(self) -> str:
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    @api_boundary
    def get(
        self,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: object = None,
        fill_value: object = None,
        out_sharding: object = None,
        wrap_negative_indices: bool = True,
    ) -> Any:
        """Returns the elements there, `fill_value` for those out of bounds."""
        return gather.get(
            self.array,
            self.index,
            mode=mode,
            fill_value=fill_value,
            wrap=wrap_negative_indices,
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
        )

    def _scatter(self, values: Any, scatter: Callable[..., Any], options: dict[str, Any]) -> Any:
        read = _read_options(options)
        try:
            return _update(self.array, self.index, values, scatter, **read)
        except Exception as error:
            named = {"x": self.array, "index": self.index, "values": values}
            given = {name: declared_errors.abstract(each) for name, each in named.items()}
            found = declared_errors.of_rule(lambda: indexing.update(given), error)
            if found is error:
                raise
            raise found from None

    @api_boundary
    def set(self, values: Any, **options: Any) -> Any:
        """Puts values there."""
        return self._scatter(values, lax.scatter, options)

    @api_boundary
    def add(self, values: Any, **options: object) -> Any:
        """Adds values there."""
        return self._scatter(values, lax.scatter_add, options)

    @api_boundary
    def subtract(self, values: Any, **options: Any) -> Any:
        """Subtracts values there."""
        return self._scatter(values, lax.scatter_sub, options)

    @api_boundary
    def multiply(self, values: Any, **options: Any) -> Any:
        """Multiplies by values there."""
        return self._scatter(values, lax.scatter_mul, options)

    mul = multiply

    @api_boundary
    def divide(self, values: Array, **options: object) -> Any:
        """Divides by values there."""
        ones = jnp.ones_like(self.array)
        factors = _update(ones, self.index, values, lax.scatter_mul, **_read_options(options))
        return jnp.divide(self.array, factors)

    @api_boundary
    def power(self, values: Array, **options: object) -> Any:
        """Raises to the power of values there."""
        ones = jnp.ones_like(self.array)
        exponents = _update(ones, self.index, values, lax.scatter_mul, **_read_options(options))
        return jnp.power(self.array, exponents)

    @api_boundary
    def min(self, values: Any, **options: Any) -> Any:
        """Takes the lesser of the elements and the values there."""
        return self._scatter(values, lax.scatter_min, options)

    @api_boundary
    def max(self, values: Any, **options: Any) -> Any:
        """Takes the greater of the elements and the values there."""
        return self._scatter(values, lax.scatter_max, options)

    @api_boundary
    def apply(self, func: Callable[[Any], Any], **options: object) -> Any:
        """Applies a function there, as often as a position occurs."""

        def scatter(
            operand: Array, indices: Array, values: object, numbers: ArrayLike, **rest: Any
        ) -> Any:
            shape = arguments.shape_of(values)
            return lax.scatter_apply(operand, indices, func, numbers, update_shape=shape, **rest)

        zero = lax.full((), 0, arguments.dtype_of(self.array))
        return self._scatter(zero, scatter, options)


_OPTIONS = (
    "indices_are_sorted", "unique_indices", "mode", "out_sharding", "wrap_negative_indices",
)  # fmt: skip


def _read_options(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of an update as `update` takes them; TypeError for others."""
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
    return {
        "indices_are_sorted": options.get("indices_are_sorted", False),
        "unique_indices": options.get("unique_indices", False),
        "mode": options.get("mode"),
        "wrap": options.get("wrap_negative_indices", True),
    }


def _update(
    array: Any,
    index: object,
    values: Any,
    scatter: Callable[..., Any],
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: object = None,
    wrap: bool = True,
) -> Any:
    """Returns the array with values scattered to an index."""
    array = arguments.array(array)
    values = _values(values, array)
    _check_types(values, array)
    plan = gather_plan.make(index_items.read(index, arguments.shape_of(array)), wrap=wrap)
    if 0 in plan.shape:
        return array
    aval = aval_of(array)
    operand, values = arguments.promote(array, values)
    values = arguments.broadcast_to(values, plan.shape)
    if plan.new_axes:
        values = lax.squeeze(values, plan.new_axes)
    if plan.reversed_axes:
        values = lax.rev(values, plan.reversed_axes)
    if plan.switches:
        operand = lax.expand_dims(operand, plan.switches)
    numbers = ScatterDimensionNumbers(
        plan.numbers.offset_dims,
        plan.numbers.collapsed_slice_dims,
        plan.numbers.start_index_map,
    )
    result = scatter(
        operand,
        plan.indices,
        values,
        numbers,
        indices_are_sorted=indices_are_sorted or plan.is_simple,
        unique_indices=unique_indices or plan.is_simple,
        mode=mode,
    )
    if plan.switches:
        result = lax.squeeze(result, plan.switches)
    assert aval.dtype is not None
    return arguments.convert(result, aval.dtype, bool(aval.weak_type))


def _values(values: Array, array: ArrayLike) -> Any:
    """Returns the values as an array; a Python integer that fits takes the dtype of the array."""
    if isinstance(values, (list, tuple)):
        values = jnp.asarray(values)
    arguments.check_arrays("scatter", values)
    dtype = arguments.dtype_of(array)
    if isinstance(values, int) and dtype.kind in (Kind.INT, Kind.UINT):
        limits = host.np.iinfo(host.dtype(dtype)) if dtype.bits >= 8 else None
        if limits is None or limits.min <= values <= limits.max:
            return arguments.convert(host.np.asarray(values), dtype)
    return arguments.array(values)


def _check_types(values: object, array: ArrayLike) -> None:
    """Warns where values lose something in the dtype of the array."""
    given, dtype = arguments.dtype_of(values), arguments.dtype_of(array)
    if given is dtype or arguments.promote_dtype(values, dtype) is dtype:
        return
    warnings.warn(
        f"scatter inputs have incompatible types: cannot safely cast value from dtype={given} to "
        f"dtype={dtype} with jax_numpy_dtype_promotion={config.numpy_dtype_promotion.value}. In "
        "future JAX releases this will result in an error.",
        FutureWarning,
        stacklevel=4,
    )


@public("numpy.put", results.first, static=("mode", "inplace"))
def put(
    a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True
) -> Array:
    """Returns an array with values written at flat indices."""
    _refuse_inplace("put", inplace)
    x, ind_array, v_array = arguments.arrays("put", a, ind, v)
    where, values = jnp.ravel(ind_array), jnp.ravel(v_array)
    if 0 in (arguments.size_of(x), arguments.size_of(where), arguments.size_of(values)):
        return x
    values = _repeated_to(values, arguments.size_of(where))
    size = arguments.size_of(x)
    if mode == "clip":
        where = jnp.clip(where, 0, size - 1)
    elif mode == "wrap":
        where = jnp.remainder(where, size)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.")
    elif mode is not None:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got mode={mode!r}")
    how = "drop" if mode is None else "promise_in_bounds"
    return x.at[jnp.unravel_index(where, arguments.shape_of(x))].set(values, mode=how)


def _repeated_to(values: ArrayLike, size: int) -> Any:
    """Returns a vector repeated or cut to a length."""
    have = arguments.size_of(values)
    if have < size:
        values = jnp.tile(values, -(-size // have))
    return lax.slice_in_dim(values, 0, size)


def _refuse_inplace(function: str, inplace: bool) -> None:
    if inplace:
        raise ValueError(
            f"jax.numpy.{function} cannot modify arrays in-place, because JAX arrays are "
            "immutable. Pass inplace=False to instead return an updated array."
        )


@public("numpy.put_along_axis", indexing.put_along_axis, static=("axis", "inplace", "mode"))
def put_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    values: ArrayLike,
    axis: int | None,
    inplace: bool = True,
    *,
    mode: str | None = None,
) -> Array:
    """Returns an array with values written along an axis, at an index of its own for each lane."""
    _refuse_inplace("put_along_axis", inplace)
    x, indices_array, values_array = arguments.arrays("put_along_axis", arr, indices, values)
    shape = arguments.shape_of(x)
    if axis is None:
        x, axis = jnp.ravel(x), 0
    rank = arguments.rank_of(x)
    if rank != arguments.rank_of(indices_array):
        raise errors.ShapeError(
            "put_along_axis arguments 'arr' and 'indices' must have same ndim. Got "
            f"arr.ndim={rank} and indices.ndim={arguments.rank_of(indices_array)}."
        )
    try:
        values_array = arguments.broadcast_to(values_array, arguments.shape_of(indices_array))
    except errors.ShapeError as error:
        raise errors.ShapeError(
            "put_along_axis argument 'values' must be broadcastable to 'indices'. Got "
            f"values.shape={arguments.shape_of(values_array)} and "
            f"indices.shape={arguments.shape_of(indices_array)}."
        ) from error
    grid = list(jnp.indices(arguments.shape_of(x), sparse=True))
    grid[arguments.axis(axis, rank)] = indices_array
    return lax.reshape(x.at[tuple(grid)].set(values_array, mode=mode), shape)


@public("numpy.place", results.first, static=("inplace",))
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """Returns an array with values written where a mask is true."""
    _refuse_inplace("place", inplace)
    x, mask_array, vals_array = arguments.arrays("place", arr, mask, vals)
    size = arguments.size_of(x)
    if size != arguments.size_of(mask_array):
        raise errors.ShapeError("place: arr and mask must be the same size")
    if not arguments.size_of(vals_array):
        raise ValueError("Cannot place values from an empty array")
    if not size:
        return x
    where = jnp.nonzero(jnp.ravel(mask_array), size=size, fill_value=size)[0]
    values = _repeated_to(jnp.ravel(vals_array), size)
    return lax.reshape(jnp.ravel(x).at[where].set(values, mode="drop"), arguments.shape_of(x))


@public("numpy.fill_diagonal", results.first, static=("wrap", "inplace"))
def fill_diagonal(
    a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True
) -> Array:
    """Returns an array with values written on its diagonal."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    x, val_array = arguments.arrays("fill_diagonal", a, val)
    shape = arguments.shape_of(x)
    if len(shape) < 2:
        raise errors.ShapeError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise errors.ShapeError("All dimensions of input must be of equal length")
    size = min(shape)
    values = (
        val_array if arguments.rank_of(val_array) == 0 else _repeated_to(jnp.ravel(val_array), size)
    )
    return x.at[jnp.diag_indices(size, len(shape))].set(values)
