"""A GPU of this machine: memory, modules of PTX, launches, copies, all in the order of one stream.

What is queued on the stream goes on while the host does; reading memory waits for it. A kernel that
fails is reported by what is asked next, with the programs that were queued since the device was
last waited for. Kernels are compiled from PTX by the driver, which keeps them for the next process.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from ctypes import byref, c_float, c_int, c_uint64, c_void_p
from typing import Any, Final

from oakum.errors import JaxRuntimeError
from oakum.runtime.cuda import cublas_lt
from oakum.runtime.cuda.cublas_lt import CublasLt, LibraryProduct
from oakum.runtime.cuda.matrix_product import MatrixProduct
from oakum.runtime.cuda.memory_pool import MemoryPool
from oakum.runtime.cuda.pinned_memory import PinnedMemory
from oakum.runtime.prepared_launch import DEVICE_WORDS, Addresses, QueuedPrograms
from oakum.runtime.topology.cuda_driver import NOT_READY, Driver, DriverError, driver
from oakum.values import host
from oakum.values.records import dataclass

_NON_BLOCKING: Final = 1
"""The stream does not wait for the default one, which other libraries use."""

_RELAXED: Final = 2
"""While launches are recorded, other calls may still be made: memory is allocated."""

_LOG_BYTES: Final = 8192
_ERROR_LOG, _ERROR_LOG_SIZE = 5, 6

_REGISTERS, _LOCAL_BYTES, _SHARED_BYTES = 4, 3, 1


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """What a kernel takes of a multiprocessor."""

    registers: int
    local_bytes: int
    """Memory of a thread: what did not fit in registers."""
    shared_bytes: int


class CudaDevice:
    """A device of the driver."""

    keeps_buffers_apart = False

    def __init__(self, number: int = 0, found: Driver | None = None) -> None:
        self.driver = found or driver()
        self._process = os.getpid()
        self.facts = self.driver.facts(number)
        self._context, self._stream = c_void_p(), c_void_p()
        handle = self.driver.handle(number)
        self.driver.call("cuDevicePrimaryCtxRetain", byref(self._context), handle)
        self._threads = threading.local()
        self.enter()
        self._recorder = c_void_p()
        for stream in (self._stream, self._recorder):
            self.driver.call("cuStreamCreate", byref(stream), _NON_BLOCKING)
        self._queue = self._stream
        """Where launches and copies on the device go: while they are recorded, not where other
        threads read memory.
        """
        self.memory = MemoryPool(self.driver)
        self._pinned = PinnedMemory(self.driver)
        self.queued = QueuedPrograms()
        """Those that were queued since the device was last waited for."""
        self._launch = self.driver.function("cuLaunchKernel")
        self._launch_graph = self.driver.function("cuGraphLaunch")
        self._words = self._native_words()

    def _native_words(self) -> ctypes.Array[c_uint64]:
        values = {
            "object": id(self),
            "enter": self.driver.address("cuCtxSetCurrent"),
            "context": self._context.value or 0,
            "launch": self.driver.address("cuLaunchKernel"),
            "graph": self.driver.address("cuGraphLaunch"),
            "stream": self._stream.value or 0,
            "queued": self.queued.address,
        }
        names = DEVICE_WORDS.split()
        return (c_uint64 * len(names))(*[values[name] for name in names])

    @property
    def words(self) -> int:
        """Where native code finds what it reads of the device."""
        return ctypes.addressof(self._words)

    def fail_launch(self, status: int) -> None:
        """Raises what the status means that native code had when it queued a program."""
        self._require_process()
        self._fail("cuLaunchKernel", status)

    def enter(self) -> None:
        """Has the device be the one of this thread."""
        if getattr(self._threads, "is_entered", False):
            return
        self._require_process()
        self.driver.call("cuCtxSetCurrent", self._context)
        self._threads.is_entered = True

    def _require_process(self) -> None:
        """Raises in the child of a fork."""
        if os.getpid() != self._process:
            raise RuntimeError(
                "the GPU was used before this process was forked, and CUDA does not work in the "
                "child of a fork: start it by multiprocessing.get_context('spawn')"
            )

    def allocate(self, nbytes: int) -> int:
        """Returns the address of new memory."""
        self.enter()
        return self.memory.allocate(nbytes)

    def release(self, address: int) -> None:
        """Gives memory back."""
        self.memory.release(address)

    def bucket(self, nbytes: int) -> int:
        """Where native code keeps memory of so many bytes with the arrays that had it."""
        return self.memory.bucket(nbytes)

    def memory_stats(self) -> dict[str, int]:
        """Returns the bytes in use and the most that were, those taken from the driver, and all, by
        JAX's names.
        """
        self.enter()
        return self.memory.stats()

    def put(self, address: int, array: host.Array) -> None:
        """Copies an array of the host to an address."""
        flat = host.np.ascontiguousarray(array)
        if flat.nbytes:
            self.enter()
            place = flat.ctypes.data
            self._call("cuMemcpyHtoDAsync_v2", address, place, flat.nbytes, self._stream)

    def get(self, address: int, nbytes: int) -> Any:
        """Returns the bytes at an address, when all that was queued is done."""
        self.enter()
        found = host.np.empty(nbytes, host.np.uint8)
        if nbytes:
            place = found.ctypes.data
            self._call("cuMemcpyDtoHAsync_v2", place, address, nbytes, self._stream)
        self.wait()
        return found

    def begin_get(self, address: int, nbytes: int) -> Callable[[], Any]:
        """Queues that the bytes at an address come to the host; what is returned waits for them."""
        self.enter()
        place = self._pinned.allocate(nbytes)
        self._call("cuMemcpyDtoHAsync_v2", place, address, nbytes, self._stream)
        return _Coming(self, self._pinned, (place, nbytes))

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copies bytes on the device."""
        self._call("cuMemcpyDtoDAsync_v2", to, source, nbytes, self._queue)

    def wait(self) -> None:
        """Waits until all that was queued is done."""
        self.enter()
        self._call("cuStreamSynchronize", self._stream)
        self.queued.clear()

    def is_done(self) -> bool:
        """Whether all that was queued is done."""
        self.enter()
        status = self.driver.function("cuStreamQuery")(self._stream)
        if status not in (0, NOT_READY):
            self._fail("cuStreamQuery", status)
        return not status

    def note(self, program: str) -> None:
        """Says which program is queued next, by this thread."""
        self.enter()
        self.queued.add(program)

    def _call(self, name: str, *arguments: object) -> None:
        status = self.driver.function(name)(*arguments)
        if status:
            self._fail(name, status)

    def _fail(self, name: str, status: int) -> None:
        """Raises what a status means, and which programs may have caused it."""
        try:
            self.driver.fail(name, status)
        except DriverError as error:
            if not error.is_fault:
                raise
            queued = ", ".join(self.queued.names()) or "unknown"
            text = (
                f"INTERNAL: a kernel failed on gpu:0, of one of the programs that were called "
                f"since it was last waited for: {queued}. {error}"
            )
            hint = "The GPU can be used again by another process; this one has to be started again."
            raise JaxRuntimeError(text, hint=hint) from None

    def record(self, run: Callable[[], None]) -> Recording:
        """Returns what queues at once all that a function queues."""
        self.enter()
        graph, executable = c_void_p(), c_void_p()
        self.driver.call("cuStreamBeginCapture_v2", self._recorder, _RELAXED)
        self._queue = self._recorder
        try:
            run()
        finally:
            self._queue = self._stream
            self.driver.call("cuStreamEndCapture", self._recorder, byref(graph))
        try:
            self.driver.call("cuGraphInstantiateWithFlags", byref(executable), graph, 0)
        finally:
            self.driver.call("cuGraphDestroy", graph)
        return Recording(self, executable)

    def queue_graph(self, executable: c_void_p) -> None:
        """Queues what was recorded."""
        self.enter()
        status = self._launch_graph(executable, self._stream)
        if status:
            self._fail("cuGraphLaunch", status)

    def load(self, ptx: str) -> Mapping[str, CudaKernel]:
        """Returns the kernels of a module by name: those that its text declares as entries."""
        self.enter()
        module = c_void_p()
        log = ctypes.create_string_buffer(_LOG_BYTES)
        options = (c_int * 2)(_ERROR_LOG, _ERROR_LOG_SIZE)
        values = (c_void_p * 2)(ctypes.addressof(log), _LOG_BYTES)
        try:
            text = ptx.encode()
            self.driver.call("cuModuleLoadDataEx", byref(module), text, 2, options, values)
        except DriverError as error:
            if log.value:
                error.add_note(log.value.decode(errors="replace"))
            raise
        loaded = _Module(self.driver, module)
        return {name: CudaKernel(self, loaded, name) for name in _entries(ptx)}

    def queue(
        self, function: c_void_p, shape: tuple[int, int], parameters: ctypes.Array[c_void_p]
    ) -> None:
        """Queues a kernel: `shape` has the number of blocks and that of their threads."""
        grid, threads = shape
        status = self._launch(function, grid, 1, 1, threads, 1, 1, 0, self._queue, parameters, 0)
        if status:
            self._fail("cuLaunchKernel", status)

    @property
    def stream(self) -> c_void_p:
        """The stream that launches are queued on, or recorded."""
        return self._queue

    @property
    def has_library_products(self) -> bool:
        """Whether cuBLASLt is there."""
        return self._library is not None

    def library_product(self, product: MatrixProduct) -> LibraryProduct | None:
        """Returns what multiplies matrices by cuBLASLt; None where it cannot."""
        return None if self._library is None else self._library.product(product)

    @functools.cached_property
    def _library(self) -> CublasLt | None:
        return cublas_lt.load(self)

    def timer(self) -> Timer:
        """Returns what measures times of the device."""
        return Timer(self.driver, self._stream)


class _Coming:
    """Bytes on their way to pinned memory."""

    def __init__(self, device: CudaDevice, pinned: PinnedMemory, block: tuple[int, int]) -> None:
        self._device, self._block = device, block
        self._found: Any = None
        self._lock = threading.Lock()
        self._end = weakref.finalize(self, pinned.release, block[0])
        self._end.atexit = False  # The driver ends with the process.

    def __call__(self) -> Any:
        with self._lock:
            if self._found is None:
                self._device.wait()
                place, nbytes = self._block
                self._found = host.np.empty(nbytes, host.np.uint8)
                ctypes.memmove(self._found.ctypes.data, place, nbytes)
                self._end()
            return self._found


class Recording:
    """Recorded launches and copies."""

    def __init__(self, device: CudaDevice, executable: c_void_p) -> None:
        self._device, self._executable = device, executable
        end = weakref.finalize(self, device.driver.function("cuGraphExecDestroy"), executable)
        end.atexit = False  # The driver ends with the process.

    @property
    def handle(self) -> int:
        """What the driver calls the recording."""
        return self._executable.value or 0

    def replay(self) -> None:
        """Queues them."""
        self._device.queue_graph(self._executable)


class _Module:
    """A module that is unloaded when the last of its kernels is gone."""

    def __init__(self, found: Driver, handle: c_void_p) -> None:
        self.handle = handle
        self._end = weakref.finalize(self, found.function("cuModuleUnload"), handle)
        self._end.atexit = False  # The driver ends with the process.


class CudaKernel:
    """A kernel that is loaded."""

    def __init__(self, device: CudaDevice, module: _Module, name: str) -> None:
        self._device, self._module = device, module
        self._function = c_void_p()
        found = byref(self._function)
        device.driver.call("cuModuleGetFunction", found, module.handle, name.encode())
        self.handle = self._function.value or 0
        """What the driver calls the kernel."""
        self._values = (c_uint64 * 0)()
        self._parameters = (c_void_p * 0)()

    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Queues `grid` blocks of so many threads on these addresses."""
        if not grid:
            return
        if len(self._values) != len(arguments):
            count = len(arguments)
            self._values = (c_uint64 * count)()
            first, size = ctypes.addressof(self._values), ctypes.sizeof(c_uint64)
            self._parameters = (c_void_p * count)(*[first + size * n for n in range(count)])
        # The driver has copied the values when the call returns.
        self._values[:] = arguments
        self._device.queue(self._function, (grid, threads), self._parameters)

    def prepare(
        self, grid: int, threads: int, table: Addresses, places: Sequence[int]
    ) -> Callable[[], None]:
        """Returns what queues it on the addresses that are at these places of a table then."""
        first, size = ctypes.addressof(table), ctypes.sizeof(c_uint64)
        pointers = [first + size * place for place in places]
        parameters = (c_void_p * len(pointers))(*pointers)

        def queue() -> None:
            if grid:  # The driver has copied the addresses when it returns.
                self._device.queue(self._function, (grid, threads), parameters)

        return queue

    def facts(self) -> KernelFacts:
        """Returns what the kernel takes, as the driver compiled it."""
        values: list[int] = []
        for attribute in (_REGISTERS, _LOCAL_BYTES, _SHARED_BYTES):
            found = c_int()
            self._device.driver.call("cuFuncGetAttribute", byref(found), attribute, self._function)
            values.append(found.value)
        return KernelFacts(*values)


class Timer:
    """Two events on a stream."""

    def __init__(self, found: Driver, stream: c_void_p) -> None:
        self._driver, self._stream = found, stream
        self._events = (c_void_p(), c_void_p())
        for event in self._events:
            found.call("cuEventCreate", byref(event), 0)
            weakref.finalize(self, found.function("cuEventDestroy_v2"), event).atexit = False

    def start(self) -> None:
        """Marks the begin."""
        self._driver.call("cuEventRecord", self._events[0], self._stream)

    def stop(self) -> float:
        """Marks the end, waits for it, and returns the seconds between."""
        begin, end = self._events
        self._driver.call("cuEventRecord", end, self._stream)
        self._driver.call("cuEventSynchronize", end)
        found = c_float()
        self._driver.call("cuEventElapsedTime_v2", byref(found), begin, end)
        return found.value / 1000


def _entries(ptx: str) -> list[str]:
    """Returns the names of kernels in a text.

    >>> _entries(".visible .entry kernel(")
    ['kernel']
    """
    found: list[str] = []
    for line in ptx.splitlines():
        _, is_there, rest = line.partition(".entry ")
        if is_there:
            found.append(rest.partition("(")[0].strip())
    return found
