"""Devices, processes, and values on them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import results
from oakum.api import array_assembly, array_transfers, environment
from oakum.array import Array
from oakum.runtime.topology import devices as machine
from oakum.runtime.topology.devices import Backend, Device
from oakum.runtime.topology.meshes import AxisType
from oakum.typing import DTypeLike, Placement, Shape
from oakum.values.declarations import public


@public("devices", static_result=True, lists_devices=True)
def devices(backend: str | Backend | None = None) -> Any:
    """Lists the devices of a backend."""
    return machine.devices(backend)


@public("local_devices", static_result=True, lists_devices=True)
def local_devices(
    process_index: int | None = None,
    backend: str | Backend | None = None,
    host_id: int | None = None,
) -> list[Any]:
    """Lists the devices of a backend that belong to this process."""
    if host_id is not None:
        _warn_renamed("argument host_id of jax.local_devices", "process_index")
        process_index = host_id
    if process_index not in (None, *process_indices(backend)):
        raise ValueError(f"Unknown process_index {process_index}")
    return machine.get_backend(backend).local_devices()


@public("device_count", static_result=True)
def device_count(backend: str | Backend | None = None) -> int:
    """Counts the devices of a backend."""
    return machine.get_backend(backend).device_count()


@public("local_device_count", static_result=True)
def local_device_count(backend: str | Backend | None = None) -> int:
    """Counts the devices of a backend that belong to this process."""
    return machine.get_backend(backend).local_device_count()


@public("default_backend", static_result=True)
def default_backend() -> str:
    """Names the platform that computations run on: "cpu", "gpu"."""
    return machine.get_backend().platform


@public("process_index", static_result=True)
def process_index(backend: str | Backend | None = None) -> int:
    """Returns the number of this process."""
    return machine.get_backend(backend).process_index()


@public("process_count", static_result=True)
def process_count(backend: str | Backend | None = None) -> int:
    """Counts the processes of a backend."""
    return 1 + max(device.process_index for device in machine.devices(backend))


@public("process_indices", static_result=True)
def process_indices(backend: str | Backend | None = None) -> list[int]:
    """Lists the numbers of the processes of a backend."""
    return list(range(process_count(backend)))


@public("host_id", static_result=True)
def host_id(backend: str | Backend | None = None) -> int:
    """Returns the number of this process; the former name of `process_index`."""
    _warn_renamed("jax.host_id", "jax.process_index")
    return process_index(backend)


@public("host_ids", static_result=True)
def host_ids(backend: str | Backend | None = None) -> list[int]:
    """Lists the numbers of the processes; the former name of `process_indices`."""
    _warn_renamed("jax.host_ids", "jax.process_indices")
    return process_indices(backend)


@public("host_count", static_result=True)
def host_count(backend: str | Backend | None = None) -> int:
    """Counts the processes; the former name of `process_count`."""
    _warn_renamed("jax.host_count", "jax.process_count")
    return process_count(backend)


def _warn_renamed(old: str, new: str) -> None:
    warnings.warn(f"{old} has been renamed to {new}; please use that", stacklevel=4)


@public("device_put", results.first, leafwise=True)
def device_put(
    x: object,
    device: object = None,
    *,
    src: object = None,
    donate: bool | Any = False,
    may_alias: bool | Any | None = None,
) -> Any:
    """Moves the arrays of a tree to a device or sharding, or to those of a tree of them."""
    return array_transfers.put_tree(x, device, src, donate, may_alias)


@public("device_get", results.first, waits=True, leafwise=True, hands_through="fetched")
def device_get(x: object) -> Any:
    """Fetches the arrays of a tree to the host as NumPy arrays."""
    return array_transfers.get_tree(x)


@public("block_until_ready", results.first, waits=True, leafwise=True, hands_through="all")
def block_until_ready(x: object) -> Any:
    """Waits until the arrays of a tree are computed, and returns the tree."""
    return array_transfers.wait_for(x)


@public("copy_to_host_async", results.first, leafwise=True, hands_through="all")
def copy_to_host_async(x: object) -> Any:
    """Begins the copy of the arrays of a tree to the host, and returns the tree."""
    return array_transfers.call_on_leaves(x, "copy_to_host_async")


@public("reshard", results.first)
def reshard(xs: object, out_shardings: object) -> Any:
    """Returns the arrays of a tree another sharding."""
    return array_transfers.put_tree(xs, out_shardings, function="reshard")


@public("live_arrays")
def live_arrays(platform: str | Backend | None = None) -> Any:
    """Lists the arrays that are alive on the devices."""
    return machine.get_backend(platform).live_arrays()


@public("clear_caches", results.nothing)
def clear_caches() -> Any:
    """Forgets all compiled programs."""
    environment.clear_caches()


@public("effects_barrier", results.nothing, waits=True)
def effects_barrier() -> Any:
    """Waits until all side effects of computations so far have happened."""
    environment.wait_for_effects()


@public("make_mesh", static_result=True)
def make_mesh(
    axis_shapes: Sequence[int],
    axis_names: Sequence[str],
    axis_types: AxisType | tuple[AxisType, ...] | None = None,
    *,
    devices: Sequence[Device] | None = None,
) -> Any:
    """Makes a mesh of devices with named axes."""
    return array_assembly.make_mesh(axis_shapes, axis_names, axis_types, devices)


@public("make_array_from_callback", results.array, shapes=("shape",))
def make_array_from_callback(
    shape: Shape,
    sharding: Placement | None,
    data_callback: Callable[..., Any],
    dtype: DTypeLike | None = None,
) -> Any:
    """Makes an array from the shards that a function computes on the host."""
    return array_assembly.from_callback(tuple(shape), sharding, data_callback, dtype)


@public("make_array_from_process_local_data", results.array)
def make_array_from_process_local_data(
    sharding: Placement | None, local_data: object, global_shape: object = None
) -> Any:
    """Makes an array from the shards that each process holds."""
    return array_assembly.from_local_data(sharding, local_data, global_shape)


@public("make_array_from_single_device_arrays", results.array, shapes=("shape",))
def make_array_from_single_device_arrays(
    shape: Shape,
    sharding: Placement | None,
    arrays: Sequence[Array],
    *,
    dtype: DTypeLike | None = None,
) -> Any:
    """Makes an array from arrays on single devices."""
    return array_assembly.from_parts(tuple(shape), sharding, arrays, dtype)


@public("typeof", static_result=True)
def typeof(x: object) -> Any:
    """Returns the abstract value of an array: its shape, dtype and weak type."""
    return environment.type_of(x)


@public("ds")
def ds(
    start: int | Array | None, size: int | Array | None = None, stride: int | None = None
) -> Any:
    """Makes a slice from a start and a static size, for references."""
    return environment.slice_of(start, size, stride)


@public("print_environment_info", static_result=True)
def print_environment_info(return_string: bool = False) -> str | None:
    """Prints the versions and devices that a report of an error needs."""
    text = environment.describe()
    if return_string:
        return text
    print(text)
    return None
