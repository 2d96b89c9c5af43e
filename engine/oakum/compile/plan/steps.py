"""Steps: what a program does in order, and the buffers that each step needs.

Invariants:
- A buffer is written before the steps that read it.
- An output that `aliases` names holds the values of an input when the program begins, and may be
  written from the first step on; the memory of that input is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oakum.compile.loops.loop_ir import Buffer, Load, Nest
from oakum.compile.problems.problem import Accumulation, Epilogue, Product, Solved, title_of
from oakum.dtypes import DType
from oakum.tracing.ir import Equation, Literal
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field

if TYPE_CHECKING:
    from oakum.compile.plan.history import History


@dataclass(frozen=True, slots=True)
class NestStep:
    """Carries out a nest."""

    nest: Nest


@dataclass(frozen=True, slots=True)
class HostStep:
    """Has the host evaluate an equation."""

    eqn: Equation
    inputs: tuple[Buffer | Literal, ...]
    outputs: tuple[Buffer, ...]
    out_avals: tuple[ShapedArray, ...]


@dataclass(frozen=True, slots=True)
class ControlStep:
    """Runs the programs of a loop or a branch.

    The `carried` values, from input number `first` on, are passed from one iteration to the next:
    in the result's buffer if the program updates it in place, else alternately there and in
    `spare`. `scratch` is the arena of the programs.
    """

    eqn: Equation
    programs: tuple[Plan, ...]
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    first: int
    carried: int
    scratch: Buffer
    flag: Buffer
    spare: tuple[Buffer | None, ...] = ()

    def slot(self, number: int) -> int | None:
        """Returns the number of the carried input that becomes an output; None for stacked
        outputs.
        """
        return self.first + number if number < self.carried else None


@dataclass(frozen=True, slots=True)
class ContractionStep:
    """Multiplies and sums."""

    problem: Product
    lhs: Buffer
    rhs: Buffer
    offsets: tuple[int, int]
    """The elements of the operands at which the problem begins."""
    result: Buffer
    scratch: Buffer
    epilogue: Epilogue | None = None
    """What is done with the elements before they are stored."""
    reads: tuple[Buffer, ...] = ()
    """The buffers that it reads."""
    others: tuple[Buffer, ...] = ()
    """The buffers that it writes beside the result."""


@dataclass(frozen=True, slots=True)
class AccumulationStep:
    """Computes a running reduction."""

    problem: Accumulation
    source: Buffer
    result: Buffer


@dataclass(frozen=True, slots=True)
class KernelStep:
    """Solves a problem that has a kernel of its own."""

    problem: Solved
    operands: tuple[Buffer, ...]
    results: tuple[Buffer, ...]
    scratch: Buffer

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers in the order of the kernel's parameters."""
        return (*self.operands, *self.results, self.scratch)


PlanStep = NestStep | HostStep | ControlStep | ContractionStep | AccumulationStep | KernelStep


@dataclass(slots=True)
class Plan:
    """The steps of a program."""

    inputs: list[Buffer]
    outputs: list[Buffer]
    steps: list[PlanStep] = field(default_factory=list[PlanStep])
    temporaries: int = 0
    """The number of temporary buffers so far."""
    aliases: dict[int, int] = field(default_factory=dict[int, int])
    """For each output that is written over an input the number of that input."""
    offsets: dict[Buffer, int] = field(default_factory=dict[Buffer, int])
    """The offsets of temporary buffers in the arena, in bytes."""
    arena_bytes: int = 0
    history: History | None = None
    """Which variables the steps compute, if that was asked for."""

    def temporary(self, dtype: DType, size: int) -> Buffer:
        """Adds a temporary buffer."""
        self.temporaries += 1
        return Buffer(self.temporaries - 1, dtype, size, "temporary")


def read_by(step: PlanStep) -> Sequence[Buffer]:
    """Returns the buffers whose values a step may read."""
    match step:
        case NestStep(nest):
            found = dict[Buffer, None]()
            for sweep in nest.sweeps:
                loads = (each for each in sweep.instructions if isinstance(each, Load))
                found.update((load.buffer, None) for load in loads)
            return tuple(found)
        case HostStep(_, inputs):
            return [x for x in inputs if isinstance(x, Buffer)]
        case ContractionStep():
            return [step.lhs, step.rhs, *step.reads]
        case AccumulationStep():
            return [step.source]
        case KernelStep():
            return step.operands
        case ControlStep():
            return step.inputs


def written_by(step: PlanStep) -> Sequence[Buffer]:
    """Returns the buffers that a step leaves values in; scratch memory is not among them."""
    match step:
        case NestStep(nest):
            stores = (store for sweep in nest.sweeps for store in sweep.stores)
            return tuple(dict.fromkeys(store.buffer for store in stores))
        case HostStep() | ControlStep():
            return step.outputs
        case ContractionStep():
            return [step.result, *step.others]
        case AccumulationStep():
            return [step.result]
        case KernelStep():
            return step.results


def buffers_of(step: PlanStep) -> Sequence[Buffer]:
    """Returns all buffers that a step needs."""
    found = [*read_by(step), *written_by(step)]
    match step:
        case ContractionStep() | KernelStep():
            found.append(step.scratch)
        case ControlStep():
            found += [step.scratch, step.flag, *[b for b in step.spare if b is not None]]
        case _:
            pass
    return tuple(dict.fromkeys(found))


def describe(step: PlanStep) -> str:
    """Describes a step in a few words."""
    match step:
        case NestStep(nest):
            return f"nest over {'x'.join(map(str, nest.extents)) or 'one element'}"
        case ContractionStep(problem):
            return title_of(problem, step.epilogue)
        case AccumulationStep(problem) | KernelStep(problem):
            return str(problem)
        case ControlStep():
            return f"{step.eqn.primitive.name} of {len(step.programs)} programs"
        case HostStep():
            return f"{step.eqn.primitive.name}, on the host"
