"""Arrays of other libraries."""

from __future__ import annotations

from oakum.abstract import results
from oakum.array import Array
from oakum.runtime import dlpack_exchange
from oakum.runtime.topology import shardings
from oakum.typing import DTypeLike, Placement
from oakum.values import host
from oakum.values.declarations import public


@public("dlpack.from_dlpack", results.array)
def from_dlpack(
    external_array: object, device: Placement | None = None, copy: bool | None = None
) -> Array:
    """Makes an array of one of another library, without a copy."""
    sharding = shardings.placement(device, "jax.dlpack.from_dlpack")
    return dlpack_exchange.from_dlpack(external_array, sharding, copy)


@public("dlpack.is_supported_dtype", static_result=True)
def is_supported_dtype(dtype: DTypeLike) -> bool:
    """Returns whether arrays of a dtype can be exchanged."""
    return dlpack_exchange.is_exchanged(host.read_dtype(dtype))
