"""Plans with loaded kernels, and what is asked of the device that they are loaded on."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol
from weakref import WeakValueDictionary

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.native.target import Target
from oakum.compile.nvptx import (
    contraction_nests,
    library_products,
    nvptx_target,
    side_by_side,
)
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.step_kernels import (
    Computed,
    KernelCode,
    following_code,
    joined_code,
    kernels_of,
    library_code,
)
from oakum.compile.plan.steps import (
    ContractionStep,
    ControlStep,
    HostStep,
    NestStep,
    Plan,
    PlanStep,
)
from oakum.primitives.rules.lowering import Scanned
from oakum.runtime.cuda.matrix_product import MatrixProduct
from oakum.runtime.device_storage import DeviceStorage
from oakum.runtime.prepared_launch import Addresses, QueuedPrograms
from oakum.values import host
from oakum.values.records import dataclass


class LoadedKernel(Protocol):
    """A kernel on a device."""

    @property
    def handle(self) -> int:
        """What the driver calls it; zero where native code cannot launch it."""
        ...

    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Runs `grid` blocks of so many threads on these addresses."""
        ...

    def prepare(
        self, grid: int, threads: int, table: Addresses, places: Sequence[int]
    ) -> Callable[[], None]:
        """Returns what launches it on the addresses that are at these places of a table then."""
        ...


class Recording(Protocol):
    """What a program asks for, recorded."""

    @property
    def handle(self) -> int:
        """What the driver calls it."""
        ...

    def replay(self) -> None:
        """Asks for all of it."""
        ...


class GpuDevice(Protocol):
    """What programs ask of a device; all is done in the order in which it is asked for, and the
    host waits only where it reads.
    """

    keeps_buffers_apart: bool
    """Whether each temporary buffer is to be an allocation: the device watches their bounds."""

    queued: QueuedPrograms
    """The programs whose errors may be found later."""

    @property
    def words(self) -> int:
        """Where native code finds what it reads of the device."""
        ...

    def fail_launch(self, status: int) -> None:
        """Raises what the status means that native code had when it queued a program."""
        ...

    def allocate(self, nbytes: int) -> int:
        """Returns the address of new memory, at a multiple of 256."""
        ...

    def release(self, address: int) -> None:
        """Gives memory back."""
        ...

    def bucket(self, nbytes: int) -> int:
        """Where native code keeps memory of so many bytes; zero where it keeps none."""
        ...

    def put(self, address: int, array: host.Array) -> None:
        """Copies an array of the host to an address."""
        ...

    def get(self, address: int, nbytes: int) -> Any:
        """Returns the bytes at an address."""
        ...

    def begin_get(self, address: int, nbytes: int) -> Callable[[], Any]:
        """Asks for the bytes at an address, which what is returned waits for."""
        ...

    def wait(self) -> None:
        """Waits until all that was asked for is done."""
        ...

    def is_done(self) -> bool:
        """Whether all that was asked for is done."""
        ...

    def note(self, program: str) -> None:
        """Says which program asks for what follows: errors that are found later name it."""
        ...

    def record(self, run: Callable[[], None]) -> Recording | None:
        """Returns what asks at once for all that a function asks for, which reads nothing; None
        where the device cannot.
        """
        ...

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copies bytes on the device."""
        ...

    def load(self, ptx: str) -> Mapping[str, LoadedKernel]:
        """Returns the kernels of a module by name."""
        ...

    @property
    def has_library_products(self) -> bool:
        """Whether there is a library that multiplies matrices."""
        ...

    def library_product(self, product: MatrixProduct) -> LoadedKernel | None:
        """Returns what multiplies matrices by a library, on the addresses of both operands and the
        result; None where it cannot.
        """
        ...


@dataclass(frozen=True, slots=True)
class Launched:
    """A kernel that is launched."""

    code: KernelCode
    kernel: LoadedKernel


@dataclass(frozen=True, slots=True)
class Controlled:
    """A loop or a branch, with the code of its programs."""

    step: ControlStep
    programs: tuple[PlanCode, ...]


_MOST_SLOTS: Final = 8192
"""Native code has the addresses of a program on its stack, and no more of them."""


class LaunchList:
    """The launches of a plan in order, prepared: a run does nothing else. Temporary buffers lie in
    one arena.
    """

    def __init__(self, plan: Plan, steps: Sequence[Launched], constants: int) -> None:
        first = {"in": 0, "out": len(plan.inputs)}
        first["constant"] = first["out"] + len(plan.outputs)
        temporaries = first["constant"] + constants
        numbers = {buffer: temporaries + n for n, buffer in enumerate(plan.offsets)}
        self.offsets = tuple(plan.offsets.values())
        self._table: Addresses = (ctypes.c_uint64 * (temporaries + len(numbers)))()
        self.words: list[int] = []
        """The launches as native code reads them; none where it cannot make them."""
        self.most = 0
        """The most addresses that one takes."""
        self._launches: list[Callable[[], None]] = []
        for step in steps:
            code = step.code
            places = [
                numbers[each] if each.role == "temporary" else first[each.role] + each.number
                for each in code.buffers
            ]
            launch = step.kernel.prepare(code.grid, code.threads, self._table, places)
            self._launches.append(launch)
            self.words += [step.kernel.handle, code.grid, code.threads, len(places), *places]
            self.most = max(self.most, len(places))
        if len(self._table) > _MOST_SLOTS or not all(step.kernel.handle for step in steps):
            self.words.clear()

    def run(self, arguments: Sequence[int], constants: Sequence[int], arena: int) -> None:
        """Launches all; `arguments` are the addresses of inputs, then of results."""
        self._table[:] = [*arguments, *constants, *[arena + at for at in self.offsets]]
        for launch in self._launches:
            launch()


@dataclass(frozen=True, slots=True)
class PlanCode:
    """A plan whose kernels are loaded."""

    plan: Plan
    steps: tuple[Launched | Controlled | HostStep, ...]
    flat: LaunchList | None
    """All that a run does, where it launches only and temporary buffers lie in an arena."""

    @property
    def kernels(self) -> list[KernelCode]:
        """The kernels of the plan and of those within it."""
        found: list[KernelCode] = []
        waiting: list[PlanCode] = [self]
        while waiting:
            for each in waiting.pop().steps:
                if isinstance(each, Launched):
                    found.append(each.code)
                elif isinstance(each, Controlled):
                    waiting += each.programs
        return found

    @property
    def launches(self) -> int | None:
        """The kernels that a run launches, copies of loops counted in; None where that depends on
        values, or where the host takes part.
        """
        count = 0
        for step in self.steps:
            match step:
                case Launched():
                    count += 1
                case Controlled(ControlStep(eqn), programs) if isinstance(
                    eqn.primitive.lower, Scanned
                ):
                    inner = programs[0].launches
                    if inner is None:
                        return None
                    count += eqn.params["length"] * (inner or 1)
                case _:
                    return None
        return count


_MOST_NUMBERS: Final = 4096
"""With more, all are copied again: counters of loops are other numbers each time."""


class Loader:
    """Compiles plans, and loads their kernels; kernels of the same text are loaded once."""

    def __init__(self, device: GpuDevice, target: Target) -> None:
        self._device, self._target = device, target
        # Kernels are kept by the programs that launch them.
        self._loaded = WeakValueDictionary[str, LoadedKernel]()
        self.numbers: dict[bytes, DeviceStorage] = {}
        """Copies of numbers on the device, by what they hold."""
        self.lock = threading.RLock()
        """Held by who uses the device: a callback of a program may run another one."""

    def load(self, plan: Plan, alignments: Mapping[Buffer, int], constants: int) -> PlanCode:
        """Returns the code of a plan with so many constants; `alignments` are those of inputs and
        results that lie at smaller multiples than an access of 16 bytes.
        """
        return self._load(plan, side_by_side.joined(plan, alignments), alignments, constants)

    def _load(
        self,
        plan: Plan,
        planned: Iterable[PlanStep | tuple[NestStep, ...]],
        alignments: Mapping[Buffer, int],
        constants: int,
    ) -> PlanCode:
        steps: list[Launched | Controlled | HostStep] = []
        for step in planned:
            match step:
                case tuple():
                    code = joined_code(step, self._target, alignments)
                    steps.append(Launched(code, self._kernel(code)))
                case HostStep():
                    steps.append(step)
                case ControlStep():
                    given = _alignments_within(step, alignments)
                    pairs = zip(step.programs, given, strict=True)
                    # What is carried may lie where it is read from, so nests stay in order.
                    programs = tuple(
                        self._load(inner, inner.steps, at, constants) for inner, at in pairs
                    )
                    steps.append(Controlled(step, programs))
                case ContractionStep():
                    steps += self._by_library(step, alignments) or self._own(step, alignments)
                case _:
                    steps += self._own(step, alignments)
        launched = [step for step in steps if isinstance(step, Launched)]
        flat = None
        if len(launched) == len(steps) and not self._device.keeps_buffers_apart:
            flat = LaunchList(plan, launched, constants)
        return PlanCode(plan, tuple(steps), flat)

    def keep_number(self, key: bytes, storage: DeviceStorage) -> None:
        """Keeps the copy of a number."""
        if len(self.numbers) >= _MOST_NUMBERS:
            self.numbers.clear()
        self.numbers[key] = storage

    def _own(self, step: Computed, alignments: Mapping[Buffer, int]) -> list[Launched]:
        codes = kernels_of(step, self._target, alignments)
        return [Launched(code, self._kernel(code)) for code in codes]

    def _by_library(
        self, step: ContractionStep, alignments: Mapping[Buffer, int]
    ) -> list[Launched]:
        """Returns a product by a library, and what follows it; nothing where there is none."""
        used = (step.lhs, step.rhs, step.result)
        if any(buffer in alignments for buffer in used):
            return []
        planned = contraction_nests.plan(step.problem, step.offsets)
        call = library_products.call_of(planned, is_followed=step.epilogue is not None)
        if call is None or not self._device.has_library_products:
            return []
        kernel = self._device.library_product(call.product)
        if kernel is None:
            return []
        following = following_code(step, self._target, alignments)
        return [
            Launched(library_code(step, call), kernel),
            *[Launched(code, self._kernel(code)) for code in following],
        ]

    def _kernel(self, code: KernelCode) -> LoadedKernel:
        found = self._loaded.get(code.text)
        if found is None:
            (found,) = self._device.load(nvptx_target.emit_ptx(code.text)).values()
            self._loaded[code.text] = found
        return found


def _alignments_within(
    step: ControlStep, alignments: Mapping[Buffer, int]
) -> list[dict[Buffer, int]]:
    """Returns for each program of a step the alignments of its inputs and results: rows of arrays
    lie wherever rows before them end.
    """
    found: list[dict[Buffer, int]] = []
    for program in step.programs:
        least = min((alignments.get(b, ACCESS) for b in step.inputs), default=ACCESS)
        least = min([least, *[alignments.get(b, ACCESS) for b in step.outputs]])
        own = dict.fromkeys([*program.inputs, *program.outputs], least)
        if isinstance(step.eqn.primitive.lower, Scanned):
            rows = [*program.inputs[step.first + step.carried :], *program.outputs[step.carried :]]
            own.update((row, min(least, _power_of_two(row.nbytes))) for row in rows)
        found.append({buffer: at for buffer, at in own.items() if at < ACCESS})
    return found


def _power_of_two(nbytes: int) -> int:
    """Returns the greatest power of two that a number is a multiple of.

    >>> _power_of_two(12), _power_of_two(5), _power_of_two(64)
    (4, 1, 64)
    """
    return nbytes & -nbytes if nbytes else ACCESS
