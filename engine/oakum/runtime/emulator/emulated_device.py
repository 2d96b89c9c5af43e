"""The emulated device: memory, modules of PTX, launches, and what is counted of them.

What a kernel does wrong raises `EmulationError`: accesses out of bounds, misaligned, or of memory
that nobody wrote; races; barriers and shuffles that not all threads reach; too many threads for
what the kernel declares; and instructions that are not emulated.

What it cannot show: the weak order of memory between blocks, the rounding of approximate
instructions, times, occupancy.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from ctypes import addressof, c_uint64
from typing import Any, Final

from oakum.runtime.cuda.matrix_product import MatrixProduct
from oakum.runtime.emulator.decoder import Decoder, Step
from oakum.runtime.emulator.device_memory import DeviceMemory
from oakum.runtime.emulator.memory_access import LOCAL, SHARED
from oakum.runtime.emulator.ptx_parser import KernelText, ModuleText, parse
from oakum.runtime.emulator.ptx_types import EmulationError, dtype_of
from oakum.runtime.emulator.race_detector import next_launch
from oakum.runtime.emulator.thread_batch import Launch, Order, ThreadBatch
from oakum.runtime.prepared_launch import DEVICE_WORDS, Launched, QueuedPrograms
from oakum.values import host
from oakum.values.records import dataclass

MOST_BYTES: Final = 1 << 31
"""The memory of a device."""

SHARED_BYTES: Final = 48 << 10
"""The shared memory that a block may declare."""

_TOGETHER: Final = 1 << 15
"""So many threads are side by side: from ten thousand on, NumPy's time for an instruction is that
of its elements, and more take more memory.
"""


@dataclass(slots=True)
class Counts:
    """What a device has done so far."""

    launches: int = 0
    copies: int = 0
    steps: int = 0
    """Instructions, each of all threads that carried it out together."""
    thread_steps: int = 0
    accessed_bytes: int = 0


class EmulatedDevice:
    """A device. `order` and `seed` say in which order threads and blocks go on."""

    keeps_buffers_apart = True
    has_library_products = False

    def __init__(
        self,
        *,
        order: Order = Order.BEHIND,
        seed: int | None = None,
        watches_races: bool = True,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.memory = DeviceMemory(most_bytes)
        self.counts = Counts()
        self.order, self.watches_races = order, watches_races
        self._seed = seed
        self._launch = 0
        self.queued = QueuedPrograms()
        names = DEVICE_WORDS.split()
        values = {"object": id(self), "queued": self.queued.address}
        self._words = (c_uint64 * len(names))(*[values.get(name, 0) for name in names])

    @property
    def words(self) -> int:
        """Where native code finds what it reads of the device: no functions."""
        return addressof(self._words)

    def fail_launch(self, status: int) -> None:
        """Is not called: native code launches nothing here."""
        raise EmulationError(f"status {status}")

    def allocate(self, nbytes: int) -> int:
        """Returns the address of new memory."""
        return self.memory.allocate(nbytes)

    def release(self, address: int) -> None:
        """Gives memory back."""
        self.memory.release(address)

    def bucket(self, nbytes: int) -> int:
        """Where native code keeps memory: it keeps none, as each allocation is watched."""
        return 0

    def put(self, address: int, array: host.Array) -> None:
        """Copies an array of the host to an address."""
        flat = host.np.ascontiguousarray(array).reshape(-1).view(host.np.uint8)
        self.memory.put(address, flat)

    def get(self, address: int, nbytes: int) -> Any:
        """Returns the bytes at an address."""
        return self.memory.get(address, nbytes)

    def begin_get(self, address: int, nbytes: int) -> Callable[[], Any]:
        """Returns what gives the bytes at an address."""
        found = self.get(address, nbytes)
        return lambda: found

    def wait(self) -> None:
        """Does nothing: what was asked for is done."""

    def is_done(self) -> bool:
        """Whether what was asked for is done: always."""
        return True

    def note(self, program: str) -> None:
        """Does nothing: errors are found where they are made."""

    def record(self, run: Callable[[], None]) -> None:
        """Records nothing: each launch is watched."""

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copies bytes on the device."""
        self.counts.copies += 1
        self.memory.copy(to, source, nbytes)

    def load(self, ptx: str) -> Mapping[str, LoadedKernel]:
        """Returns the kernels of a module by name, ready to be launched."""
        module = parse(ptx)
        if module.shared_bytes > SHARED_BYTES:
            raise EmulationError(f"{module.shared_bytes} bytes of shared memory are too many")
        symbols: dict[str, int] = {name: SHARED + at for name, at in module.shared.items()}
        tables: list[int] = []
        for table in module.tables:
            address = symbols[table.name] = self.allocate(table.nbytes)
            tables.append(address)
            raw = host.np.zeros(table.count, dtype_of(f"b{8 * table.nbytes // table.count}"))
            raw[: len(table.values)] = host.np.array(table.values, "u8").astype(raw.dtype)
            self.put(address, raw)
        found = {
            kernel.name: LoadedKernel(self, module, kernel, symbols) for kernel in module.kernels
        }
        if tables:  # Kernels of one module share them.
            weakref.finalize(next(iter(found.values())), _release, self.memory, tables)
        return found

    def library_product(self, product: MatrixProduct) -> None:
        """Returns nothing: there are no libraries."""
        del product

    def begin(
        self,
        kernel: KernelText,
        steps: Sequence[Step],
        shared_bytes: int,
        shape: tuple[int, int],
        arguments: Sequence[int],
    ) -> None:
        """Runs a kernel to its end."""
        grid, threads = shape
        self._launch = next_launch(self._launch)
        self.counts.launches += 1
        launch = Launch(
            self._launch,
            grid,
            threads,
            arguments,
            steps,
            len(kernel.registers) + 1,  # And the carry.
            shared_bytes,
            kernel.local_bytes,
            self.memory,
            self.order,
            self.watches_races,
            self.counts,
            self._seed or 0,
        )
        blocks = host.np.arange(grid)
        if self._seed is not None:
            blocks = host.np.random.default_rng(self._seed).permutation(grid)
        side_by_side = max(_TOGETHER // threads, 1)
        with host.np.errstate(all="ignore"):
            for first in range(0, grid, side_by_side):
                ThreadBatch(launch, blocks[first : first + side_by_side]).run()


def _release(memory: DeviceMemory, addresses: Sequence[int]) -> None:
    for address in addresses:
        memory.release(address)


class LoadedKernel(Launched):
    """A kernel of a loaded module."""

    def __init__(
        self,
        device: EmulatedDevice,
        module: ModuleText,
        kernel: KernelText,
        symbols: Mapping[str, int],
    ) -> None:
        self._device = device
        self._kernel = kernel
        self._shared_bytes = module.shared_bytes
        local = {name: LOCAL + at for name, at in kernel.local.items()}
        self._steps = Decoder(kernel, {**symbols, **local}).steps()

    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Runs `grid` blocks of so many threads."""
        kernel = self._kernel
        if threads > kernel.most_threads:
            raise EmulationError(
                f"{threads} threads, but {kernel.name} is for {kernel.most_threads}"
            )
        if len(arguments) != len(kernel.parameters):
            raise EmulationError(f"{kernel.name} takes {len(kernel.parameters)} arguments")
        if grid:
            self._device.begin(kernel, self._steps, self._shared_bytes, (grid, threads), arguments)
