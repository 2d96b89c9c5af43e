"""Arrays of one repeated value."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

from oakum import lax
from oakum.dtypes import Kind
from oakum.numpy import arguments, data, promoting, statics
from oakum.tracing.dtype_requests import requested


def filled(function: str, shape: Any, value: int, dtype: Any) -> Any:
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
    sizes = statics.sizes(shape, f"the shape of jnp.{function}()")
    return lax.full(sizes, value, element)


def full(shape: Any, value: Any, dtype: Any) -> Any:
    """An array of a value, which is broadcast to the shape where it is no scalar."""
    element = None if dtype is None else requested(dtype, "full")
    arguments.check_arrays("full", value)
    sizes = statics.sizes(shape, "the shape of jnp.full()")
    if arguments.rank_of(value) == 0:
        return lax.full(sizes, value, element)
    return arguments.broadcast_to(data.make(value, element, copy=False), sizes)


def like(function: str, model: Any, value: Any, dtype: Any, shape: Any) -> Any:
    """An array of a value with the shape and dtype of another, but for those that are given."""
    arguments.check_arrays(function, value)
    own_shape, described = statics.described(function, model)
    element = None if dtype is None else requested(dtype, function)
    sizes = own_shape if shape is None else statics.sizes(shape, f"the shape of jnp.{function}()")
    weak = element is None and bool(getattr(described, "weak_type", False))
    if element is None:
        element = arguments.canonical_dtype(described.dtype)
    if element.kind is Kind.KEY and not arguments.is_kind(value, Kind.KEY):
        return lax.full(sizes, value, element)
    if arguments.rank_of(value) == 0:
        scalar = promoting.convert(value, element, weak)
        filled = arguments.convert(lax.broadcast(scalar, sizes), element, weak)
        return filled if sizes else promoting.staged(filled)
    return arguments.broadcast_to(data.make(value, element, copy=False), sizes)
