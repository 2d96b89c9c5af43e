"""Drivers: the function of a whole program, which carries out the steps of its plan.

The entry takes the addresses of inputs and outputs, those of constants and of the host's callback,
and an arena for what lies between. It is native code of the host on each back end: loops and
branches, and calls of Python for what only that computes. The steps of nests and of problems are
written by the back end (`StepWriter`), as calls of functions or as launches on a device.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Called, Function, module
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.native import interruption
from oakum.compile.native.target import Target
from oakum.compile.plan.steps import (
    AccumulationStep,
    ContractionStep,
    ControlStep,
    HostStep,
    KernelStep,
    NestStep,
    Plan,
    PlanStep,
    buffers_of,
)
from oakum.tracing.ir import Literal
from oakum.values.records import dataclass

if TYPE_CHECKING:
    pass

DeviceStep = NestStep | ContractionStep | AccumulationStep | KernelStep
"""The steps that a back end carries out."""


class StepWriter(Protocol):
    """Writes the steps of a program that a back end carries out."""

    def write(self, program: ProgramWriter, step: DeviceStep, iterations: float) -> float:
        """Writes a step, carried out so many times per call, into the function of a program, and
        the functions that it needs into the module; returns its estimated time.
        """
        ...


ENTRY = "oakum_run"


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a program's module, and what is known of its run."""

    text: str
    target: Target
    cost_ns: float
    called: tuple[Called, ...]
    """The elementary functions that are called."""
    host_steps: tuple[HostStep, ...]
    bounded: bool
    """Whether the run time is known: no loop ends by what it computes."""
    watched: tuple[Plan, ...]
    """The plan and those within it, by their numbers in the watcher's calls."""


BEGINS = -1
"""The step number that the watcher gets when a program begins."""

_MOST_STEPS = 1 << 32
"""The number of a program is multiplied by this, so that 32 bits are left for its step."""


def event_of(number: int) -> tuple[int, int]:
    """Returns the numbers of the program and of its step, or `BEGINS`, from the number that the
    watcher gets.
    """
    program, step = divmod(number, _MOST_STEPS)
    return program, step + BEGINS


class DriverWriter:
    """Writes the module of a plan.

    `watcher` is the place in the context of an object that `oakum_ask` calls when a program begins
    and behind each step: with a number, which `event_of` takes apart, and the address of a table of
    the addresses of the program's buffers, of the context and of the arena.
    """

    def __init__(self, target: Target, steps: StepWriter, watcher: int | None = None) -> None:
        self.target = target
        self.steps = steps
        self.watcher = watcher
        self.watched: list[Plan] = []
        self.functions: list[Function] = []
        self.host: list[HostStep] = []
        self.open_loops = 0
        """The number of loops so far that end by what they compute."""
        self._programs = 0

    def write(self, plan: Plan) -> Source:
        """Writes the module."""
        cost = ProgramWriter(self, plan, ENTRY, 1, internal=False).write()
        text = module(self.target, self.functions)
        called = dict.fromkeys(called for f in self.functions for called in f.called)
        host, watched = tuple(self.host), tuple(self.watched)
        bounded = not self.open_loops
        return Source(text, self.target, cost, tuple(called), host, bounded, watched)

    def program(self, plan: Plan, iterations: float) -> tuple[str, float]:
        """Writes a program within the program, run so many times per call; returns its name and its
        estimated time.
        """
        self._programs += 1
        name = f"program{self._programs}"
        return name, ProgramWriter(self, plan, name, iterations, internal=True).write()


class ProgramWriter:
    """Writes the function of one plan: `void program(ptr buffers, ptr context, ptr arena)`."""

    def __init__(
        self, driver: DriverWriter, plan: Plan, name: str, iterations: float, *, internal: bool
    ) -> None:
        self.driver = driver
        self._plan = plan
        self._iterations = iterations
        self._cost = 0.0
        self.function = self._f = Function(
            name,
            [("ptr", "buffers"), ("ptr", "context"), ("ptr", "arena")],
            driver.target,
            internal=internal,
        )
        self._pointers: dict[Buffer, str] = {}
        self._number = len(driver.watched)
        if driver.watcher is not None:
            driver.watched.append(plan)

    def write(self) -> float:
        """Writes the function, and returns the estimated time of a call."""
        for step in self._plan.steps:
            for buffer in buffers_of(step):
                if buffer.role != "stage":
                    self.address(buffer)
        self._watch(BEGINS)
        for number, step in enumerate(self._plan.steps):
            self._step(step)
            self._watch(number)
        self.driver.functions.append(self._f)
        return self._cost

    def _watch(self, step: int) -> None:
        """Writes a call of the watcher, if there is one."""
        f, watcher = self._f, self.driver.watcher
        if watcher is None:
            return
        if step == BEGINS:
            f.write("%watched = alloca [3 x ptr], align 8")
            for place, each in enumerate(("%buffers", "%context", "%arena")):
                at = f.fresh("p")
                f.write(f"{at} = getelementptr ptr, ptr %watched, i64 {place}")
                f.write(f"store ptr {each}, ptr {at}, align 8")
        f.declarations[f"declare void @{interruption.ASK}(ptr, i64, ptr)"] = None
        asked = f.load_pointer("%context", watcher)
        number = self._number * _MOST_STEPS + step - BEGINS
        f.write(f"call void @{interruption.ASK}(ptr {asked}, i64 {number}, ptr %watched)")

    def _step(self, step: PlanStep) -> None:
        match step:
            case HostStep():
                self._host_step(step)
            case ControlStep():
                from oakum.compile.program import control_flow

                writer = control_flow.ControlWriter(
                    self.driver, self._f, self.address, self._iterations
                )
                self._cost += writer.write(step)
            case _:
                self._cost += self.driver.steps.write(self, step, self._iterations)

    def address(self, buffer: Buffer) -> str:
        """Returns the address of a buffer, which the entry's first block computes."""
        found = self._pointers.get(buffer)
        if found is not None:
            return found
        f, plan = self._f, self._plan
        match buffer.role:
            case "in":
                found = f.load_pointer("%buffers", buffer.number)
            case "out":
                found = f.load_pointer("%buffers", len(plan.inputs) + buffer.number)
            case "constant":
                found = f.load_pointer("%context", 1 + buffer.number)
            case _:
                found = f.pointer("%arena", plan.offsets[buffer], dtypes.int8)
        self._pointers[buffer] = found
        return found

    def table(self, buffers: Sequence[str]) -> str:
        """Writes a table of addresses, and returns the address of it."""
        f = self._f
        table = f.fresh("table")
        f.write(f"{table} = alloca [{max(len(buffers), 1)} x ptr], align 8")
        for number, address in enumerate(buffers):
            at = f.fresh("p")
            f.write(f"{at} = getelementptr ptr, ptr {table}, i64 {number}")
            f.write(f"store ptr {address}, ptr {at}, align 8")
        return table

    def _host_step(self, step: HostStep) -> None:
        """Writes a call of `oakum_ask` with the object whose address is first in the context."""
        f = self._f
        number = len(self.driver.host)
        self.driver.host.append(step)
        given = [x for x in (*step.inputs, *step.outputs) if not isinstance(x, Literal)]
        table = self.table([self.address(buffer) for buffer in given])
        f.declarations[f"declare void @{interruption.ASK}(ptr, i64, ptr)"] = None
        asked = f.load_pointer("%context", 0)
        f.write(f"call void @{interruption.ASK}(ptr {asked}, i64 {number}, ptr {table})")
