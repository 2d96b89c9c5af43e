"""Samples of bits and of integers from an interval."""

from __future__ import annotations

from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.primitives.random import checks, random_keys
from oakum.primitives.rules.arguments import Sizes, constant
from oakum.random import draws
from oakum.tracing import dtype_requests
from oakum.typing import DTypeLike


def bits(key: Array, sizes: Sizes, dtype: DTypeLike | None) -> Any:
    """Returns random bits of an unsigned dtype."""
    found = dtype_requests.canonical(dtypes.uint64) if dtype is None else checks.requested(dtype)
    if found.kind is not Kind.UINT:
        raise errors.DTypeError(
            f"dtype argument to `bits` must be an unsigned int dtype, got {found}",
            hint="Give an unsigned dtype, such as jnp.uint32.",
        )
    return random_keys.bits(key, found.bits, sizes)


def _limits(dtype: DType) -> tuple[int, int]:
    """Returns the least and the greatest integer of a dtype."""
    if dtype.kind is Kind.UINT:
        return 0, (1 << dtype.bits) - 1
    return -(1 << dtype.bits - 1), (1 << dtype.bits - 1) - 1


def _integers(value: object) -> Any:
    given = arguments.array(value)
    if arguments.is_kind(given, Kind.INT, Kind.UINT):
        return given
    return arguments.convert(given, arguments.default_int())


def _clip(value: Any, dtype: DType) -> Any:
    """Returns integers in another dtype, those that it does not hold replaced by its nearest."""
    given = arguments.dtype_of(value)
    (low, high), (least, greatest) = _limits(dtype), _limits(given)
    bounds = (constant(max(low, least), given), constant(min(high, greatest), given))
    return arguments.convert(jnp.clip(value, *bounds), dtype)


def randint(key: Array, sizes: Sizes, minval: object, maxval: object, dtype: DType) -> Any:
    """Returns integers from an interval that excludes its end."""
    arguments.check_arrays("randint", minval, maxval)
    if dtype.bits >= 32:
        return _randint(key, sizes, minval, maxval, dtype)
    # Few bits would favour some integers; so more are drawn.
    low, high = _limits(dtype)
    wide = dtypes.int32
    minval = jnp.clip(arguments.convert(minval, wide), low, high)
    maxval = jnp.clip(arguments.convert(maxval, wide), low, high + 1)
    return arguments.convert(_randint(key, sizes, minval, maxval, wide), dtype)


def _randint(key: Array, sizes: Sizes, minval: Any, maxval: Any, dtype: DType) -> Any:
    checks.sample_shape("randint", sizes, *map(arguments.shape_of, (minval, maxval)))
    minval, maxval = _integers(minval), _integers(maxval)
    greatest = _clip(constant(_limits(dtype)[1], dtype), arguments.dtype_of(maxval))
    beyond = lax.gt(maxval, greatest)
    minval, maxval, beyond = (
        draws.to_rank(each, len(sizes))
        for each in (_clip(minval, dtype), _clip(maxval, dtype), beyond)
    )
    higher, lower = (random_keys.bits(each, dtype.bits, sizes) for each in draws.split(key))
    span = _span(minval, maxval, beyond, dtypes.DTYPES[f"uint{dtype.bits}"])
    # With h and l the two words, this is (h * 2 ** bits + l) % span, without overflow.
    half = lax.rem(jnp.full_like(span, 1 << dtype.bits // 2), span)
    factor = lax.rem(lax.mul(half, half), span)
    higher, lower = (lax.rem(each, span) for each in (higher, lower))
    offset = lax.rem(lax.add(lax.mul(higher, factor), lower), span)
    return lax.add(minval, arguments.convert(offset, dtype))


def _span(minval: Any, maxval: Any, beyond: Any, words: DType) -> Any:
    """Returns the number of integers in the range; 1 for an empty range, 0 for all words."""
    span = arguments.convert(jnp.subtract(maxval, minval), words)
    span = jnp.where(maxval <= minval, constant(1, words), span)
    return jnp.where(beyond & (maxval > minval), span + constant(1, words), span)
