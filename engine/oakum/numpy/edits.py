"""Insertion and removal of elements at positions along an axis."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.values import host


def _flat_or_axis(a: Any, axis: int | None) -> tuple[Any, int]:
    if axis is None:
        return lax.reshape(a, (arguments.size_of(a),)), 0
    return a, arguments.axis(axis, arguments.rank_of(a))


def _read_positions(obj: Any) -> Any:
    if isinstance(obj, (tuple, list)):
        return arguments.array_of_list(obj)
    return obj


def delete(arr: Any, obj: Any, axis: int | None, assume_unique: bool) -> Any:
    """The array without the elements at some positions of an axis."""
    obj = _read_positions(obj)
    (arr,) = arguments.arrays("delete", arr)
    if not isinstance(obj, slice):
        arguments.check_arrays("delete", obj)
    arr, axis = _flat_or_axis(arr, axis)
    size = arguments.shape_of(arr)[axis]
    if isinstance(obj, slice):
        keep = host.np.delete(host.np.arange(size), obj)
        return jnp.take(arr, keep.astype("int32"), axis=axis)
    data = arguments.known(obj)
    if data is None and assume_unique and not arguments.is_kind(obj, Kind.BOOL):
        return _delete_unique(arr, jnp.ravel(obj), axis)
    data = arguments.demand(obj, "jnp.delete() without assume_unique_indices")
    if data.dtype == bool and data.shape != (size,):
        raise errors.ShapeError(
            "np.delete(arr, obj): for boolean indices, obj must be one-dimensional with length "
            "matching specified axis."
        )
    if data.dtype != bool:
        data = data[(data >= -size) & (data < size)] if data.ndim else _within(data, size)
    keep = host.np.delete(host.np.arange(size), data)
    return jnp.take(arr, keep.astype("int32"), axis=axis)


def _within(place: Any, size: int) -> Any:
    if not -size <= place < size:
        raise errors.ShapeError(
            f"index {place} is out of bounds for an axis of size {size} in jnp.delete()",
            hint="Give a position within the axis.",
        )
    return place


def _delete_unique(arr: Any, places: Any, axis: int) -> Any:
    size = arguments.shape_of(arr)[axis]
    places = jnp.sort(jnp.clip(jnp.where(places < 0, places + size, places), 0, size - 1))
    before = places - jnp.arange(arguments.size_of(places))
    at = jnp.arange(size - arguments.size_of(places))
    skipped = (at >= before[:, None]).sum(0)
    return jnp.take(arr, at + skipped, axis=axis)


def insert(arr: Any, obj: Any, values: Any, axis: int | None) -> Any:
    """The array with values put before some positions of an axis."""
    obj = _read_positions(obj)
    if isinstance(values, (tuple, list)):
        values = arguments.array_of_list(values)
    arr, values = arguments.arrays("insert", arr, values)
    if not isinstance(obj, slice):
        arguments.check_arrays("insert", obj)
    if axis is None:
        values = jnp.ravel(values)
    arr, axis = _flat_or_axis(arr, axis)
    values = arguments.convert(values, arguments.dtype_of(arr))
    size = arguments.shape_of(arr)[axis]
    rank = arguments.rank_of(arr)
    if arguments.rank_of(values) < rank:
        values = jnp.expand_dims(values, tuple(range(rank - arguments.rank_of(values))))
    places: Any = jnp.arange(size)[obj] if isinstance(obj, slice) else arguments.array(obj)
    if arguments.rank_of(places) == 0:
        # A single position takes the values as they are: their first axis is the one inserted.
        values = jnp.moveaxis(values, 0, axis)
    places = jnp.ravel(places)
    count = arguments.shape_of(values)[axis]
    (total,) = arguments.broadcast_shapes((count,), (arguments.size_of(places),))
    if total == 0:
        return arr
    places = arguments.broadcast_to(places, (total,))
    return _merge(arr, places, values, axis, total)


def _merge(arr: Any, places: Any, values: Any, axis: int, total: int) -> Any:
    size = arguments.shape_of(arr)[axis]
    shape = [*arguments.shape_of(arr)]
    shape[axis] = size + total
    places = jnp.clip(jnp.where(places < 0, places + size, places), 0, size)
    order = jnp.argsort(places)
    target = places[order] + jnp.arange(total)
    new = jnp.ones(size + total, bool).at[target].set(False)
    old_places = jnp.where(new, size=size)[0]
    at: tuple[Any, ...] = (slice(None),) * axis
    result = jnp.zeros(tuple(shape), arguments.dtype_of(arr)).at[(*at, old_places)].set(arr)
    shape[axis] = total
    wide = arguments.broadcast_to(values, shape)
    return result.at[(*at, target)].set(jnp.take(wide, order, axis=axis))
