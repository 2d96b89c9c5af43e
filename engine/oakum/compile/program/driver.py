"""Drivers: the function of a whole program, which carries out the steps of its plan.

The entry takes the addresses of inputs and outputs, those of constants and of the host's callback,
and an arena for what lies between. The steps call the kernels of nests, share long ones out among
threads, and ask the host for what only it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oakum import config, dtypes
from oakum.compile.cpu.codegen import cumulative
from oakum.compile.cpu.codegen.cumulative import Accumulation, AccumulationStep
from oakum.compile.cpu.codegen.emit_nest import NestWriter
from oakum.compile.cpu.codegen.schedule import Schedule, is_short, schedule
from oakum.compile.llvm.llvm_function import Called, Function, module
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops.loop_ir import Buffer, Nest
from oakum.compile.native.interruption import ASK
from oakum.compile.native.jit_link import PARALLEL
from oakum.compile.native.target import Target
from oakum.compile.plan import contraction_steps
from oakum.compile.plan.contraction_steps import ContractionStep
from oakum.compile.plan.steps import (
    ControlStep,
    HostStep,
    KernelStep,
    NestStep,
    Plan,
    PlanStep,
    buffers_of,
)
from oakum.tracing.ir import Literal
from oakum.values.lazy_modules import Namespace
from oakum.values.records import dataclass, replace

if TYPE_CHECKING:
    from oakum.compile.cpu.kernels import dispatch
    from oakum.compile.plan_verify import conflicts, native_accesses
    from oakum.compile.program import control_flow
else:
    conflicts = Namespace("oakum.compile.plan_verify.conflicts")
    native_accesses = Namespace("oakum.compile.plan_verify.native_accesses")
    control_flow = Namespace("oakum.compile.program.control_flow")
    dispatch = Namespace("oakum.compile.cpu.kernels.dispatch")

ENTRY = "oakum_run"


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a program's module, and what is known of its run."""

    text: str
    cost_ns: float
    parallel: bool
    called: tuple[Called, ...]
    """The elementary functions that the program calls."""
    host_steps: tuple[HostStep, ...]
    bounded: bool
    """Whether its time is known: it has no loop that ends by what it computes."""
    watched: tuple[Plan, ...]
    """The plan and those in it, by the numbers under which the watcher hears of them."""


BEGINS = -1
"""What the watcher hears when a program begins, in place of the number of a step."""

_MOST_STEPS = 1 << 32


def event_of(number: int) -> tuple[int, int]:
    """The number of a program, and that of its step or `BEGINS`, in what the watcher is called
    with.
    """
    program, step = divmod(number, _MOST_STEPS)
    return program, step + BEGINS


class DriverWriter:
    """Writes the module of a plan.

    `watcher` is the place in the context of an object to be called, by `oakum_ask`, when a program
    begins and behind each step: with a number, which `event_of` takes apart, and the address of a
    table of the addresses of the program's buffers, of the context and of the arena.
    """

    def __init__(self, target: Target, watcher: int | None = None) -> None:
        self.target = target
        self.watcher = watcher
        self.watched: list[Plan] = []
        self.functions: list[Function] = []
        self.kernels: dict[tuple[Nest, bool], tuple[str, Schedule]] = {}
        self.contractions: set[str] = set()
        self.accumulations: dict[Accumulation, str] = {}
        self.problems: dict[tuple[dispatch.Problem, bool], str] = {}
        self.host: list[HostStep] = []
        self.parallel = False
        self.open_loops = 0
        """How many loops there are that end by what they compute."""
        self._programs = 0

    def write(self, plan: Plan) -> Source:
        """Writes the module."""
        cost = ProgramWriter(self, plan, ENTRY, 1, internal=False).write()
        text = module(self.target, self.functions)
        called = dict.fromkeys(called for f in self.functions for called in f.called)
        host, watched = tuple(self.host), tuple(self.watched)
        bounded = not self.open_loops
        return Source(text, cost, self.parallel, tuple(called), host, bounded, watched)

    def program(self, plan: Plan, rounds: float) -> tuple[str, float]:
        """Writes a program within the program, run so many times in a call; gives its name and its
        estimated time.
        """
        self._programs += 1
        name = f"program{self._programs}"
        return name, ProgramWriter(self, plan, name, rounds, internal=True).write()


class ProgramWriter:
    """Writes the function of one plan: `void program(ptr buffers, ptr context, ptr arena)`."""

    def __init__(
        self, driver: DriverWriter, plan: Plan, name: str, rounds: float, *, internal: bool
    ) -> None:
        self._driver = driver
        self._plan = plan
        self._rounds = rounds
        self._target = driver.target
        self._cost = 0.0
        self._f = Function(
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
        """Writes the function; gives the estimated time of a call."""
        for step in self._plan.steps:
            for buffer in buffers_of(step):
                if buffer.role != "stage":
                    self._address(buffer)
        self._watch(BEGINS)
        for number, step in enumerate(self._plan.steps):
            self._step(step)
            self._watch(number)
        self._driver.functions.append(self._f)
        return self._cost

    def _watch(self, step: int) -> None:
        """Tells the watcher, if there is one, how far the program has come."""
        f, watcher = self._f, self._driver.watcher
        if watcher is None:
            return
        if step == BEGINS:
            f.write("%watched = alloca [3 x ptr], align 8")
            for place, each in enumerate(("%buffers", "%context", "%arena")):
                at = f.fresh("p")
                f.write(f"{at} = getelementptr ptr, ptr %watched, i64 {place}")
                f.write(f"store ptr {each}, ptr {at}, align 8")
        f.declarations[f"declare void @{ASK}(ptr, i64, ptr)"] = None
        asked = f.load_pointer("%context", watcher)
        number = self._number * _MOST_STEPS + step - BEGINS
        f.write(f"call void @{ASK}(ptr {asked}, i64 {number}, ptr %watched)")

    def _step(self, step: PlanStep) -> None:
        match step:
            case NestStep(nest):
                self._nest(nest)
            case HostStep():
                self._host_step(step)
            case ContractionStep():
                self._contraction(step)
            case AccumulationStep():
                self._accumulation(step)
            case KernelStep():
                self._problem(step)
            case ControlStep():
                writer = control_flow.ControlWriter(
                    self._driver, self._f, self._address, self._rounds
                )
                self._cost += writer.write(step)

    def _address(self, buffer: Buffer) -> str:
        """The address of a buffer, found in the entry's first block."""
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

    def _nest(self, nest: Nest) -> None:
        buffers = [b for b in nest.buffers if b.role != "stage"]
        name, plan = self._kernel(nest, buffers)
        f = self._f
        self._cost += plan.cost_ns
        addresses = [self._address(b) for b in buffers]
        extent = nest.extents[plan.order[0]] if plan.order else 0
        if plan.parallel is None:
            arguments = ", ".join([*[f"ptr {a}" for a in addresses], "i64 0", f"i64 {extent}"])
            f.write(f"call void @{name}({arguments})")
            return
        chunks = min(extent, max(int(plan.cost_ns / _CHUNK_NS), 2), _MOST_CHUNKS)
        self._run_parallel(f"{name}_chunk", addresses, chunks)

    def _run_parallel(self, name: str, addresses: Sequence[str], chunks: int) -> None:
        f = self._f
        self._driver.parallel = True
        table = f.fresh("table")
        f.write(f"{table} = alloca [{len(addresses)} x ptr], align 8")
        for number, address in enumerate(addresses):
            place = f.fresh("p")
            f.write(f"{place} = getelementptr ptr, ptr {table}, i64 {number}")
            f.write(f"store ptr {address}, ptr {place}, align 8")
        f.declarations[f"declare void @{PARALLEL}(ptr, ptr, i64)"] = None
        f.write(f"call void @{PARALLEL}(ptr @{name}, ptr {table}, i64 {chunks})")

    def _kernel(self, nest: Nest, buffers: Sequence[Buffer]) -> tuple[str, Schedule]:
        """The code of a nest; nests that differ in their buffers only share it."""
        renamed = {b: replace(b, number=n, role="temporary") for n, b in enumerate(buffers)}
        alike, calls = nest.with_buffers(renamed), is_short(nest, self._rounds)
        found = self._driver.kernels.get((alike, calls))
        if found is None:
            name = f"k{len(self._driver.kernels)}"
            how = schedule(alike, self._target)
            if config.enable_checks.value:
                conflicts.verify_shares(alike, how)
            function = NestWriter(alike, how, self._target, name, calls=calls).write()
            _verify([function], buffers, NestStep(nest))
            self._driver.functions.append(function)
            if how.parallel is not None:
                self._driver.functions.append(self._chunk(name, alike, how, len(buffers)))
            found = self._driver.kernels[alike, calls] = (name, how)
        return found

    def _chunk(self, name: str, nest: Nest, how: Schedule, count: int) -> Function:
        """The part of a nest that one chunk is."""
        f = _chunk_function(f"{name}_chunk", self._target)
        axis = how.order[0]
        extent = nest.extents[axis]
        unit = 1 if axis != how.axis else how.unit
        blocks = -(-extent // unit)
        chunk, chunks = Value("%chunk", dtypes.int64), Value("%chunks", dtypes.int64)

        def border(number: Value) -> Value:
            share = f.div(f.mul(number, blocks), chunks)
            return f.minimum(f.mul(share, unit), extent)

        begin, end = border(chunk), border(f.add(chunk, 1))
        addresses = [f.load_pointer("%buffers", number) for number in range(count)]
        arguments = [*[f"ptr {a}" for a in addresses], begin.typed, end.typed]
        f.write(f"call void @{name}({', '.join(arguments)})")
        return f

    def _contraction(self, step: ContractionStep) -> None:
        driver, f = self._driver, self._f
        self._cost += step.cost_ns
        places = [
            f.pointer(self._address(step.lhs), step.offsets[0], step.lhs.dtype),
            f.pointer(self._address(step.rhs), step.offsets[1], step.rhs.dtype),
            self._address(step.result),
            self._address(step.scratch),
        ]
        if step.name not in driver.contractions:
            driver.contractions.add(step.name)
            places_of = [step.lhs, step.rhs, step.result, step.scratch, None, None]
            _verify(step.code.functions, [*places_of, *step.reads, *step.others], step)
            driver.functions.extend(step.code.functions)
            if step.shares > 1:
                share = _chunk_function(f"{step.name}_chunk", self._target)
                contraction_steps.write_share(share, step)
                driver.functions.append(share)
            if step.code.preparation is not None:
                share = _chunk_function(f"{step.name}_prepare_chunk", self._target)
                contraction_steps.write_preparation(share, step, step.code.preparation)
                driver.functions.append(share)
        extras = [self._address(buffer) for buffer in (*step.reads, *step.others)]
        if step.code.preparation is not None:
            self._run_parallel(f"{step.name}_prepare_chunk", [*places, *extras], step.shares)
        if step.shares > 1:
            self._run_parallel(f"{step.name}_chunk", [*places, *extras], step.shares)
            return
        span = ["i64 0", f"i64 {step.code.chunks}"]
        arguments = [*[f"ptr {p}" for p in places], *span, *[f"ptr {e}" for e in extras]]
        f.write(f"call void @{step.name}({', '.join(arguments)})")

    def _accumulation(self, step: AccumulationStep) -> None:
        driver, f, problem = self._driver, self._f, step.problem
        self._cost += problem.cost_ns
        name = driver.accumulations.get(problem)
        if name is None:
            name = driver.accumulations[problem] = f"a{len(driver.accumulations)}"
            function = cumulative.write(problem, self._target, name)
            _verify([function], [step.source, step.result], step)
            driver.functions.append(function)
            if problem.shares > 1:
                share = _chunk_function(f"{name}_chunk", self._target)
                cumulative.write_share(share, problem, name)
                driver.functions.append(share)
        places = [self._address(step.source), self._address(step.result)]
        if problem.shares > 1:
            self._run_parallel(f"{name}_chunk", places, problem.shares)
            return
        arguments = [*[f"ptr {p}" for p in places], "i64 0", f"i64 {problem.before}"]
        f.write(f"call void @{name}({', '.join(arguments)})")

    def _problem(self, step: KernelStep) -> None:
        driver, f, problem = self._driver, self._f, step.problem
        self._cost += problem.cost_ns
        is_shared = step.shares > 1
        name = driver.problems.get((problem, is_shared))
        if name is None:
            name = driver.problems[problem, is_shared] = f"p{len(driver.problems)}"
            function = dispatch.write(problem, self._target, name)
            _verify([function], step.buffers, step)
            driver.functions.append(function)
            if is_shared:
                share = _chunk_function(f"{name}_chunk", self._target)
                dispatch.write_share(share, problem, name)
                driver.functions.append(share)
        places = [self._address(buffer) for buffer in step.buffers]
        if is_shared:
            self._run_parallel(f"{name}_chunk", places, step.shares)
            return
        arguments = [*[f"ptr {p}" for p in places], "i64 0", f"i64 {problem.items}"]
        f.write(f"call void @{name}({', '.join(arguments)})")

    def _host_step(self, step: HostStep) -> None:
        """Has `oakum_ask` call the object whose address is the first of the context's."""
        f = self._f
        number = len(self._driver.host)
        self._driver.host.append(step)
        given = [x for x in (*step.inputs, *step.outputs) if not isinstance(x, Literal)]
        table = f.fresh("table")
        f.write(f"{table} = alloca [{max(len(given), 1)} x ptr], align 8")
        for place, buffer in enumerate(given):
            at = f.fresh("p")
            f.write(f"{at} = getelementptr ptr, ptr {table}, i64 {place}")
            f.write(f"store ptr {self._address(buffer)}, ptr {at}, align 8")
        f.declarations[f"declare void @{ASK}(ptr, i64, ptr)"] = None
        asked = f.load_pointer("%context", 0)
        f.write(f"call void @{ASK}(ptr {asked}, i64 {number}, ptr {table})")


def _verify(
    functions: Sequence[Function], parameters: Sequence[Buffer | None], step: PlanStep
) -> None:
    """Verifies that code does what its step declares, where `jax_enable_checks` asks for it."""
    if config.enable_checks.value:
        native_accesses.verify_code(functions, parameters, step)


def _chunk_function(name: str, target: Target) -> Function:
    parameters = [("ptr", "buffers"), ("i64", "chunk"), ("i64", "chunks")]
    return Function(name, parameters, target, internal=True)


_CHUNK_NS = 30_000.0
_MOST_CHUNKS = 64
