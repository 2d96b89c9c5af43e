"""Devices and the backends that own them.

The CPU of the host has as many devices as the option `jax_num_cpu_devices` says; they compute
alike and share memory, so that programs for several devices can be tried on one machine. Where
`jax_platforms` names it (`cuda`, `gpu`), or a program asks for it, the first GPU of the driver is a
device, too; the platform `emulated` names a GPU that is emulated.

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
    def device_kind(self) -> str:
        """What it is, more closely than its platform says."""
        return self.client.device_kind

    @property
    def local_hardware_id(self) -> int:
        """Its number in this process."""
        return self.id

    def memory_stats(self) -> dict[str, int] | None:
        """Returns how much memory arrays and programs have; None where it is that of the host, or
        nothing has been computed on the device yet.
        """
        count = _memory.get(self.platform)
        return None if count is None else count()

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

    __slots__ = ("__weakref__", "_devices", "device_kind", "platform")

    platform_version: Final = "oakum"
    runtime_type: Final = "oakum"

    def __init__(self, platform: str, count: int, device_kind: str) -> None:
        self.platform, self.device_kind = platform, device_kind
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


_memory: Final[dict[str, Callable[[], dict[str, int]]]] = {}


def count_memory(platform: str, count: Callable[[], dict[str, int]]) -> None:
    """Says how the memory of a platform is counted, which is known when it is first used."""
    _memory[platform] = count


def _alive(kind: str) -> list[Any]:
    return _listers[kind]() if kind in _listers else []


_KNOWN: Final = {
    "cpu": "cpu",
    "gpu": "gpu",
    "cuda": "gpu",
    "emulated": "gpu",
    "rocm": "gpu",
    "tpu": "tpu",
}
"""The platforms that a program may name, and the kind of each."""

_CUDA: Final = ("gpu", "cuda")

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
                count = _cpu_count()
                for platform in _platforms(config.platforms.value):
                    match platform:
                        case "cpu":
                            made = Backend("cpu", count, "cpu")
                        case "gpu":
                            made = Backend("gpu", 1, _gpu_kind())
                        case _:
                            made = Backend("gpu", 1, EMULATOR)
                    _backends[made.platform] = made
                config.num_cpu_devices.locked = (
                    "jax_num_cpu_devices config should be updated before backends are initialized, "
                    f"and there are {count} devices already: set it right after the import, or "
                    "OAKUM_NUM_CPU_DEVICES in the environment"
                )
    return _backends


def clear_backends() -> None:
    """Forgets the devices, so that their number can be set again; arrays keep their own."""
    with _lock:
        _backends.clear()
        config.num_cpu_devices.locked = None
    trace_context.renew()  # Native code knows the first device.


EMULATOR: Final = "PTX emulator"
"""The kind of the emulated device."""


def _platforms(option: str | None) -> list[str]:
    """Returns the platforms that the option asks for, the default one first. Raises for one that is
    not there.
    """
    found: list[str] = []
    for name in [each.strip() for each in (option or "cpu").split(",")]:
        if name in _CUDA:
            from oakum.runtime.topology import cuda_driver  # Few programs ask for it.

            absence = cuda_driver.explain_absence()
            if absence is not None:
                raise RuntimeError(
                    f"Unable to initialize backend {name!r}: {absence} (the option jax_platforms "
                    f"is {option!r})"
                )
        elif name not in ("cpu", "emulated", ""):
            raise RuntimeError(
                f"Unable to initialize backend {name!r}: Backend {name!r} is not in the list of "
                f"known backends: ['cpu']. (You may need to set OAKUM_PLATFORMS=cpu; the option "
                f"jax_platforms is {option!r}.)"
            )
        found.append("gpu" if name in _CUDA else name or "cpu")
    return list(dict.fromkeys(found))


def _gpu_kind() -> str:
    from oakum.runtime.topology import cuda_driver

    return cuda_driver.driver().facts(0).name


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
        if _KNOWN[name] in known:
            return known[_KNOWN[name]]
        detail = ""
        if name in _CUDA:
            from oakum.runtime.topology import cuda_driver  # Few programs ask for it.

            absence = cuda_driver.explain_absence()
            if absence is None:
                with _lock:
                    return _backends.setdefault("gpu", Backend("gpu", 1, _gpu_kind()))
            detail = f". No GPU: {absence}"
        raise RuntimeError(
            f"Unknown backend: {name!r} requested, but no platforms that are instances of {name} "
            f"are present. Platforms present are: {','.join(known)}{detail}"
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


def default_platform() -> str:
    """Returns the platform of the first device. No devices are made for that: their number may be
    set yet.
    """
    if config.platform_name.value:
        return get_backend().platform
    if _backends:
        return next(iter(_backends))
    option = config.platforms.value
    if option is None:
        return "cpu"
    found = _first_platforms.get(option)
    if found is None:
        first = _platforms(option)[0]
        found = _first_platforms[option] = "gpu" if first == "emulated" else first
    return found


_first_platforms: Final[dict[str, str]] = {}
"""The default platform by the option: operations ask for it."""


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
