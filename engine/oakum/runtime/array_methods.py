"""The methods of arrays that need data: `x.item()`, `x.devices()`; tracers have none."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex, cast

from oakum.array import Array
from oakum.runtime import shards
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing import concretization_errors
from oakum.tracing.trace import Tracer
from oakum.values.uses import Use


def _data(array: Array, method: str, use: Use = Use.LIST) -> ArrayImpl:
    """Returns the array with data; raises for a tracer, of which a concrete one is read for `item`
    only.
    """
    if isinstance(array, ArrayImpl):
        return array
    known = array.concrete() if use is Use.ITEM and isinstance(array, Tracer) else None
    if known is None:
        assert isinstance(array, Tracer)
        raise concretization_errors.concretization_error(array, use, f".{method}()")
    return _data(known, method, use)


def item(array: Array, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> Any:
    """Returns the only element, or the one at an index, as a Python number."""
    raw = _data(array, "item", Use.ITEM).value
    return raw.item(*(_index(each) for each in args))


def _index(value: SupportsIndex | tuple[SupportsIndex, ...]) -> Any:
    """Returns a position as NumPy's `item` takes it: an integer, or a tuple of them."""
    return cast("Any", value) if isinstance(value, tuple) else operator.index(value)


def tolist(array: Array) -> Any:
    """Returns the elements as nested lists of Python numbers."""
    return _data(array, "tolist").value.tolist()


def tobytes(array: Array, order: str = "C") -> bytes:
    """Returns the bytes of the elements."""
    return _data(array, "tobytes").value.tobytes(order)


def block_until_ready(array: Array) -> Array:
    """Returns the array when its data are there."""
    _with_data(array, "block_until_ready").wait()
    return array


def copy_to_host_async(array: Array) -> None:
    """Has the data of a device come to the host while it goes on."""
    _with_data(array, "copy_to_host_async").begin_fetch()


def _with_data(array: Array, method: str) -> ArrayImpl:
    if isinstance(array, ArrayImpl):
        return array
    raise AttributeError(
        f"The '{method}' method is not available on `{array.aval}`, which is traced: "
        f"call jax.{method}, which leaves traced values as they are"
    )


def devices(array: Array) -> set[Any]:
    """Returns the devices that hold the array."""
    known = _data(array, "devices")
    known.require_data()
    return known.sharding.device_set


def addressable_data(array: Array, index: int) -> ArrayImpl:
    """One of the parts that this process holds."""
    return shards.of(_data(array, "addressable_data"))[index].data


def is_deleted(array: Array) -> bool:
    """Returns whether the data of the array are gone."""
    return shards.is_deleted(_data(array, "is_deleted"))


def is_ready(array: Array) -> bool:
    """Returns whether the array is computed: those of the host always are."""
    known = _with_data(array, "is_ready")
    return not is_deleted(known) and known.is_computed


def delete(array: Array) -> None:
    """Frees the data of the array."""
    _data(array, "delete").clear()
