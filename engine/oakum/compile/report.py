"""Reports: the forms of a program on its way to native code, and the costs of its steps."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oakum.compile.executable import prepare
from oakum.compile.loops.loop_ir import Buffer, Instruction, Load, Nest, Operation
from oakum.compile.loops.loop_text import print_nest
from oakum.compile.loops.operations import is_heavy
from oakum.compile.plan import buffer_assignment
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
    describe,
    read_by,
    written_by,
)
from oakum.compile.problems.problem import products_of
from oakum.tracing.jaxpr_printer import print_jaxpr
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, replace

if TYPE_CHECKING:
    from oakum.compile.backend import Backend, Lowering
    from oakum.compile.executable import Executable


def text(made: Executable, form: str) -> str:
    """Returns a form of a program: jaxpr, simplified, loops, llvm, called, assembly, costs or
    steps.

    `called` has the functions that its text calls, `steps` the costs with measured times.
    """
    plan, program = made.plan, made.program
    if form == "jaxpr":
        return print_jaxpr(made.closed.jaxpr)
    if plan is None or program is None:
        return f"(interpreted, {made.refusal})\n"
    match form:
        case "simplified":
            return print_jaxpr(prepare(made.closed, made.backend.lowering()).jaxpr)
        case "loops":
            return _loops(plan, made.backend.lowering())
        case "costs":
            return table(step_costs(plan))
        case "steps":
            return table(measure(plan, made.backend))
        case _:
            return program.text(form)


def _loops(plan: Plan, lowering: Lowering, indent: str = "") -> str:
    lines: list[str] = []
    for number, step in enumerate(plan.steps):
        lines.append(f"{indent}{number}: {describe(step)}")
        match step:
            case NestStep(nest):
                lines += [f"{indent}  {line}" for line in print_nest(nest).splitlines()]
                lines.append(f"{indent}  # {lowering.describe(step)}")
            case ControlStep():
                lines += [_loops(program, lowering, indent + "    ") for program in step.programs]
            case _:
                pass
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class StepCost:
    """The costs of a step."""

    name: str
    operations: float
    nbytes: float
    seconds: float | None = None
    """The measured time on memory of its own; None if it was not measured."""


def step_costs(plan: Plan) -> list[StepCost]:
    """Estimates the operations and the bytes of each step."""
    return [StepCost(describe(step), *_estimate(step)) for step in plan.steps]


def _estimate(step: PlanStep) -> tuple[float, float]:
    match step:
        case NestStep(nest):
            return _operations(nest), float(sum(b.nbytes for b in nest.buffers))
        case ContractionStep():
            buffers = (step.lhs, step.rhs, step.result, *step.reads, *step.others)
            after = 0 if step.epilogue is None else step.epilogue.operations * step.result.size
            return 2.0 * products_of(step.problem) + after, float(sum(b.nbytes for b in buffers))
        case AccumulationStep(problem, source, result):
            return float(problem.size), float(source.nbytes + result.nbytes)
        case KernelStep(problem, operands, results):
            nbytes = sum(b.nbytes for b in (*operands, *results))
            return 2.0 * problem.steps, float(nbytes)
        case ControlStep():
            inner = [cost for program in step.programs for cost in step_costs(program)]
            rounds = step.eqn.params.get("length", 1)
            total = sum(cost.operations for cost in inner), sum(cost.nbytes for cost in inner)
            return total[0] * rounds, total[1] * rounds
        case HostStep():
            given = [x for x in step.inputs if isinstance(x, Buffer)]
            return 0.0, float(sum(b.nbytes for b in (*given, *step.outputs)))


def _operations(nest: Nest) -> float:
    outer = math.prod(nest.extents[a] for a in nest.outer)
    total = 0.0
    for sweep in nest.sweeps:
        count = outer * math.prod(nest.extents[a] for a in sweep.axes)
        each = sum(_of_instruction(i) for i in sweep.instructions) + len(sweep.reduces)
        total += count * each
    return total


def _of_instruction(each: Instruction) -> int:
    return int(isinstance(each, Operation) and each.name not in ("select", "convert_element_type"))


def costs(made: Executable) -> dict[str, float]:
    """Returns the floating-point operations and the bytes of a call, under the names that XLA
    uses.
    """
    if made.plan is None:
        return {}
    steps = step_costs(made.plan)
    heavy = sum(
        is_heavy(each)
        for step in made.plan.steps
        if isinstance(step, NestStep)
        for sweep in step.nest.sweeps
        for each in sweep.instructions
    )
    return {
        "flops": sum(step.operations for step in steps),
        "transcendentals": float(heavy),
        "bytes accessed": sum(step.nbytes for step in steps),
        "optimal_seconds": made.cost_ns * 1e-9,
    }


@dataclass(frozen=True, slots=True)
class Memory:
    """The bytes that a call needs."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    generated_code_size_in_bytes: int


def memory(made: Executable) -> Memory | None:
    """Returns the bytes that a call needs; None if the program is interpreted."""
    if made.plan is None:
        return None
    given, result = (sum(b.nbytes for b in each) for each in (made.plan.inputs, made.plan.outputs))
    return Memory(given, result, made.arena_bytes, made.code_bytes)


def measure(plan: Plan, backend: Backend) -> list[StepCost]:
    """Returns the costs of the steps, with the measured time of each that the back end carries out
    and whose work does not depend on what it reads.
    """
    found: list[StepCost] = []
    for step, cost in zip(plan.steps, step_costs(plan), strict=True):
        seconds = None
        match step:
            case NestStep(nest) if _reads(nest):
                pass
            case ControlStep() | HostStep():
                pass
            case _:
                seconds = _time(step, backend)
        found.append(replace(cost, seconds=seconds))
    return found


def _reads(nest: Nest) -> bool:
    """Returns whether a nest loads or stores at positions known only at run time."""
    return any(
        isinstance(each, Load) and each.dynamic is not None
        for sweep in nest.sweeps
        for each in sweep.instructions
    ) or any(store.dynamic is not None for sweep in nest.sweeps for store in sweep.stores)


def _time(step: PlanStep, backend: Backend) -> float:
    """Measures a step on memory of its own, and returns the median in seconds."""
    results = [b for b in written_by(step) if b.role != "stage"]
    operands = [b for b in read_by(step) if b.role != "stage" and b not in results]
    known = {*operands, *results}
    scratch = [b for b in buffers_of(step) if b.role != "stage" and b not in known]
    renamed = {b: replace(b, number=n, role="in") for n, b in enumerate(operands)}
    renamed |= {b: replace(b, number=n, role="out") for n, b in enumerate(results)}
    renamed |= {b: replace(b, number=n, role="temporary") for n, b in enumerate(scratch)}
    alone = buffer_assignment.rename_buffers(step, renamed)
    assert alone is not None, "a step stores something"
    inputs, outputs = ([renamed[b] for b in each] for each in (operands, results))
    plan = buffer_assignment.finish(Plan(inputs, outputs, [alone], len(scratch)))
    given, made = ([ShapedArray((b.size,), b.dtype) for b in each] for each in (inputs, outputs))
    program = backend.lowering().compile(plan, (given, made), ())
    rooms = [host.np.ones(max(b.size, 1), host.dtype(b.dtype)) for b in inputs]
    return statistics.median(program.seconds(rooms) for _ in range(_ITERATIONS))


_ITERATIONS = 7
"""The runs of a step that is measured; the median is shown."""


def table(steps: Sequence[StepCost]) -> str:
    """Formats steps as a table: operations, bytes, and the rates of those that were timed."""
    is_timed = any(step.seconds is not None for step in steps)
    rates = f" {'time':>10} {'GB/s':>8} {'GFLOP/s':>8}" if is_timed else ""
    lines = [f"{'step':44} {'operations':>12} {'bytes':>12}{rates}"]
    for step in steps:
        line = f"{step.name[:44]:44} {step.operations:12.0f} {step.nbytes:12.0f}"
        if timed := step.seconds:
            line += f" {timed * 1e6:7.1f} us {step.nbytes / timed / 1e9:8.1f}"
            line += f" {step.operations / timed / 1e9:8.1f}"
        lines.append(line)
    return "\n".join(lines) + "\n"
