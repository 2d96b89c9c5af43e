"""Shardings: the layout of an array on one device, or in pieces and copies on several.

The devices of one process share memory, so an array keeps its data in one piece, and a sharding
says which part belongs to which device.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from oakum.runtime.topology.devices import Device, device_of, first_device
from oakum.tracing.parameter_forms import register_form

Index = tuple[slice, ...]
"""The part of an array that lies on a device."""


class Sharding:
    """The layout of an array on devices."""

    __slots__ = ()

    @property
    def device_list(self) -> tuple[Device, ...]:
        """The devices, in the order of their parts."""
        raise NotImplementedError

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each device has the whole array."""
        raise NotImplementedError

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Device, Index]:
        """Returns for each device the part of an array of this shape that lies there."""
        raise NotImplementedError

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the shape of the part on each device."""
        raise NotImplementedError

    @property
    def device_set(self) -> set[Device]:
        """The devices."""
        return set(self.device_list)

    @property
    def num_devices(self) -> int:
        """The number of devices."""
        return len(self.device_list)

    @property
    def is_fully_addressable(self) -> bool:
        """Whether all the devices belong to this process."""
        return True

    @property
    def addressable_devices(self) -> set[Device]:
        """The devices of this process."""
        return self.device_set

    @property
    def has_addressable_devices(self) -> bool:
        """Whether a device belongs to this process."""
        return True

    @property
    def memory_kind(self) -> str | None:
        """The memory that the array lies in: that of the device."""
        return "device"

    def with_memory_kind(self, kind: str) -> Sharding:
        """Returns the same layout in another memory; the host has one."""
        if kind not in ("device", "unpinned_host", "pinned_host"):
            raise ValueError(
                "Could not find memory addressable by device cpu. Device cpu can address the "
                "following memory kinds: device, unpinned_host, pinned_host. "
                f"Got memory kind: {kind}"
            )
        return self

    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Device, Index]:
        """Returns for each device of this process the part that lies there."""
        return self.devices_indices_map(global_shape)

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Returns whether arrays of so many dimensions lie alike under the two."""
        shape = (self.num_devices * 2,) * ndim
        return self.device_list == other.device_list and self.devices_indices_map(
            shape
        ) == other.devices_indices_map(shape)


class SingleDeviceSharding(Sharding):
    """The whole array on one device.

    >>> from oakum.runtime.topology.devices import devices
    >>> SingleDeviceSharding(devices()[0])
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """

    __slots__ = ("_device",)

    def __init__(self, device: Device, *, memory_kind: str | None = None) -> None:
        if not isinstance(device, Device):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"SingleDeviceSharding takes a Device, not {device!r}")
        self._device = device

    @property
    def device_list(self) -> tuple[Device, ...]:
        """The device."""
        return (self._device,)

    @property
    def is_fully_replicated(self) -> bool:
        """Always: the device has the whole array."""
        return True

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Device, Index]:
        """Returns the device with the whole of the array."""
        return {self._device: (slice(None),) * len(global_shape)}

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the shape itself."""
        return tuple(global_shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding) and other._device is self._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (SingleDeviceSharding, (self._device,))


@functools.cache
def on(device: Device) -> SingleDeviceSharding:
    """Returns the sharding of one device, the same object each time."""
    return SingleDeviceSharding(device)


def on_first_device() -> SingleDeviceSharding:
    """Returns the sharding of arrays for which nothing says another."""
    return on(first_device())


NOT_A_PLACEMENT: Final = (
    "only accepts `None`, `jax.sharding.Sharding`, `jax.Device`, or a pytree of these values"
)


def placement(value: object, function: str) -> Sharding | None:
    """Returns the sharding that a `device` argument means."""
    match value:
        case None | Sharding():
            return value
        case Device():
            return on(value)
        case _:
            inner = getattr(value, "sharding", None)
            if isinstance(inner, Sharding):  # JAX's Format
                return inner
            raise ValueError(f"`{function}` {NOT_A_PLACEMENT}. Received invalid value: {value}")


def _of_fields(device: int) -> SingleDeviceSharding:
    return SingleDeviceSharding(device_of(device))


register_form(
    SingleDeviceSharding,
    lambda sharding: {"device": sharding.device_list[0].id},
    _of_fields,
)
