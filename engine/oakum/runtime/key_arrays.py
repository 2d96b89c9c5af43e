"""What arrays of random keys have beside what all arrays have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from oakum import dtypes
from oakum.dtypes import DType
from oakum.values import host
from oakum.values.avals import ShapedArray

if TYPE_CHECKING:
    from oakum.runtime.arrays import ArrayImpl


class GeneratorOfDType(Protocol):
    """Finds the generator of keys of a dtype."""

    def __call__(self, dtype: DType, /) -> object: ...


_generator_of: GeneratorOfDType | None = None


def register(generator_of: GeneratorOfDType) -> None:
    """Says how generators are found: `oakum.primitives.random.registry` has them."""
    global _generator_of
    _generator_of = generator_of


def _dtype_of(keys: ArrayImpl, attribute: str) -> DType:
    dtype = keys.aval.dtype
    if dtype is None or not keys.is_key:
        raise AttributeError(f"arrays of {dtype} have no attribute {attribute!r}")
    return dtype


def generator(keys: ArrayImpl) -> object:
    """The generator of keys."""
    dtype = _dtype_of(keys, "_impl")
    assert _generator_of is not None, "what makes keys registers the generators"
    return _generator_of(dtype)


def words(keys: ArrayImpl) -> ArrayImpl:
    """The words of keys, as an array where they are; a deleted one of deleted keys."""
    from oakum.runtime import shards
    from oakum.runtime.arrays import ArrayImpl

    shape = (*keys.shape, _dtype_of(keys, "_base_array").bits // 32)
    aval = ShapedArray(shape, dtypes.uint32)
    if shards.is_deleted(keys):
        return ArrayImpl(None, aval, keys.own_sharding, keys.committed)
    raw = host.np.ascontiguousarray(keys.raw).reshape((*keys.shape, 1)).view("uint32")
    return ArrayImpl(raw.reshape(shape), aval, keys.own_sharding, keys.committed)


def consumed(keys: ArrayImpl) -> Any:
    """Which keys were used up."""
    from oakum.tracing import key_reuse  # which most programs do without

    _dtype_of(keys, "_consumed")
    return key_reuse.consumed(keys)
