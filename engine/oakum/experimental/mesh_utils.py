"""Arrangements of devices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum.errors import DeviceCountError
from oakum.runtime.topology import devices as machine
from oakum.values import host
from oakum.values.declarations import public


@public("experimental.mesh_utils.create_device_mesh", static_result=True)
def create_device_mesh(
    mesh_shape: Sequence[int],
    devices: Sequence[Any] | None = None,
    *,
    contiguous_submeshes: bool = False,
    allow_split_physical_axes: bool = False,
) -> Any:
    """Arranges devices to a mesh that suits their network.

    The devices of one process are arranged in order. Raises ValueError where the mesh has another
    number of them.
    """
    found = list(machine.devices() if devices is None else devices)
    if len(found) != math.prod(mesh_shape):
        raise DeviceCountError(
            f"Number of devices {len(found)} must equal the product of mesh_shape "
            f"{tuple(mesh_shape)}",
            hint="Pass as many devices, or set OAKUM_NUM_CPU_DEVICES.",
        )
    return host.np.array(found, object).reshape(tuple(mesh_shape))


@public("experimental.mesh_utils.create_hybrid_device_mesh", static_result=True)
def create_hybrid_device_mesh(
    mesh_shape: Sequence[int],
    dcn_mesh_shape: Sequence[int],
    devices: Sequence[Any] | None = None,
    *,
    process_is_granule: bool = False,
    should_sort_granules_by_key: bool = True,
    allow_split_physical_axes: bool = False,
) -> Any:
    """Arranges devices of several networks to a mesh.

    The devices here are of one network: `dcn_mesh_shape` has to be ones. Raises ValueError
    otherwise, and where the mesh has another number of devices.
    """
    if math.prod(dcn_mesh_shape) != 1 or len(dcn_mesh_shape) != len(mesh_shape):
        raise DeviceCountError(
            "Number of slices 1 must equal the product of dcn_mesh_shape, with a size for each "
            f"axis of mesh_shape {tuple(mesh_shape)}, got {tuple(dcn_mesh_shape)}",
            hint="Give a one for each axis.",
        )
    return create_device_mesh(mesh_shape, devices)
