"""Operations on the bits of integers, and booleans packed into bits."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import elementwise, results
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arithmetic, reductions, ufuncs
from oakum.numpy.operands import arguments, promoting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@ufuncs.universal(
    2, identity=-1, reduce=ufuncs.reduction("bitwise_and", lambda: reductions.BITS_AND)
)
@public("numpy.bitwise_and", elementwise.integer)
def bitwise_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the conjunction of bits."""
    return lax.bitwise_and(*promoting.promote("bitwise_and", x, y))


@ufuncs.universal(2, identity=0, reduce=ufuncs.reduction("bitwise_or", lambda: reductions.BITS_OR))
@public("numpy.bitwise_or", elementwise.integer)
def bitwise_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the disjunction of bits."""
    return lax.bitwise_or(*promoting.promote("bitwise_or", x, y))


@ufuncs.universal(
    2, identity=0, reduce=ufuncs.reduction("bitwise_xor", lambda: reductions.BITS_XOR)
)
@public("numpy.bitwise_xor", elementwise.integer)
def bitwise_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the exclusive disjunction of bits."""
    return lax.bitwise_xor(*promoting.promote("bitwise_xor", x, y))


@public("numpy.bitwise_not", elementwise.integer)
def bitwise_not(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*promoting.promote("bitwise_not", x))


@public("numpy.bitwise_invert", elementwise.integer)
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*promoting.promote("bitwise_invert", x))


@public("numpy.invert", elementwise.integer)
def invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*promoting.promote("invert", x))


@public("numpy.bitwise_count", elementwise.bit_count)
def bitwise_count(x: ArrayLike, /) -> Array:
    """Counts the bits that are set in the absolute value."""
    (x,) = promoting.promote_numeric("bitwise_count", x)
    return arguments.convert(lax.population_count(arithmetic.absolute_value(x)), dtypes.uint8)


@public("numpy.left_shift", elementwise.shifts)
def left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    return lax.shift_left(*promoting.promote_numeric("left_shift", x, y))


@public("numpy.right_shift", elementwise.shifts)
def right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    return _right_shift(*promoting.promote_numeric("right_shift", x1, x2))


def _right_shift(x: ArrayLike, y: ArrayLike) -> Any:
    """Shifts to the right, which keep the sign of numbers that have one."""
    if arguments.is_kind(x, Kind.UINT):
        return lax.shift_right_logical(x, y)
    return lax.shift_right_arithmetic(x, y)


@public("numpy.bitwise_left_shift", elementwise.shifts)
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    return lax.shift_left(*promoting.promote_numeric("bitwise_left_shift", x, y))


@public("numpy.bitwise_right_shift", elementwise.shifts)
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    return _right_shift(*promoting.promote_numeric("bitwise_right_shift", x1, x2))


@public("numpy.packbits", results.array, static=("axis", "bitorder"))
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Packs booleans into the bits of bytes."""
    (a,) = arguments.arrays("packbits", a)
    if not arguments.is_kind(a, Kind.BOOL, Kind.INT, Kind.UINT):
        raise errors.DTypeError("Expected an input array of integer or boolean data type")
    places = _weights(bitorder)
    a = lax.convert_element_type(jnp.not_equal(a, 0), "uint8")
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, -1)
    missing = -arguments.shape_of(a)[-1] % 8
    if missing:
        a = jnp.pad(a, [(0, 0)] * (arguments.rank_of(a) - 1) + [(0, missing)])
    a = jnp.reshape(a, (*arguments.shape_of(a)[:-1], arguments.shape_of(a)[-1] // 8, 8))
    shifted = left_shift(a, _beside(places, a))
    return jnp.moveaxis(jnp.sum(shifted, axis=-1, dtype="uint8"), -1, axis)


def _beside(places: Any, a: ArrayLike) -> Any:
    """The places along the last axis of an array."""
    return jnp.expand_dims(places, tuple(range(arguments.rank_of(a) - 1)))


def _weights(order: str) -> Any:
    if order not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")
    places = jnp.arange(8, dtype="uint8")
    return places if order == "little" else jnp.flip(places)


@public("numpy.unpackbits", results.array, static=("axis", "count", "bitorder"))
def unpackbits(
    a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Array:
    """Unpacks the bits of bytes."""
    (a,) = arguments.arrays("unpackbits", a)
    if arguments.dtype_of(a).name != "uint8":
        raise errors.DTypeError("Expected an input array of unsigned byte data type")
    places = _weights(bitorder)
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, -1)
    spread = jnp.expand_dims(a, -1)
    taken = bitwise_and(right_shift(spread, _beside(places, spread)), 1)
    shape = arguments.shape_of(a)
    flat = jnp.reshape(lax.convert_element_type(taken, "uint8"), (*shape[:-1], 8 * shape[-1]))
    if count is not None:
        total = 8 * shape[-1]
        flat = flat[..., :count]
        if count > total:
            flat = jnp.pad(flat, [(0, 0)] * (len(shape) - 1) + [(0, count - total)])
    return jnp.moveaxis(flat, -1, axis)
