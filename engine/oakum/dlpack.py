"""Arrays of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oakum import host, shardings
from oakum.abstract import results
from oakum.array import Array
from oakum.deferred import Namespace
from oakum.facts import public
from oakum.typing import DTypeLike, Placement

if TYPE_CHECKING:
    from oakum.runtime import exchange
else:
    exchange = Namespace("oakum.runtime.exchange")


@public("dlpack.from_dlpack", results.array)
def from_dlpack(
    external_array: Any, device: Placement | None = None, copy: bool | None = None
) -> Array:
    """Makes an array of one of another library, without a copy."""
    sharding = shardings.placement(device, "jax.dlpack.from_dlpack")
    return exchange.from_dlpack(external_array, sharding, copy)


@public("dlpack.is_supported_dtype", static_result=True)
def is_supported_dtype(dtype: DTypeLike) -> bool:
    """Tells whether arrays of a dtype can be exchanged."""
    return exchange.is_exchanged(host.read_dtype(dtype))
