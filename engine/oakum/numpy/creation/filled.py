"""Arrays of one value, of a shape or like another array."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

from oakum import lax
from oakum.abstract import creation
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy.creation import conversion
from oakum.numpy.operands import arguments, promoting
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values.declarations import public


@public("numpy.zeros", creation.filled, shapes=("shape",), edge="zeros")
def zeros(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of zeros."""
    return arguments.placed(_filled("zeros", shape, 0, dtype), "zeros", device, out_sharding)


def _filled(function: str, shape: Any, value: int, dtype: object) -> Any:
    """An array of zeros or ones, of floats where no dtype is asked for."""
    if isinstance(shape, GeneratorType):
        raise TypeError("expected sequence object with len >= 0 or a single integer")
    if type(dtype) is int and isinstance(shape, int):
        raise TypeError(
            f"Cannot interpret '{dtype}' as a data type.\n\nDid you accidentally write "
            f"`jax.numpy.{function}({shape}, {dtype})` when you meant "
            f"`jax.numpy.{function}(({shape}, {dtype}))`, i.e. with a single tuple argument for "
            "the shape?"
        )
    element = requested(float if dtype is None else dtype, function)
    sizes = arguments.sizes(shape, f"the shape of jnp.{function}()")
    return lax.full(sizes, value, element)


@public("numpy.ones", creation.filled, shapes=("shape",), edge="ones")
def ones(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of ones."""
    return arguments.placed(_filled("ones", shape, 1, dtype), "ones", device, out_sharding)


@public("numpy.empty", creation.filled, shapes=("shape",))
def empty(
    shape: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array; its elements are zeros."""
    return arguments.placed(_filled("empty", shape, 0, dtype), "empty", device, out_sharding)


@public("numpy.full", creation.full, shapes=("shape",), edge="filled")
def full(
    shape: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value."""
    result = _full(shape, fill_value, dtype)
    return arguments.placed(result, "full", device, out_sharding)


def _full(shape: Any, value: Any, dtype: object) -> Any:
    """An array of a value, which is broadcast to the shape where it is no scalar."""
    element = None if dtype is None else requested(dtype, "full")
    arguments.check_arrays("full", value)
    sizes = arguments.sizes(shape, "the shape of jnp.full()")
    if arguments.rank_of(value) == 0:
        return lax.full(sizes, value, element)
    return arguments.broadcast_to(conversion.make(value, element, copy=False), sizes)


@public("numpy.zeros_like", creation.like, shapes=("shape",), edge="zeros")
def zeros_like(
    a: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    result = _like("zeros_like", a, 0, dtype, shape)
    return arguments.placed(result, "zeros_like", device, out_sharding)


def _like(function: str, model: Any, value: Any, dtype: object, shape: Any) -> Any:
    """An array of a value with the shape and dtype of another, but for those that are given."""
    arguments.check_arrays(function, value)
    own_shape, described = arguments.described(function, model)
    element = None if dtype is None else requested(dtype, function)
    sizes = own_shape if shape is None else arguments.sizes(shape, f"the shape of jnp.{function}()")
    weak = element is None and bool(getattr(described, "weak_type", False))
    if element is None:
        element = arguments.canonical_dtype(described.dtype)
    if element.kind is Kind.KEY and not arguments.is_kind(value, Kind.KEY):
        return lax.full(sizes, value, element)
    if arguments.rank_of(value) == 0:
        scalar = promoting.convert(value, element, weak)
        filled = arguments.convert(lax.broadcast(scalar, sizes), element, weak)
        return filled if sizes else promoting.staged(filled)
    return arguments.broadcast_to(conversion.make(value, element, copy=False), sizes)


@public("numpy.ones_like", creation.like, shapes=("shape",), edge="ones")
def ones_like(
    a: Any,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of ones with the shape and dtype of another."""
    result = _like("ones_like", a, 1, dtype, shape)
    return arguments.placed(result, "ones_like", device, out_sharding)


@public("numpy.empty_like", creation.like, shapes=("shape",))
def empty_like(
    prototype: object,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
) -> Array:
    """Makes an array of zeros with the shape and dtype of another."""
    return arguments.placed(_like("empty_like", prototype, 0, dtype, shape), "empty_like", device)


@public("numpy.full_like", creation.full_like, shapes=("shape",), edge="filled")
def full_like(
    a: Any,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Any = None,
    *,
    device: Placement | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes an array of one repeated value with the shape and dtype of another."""
    result = _like("full_like", a, fill_value, dtype, shape)
    return arguments.placed(result, "full_like", device, out_sharding)
