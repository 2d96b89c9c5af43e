"""Agreement among processes: a program has one, which agrees with itself."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.api import device_functions
from oakum.pytrees import pytree
from oakum.runtime.topology import named_shardings
from oakum.runtime.topology.meshes import Mesh
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.values import host
from oakum.values.declarations import public


@public("experimental.multihost_utils.assert_equal", results.nothing)
def assert_equal(in_tree: object, fail_message: str = "") -> None:
    """Raises unless the values are the same on all processes."""
    del in_tree, fail_message


@public("experimental.multihost_utils.broadcast_one_to_all", results.first)
def broadcast_one_to_all(in_tree: object, is_source: bool | None = None) -> Any:
    """Sends a tree of values from one process to all."""
    return pytree.map(_on_host, in_tree)


@public("experimental.multihost_utils.global_array_to_host_local_array")
def global_array_to_host_local_array(
    global_inputs: object, global_mesh: object, pspecs: object
) -> Any:
    """Takes the parts of global arrays that this process holds."""
    return global_inputs


@public("experimental.multihost_utils.host_local_array_to_global_array")
def host_local_array_to_global_array(
    local_inputs: object, global_mesh: Mesh, pspecs: object
) -> Any:
    """Makes global arrays of the parts of all processes."""

    def sharding(spec: PartitionSpec) -> Any:
        return named_shardings.NamedSharding(global_mesh, spec)

    return device_functions.device_put(local_inputs, pytree.map(sharding, pspecs))


@public("experimental.multihost_utils.process_allgather")
def process_allgather(in_tree: object, tiled: bool = False) -> Any:
    """Collects the values of all processes."""
    return pytree.map(_on_host if tiled else _stack, in_tree)


@public("experimental.multihost_utils.reached_preemption_sync_point", static_result=True)
def reached_preemption_sync_point(step_id: int) -> bool:
    """Returns whether all processes stopped for preemption."""
    return False


@public("experimental.multihost_utils.sync_global_devices", results.nothing)
def sync_global_devices(name: str) -> None:
    """Waits until all processes arrive here."""
    del name


def _on_host(value: object) -> Any:
    return host.np.asarray(value)


def _stack(value: object) -> Any:
    return host.np.asarray(value)[None]
