"""Devices and the backends that own them.

There is one backend, the CPU of the host. It has as many devices as the option
`jax_num_cpu_devices` says; they compute alike and share memory, so that programs for several
devices can be tried on one machine.

Invariants:
- Devices are made when one is first asked for; from then on their number is fixed.
- A device is one object for its life: devices are compared by identity.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import config
from oakum.values import trace_context


class Device:
    """A device that holds arrays and computes on them.

    >>> devices()[0]
    CpuDevice(id=0)
    """

    __slots__ = ("__weakref__", "client", "id")

    device_kind: Final = "cpu"
    host_id: Final = 0
    task_id: Final = 0
    process_index: Final = 0

    def __init__(self, client: Backend, id: int) -> None:
        self.client = client
        self.id = id

    @property
    def platform(self) -> str:
        """The kind of its backend."""
        return self.client.platform

    @property
    def local_hardware_id(self) -> int:
        """Its number in this process."""
        return self.id

    def memory_stats(self) -> None:
        """Tells nothing: the memory is that of the host."""
        return

    def live_buffers(self) -> list[Any]:
        """Lists the arrays that are alive on the device."""
        return [array for array in _alive("arrays") if self in array.devices()]

    def __repr__(self) -> str:
        return f"{self.platform.capitalize()}Device(id={self.id})"

    def __str__(self) -> str:
        return f"{self.platform}:{self.id}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_device, (self.platform, self.id))


class Backend:
    """The devices of one platform, and the process that owns them."""

    __slots__ = ("__weakref__", "_devices", "platform")

    platform_version: Final = "oakum"
    runtime_type: Final = "oakum"

    def __init__(self, platform: str, count: int) -> None:
        self.platform = platform
        self._devices = [Device(self, i) for i in range(count)]

    def devices(self) -> list[Device]:
        """Lists the devices of all processes."""
        return list(self._devices)

    def local_devices(self) -> list[Device]:
        """Lists the devices of this process."""
        return list(self._devices)

    def device_count(self) -> int:
        """Counts the devices of all processes."""
        return len(self._devices)

    def local_device_count(self) -> int:
        """Counts the devices of this process."""
        return len(self._devices)

    def process_index(self) -> int:
        """Returns the number of this process."""
        return 0

    def live_arrays(self) -> list[Any]:
        """Lists the arrays that are alive on its devices."""
        return _alive("arrays")

    def live_executables(self) -> list[Any]:
        """Lists the programs that are kept for it."""
        return _alive("executables")

    def __repr__(self) -> str:
        return f"<{self.platform} backend, {len(self._devices)} devices>"


_listers: Final[dict[str, Callable[[], list[Any]]]] = {}


def list_alive(kind: str, lister: Callable[[], list[Any]]) -> None:
    """Says how arrays, or executables, that are alive are found: where they are made is above."""
    _listers[kind] = lister


def _alive(kind: str) -> list[Any]:
    return _listers[kind]() if kind in _listers else []


_KNOWN: Final = {"cpu": "cpu", "gpu": "gpu", "cuda": "gpu", "rocm": "gpu", "tpu": "tpu"}
"""The platforms that a program may name, and the kind of each."""

_backends: dict[str, Backend] = {}
_lock: Final = threading.Lock()


def are_initialized() -> bool:
    """Whether the devices have been made."""
    return bool(_backends)


def backends() -> dict[str, Backend]:
    """Returns the backends by platform, the default one first."""
    if not _backends:
        with _lock:
            if not _backends:
                _check_platforms(config.platforms.value)
                _backends["cpu"] = Backend("cpu", _cpu_count())
                config.num_cpu_devices.locked = (
                    "jax_num_cpu_devices config should be updated before backends are initialized, "
                    f"and there are {_backends['cpu'].device_count()} devices already: set it "
                    "right after the import, or OAKUM_NUM_CPU_DEVICES in the environment"
                )
    return _backends


def clear_backends() -> None:
    """Forgets the devices, so that their number can be set again; arrays keep their own."""
    with _lock:
        _backends.clear()
        config.num_cpu_devices.locked = None
    trace_context.renew()  # Native code knows the first device.


def _check_platforms(platforms: str | None) -> None:
    """Raises for a platform that the options ask for and that is not there."""
    for name in (platforms or "cpu").split(","):
        if name.strip() not in ("cpu", ""):
            raise RuntimeError(
                f"Unable to initialize backend {name!r}: Backend {name!r} is not in the list of "
                f"known backends: ['cpu']. (You may need to set OAKUM_PLATFORMS=cpu; the option "
                f"jax_platforms is {platforms!r}.)"
            )


def _cpu_count() -> int:
    """Returns the number of devices: that of the option, else of XLA's flag, which JAX
    takes too.
    """
    count = config.num_cpu_devices.value
    if count >= 0:
        return max(count, 1)
    flags = os.environ.get("XLA_FLAGS", "")
    found = re.search(r"--xla_force_host_platform_device_count=(\d+)", flags)
    return max(int(found.group(1)), 1) if found else 1


def get_backend(platform: str | Backend | None = None) -> Backend:
    """Finds a backend by its platform; the default one without."""
    if isinstance(platform, Backend):
        return platform
    known = backends()
    name = platform or config.platform_name.value or next(iter(known))
    if name in known:
        return known[name]
    if name in _KNOWN:
        raise RuntimeError(
            f"Unknown backend: {name!r} requested, but no platforms that are instances of {name} "
            f"are present. Platforms present are: {','.join(known)}"
        )
    raise RuntimeError(f"Unknown backend {name}. Available backends are {list(known)}")


def devices(backend: str | Backend | None = None) -> list[Device]:
    """Lists the devices of a backend."""
    return get_backend(backend).devices()


def device_of(number: int) -> Device:
    """Returns the device of this number."""
    return next(each for each in devices() if each.id == number)


def _device(platform: str, id: int) -> Device:
    """Returns the device of this number, for what was stored by another process."""
    found = devices(platform)
    if id >= len(found):
        raise ValueError(f"there is no device {platform}:{id}; there are {len(found)} devices")
    return found[id]


def first_device() -> Device:
    """Returns the device that holds arrays where nothing says another."""
    return get_backend()._devices[0]  # pyright: ignore[reportPrivateUsage]


def default_device() -> Device:
    """Returns the device for new arrays here: that of the option `jax_default_device`, else the
    first.
    """
    chosen = config.default_device.value
    if chosen is None:
        return first_device()
    return devices(chosen)[0] if isinstance(chosen, str) else chosen


def describe(members: Sequence[Device]) -> str:
    """Returns the devices of an array as messages name them."""
    platform = members[0].platform.upper()
    return f"device ids {[device.id for device in members]} on platform {platform}"
