"""The driver of NVIDIA GPUs: its library, the functions that are called of it, and what to do where
it is not there.

The functions are called through ctypes, with the signatures of `cuda.h`.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Callable
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Final, cast

from oakum.values.records import dataclass

_HELP: Final = (
    "OAKUM_PLATFORMS=emulated runs programs on an emulated GPU, OAKUM_PLATFORMS=cpu on the CPU"
)

_ADDRESS: Final = c_uint64
_HANDLE: Final = c_void_p

_SIGNATURES: Final[dict[str, list[Any]]] = {
    "cuInit": [c_uint],
    "cuDriverGetVersion": [POINTER(c_int)],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetName": [c_char_p, c_int, c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(_HANDLE), c_int],
    "cuCtxSetCurrent": [_HANDLE],
    "cuMemGetInfo_v2": [POINTER(c_size_t), POINTER(c_size_t)],
    "cuMemAlloc_v2": [POINTER(_ADDRESS), c_size_t],
    "cuMemFree_v2": [_ADDRESS],
    "cuMemcpyHtoDAsync_v2": [_ADDRESS, c_void_p, c_size_t, _HANDLE],
    "cuMemcpyDtoHAsync_v2": [c_void_p, _ADDRESS, c_size_t, _HANDLE],
    "cuMemcpyDtoDAsync_v2": [_ADDRESS, _ADDRESS, c_size_t, _HANDLE],
    "cuStreamCreate": [POINTER(_HANDLE), c_uint],
    "cuStreamSynchronize": [_HANDLE],
    "cuStreamQuery": [_HANDLE],
    "cuMemAllocHost_v2": [POINTER(c_void_p), c_size_t],
    "cuMemFreeHost": [c_void_p],
    "cuModuleLoadDataEx": [POINTER(_HANDLE), c_char_p, c_uint, POINTER(c_int), POINTER(c_void_p)],
    "cuModuleUnload": [_HANDLE],
    "cuModuleGetFunction": [POINTER(_HANDLE), _HANDLE, c_char_p],
    "cuFuncGetAttribute": [POINTER(c_int), c_int, _HANDLE],
    "cuLaunchKernel": [
        _HANDLE,
        *[c_uint] * 7,
        _HANDLE,
        c_void_p,
        c_void_p,
    ],
    "cuStreamBeginCapture_v2": [_HANDLE, c_int],
    "cuStreamEndCapture": [_HANDLE, POINTER(_HANDLE)],
    "cuGraphInstantiateWithFlags": [POINTER(_HANDLE), _HANDLE, c_uint64],
    "cuGraphLaunch": [_HANDLE, _HANDLE],
    "cuGraphDestroy": [_HANDLE],
    "cuGraphExecDestroy": [_HANDLE],
    "cuEventCreate": [POINTER(_HANDLE), c_uint],
    "cuEventRecord": [_HANDLE, _HANDLE],
    "cuEventSynchronize": [_HANDLE],
    "cuEventElapsedTime_v2": [POINTER(c_float), _HANDLE, _HANDLE],
    "cuEventDestroy_v2": [_HANDLE],
}
"""The functions by name, with what they take; each returns a status, of which 0 is success."""

_OLDER: Final = {"cuEventElapsedTime_v2": "cuEventElapsedTime"}
"""Names that drivers before CUDA 12.8 have for functions of the same signature."""

_OUT_OF_MEMORY: Final = 2

NOT_READY: Final = 600
"""The status of a stream that is at work."""

_FAULTS: Final = frozenset([214, *range(700, 720)])
"""What kernels have done wrong, which the next functions that are called report."""
_MAJOR, _MINOR, _MULTIPROCESSORS = 75, 76, 16


OLDEST_CUDA: Final = (12, 0)
"""The version of CUDA whose drivers know the version of PTX that kernels are written in, 8.0."""

OLDEST_DEVICE: Final = (8, 0)
"""The least compute capability, of which instructions kernels make use: `cp.async`, TF32."""


class DriverError(RuntimeError):
    """A function of the driver failed."""

    def __init__(self, function: str, status: int, name: str, description: str) -> None:
        super().__init__(f"{function} failed: {name} ({status}): {description}")
        self.status = status

    @property
    def is_out_of_memory(self) -> bool:
        """Whether there was not enough memory."""
        return self.status == _OUT_OF_MEMORY

    @property
    def is_fault(self) -> bool:
        """Whether a kernel has failed, which ends all work of the process on the device."""
        return self.status in _FAULTS


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What a device is."""

    name: str
    capability: tuple[int, int]
    """The version of its instructions: (9, 0) is `sm_90`."""
    multiprocessors: int


class Driver:
    """The driver of a process, initialized."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._functions: dict[str, Callable[..., int]] = {}
        for name, signature in _SIGNATURES.items():
            found: Any = getattr(library, name, None) or getattr(
                library, _OLDER.get(name, ""), None
            )
            if found is None:
                raise OSError(f"{library_name()} has no {name}: the driver is older than CUDA 12.0")
            found.argtypes, found.restype = signature, c_int
            self._functions[name] = found
        self.call("cuInit", 0)

    def function(self, name: str) -> Callable[..., int]:
        """Returns a function, which returns a status."""
        return self._functions[name]

    def address(self, name: str) -> int:
        """Returns where a function is, for native code."""
        return ctypes.cast(cast("Any", self._functions[name]), c_void_p).value or 0

    def call(self, name: str, *arguments: object) -> None:
        """Calls a function; raises `DriverError` where it fails."""
        status = self._functions[name](*arguments)
        if status:
            self.fail(name, status)

    def fail(self, name: str, status: int) -> None:
        """Raises what a status means."""
        words = [c_char_p(), c_char_p()]
        for asked, word in zip(("cuGetErrorName", "cuGetErrorString"), words, strict=True):
            getattr(self._library, asked)(status, byref(word))
        first, second = [(word.value or b"unknown").decode() for word in words]
        raise DriverError(name, status, first, second)

    def count(self) -> int:
        """Returns the number of devices."""
        found = c_int()
        self.call("cuDeviceGetCount", byref(found))
        return found.value

    def version(self) -> tuple[int, int]:
        """Returns the version of CUDA that the driver has: major and minor."""
        found = c_int()
        self.call("cuDriverGetVersion", byref(found))
        return found.value // 1000, found.value % 1000 // 10

    def handle(self, number: int) -> int:
        """Returns what the driver calls the device of this number."""
        found = c_int()
        self.call("cuDeviceGet", byref(found), number)
        return found.value

    def facts(self, number: int) -> DeviceFacts:
        """Returns what a device is."""
        device = self.handle(number)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), device)
        values: list[int] = []
        for attribute in (_MAJOR, _MINOR, _MULTIPROCESSORS):
            found = c_int()
            self.call("cuDeviceGetAttribute", byref(found), attribute, device)
            values.append(found.value)
        return DeviceFacts(name.value.decode(), (values[0], values[1]), values[2])


@functools.cache
def driver() -> Driver:
    """Returns the driver of this process. Raises `OSError` where its library is not found, and
    `DriverError` where it finds no device.
    """
    return Driver(ctypes.CDLL(library_name()))


def library_name() -> str:
    """Returns the name of the driver's library."""
    return "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def searched_folders() -> list[str]:
    """Returns the folders where the system looks for the library."""
    given = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    common = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/lib/wsl/lib"]
    listed = [each for each in given if each]
    return [*listed, *[each for each in common if Path(each).is_dir()]]


def explain_absence(load: Callable[[], Driver] = driver) -> str | None:
    """Returns why there is no GPU to run on, and what can be done; None where there is one."""
    name = library_name()
    try:
        found = load()
        if found.count():
            return _explain_age(found)
        reason = f"the driver of NVIDIA GPUs is there ({name}), but it sees no device"
    except DriverError as error:
        reason = f"the driver of NVIDIA GPUs is there ({name}), but {error}"
    except OSError as error:
        folders = ", ".join(searched_folders()) or "the folders of the system"
        return (
            f"{name}, the driver of NVIDIA GPUs, was not found (searched: {folders}, and what the "
            f"loader knows: {error}). Install the driver, or have LD_LIBRARY_PATH name its folder; "
            f"{_HELP}"
        )
    return f"{reason}; see that nvidia-smi lists it and CUDA_VISIBLE_DEVICES names it; {_HELP}"


def _explain_age(found: Driver) -> str | None:
    """Returns why the first GPU cannot run oakum's kernels; None where it can."""
    major, minor = found.version()
    if (major, minor) < OLDEST_CUDA:
        wanted = ".".join(map(str, OLDEST_CUDA))
        return (
            f"the driver of NVIDIA GPUs ({library_name()}) knows CUDA {major}.{minor}, and the "
            f"kernels need {wanted}. Update the driver; {_HELP}"
        )
    facts = found.facts(0)
    if facts.capability < OLDEST_DEVICE:
        has, wanted = (".".join(map(str, each)) for each in (facts.capability, OLDEST_DEVICE))
        return (
            f"{facts.name} has compute capability {has}, and the kernels need {wanted} (Ampere, of "
            f"2020) or later; {_HELP}"
        )
    return None
