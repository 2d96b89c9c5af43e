"""`x.at[index]`: copies of an array that are changed at an index."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from oakum import config, lax
from oakum import numpy as jnp
from oakum.abstract import indexing
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.lax.options import ScatterDimensionNumbers
from oakum.numpy.indexing import gather_plan, getitem, index_items
from oakum.numpy.operands import arguments
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike
from oakum.values import declared_errors, host
from oakum.values.traceback_filtering import api_boundary


class IndexUpdates:
    """`x.at`: takes an index."""

    __slots__ = ("array",)

    def __init__(self, array: ArrayLike) -> None:
        self.array = array

    def __getitem__(self, index: object) -> _IndexUpdate:
        return _IndexUpdate(self.array, index)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


class _IndexUpdate:
    """`x.at[index]`: its methods give copies of `x` changed there.

    All take `indices_are_sorted`, `unique_indices`, `mode` and `wrap_negative_indices`. `mode` says
    what becomes of positions out of bounds: "drop" or "fill", "clip", or "promise_in_bounds".
    """

    __slots__ = ("array", "index")

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
        """Gives the elements there, `fill_value` for those out of bounds."""
        return getitem.get(
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
    """The options of an update as `update` takes them; TypeError for others."""
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
    """The array with values scattered to an index."""
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
    """The values as an array; a Python integer that fits takes the dtype of the array."""
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
