"""Devices, processes, and values on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import Axis, DTypeLike, Placement, Shape


@public("devices", static_result=True)
def devices(backend: Any = None) -> Any:
    """Lists the devices of a backend."""
    ...


@public("local_devices", static_result=True)
def local_devices(
    process_index: int | None = None, backend: Any = None, host_id: int | None = None
) -> list[Any]:
    """Lists the devices of a backend that belong to this process."""
    ...


@public("device_count", static_result=True)
def device_count(backend: Any = None) -> int:
    """Counts the devices of a backend."""
    ...


@public("local_device_count", static_result=True)
def local_device_count(backend: Any = None) -> int:
    """Counts the devices of a backend that belong to this process."""
    ...


@public("default_backend", static_result=True)
def default_backend() -> str:
    """Names the platform that computations run on: "cpu", "gpu"."""
    ...


@public("process_index", static_result=True)
def process_index(backend: Any = None) -> int:
    """Gives the number of this process."""
    ...


@public("process_count", static_result=True)
def process_count(backend: Any = None) -> int:
    """Counts the processes of a backend."""
    ...


@public("process_indices", static_result=True)
def process_indices(backend: Any = None) -> list[int]:
    """Lists the numbers of the processes of a backend."""
    ...


@public("host_id", static_result=True)
def host_id(backend: Any = None) -> int:
    """Gives the number of this process; the former name of `process_index`."""
    ...


@public("host_ids", static_result=True)
def host_ids(backend: Any = None) -> list[int]:
    """Lists the numbers of the processes; the former name of `process_indices`."""
    ...


@public("host_count", static_result=True)
def host_count(backend: Any = None) -> int:
    """Counts the processes; the former name of `process_count`."""
    ...


@public("device_put", results.first)
def device_put(
    x: Any,
    device: Placement | None = None,
    *,
    src: Any = None,
    donate: bool | Any = False,
    may_alias: bool | Any | None = None,
) -> Any:
    """Moves the arrays of a tree to a device or sharding."""
    ...


@public("device_get", results.first)
def device_get(x: Any) -> Any:
    """Fetches the arrays of a tree to the host as NumPy arrays."""
    ...


@public("block_until_ready", results.first)
def block_until_ready(x: Any) -> Any:
    """Waits until the arrays of a tree are computed, and gives the tree back."""
    ...


@public("copy_to_host_async", results.first)
def copy_to_host_async(x: Any) -> Any:
    """Begins the copy of the arrays of a tree to the host, and gives the tree back."""
    ...


@public("reshard", results.first)
def reshard(xs: Any, out_shardings: Any) -> Any:
    """Gives the arrays of a tree another sharding."""
    ...


@public("live_arrays")
def live_arrays(platform: Any = None) -> Any:
    """Lists the arrays that are alive on the devices."""
    ...


@public("clear_caches", results.nothing)
def clear_caches() -> Any:
    """Forgets all compiled programs."""
    ...


@public("effects_barrier", results.nothing)
def effects_barrier() -> Any:
    """Waits until all side effects of computations so far have happened."""
    ...


@public("make_mesh", static_result=True)
def make_mesh(
    axis_shapes: Sequence[int],
    axis_names: Sequence[str],
    axis_types: Axis = None,
    *,
    devices: Any = None,
) -> Any:
    """Makes a mesh of devices with named axes."""
    ...


@public("make_array_from_callback", results.array, shapes=("shape",))
def make_array_from_callback(
    shape: Shape,
    sharding: Placement | None,
    data_callback: Callable[..., Any],
    dtype: DTypeLike | None = None,
) -> Any:
    """Makes an array from the shards that a function computes on the host."""
    ...


@public("make_array_from_process_local_data", results.array)
def make_array_from_process_local_data(
    sharding: Placement | None, local_data: Any, global_shape: Any = None
) -> Any:
    """Makes an array from the shards that each process holds."""
    ...


@public("make_array_from_single_device_arrays", results.array, shapes=("shape",))
def make_array_from_single_device_arrays(
    shape: Shape,
    sharding: Placement | None,
    arrays: Sequence[Array],
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """Makes an array from arrays on single devices."""
    ...


@public("typeof", static_result=True)
def typeof(x: Any) -> Any:
    """Gives the abstract value of an array: its shape, dtype and weak type."""
    ...


@public("ds")
def ds(
    start: int | Array | None, size: int | Array | None = None, stride: int | None = None
) -> Any:
    """Makes a slice from a start and a static size, for references."""
    ...


@public("print_environment_info", static_result=True)
def print_environment_info(return_string: bool = False) -> str | None:
    """Prints the versions and devices that a report of an error needs."""
    ...
