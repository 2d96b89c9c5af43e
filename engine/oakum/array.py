"""`Array`: the class of arrays and tracers, and its methods.

A method has the declaration of the function of `oakum.numpy` that it stands for, with the array as
its first parameter, `self`; where JAX's method has other parameters, it states its own.
`oakum.abstract.inspection` says what the attributes are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from oakum import numpy as jnp
from oakum.abstract import (
    contraction,
    creation,
    elementwise,
    reduction,
    reshaping,
    results,
    selection,
    sorting,
)
from oakum.api import array_transfers
from oakum.array_operators import ArrayOperators
from oakum.numpy.creation import conversion
from oakum.numpy.indexing import updates
from oakum.runtime import array_methods
from oakum.values import codes
from oakum.values.declarations import PublicFunction, public
from oakum.values.facts import DynamicSize, Facts
from oakum.values.records import replace

if TYPE_CHECKING:
    from oakum.typing import ArrayLike, Axis, DTypeLike, Placement, PrecisionLike


class _Method(PublicFunction[..., "Array"]):
    """A method that calls a function of `oakum.numpy` with the array as its first argument.

    It has the declaration of that function, which is imported when one of them is asked for.
    """

    def __init__(self, find: Callable[[], PublicFunction[..., Array]], doc: str) -> None:
        def call(self: Array, *args: object, **options: object) -> Array:
            return find()(self, *args, **options)

        def declare(_: Callable[..., object]) -> Facts:
            facts = find().facts
            parameters = list(facts.signature.parameters.values())
            parameters[0] = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
            signature = facts.signature.replace(parameters=parameters)
            return replace(facts, name=f"Array.{self.__name__}", signature=signature)

        super().__init__(call, declare)
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.__name__, self.__qualname__ = name, f"{owner.__name__}.{name}"

    @property
    def __signature__(self) -> Signature:
        return self.facts.signature


class Array(ArrayOperators):
    """An array of one dtype, on devices or, under tracing, without data.

    It is immutable: `x.at[index].set(value)` returns a changed copy.
    """

    __slots__ = ()

    @property
    def at(self) -> updates.IndexUpdates:
        """The helper of updates: `x.at[index].set(values)` returns a changed copy."""
        return updates.IndexUpdates(self)

    all = _Method(lambda: jnp.all, "Returns whether all elements along axes are true.")
    any = _Method(lambda: jnp.any, "Returns whether some element along axes is true.")
    argmax = _Method(
        lambda: jnp.argmax, "Returns the position of the greatest element along an axis."
    )
    argmin = _Method(lambda: jnp.argmin, "Returns the position of the least element along an axis.")
    argpartition = _Method(
        lambda: jnp.argpartition, "Returns an order that moves smaller elements before a position."
    )

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

    choose = _Method(lambda: jnp.choose, "Picks each element from one of several arrays.")

    @public("Array.clip", selection.clip, edge="bounds")
    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
        """Limits the elements to an interval."""
        return jnp.clip(self, min, max)

    @public(
        "Array.compress",
        results.array,
        static=("axis",),
        sizes=("size",),
        dynamic_size=DynamicSize("size", ("condition",)),
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

    cumprod = _Method(lambda: jnp.cumprod, "Computes running products along an axis.")
    cumsum = _Method(lambda: jnp.cumsum, "Computes running sums along an axis.")
    diagonal = _Method(lambda: jnp.diagonal, "Takes the diagonals of planes.")

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

    max = _Method(lambda: jnp.max, "Returns the greatest elements along axes.")
    mean = _Method(lambda: jnp.mean, "Averages the elements along axes.")
    min = _Method(lambda: jnp.min, "Returns the least elements along axes.")

    @public(
        "Array.nonzero",
        sorting.nonzero,
        sizes=("size",),
        dynamic_size=DynamicSize("size", ("self",)),
    )
    def nonzero(
        self,
        *,
        fill_value: ArrayLike | tuple[ArrayLike, ...] | None = None,
        size: int | None = None,
    ) -> tuple[Array, ...]:
        """Returns the indices of the elements that are not zero."""
        return jnp.nonzero(self, fill_value=fill_value, size=size)

    prod = _Method(lambda: jnp.prod, "Multiplies the elements along axes.")
    ptp = _Method(
        lambda: jnp.ptp, "Returns the difference of the greatest and the least element along axes."
    )
    ravel = _Method(lambda: jnp.ravel, "Flattens the array to one dimension.")
    repeat = _Method(lambda: jnp.repeat, "Repeats each element along an axis.")

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

    searchsorted = _Method(
        lambda: jnp.searchsorted, "Finds where values fit into the array, which is sorted."
    )
    sort = _Method(lambda: jnp.sort, "Sorts along an axis.")
    squeeze = _Method(lambda: jnp.squeeze, "Removes axes of length one.")

    @public("Array.std", reduction.deviations, static=("axis", "keepdims"), edge="deviation")
    def std(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
        correction: int | float | None = None,
    ) -> Array:
        """Computes standard deviations along axes."""
        return jnp.std(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)

    sum = _Method(lambda: jnp.sum, "Sums the elements along axes.")
    swapaxes = _Method(lambda: jnp.swapaxes, "Exchanges two axes.")
    take = _Method(lambda: jnp.take, "Takes elements along an axis at given indices.")

    @public("Array.to_device", results.first)
    def to_device(self, device: Placement | None, *, stream: int | Any | None = None) -> Array:
        """Moves the array to a device."""
        array_transfers.refuse_stream(stream)
        return array_transfers.put_tree(self, device)

    trace = _Method(lambda: jnp.trace, "Sums the diagonals of planes.")

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
        ddof: float = 0,
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
