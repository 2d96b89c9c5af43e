"""Bits of bytes: packed from booleans, and taken apart."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments


def _weights(order: str) -> Any:
    if order not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")
    places = jnp.arange(8, dtype="uint8")
    return places if order == "little" else jnp.flip(places)


def _beside(places: Any, a: Any) -> Any:
    """The places along the last axis of an array."""
    return jnp.expand_dims(places, tuple(range(arguments.rank_of(a) - 1)))


def packbits(a: Any, axis: int | None, order: str) -> Any:
    """Eight booleans along an axis packed into each byte; zeros fill the last one."""
    (a,) = arguments.arrays("packbits", a)
    if not arguments.is_kind(a, Kind.BOOL, Kind.INT, Kind.UINT):
        raise errors.DTypeError("Expected an input array of integer or boolean data type")
    places = _weights(order)
    a = lax.convert_element_type(jnp.not_equal(a, 0), "uint8")
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, -1)
    missing = -arguments.shape_of(a)[-1] % 8
    if missing:
        a = jnp.pad(a, [(0, 0)] * (arguments.rank_of(a) - 1) + [(0, missing)])
    a = jnp.reshape(a, (*arguments.shape_of(a)[:-1], arguments.shape_of(a)[-1] // 8, 8))
    shifted = jnp.left_shift(a, _beside(places, a))
    return jnp.moveaxis(jnp.sum(shifted, axis=-1, dtype="uint8"), -1, axis)


def unpackbits(a: Any, axis: int | None, count: int | None, order: str) -> Any:
    """The bits of bytes along an axis: all of them, the first ones, or all but the last ones."""
    (a,) = arguments.arrays("unpackbits", a)
    if arguments.dtype_of(a).name != "uint8":
        raise errors.DTypeError("Expected an input array of unsigned byte data type")
    places = _weights(order)
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, -1)
    spread = jnp.expand_dims(a, -1)
    taken = jnp.bitwise_and(jnp.right_shift(spread, _beside(places, spread)), 1)
    shape = arguments.shape_of(a)
    flat = jnp.reshape(lax.convert_element_type(taken, "uint8"), (*shape[:-1], 8 * shape[-1]))
    if count is not None:
        total = 8 * shape[-1]
        flat = flat[..., :count]
        if count > total:
            flat = jnp.pad(flat, [(0, 0)] * (len(shape) - 1) + [(0, count - total)])
    return jnp.moveaxis(flat, -1, axis)
