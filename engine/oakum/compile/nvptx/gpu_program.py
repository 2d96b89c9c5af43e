"""Programs of a GPU: the kernels of a plan, loaded on a device, and what the host does in between.

Arguments are copied to the device, and results from it. An equation without a kernel is evaluated
by the host, with copies both ways; a device counts how often that happens.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.native.target import Target
from oakum.compile.nvptx import nvptx_target
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.step_kernels import KernelCode, kernels_of
from oakum.compile.plan.steps import ControlStep, HostStep, KernelStep, Plan
from oakum.compile.program.driver import Source
from oakum.compile.program.native_program import Observer
from oakum.primitives.rules.lowering import Scanned
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


class LoadedKernel(Protocol):
    """A kernel on a device."""

    def launch(self, grid: int, threads: int, arguments: Sequence[int]) -> None:
        """Runs `grid` blocks of so many threads on these addresses."""
        ...


class GpuDevice(Protocol):
    """What programs ask of a device; all is done in the order in which it is asked for."""

    def allocate(self, nbytes: int) -> int:
        """Returns the address of new memory, at a multiple of 256."""
        ...

    def release(self, address: int) -> None:
        """Gives memory back."""
        ...

    def put(self, address: int, array: Any) -> None:
        """Copies an array of the host to an address."""
        ...

    def get(self, address: int, nbytes: int) -> Any:
        """Returns the bytes at an address."""
        ...

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copies bytes on the device."""
        ...

    def load(self, ptx: str) -> Mapping[str, LoadedKernel]:
        """Returns the kernels of a module by name."""
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


@dataclass(frozen=True, slots=True)
class PlanCode:
    """A plan whose kernels are loaded."""

    plan: Plan
    steps: tuple[Launched | Controlled | HostStep, ...]

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


class Loader:
    """Compiles plans, and loads their kernels; kernels of the same text are loaded once."""

    def __init__(self, device: GpuDevice, target: Target) -> None:
        self._device, self._target = device, target
        self._loaded: dict[str, LoadedKernel] = {}
        self.lock = threading.RLock()
        """Held by who uses the device: a callback of a program may run another one."""

    def load(self, plan: Plan, alignments: Mapping[Buffer, int]) -> PlanCode:
        """Returns the code of a plan; `alignments` are those of inputs and results that lie at
        smaller multiples than an access of 16 bytes.
        """
        steps: list[Launched | Controlled | HostStep] = []
        for step in plan.steps:
            match step:
                case HostStep():
                    steps.append(step)
                case ControlStep():
                    given = _alignments_within(step, alignments)
                    pairs = zip(step.programs, given, strict=True)
                    steps.append(Controlled(step, tuple(self.load(*pair) for pair in pairs)))
                case KernelStep():
                    raise AssertionError(f"{step.problem} was not taken")
                case _:
                    codes = kernels_of(step, self._target, alignments)
                    steps += [Launched(code, self._kernel(code)) for code in codes]
        return PlanCode(plan, tuple(steps))

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


Form = tuple[tuple[int, ...], Any]
"""A shape, and a dtype of the host."""

_LAUNCH_NS: Final = 2000.0
"""The estimated time of a launch: what drivers take at least."""


class GpuProgram:
    """A program of flat arrays, run by a device; called through Python."""

    source: Source | None = None
    observer: Observer | None = None
    address: int | None = None
    guard = context = code_bytes = 0
    addresses: Sequence[int] = ()
    settle: Callable[[object], None] | None = None
    origin, is_new = "for a GPU", False

    def __init__(
        self,
        loader: Loader,
        device: GpuDevice,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
    ) -> None:
        from oakum.compile.nvptx.plan_execution import Execution

        self._device, self._loader = device, loader
        self._takes = [_form(aval) for aval in avals[0]]
        self._gives = [_form(aval) for aval in avals[1]]
        self._constants = constants
        self.arena_bytes = plan.arena_bytes
        with loader.lock:
            self._code = loader.load(plan, {})
        self._kernels = self._code.kernels
        self.cost_ns = _LAUNCH_NS * len(self._kernels)
        self._execute = Execution

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on arrays of the host."""
        device, owned = self._device, list[int]()
        plan = self._code.plan

        def new(nbytes: int) -> int:
            owned.append(device.allocate(nbytes))
            return owned[-1]

        with self._loader.lock:
            try:
                given = [new(_nbytes(form)) for form in self._takes]
                results = [new(_nbytes(form)) for form in self._gives]
                for number, (raw, (_, dtype)) in enumerate(zip(raws, self._takes, strict=True)):
                    device.put(given[number], host.np.asarray(raw, dtype))
                for number, source in plan.aliases.items():
                    device.put(results[number], raws[source])
                constants = [new(raw.nbytes) for raw in self._constants]
                for address, raw in zip(constants, self._constants, strict=True):
                    device.put(address, raw)
                execution = self._execute(device, constants)
                execution.run(self._code, given, results)
                return [
                    self._fetch(address, form)
                    for address, form in zip(results, self._gives, strict=True)
                ]
            finally:
                for address in owned:
                    device.release(address)

    def _fetch(self, address: int, form: Form) -> Any:
        shape, dtype = form
        return self._device.get(address, _nbytes(form)).view(dtype).reshape(shape)

    def seconds(self, raws: Sequence[Any]) -> float:
        """Measures a run on arrays of the host."""
        begun = time.perf_counter()
        self(raws)
        return time.perf_counter() - begun

    def text(self, form: str) -> str:
        """Returns the text of all kernels in a form: `llvm`, `called` (there is none) or
        `assembly`, which is PTX.
        """
        match form:
            case "llvm":
                return "\n".join(f"; {code.title}\n{code.text}" for code in self._kernels)
            case "called":
                return ""
            case _:
                made = [nvptx_target.emit_ptx(code.text) for code in self._kernels]
                pairs = zip(self._kernels, made, strict=True)
                return "\n".join(f"// {code.title}\n{ptx}" for code, ptx in pairs)


def _form(aval: ShapedArray) -> Form:
    assert aval.dtype is not None
    return shape_of(aval), host.dtype(aval.dtype)


def _nbytes(form: Form) -> int:
    shape, dtype = form
    return math.prod(shape) * dtype.itemsize
