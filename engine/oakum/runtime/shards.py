"""The parts of an array on its devices, and whether its data are still there."""

from __future__ import annotations

from typing import Any

from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.topology.devices import Device
from oakum.runtime.topology.shardings import Index, on
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Shard:
    """The part of an array on one device.

    `index` says which part, `replica_id` counts the devices before that hold the same, `data` is
    the part as an array.
    """

    device: Device
    index: Index
    replica_id: int
    data: ArrayImpl

    def __repr__(self) -> str:
        return (
            f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, "
            f"data={self.data})"
        )


def of(array: ArrayImpl) -> list[Shard]:
    """Returns the parts of an array, in the order of the devices."""
    raw, aval = array.raw, array.aval
    found: list[Shard] = []
    copies: dict[Any, int] = {}
    for device, index in array.sharding.devices_indices_map(array.shape).items():
        key = tuple((part.start, part.stop) for part in index)
        replica = copies[key] = copies.get(key, -1) + 1
        part = raw[index] if index else raw
        data = ArrayImpl(
            part, ShapedArray(part.shape, aval.dtype, aval.weak_type), on(device), True
        )
        found.append(Shard(device, index, replica, data))
    return found


def is_deleted(array: ArrayImpl) -> bool:
    """Returns whether the data of an array are gone."""
    return array.is_cleared
