"""Accesses: what a step reads and writes, found in what it consists of.

`steps` says the same in `read_by`, `written_by` and `buffers_of`, by which memory is planned. This
is found without those, and compared with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Affine, Buffer, Load, Nest
from oakum.compile.plan import steps
from oakum.compile.plan.steps import (
    AccumulationStep,
    ContractionStep,
    ControlStep,
    HostStep,
    KernelStep,
    NestStep,
    PlanStep,
)
from oakum.compile.plan_verify.errors import demand
from oakum.compile.problems.problem import Kernels
from oakum.primitives.rules.lowering import Branched, Looped
from oakum.tracing.ir import Literal
from oakum.values.records import dataclass, field


@dataclass(slots=True)
class Accesses:
    """The memory that a step touches."""

    reads: dict[Buffer, None] = field(default_factory=dict[Buffer, None])
    writes: dict[Buffer, None] = field(default_factory=dict[Buffer, None])
    scratch: dict[Buffer, None] = field(default_factory=dict[Buffer, None])
    needs: dict[Buffer, None] = field(default_factory=dict[Buffer, None])
    """What has to have values before the step."""


def accesses_of(step: PlanStep) -> Accesses:
    """What a step touches; raises `PlanError` where that does not fit what it is to do."""
    found = Accesses()
    match step:
        case NestStep(nest):
            _of_nest(nest, found)
            return found
        case HostStep():
            _of_host(step, found)
        case ControlStep():
            _of_control(step, found)
        case ContractionStep():
            _of_contraction(step, found)
        case AccumulationStep(problem, source, result):
            for buffer in (source, result):
                demand(buffer.size == problem.size, f"{buffer} has not the elements of {problem}")
                demand(buffer.dtype is problem.dtype, f"{buffer} is not of {problem.dtype}")
            found.reads[source] = found.writes[result] = None
        case KernelStep():
            _of_kernel(step, found)
    found.needs = found.reads
    return found


def verify_declared(step: PlanStep, found: Accesses) -> None:
    """Compares what a step touches with what it says of that."""
    _same("read", steps.read_by(step), found.reads)
    _same("written", steps.written_by(step), found.writes)
    everything = {**found.reads, **found.writes, **found.scratch}
    _same("needed", steps.buffers_of(step), everything)


def _same(what: str, declared: Sequence[Buffer], found: Iterable[Buffer]) -> None:
    said, true = set(declared), set(found)
    missing = ", ".join(map(str, true - said))
    demand(not missing, f"{missing} is {what}, which the step does not declare")
    untrue = ", ".join(map(str, said - true))
    demand(not untrue, f"{untrue} is declared to be {what}, and is not")


def _of_nest(nest: Nest, found: Accesses) -> None:
    stored: set[Buffer] = set()
    for sweep in nest.sweeps:
        for each in sweep.instructions:
            if isinstance(each, Load):
                found.reads[each.buffer] = None
                if each.buffer not in stored:
                    found.needs[each.buffer] = None
                _inside(each.buffer, each.offset, each.dynamic, nest)
        for store in sweep.stores:
            found.writes[store.buffer] = None
            stored.add(store.buffer)
            _inside(store.buffer, store.offset, store.dynamic, nest)


def _inside(buffer: Buffer, offset: Affine, dynamic: int | None, nest: Nest) -> None:
    if dynamic is not None or not all(nest.extents):
        return
    least, greatest = offset.least(nest.extents), offset.greatest(nest.extents)
    inside = least >= 0 and greatest < buffer.size
    demand(inside, f"[{offset}] goes from {least} to {greatest} in {buffer} of {buffer.size}")


def _of_host(step: HostStep, found: Accesses) -> None:
    demand(len(step.inputs) == len(step.eqn.inputs), "an operand has no memory")
    demand(len(step.outputs) == len(step.out_avals), "a result has no memory")
    for atom, given in zip(step.eqn.inputs, step.inputs, strict=True):
        if not isinstance(given, Literal):
            found.reads[given] = None
            _holds(given, math.prod(shape_of(atom.aval)))
    for aval, buffer in zip(step.out_avals, step.outputs, strict=True):
        found.writes[buffer] = None
        _holds(buffer, math.prod(shape_of(aval)))


def _holds(buffer: Buffer, count: int) -> None:
    demand(buffer.size >= count, f"{buffer} has {buffer.size} elements, and needs {count}")


def _of_control(step: ControlStep, found: Accesses) -> None:
    found.reads.update(dict.fromkeys(step.inputs))
    found.writes.update(dict.fromkeys(step.outputs))
    found.scratch.update(dict.fromkeys((step.scratch, step.flag)))
    found.scratch.update((buffer, None) for buffer in step.spare if buffer is not None)
    arena = max(program.arena_bytes for program in step.programs)
    demand(step.scratch.nbytes >= arena, f"{step.scratch} is smaller than the {arena} bytes inside")
    demand(len(step.spare) in (0, step.carried), "a carried value has no memory")
    for number, spare in enumerate(step.spare):
        wanted = step.outputs[number].nbytes
        demand(spare is None or spare.nbytes == wanted, f"{spare} is not of {wanted} bytes")
    demand(len(set(step.outputs)) == len(step.outputs), "two results are in one place")
    match step.eqn.primitive.lower:
        case Branched():
            _of_branches(step)
        case lower:
            _of_rounds(step, asks=isinstance(lower, Looped))


def _of_branches(step: ControlStep) -> None:
    operands = step.inputs[1:]
    for program in step.programs:
        _fits(program.inputs, operands)
        _fits(program.outputs, step.outputs)
        for number, result in enumerate(step.outputs):
            given = [n for n, operand in enumerate(operands) if operand == result]
            over = program.aliases.get(number)
            said = given == ([] if over is None else [over])
            demand(said, f"{result} lies where operands {given} are, not {over}")
    demand(step.inputs[0] not in step.outputs, "the choice of a branch is written over")


def _of_rounds(step: ControlStep, *, asks: bool) -> None:
    """The programs of a loop; of those that ask whether it goes on, too."""
    *others, body = step.programs
    first = step.first
    consts = step.eqn.params["cond_consts"] if asks else 0
    carried = step.inputs[first : first + step.carried]
    length = 0 if asks else step.eqn.params["length"]
    for program in others:
        _fits(program.inputs, [*step.inputs[:consts], *carried])
        _fits(program.outputs, [step.flag])
    given = step.inputs[consts : first + step.carried]
    _fits(body.inputs[: len(given)], given)
    _fits(body.outputs[: step.carried], step.outputs[: step.carried])
    _stack(body.inputs[len(given) :], step.inputs[first + step.carried :], length)
    _stack(body.outputs[step.carried :], step.outputs[step.carried :], length)
    # What is carried in place may be given there, and is nowhere else among what is given.
    in_place = {n: first - consts + n for n, spare in enumerate(step.spare) if spare is None}
    demand(not step.spare or body.aliases == in_place, f"{in_place} are not carried in place")
    for number, result in enumerate(step.outputs):
        places = [n for n, buffer in enumerate(step.inputs) if buffer == result]
        own = [first + number] if number in in_place else []
        demand(places in ([], own), f"{result} is written while iterations read it")


def _fits(inside: Sequence[Buffer], outside: Sequence[Buffer]) -> None:
    demand(len(inside) == len(outside), "a program inside has other operands or results")
    for one, other in zip(inside, outside, strict=True):
        same = one.nbytes == other.nbytes
        demand(same, f"{other} has {other.nbytes} bytes, and {one} inside {one.nbytes}")


def _stack(inside: Sequence[Buffer], outside: Sequence[Buffer], length: int) -> None:
    demand(len(inside) == len(outside), "a program inside has other rows")
    for one, other in zip(inside, outside, strict=True):
        whole = one.nbytes * length == other.nbytes
        demand(whole, f"{other} has not {length} rows of {one.nbytes} bytes")


def _of_contraction(step: ContractionStep, found: Accesses) -> None:
    found.reads.update(dict.fromkeys((step.lhs, step.rhs, *step.reads)))
    found.writes.update(dict.fromkeys((step.result, *step.others)))
    found.scratch[step.scratch] = None
    epilogue = step.epilogue
    demand(0 <= step.offsets[0] < max(step.lhs.size, 1), f"begins outside {step.lhs}")
    demand(0 <= step.offsets[1] < max(step.rhs.size, 1), f"begins outside {step.rhs}")
    if epilogue is None:
        demand(not step.reads and not step.others, "nothing is made of the elements")
        return
    demand(
        len(step.reads) == epilogue.reads, f"{epilogue.reads} arrays are read beside the operands"
    )
    stored = len(epilogue.registers) - 1
    demand(len(step.others) == stored, f"{stored} arrays are stored beside the result")
    # Merged dimensions are in no role any more.
    count = math.prod(epilogue.extents[d] for role in epilogue.roles for d in role)
    for load in epilogue.instructions:
        if isinstance(load, Load):
            is_own = load.offset == epilogue.everywhere
            last = count - 1 if is_own else load.offset.greatest(epilogue.extents)
            _holds(step.reads[load.buffer.number], last + 1)
    for buffer in (step.result, *step.others):
        _holds(buffer, count)


def _of_kernel(step: KernelStep, found: Accesses) -> None:
    problem = step.problem
    demand(len(step.operands) == problem.operands, f"{problem.operands} operands are read")
    demand(len(step.results) == problem.results, f"{problem.results} results are written")
    found.reads.update(dict.fromkeys(step.operands))
    found.writes.update(dict.fromkeys(step.results))
    found.scratch[step.scratch] = None


def verify_scratch(step: PlanStep, kernels: Kernels) -> None:
    """Raises `PlanError` where a step has less scratch memory than the back end says it needs."""
    match step:
        case ContractionStep(problem):
            needed = kernels.scratch_bytes(problem, step.epilogue)
        case KernelStep(problem):
            needed = kernels.scratch_bytes(problem)
        case _:
            return
    demand(step.scratch.nbytes >= needed, f"{step.scratch} is smaller than {needed} bytes")
