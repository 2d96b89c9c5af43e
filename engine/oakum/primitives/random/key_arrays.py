"""What arrays of random keys have beside what all arrays have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oakum import dtypes
from oakum.primitives.random import registry
from oakum.tracing import key_reuse
from oakum.values import host
from oakum.values.avals import ShapedArray

if TYPE_CHECKING:
    from oakum.primitives.random.prng_impls import Generator
    from oakum.runtime.arrays import ArrayImpl


def _checked(keys: ArrayImpl, attribute: str) -> ShapedArray:
    if not keys.is_key:
        raise AttributeError(f"arrays of {keys.aval.dtype} have no attribute {attribute!r}")
    return keys.aval


def generator(keys: ArrayImpl) -> Generator:
    """The generator of keys."""
    dtype = _checked(keys, "_impl").dtype
    assert dtype is not None
    return registry.of_dtype(dtype)


def words(keys: ArrayImpl) -> ArrayImpl:
    """The words of keys, as an array where they are; a deleted one of deleted keys."""
    from oakum.runtime import shards
    from oakum.runtime.arrays import ArrayImpl

    shape = (*(_checked(keys, "_base_array").shape or ()), generator(keys).words)
    aval = ShapedArray(shape, dtypes.uint32)
    if shards.is_deleted(keys):
        return ArrayImpl(None, aval, keys.own_sharding, keys.committed)
    raw = host.np.ascontiguousarray(keys.raw).reshape((*keys.shape, 1)).view("uint32")
    return ArrayImpl(raw.reshape(shape), aval, keys.own_sharding, keys.committed)


def consumed(keys: ArrayImpl) -> Any:
    """Which keys were used up."""
    _checked(keys, "_consumed")
    return key_reuse.consumed(keys)
