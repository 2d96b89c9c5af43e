"""A driver of GPUs that does nothing: it hands out addresses, and counts what it is asked for."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any

from oakum.compile.native import jit_link, target
from oakum.runtime.cuda.cuda_device import CudaDevice
from oakum.runtime.topology.cuda_driver import Driver

OUT_OF_MEMORY = 2
CAPTURE_UNSUPPORTED = 900


class EmptyLibrary:
    """The functions of the driver's library. `most_bytes` is the memory that can be had."""

    def __init__(self, most_bytes: int = 1 << 40, version: int = 13000, major: int = 9) -> None:
        self.version, self.major = version, major
        self.calls = Counter[str]()
        self.statuses: dict[str, int] = {}
        """What functions return, by their names; success where nothing is said."""
        self.pinned: dict[int, Any] = {}
        self.recorded: Any = None
        """The stream on which launches are recorded."""
        self.on_launch: Callable[[], object] | None = None
        """What another thread does at the next launch."""
        self.launched: list[tuple[Any, ...]] = []
        """What kernels were launched with, the last ones."""
        self.free_bytes = self.most_bytes = most_bytes
        self.sizes: dict[int, int] = {}
        self.next_address = 256

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)
        function = _Function(self, name)
        setattr(self, name, function)
        return function


class _Function:
    """One function; as those of ctypes it can be told its signature."""

    argtypes: Any = None
    restype: Any = None

    def __init__(self, library: EmptyLibrary, name: str) -> None:
        self._library, self._name = library, name
        self._native: Any = None

    @property
    def _as_parameter_(self) -> Any:
        """The function as native code calls it."""
        if self._native is None:
            self._native = ctypes.CFUNCTYPE(self.restype, *self.argtypes)(self)
        return ctypes.cast(self._native, ctypes.c_void_p)

    def __call__(self, *arguments: Any) -> int:
        library, name = self._library, self._name
        library.calls[name] += 1
        if name == "cuLaunchKernel":
            library.launched = [*library.launched[-9:], arguments]
        match name:
            case "cuMemAlloc_v2":
                place, nbytes = arguments
                if nbytes > library.free_bytes:
                    return OUT_OF_MEMORY
                library.free_bytes -= nbytes
                place._obj.value = library.next_address
                library.sizes[library.next_address] = nbytes
                library.next_address += -(-nbytes // 256) * 256
            case "cuMemAllocHost_v2":
                made = ctypes.create_string_buffer(arguments[1])
                place = arguments[0]._obj.value = ctypes.addressof(made)
                library.pinned[place] = made
            case "cuStreamBeginCapture_v2":
                library.recorded = arguments[0]
            case "cuStreamEndCapture":
                library.recorded = None
            case "cuLaunchKernel" if library.on_launch is not None:
                action, library.on_launch = library.on_launch, None
                action()
            case "cuStreamSynchronize" if arguments[0] is library.recorded:
                return CAPTURE_UNSUPPORTED
            case "cuMemFreeHost":
                del library.pinned[arguments[0]]
            case "cuMemFree_v2":
                library.free_bytes += library.sizes.pop(arguments[0])
            case "cuMemGetInfo_v2":
                arguments[0]._obj.value = library.free_bytes
                arguments[1]._obj.value = library.most_bytes
            case "cuModuleGetFunction" | "cuGraphInstantiateWithFlags":
                arguments[0]._obj.value = 1
            case "cuDeviceGetName":
                arguments[0].value = b"empty"
            case "cuGetErrorName" | "cuGetErrorString":
                arguments[1]._obj.value = f"CUDA_ERROR_{arguments[0]}".encode()
            case "cuDriverGetVersion":
                arguments[0]._obj.value = library.version
            case "cuDeviceGetCount":
                arguments[0]._obj.value = 1
            case "cuDeviceGetAttribute":
                arguments[0]._obj.value = library.major
            case _:
                pass
        return library.statuses.get(name, 0)


def empty_device(most_bytes: int = 1 << 40) -> tuple[CudaDevice, EmptyLibrary]:
    """A device of an empty driver, and the library that counts."""
    library: Any = EmptyLibrary(most_bytes)
    return CudaDevice(found=Driver(library)), library


_NATIVE = """
@counts = global [2 x i64] zeroinitializer

define void @count(i64 %which) {
  %place = getelementptr i64, ptr @counts, i64 %which
  %before = load i64, ptr %place
  %after = add i64 %before, 1
  store i64 %after, ptr %place
  ret void
}

define i32 @cuCtxSetCurrent(ptr %context) {
  ret i32 0
}

define i32 @cuLaunchKernel(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7, ptr %8,
    ptr %9, ptr %10) {
  call void @count(i64 0)
  ret i32 0
}

define i32 @cuGraphLaunch(ptr %graph, ptr %stream) {
  call void @count(i64 1)
  ret i32 0
}
"""


class NativeLibrary(EmptyLibrary):
    """An empty driver whose functions that native code calls are native, as those of a driver."""

    def __init__(self) -> None:
        super().__init__()
        names = ["cuCtxSetCurrent", "cuLaunchKernel", "cuGraphLaunch"]
        self._linked = jit_link.link(target.header() + _NATIVE, [*names, "counts"])
        self._counts = (ctypes.c_int64 * 2).from_address(self._linked["counts"])
        for name in names:
            pointer = ctypes.c_void_p(self._linked[name])
            setattr(self, name, ctypes.cast(pointer, ctypes.CFUNCTYPE(ctypes.c_int)))

    @property
    def launches(self) -> int:
        """The kernels that were launched one by one."""
        return self._counts[0]

    @property
    def replays(self) -> int:
        """The recordings that were launched."""
        return self._counts[1]
