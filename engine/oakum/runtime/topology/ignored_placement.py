"""Placements that are asked for where results lie whole on one device.

A placement that asks for no more is honoured by doing nothing: one device that is the first, or a
copy on each device. Any other one is refused, since ignoring it would say that an array lies where
it does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from oakum.errors import NotEvaluatedError
from oakum.pytrees import pytree
from oakum.runtime.topology import devices, meshes, partition_spec, shardings


def require(call: str, placements: object) -> None:
    """Raises `NotEvaluatedError` (OAK007) for a placement, or a tree of them, that is not honoured;
    `call` names the function and the option: `jit(out_shardings=...)`.
    """
    if placements is None:
        return
    for placement in pytree.flatten(placements)[0]:
        if not _is_whole(placement):
            raise NotEvaluatedError(
                f"{call} with {placement} is not honoured by this version of oakum",
                hint="Leave it out, or ask for the first device or a replicated sharding.",
            )


def require_platform(call: str, platform: str | None) -> None:
    """Raises `NotEvaluatedError` (OAK007) for a platform other than that of the first device; for
    one that is not there, what looking for it raises.
    """
    if platform is not None and devices.devices(platform)[0] is not devices.first_device():
        raise NotEvaluatedError(
            f"{call} with {platform!r} is not honoured by this version of oakum",
            hint="Leave it out: a function runs where jax.device_put has its arguments lie.",
        )


def _is_whole(placement: object) -> bool:
    match placement:
        case devices.Device():
            return placement is devices.first_device()
        case shardings.Sharding():
            if placement.num_devices == 1 or placement.is_fully_replicated:
                return placement.num_devices > 1 or _is_first(placement)
            return False
        case partition_spec.PartitionSpec():
            mesh = meshes.in_force.value
            sizes: Mapping[Any, int] = {} if mesh is None else mesh.shape
            return math.prod(sizes.get(axis, 2) for axis in placement.axes()) == 1
        case _:
            return False


def _is_first(placement: shardings.Sharding) -> bool:
    try:
        return placement.device_list == (devices.first_device(),)
    except ValueError:  # An abstract mesh has no devices: any will do.
        return True
