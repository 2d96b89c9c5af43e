"""`Array`: the class of arrays and tracers, and its methods.

A method states its facts as the function of `oakum.numpy` does that it stands for; the array is its
first parameter, `self`. `oakum.abstract.inspection` says what the attributes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oakum.abstract import (
    contraction,
    creation,
    diagonals,
    elementwise,
    indexing,
    padding,
    reduction,
    reshaping,
    results,
    selection,
    sorting,
)
from oakum.array_operators import ArrayOperators
from oakum.values import codes
from oakum.values.declarations import public
from oakum.values.lazy_modules import Namespace

if TYPE_CHECKING:
    from oakum import numpy as jnp
    from oakum.api import array_transfers
    from oakum.numpy.creation import conversion
    from oakum.numpy.indexing import at_updates
    from oakum.runtime import array_methods
    from oakum.typing import ArrayLike, Axis, DTypeLike, Placement, PrecisionLike
else:
    jnp = Namespace("oakum.numpy")
    array_methods = Namespace("oakum.runtime.array_methods")
    array_transfers = Namespace("oakum.api.array_transfers")
    conversion = Namespace("oakum.numpy.creation.conversion")
    at_updates = Namespace("oakum.numpy.indexing.at_updates")


class Array(ArrayOperators):
    """An array of one dtype, on devices or, under tracing, without data.

    It is immutable: `x.at[index].set(value)` returns a changed copy.
    """

    __slots__ = ()

    @property
    def at(self) -> at_updates.IndexUpdates:
        """The helper of updates: `x.at[index].set(values)` returns a changed copy."""
        return at_updates.IndexUpdates(self)

    @public("Array.all", reduction.tests, static=("axis", "keepdims"))
    def all(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
    ) -> Array:
        """Returns whether all elements along axes are true."""
        return jnp.all(self, axis, out, keepdims, where=where)

    @public("Array.any", reduction.tests, static=("axis", "keepdims"))
    def any(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
    ) -> Array:
        """Returns whether some element along axes is true."""
        return jnp.any(self, axis, out, keepdims, where=where)

    @public("Array.argmax", reduction.positions, static=("axis", "keepdims"))
    def argmax(
        self, axis: int | None = None, out: None = None, keepdims: bool | None = None
    ) -> Array:
        """Returns the position of the greatest element along an axis."""
        return jnp.argmax(self, axis, out, keepdims)

    @public("Array.argmin", reduction.positions, static=("axis", "keepdims"))
    def argmin(
        self, axis: int | None = None, out: None = None, keepdims: bool | None = None
    ) -> Array:
        """Returns the position of the least element along an axis."""
        return jnp.argmin(self, axis, out, keepdims)

    @public("Array.argpartition", sorting.argpartition, static=("kth", "axis"))
    def argpartition(self, kth: int, axis: int = -1) -> Array:
        """Returns an order that moves smaller elements before a position."""
        return jnp.argpartition(self, kth, axis)

    @public(
        "Array.argsort", sorting.argsort, static=("axis", "kind", "order", "stable", "descending")
    )
    def argsort(
        self,
        axis: int | None = -1,
        *,
        kind: None = None,
        order: None = None,
        stable: bool = True,
        descending: bool = False,
    ) -> Array:
        """Returns the order that sorts along an axis."""
        return jnp.argsort(self, axis, kind=kind, order=order, stable=stable, descending=descending)

    @public("Array.astype", creation.astype, static=("copy",), edge="linear")
    def astype(
        self, dtype: DTypeLike | None, copy: bool = False, device: Placement | None = None
    ) -> Array:
        """Converts the elements to a dtype."""
        return jnp.astype(self, dtype, copy=copy, device=device)

    @public("Array.byteswap", results.first)
    def byteswap(self) -> Array:
        """Reverses the order of the bytes of each element."""
        return conversion.byteswap(self)

    @public("Array.choose", results.array, static=("mode",))
    def choose(self, choices: Sequence[ArrayLike], out: None = None, mode: str = "raise") -> Array:
        """Picks each element from one of several arrays."""
        return jnp.choose(self, choices, out, mode)

    @public("Array.clip", selection.clip, edge="bounds")
    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
        """Limits the elements to an interval."""
        return jnp.clip(self, min, max)

    @public(
        "Array.compress",
        results.array,
        static=("axis",),
        sizes=("size",),
        dynamic_size=results.without("size"),
        size_parameter="size",
        size_operands=("condition",),
    )
    def compress(
        self,
        condition: ArrayLike,
        axis: int | None = None,
        *,
        out: None = None,
        size: int | None = None,
        fill_value: ArrayLike = 0,
    ) -> Array:
        """Returns the slices along an axis for which a condition is true."""
        return jnp.compress(condition, self, axis, size=size, fill_value=fill_value, out=out)

    @public("Array.conj", elementwise.same.over("self"))
    def conj(self) -> Array:
        """Computes complex conjugates."""
        return jnp.conj(self)

    @public("Array.conjugate", elementwise.same.over("self"))
    def conjugate(self) -> Array:
        """Computes complex conjugates."""
        return jnp.conjugate(self)

    @public("Array.copy", results.first)
    def copy(self) -> Array:
        """Copies the array."""
        return jnp.copy(self)

    @public("Array.cumprod", reduction.cumulative, static=("axis",))
    def cumprod(self, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Computes running products along an axis."""
        axes: Any = axis
        return jnp.cumprod(self, axes, dtype, out)

    @public("Array.cumsum", reduction.cumulative, static=("axis",))
    def cumsum(self, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Computes running sums along an axis."""
        axes: Any = axis
        return jnp.cumsum(self, axes, dtype, out)

    @public("Array.diagonal", diagonals.diagonal, static=("offset", "axis1", "axis2"))
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        """Takes the diagonals of planes."""
        return jnp.diagonal(self, offset, axis1, axis2)

    @public("Array.dot", contraction.dot, edge="product")
    def dot(
        self,
        b: ArrayLike,
        *,
        precision: PrecisionLike = None,
        preferred_element_type: DTypeLike | None = None,
    ) -> Array:
        """Multiplies along the last axis, and the last but one of the other array."""
        return jnp.dot(self, b, precision=precision, preferred_element_type=preferred_element_type)

    @public("Array.flatten", reshaping.ravel, static=("order",), edge="linear")
    def flatten(self, order: str = "C", *, out_sharding: Placement | None = None) -> Array:
        """Flattens the array to one dimension."""
        return jnp.ravel(self, order, out_sharding=out_sharding)

    @public("Array.max", reduction.extrema, static=("axis", "keepdims"))
    def max(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        """Returns the greatest elements along axes."""
        return jnp.max(self, axis, out, keepdims, initial, where)

    @public("Array.mean", reduction.means, static=("axis", "keepdims"), edge="linear")
    def mean(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
    ) -> Array:
        """Averages the elements along axes."""
        return jnp.mean(self, axis, dtype, out, keepdims, where=where)

    @public("Array.min", reduction.extrema, static=("axis", "keepdims"))
    def min(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        """Returns the least elements along axes."""
        return jnp.min(self, axis, out, keepdims, initial, where)

    @public(
        "Array.nonzero",
        sorting.nonzero,
        sizes=("size",),
        dynamic_size=results.without("size"),
        size_parameter="size",
        size_operands=("self",),
    )
    def nonzero(
        self,
        *,
        fill_value: ArrayLike | tuple[ArrayLike, ...] | None = None,
        size: int | None = None,
    ) -> tuple[Array, ...]:
        """Returns the indices of the elements that are not zero."""
        return jnp.nonzero(self, fill_value=fill_value, size=size)

    @public("Array.prod", reduction.sums, static=("axis", "keepdims", "promote_integers"))
    def prod(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
        promote_integers: bool = True,
    ) -> Array:
        """Multiplies the elements along axes."""
        return jnp.prod(self, axis, dtype, out, keepdims, initial, where, promote_integers)

    @public("Array.ptp", reduction.extrema, static=("axis", "keepdims"))
    def ptp(self, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
        """Returns the difference of the greatest and the least element along axes."""
        return jnp.ptp(self, axis, out, keepdims)

    @public("Array.ravel", reshaping.ravel, static=("order",), edge="linear")
    def ravel(self, order: str = "C", *, out_sharding: Placement | None = None) -> Array:
        """Flattens the array to one dimension."""
        return jnp.ravel(self, order, out_sharding=out_sharding)

    @public(
        "Array.repeat",
        padding.repeat,
        static=("axis",),
        sizes=("total_repeat_length",),
        dynamic_size=results.of_array("repeats", results.without("total_repeat_length")),
        size_parameter="total_repeat_length",
        size_operands=("repeats",),
    )
    def repeat(
        self,
        repeats: ArrayLike,
        axis: int | None = None,
        *,
        total_repeat_length: int | None = None,
        out_sharding: Placement | None = None,
    ) -> Array:
        """Repeats each element along an axis."""
        return jnp.repeat(
            self, repeats, axis, total_repeat_length=total_repeat_length, out_sharding=out_sharding
        )

    @public("Array.reshape", reshaping.reshape, static=("order",), shapes=("args",), edge="linear")
    def reshape(
        self, *args: int | Sequence[int], order: str = "C", out_sharding: Placement | None = None
    ) -> Array:
        """Returns the array another shape with the same elements."""
        shape: Any = args[0] if len(args) == 1 else args
        return jnp.reshape(self, shape, order, out_sharding=out_sharding)

    @public(
        "Array.round", elementwise.keep.over("self"), static=("decimals",), zero_derivative=True
    )
    def round(self, decimals: int = 0, out: None = None) -> Array:
        """Rounds to a number of decimals."""
        return jnp.round(self, decimals, out)

    @public("Array.searchsorted", sorting.searchsorted, static=("side", "method"))
    def searchsorted(
        self,
        v: ArrayLike,
        side: str = "left",
        sorter: ArrayLike | None = None,
        *,
        method: str = "scan",
    ) -> Array:
        """Finds where values fit into the array, which is sorted."""
        return jnp.searchsorted(self, v, side, sorter, method=method)

    @public("Array.sort", sorting.sort, static=("axis", "kind", "order", "stable", "descending"))
    def sort(
        self,
        axis: int | None = -1,
        *,
        kind: None = None,
        order: None = None,
        stable: bool = True,
        descending: bool = False,
    ) -> Array:
        """Sorts along an axis."""
        return jnp.sort(self, axis, kind=kind, order=order, stable=stable, descending=descending)

    @public("Array.squeeze", reshaping.squeeze, static=("axis",), edge="linear")
    def squeeze(self, axis: Axis = None) -> Array:
        """Removes axes of length one."""
        return jnp.squeeze(self, axis)

    @public("Array.std", reduction.deviations, static=("axis", "keepdims"), edge="deviation")
    def std(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: int = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
        correction: int | float | None = None,
    ) -> Array:
        """Computes standard deviations along axes."""
        return jnp.std(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)

    @public(
        "Array.sum", reduction.sums, static=("axis", "keepdims", "promote_integers"), edge="linear"
    )
    def sum(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
        promote_integers: bool = True,
    ) -> Array:
        """Sums the elements along axes."""
        return jnp.sum(self, axis, dtype, out, keepdims, initial, where, promote_integers)

    @public("Array.swapaxes", reshaping.swapaxes, static=("axis1", "axis2"))
    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """Exchanges two axes."""
        return jnp.swapaxes(self, axis1, axis2)

    @public(
        "Array.take",
        indexing.take,
        static=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"),
    )
    def take(
        self,
        indices: ArrayLike,
        axis: int | None = None,
        out: None = None,
        mode: str | None = None,
        unique_indices: bool = False,
        indices_are_sorted: bool = False,
        fill_value: object = None,
    ) -> Array:
        """Takes elements along an axis at given indices."""
        return jnp.take(
            self, indices, axis, out, mode, unique_indices, indices_are_sorted, fill_value
        )

    @public("Array.to_device", results.first)
    def to_device(self, device: Placement | None, *, stream: int | Any | None = None) -> Array:
        """Moves the array to a device."""
        array_transfers.refuse_stream(stream)
        return array_transfers.put_tree(self, device)

    @public("Array.trace", diagonals.trace, static=("axis1", "axis2"))
    def trace(
        self,
        offset: ArrayLike = 0,
        axis1: int = 0,
        axis2: int = 1,
        dtype: DTypeLike | None = None,
        out: None = None,
    ) -> Array:
        """Sums the diagonals of planes."""
        return jnp.trace(self, offset, axis1, axis2, dtype, out)

    @public("Array.transpose", reshaping.transpose, static=("args",), edge="linear")
    def transpose(self, *args: object) -> Array:
        """Permutes the axes; without axes it reverses them."""
        return jnp.transpose(self, conversion.axes_of(args))

    @public("Array.var", reduction.deviations, static=("axis", "keepdims"), edge="variance")
    def var(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: int = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
        correction: int | float | None = None,
    ) -> Array:
        """Computes variances along axes."""
        return jnp.var(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)

    @public("Array.view", results.array)
    def view(self, dtype: DTypeLike | None = None, type: None = None) -> Array:
        """Reads the bytes of the array as another dtype."""
        return conversion.view(self, dtype, type)

    @public("Array.item")
    def item(self, *args: int) -> Any:
        """Returns the only element, or the one at an index, as a Python number."""
        return array_methods.item(self, *args)

    @public("Array.tolist", needs_concrete={"self": codes.TRACER_TO_SCALAR})
    def tolist(self) -> Any:
        """Returns the elements as nested lists of Python numbers."""
        return array_methods.tolist(self)

    @public("Array.tobytes", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def tobytes(self) -> bytes:
        """Returns the bytes of the elements."""
        return array_methods.tobytes(self)

    @public("Array.block_until_ready", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def block_until_ready(self) -> Array:
        """Waits until the array is computed; tracers do not have this method."""
        return array_methods.block_until_ready(self)

    @public("Array.copy_to_host_async", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def copy_to_host_async(self) -> None:
        """Begins the copy of the array to the host; tracers do not have this method."""
        return array_methods.copy_to_host_async(self)

    @public("Array.devices", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def devices(self) -> set[Any]:
        """Returns the devices that hold the array."""
        return array_methods.devices(self)

    @public("Array.addressable_data", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def addressable_data(self, index: int) -> Array:
        """Returns one of the shards that this process holds."""
        return array_methods.addressable_data(self, index)

    @public("Array.is_deleted", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def is_deleted(self) -> bool:
        """Returns whether the data of the array were given away or freed."""
        return array_methods.is_deleted(self)

    @public("Array.is_ready", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def is_ready(self) -> bool:
        """Returns whether the array is computed; tracers do not have this method."""
        return array_methods.is_ready(self)

    @public("Array.delete", needs_concrete={"self": codes.NUMPY_CALL_ON_TRACER})
    def delete(self) -> None:
        """Frees the data of the array."""
        return array_methods.delete(self)
