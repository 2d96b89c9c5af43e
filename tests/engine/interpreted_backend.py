# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""A second back end: it compiles nothing, and carries out plans with NumPy, element by element.

It has memory of its own: arguments are copied to it, and results from it. What it leaves to the
host, and the numbers of its policy, are as unlike the CPU's as may be.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oakum.api import primitive_registry
from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Instruction,
    Load,
    Nest,
    Operation,
    Position,
    Slot,
    Store,
)
from oakum.compile.plan.steps import (
    AccumulationStep,
    ContractionStep,
    ControlStep,
    HostStep,
    KernelStep,
    NestStep,
    Plan,
    PlanStep,
)
from oakum.compile.problems.contraction import Axis, Contraction
from oakum.compile.problems.problem import Epilogue, Policy, Problem
from oakum.compile.program.native_program import Observer
from oakum.dtypes import DType
from oakum.primitives.conversion import convert
from oakum.primitives.rules.lowering import Branched, Elementwise, Looped, Scanned
from oakum.tracing.ir import Literal
from oakum.values import host
from oakum.values.avals import ShapedArray

POLICY = Policy(
    longest_group=40.0,
    recomputed_ns=0.2,
    light_chain=3,
    staged_bytes=64,
    shortest_staged_row=2,
    reduction_parts=4,
    shortest_split=40,
    few_positions=1,
    columns_together=1,
    unrolled_instructions=0,
    shortest_epilogue_row=1,
    longest_epilogue=30.0,
    narrow_epilogue_ns=100.0,
    near_bytes=1 << 30,
    longest_counted_sort=6,
    sorts_by_selection=False,
    splits_complex=False,
    avoids_host=False,
    products_per_row=1,
)

Memory = dict[Buffer, Any]


@dataclass
class InterpretedBackend:
    """Takes products where it is told so, and nothing else: the host does the rest."""

    platform: str = "interpreted"
    is_current: bool = True
    takes_products: bool = True
    steps: list[str] = field(default_factory=list)
    """The kinds of the steps that were carried out."""

    def lowering(self) -> InterpretedLowering:
        return InterpretedLowering(self)


@dataclass
class InterpretedLowering:
    owner: InterpretedBackend
    policy: Policy = POLICY

    def takes(self, problem: Problem) -> bool:
        return self.owner.takes_products and isinstance(problem, Contraction)

    def stores_vectors(self, problem: Contraction) -> bool:
        return True

    def scratch_bytes(self, problem: Any, epilogue: Epilogue | None = None) -> int:
        return 0

    def describe(self, step: PlanStep) -> str:
        return "element by element"

    def compile(
        self,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
        *,
        is_watched: bool = False,
    ) -> InterpretedProgram:
        assert not is_watched
        return InterpretedProgram(plan, avals, constants, self.owner.steps)


class InterpretedProgram:
    source = address = device = settle = run = None
    context = arena_bytes = code_bytes = guard = 0
    cost_ns = 1e9
    addresses = ()
    origin, is_new = "not made", False
    observer: Observer | None = None

    def __init__(
        self,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
        steps: list[str],
    ) -> None:
        self._plan = plan
        self._results = avals[1]
        self._constants = [raw.copy().reshape(-1) for raw in constants]
        self._steps = steps

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        given = [np.array(raw).reshape(-1) for raw in raws]  # To memory of its own.
        with np.errstate(all="ignore"):
            made = run(self._plan, given, self._constants, self._steps)
        results: list[Any] = []
        for aval, flat in zip(self._results, made, strict=True):
            results.append(flat.view(_kind(aval)).reshape(aval.shape).copy())
        return results

    def seconds(self, raws: Sequence[Any]) -> float:
        begun = time.perf_counter()
        self(raws)
        return time.perf_counter() - begun

    def text(self, form: str) -> str:
        return f"({form}: there is none)\n"


def run(
    plan: Plan, given: Sequence[Any], constants: Sequence[Any], kinds: list[str]
) -> Sequence[Any]:
    """Carries out a plan on flat arrays, which keep their values; returns flat results."""
    memory: Memory = {}
    for buffer, array in zip(plan.inputs, given, strict=True):
        memory[buffer] = array.copy().view(host.dtype(buffer.dtype))
    for number, buffer in enumerate(plan.outputs):
        over = plan.aliases.get(number)
        if over is None:
            memory[buffer] = np.zeros(buffer.size, host.dtype(buffer.dtype))
        else:
            memory[buffer] = memory[plan.inputs[over]].copy().view(host.dtype(buffer.dtype))
    for step in plan.steps:
        kinds.append(type(step).__name__)
        carry_out(step, _Find(memory, constants), kinds)
    return [memory[buffer] for buffer in plan.outputs]


@dataclass
class _Find:
    memory: Memory
    constants: Sequence[Any]

    def __getitem__(self, buffer: Buffer) -> Any:
        if buffer.role == "constant":
            return self.constants[buffer.number].view(host.dtype(buffer.dtype))
        found = self.memory.get(buffer)
        if found is None:
            found = self.memory[buffer] = np.zeros(buffer.size, host.dtype(buffer.dtype))
        return found


def carry_out(step: PlanStep, find: _Find, kinds: list[str]) -> None:
    match step:
        case NestStep(nest):
            _nest(nest, find)
        case ContractionStep():
            _contraction(step, find)
        case HostStep():
            _host(step, find)
        case ControlStep():
            _control(step, find, kinds)
        case AccumulationStep(problem) | KernelStep(problem):
            raise AssertionError(f"{problem} was not taken")


# Nests.


def _nest(nest: Nest, find: _Find) -> None:
    for outer in itertools.product(*[range(nest.extents[a]) for a in nest.outer]):
        slots: dict[int, Any] = {}
        for sweep in nest.sweeps:
            totals: dict[int, Any] = {}
            for inner in itertools.product(*[range(nest.extents[a]) for a in sweep.axes]):
                at = dict(zip((*nest.outer, *sweep.axes), (*outer, *inner), strict=True))
                registers: list[Any] = []
                for each in sweep.instructions:
                    registers.append(_instruction(each, registers, at, slots, find))
                for store in sweep.stores:
                    find[store.buffer][_place(store, registers, at)] = registers[store.register]
                for reduce in sweep.reduces:
                    new, dtype = registers[reduce.register], sweep.instructions[reduce.register]
                    old = totals.get(reduce.slot)
                    if old is not None:
                        new = operation(reduce.monoid, dtype.dtype, old, new)
                    totals[reduce.slot] = new
                for keep in sweep.keeps:
                    slots[keep.slot] = registers[keep.register]
            for reduce in sweep.reduces:
                dtype = sweep.instructions[reduce.register].dtype
                empty = operations.identity(reduce.monoid, dtype)
                slots[reduce.slot] = totals.get(reduce.slot, host.dtype(dtype).type(empty))


def _value(value: Affine, at: Mapping[int, int]) -> int:
    return value.constant + sum(c * at[a] for a, c in value.terms)


def _place(each: Load | Store, registers: Sequence[Any], at: Mapping[int, int]) -> int:
    return _value(each.offset, at) + (0 if each.dynamic is None else int(registers[each.dynamic]))


def _instruction(
    each: Instruction,
    registers: Sequence[Any],
    at: Mapping[int, int],
    slots: Mapping[int, Any],
    find: _Find,
) -> Any:
    match each:
        case Constant(value, dtype):
            return _number(value, dtype)
        case Load():
            return find[each.buffer][_place(each, registers, at)]
        case Position(value, dtype):
            return _number(_value(value, at), dtype)
        case Slot(number, _):
            return slots[number]
        case Operation(name, operands, dtype, params):
            return operation(name, dtype, *[registers[n] for n in operands], params=params)


def _number(value: complex, dtype: DType) -> Any:
    kind = host.dtype(dtype)
    if kind.kind in "iu":  # Constants are told by their bits, whichever sign they are read with.
        return np.array(int(value.real) % (1 << dtype.bits), f"u{dtype.itemsize}").view(kind)[()]
    return np.array(value, kind)[()]


@functools.cache
def _functions() -> dict[str, Any]:
    """For each operation of the loop IR the evaluation of a primitive whose rule names it, with
    what it takes by name: how accurate it is to be, and the like, which no operation knows.
    """
    known = primitive_registry.by_name()
    named = {p.lower.name: p for p in known.values() if isinstance(p.lower, Elementwise)}
    found: dict[str, Any] = {}
    for name, primitive in named.items():
        function = known.get(name, primitive).evaluate
        parameters = inspect.signature(function).parameters.values()
        options = {p.name: None for p in parameters if p.kind is p.KEYWORD_ONLY}
        found[name] = function, options
    return found


def operation(name: str, dtype: DType, *operands: Any, params: Sequence[Any] = ()) -> Any:
    """Evaluates an operation of the loop IR on numbers."""
    kind = host.dtype(dtype)
    match name:
        case "select":
            return operands[1] if operands[0] else operands[2]
        case "convert_element_type":
            return convert(np, np.asarray(operands[0]), dtype)[()]
        case "bitcast_convert_type":
            return np.asarray(operands[0]).view(kind)[()]
        case "square":
            return operands[0] * operands[0]
        case _:
            assert not params, f"{name} has parameters"
            function, options = _functions()[name]
            found = function(np, *[np.asarray(x) for x in operands], **options)
            return np.asarray(found, kind)[()]


# Products.


def _contraction(step: ContractionStep, find: _Find) -> None:
    problem = step.problem
    assert isinstance(problem, Contraction)
    first, second = step.offsets
    lhs, rhs, result = find[step.lhs], find[step.rhs], find[step.result]
    wide = host.dtype(problem.accumulator)
    for batch, a in enumerate(_positions(problem.batch)):
        for row, b in enumerate(_positions(problem.rows)):
            for column, c in enumerate(_positions(problem.columns)):
                summed = list(_positions(problem.summed))
                left = [lhs[first + a[0] + b[0] + d[0]] for d in summed]
                right = [rhs[second + a[1] + c[1] + d[1]] for d in summed]
                terms = np.array(left).astype(wide) * np.array(right).astype(wide)
                total = terms.sum(dtype=wide).astype(host.dtype(problem.result))
                place = a[2] + b[2] + c[2]
                if step.epilogue is None:
                    result[place] = total
                else:
                    _finish(step, step.epilogue, (batch, row, column), place, total, find)


def _positions(axes: Sequence[Axis]) -> Sequence[tuple[int, int, int]]:
    """For each position along some axes how far it is in each array."""
    found: list[tuple[int, int, int]] = []
    for at in itertools.product(*[range(axis.extent) for axis in axes]):
        pairs = list(zip(at, axes, strict=True))
        lhs, rhs = sum(n * x.lhs for n, x in pairs), sum(n * x.rhs for n, x in pairs)
        found.append((lhs, rhs, sum(n * x.result for n, x in pairs)))
    return found


def _finish(
    step: ContractionStep,
    epilogue: Epilogue,
    numbers: tuple[int, int, int],
    place: int,
    total: Any,
    find: _Find,
) -> None:
    at: dict[int, int] = {}
    for role, number in zip(epilogue.roles, numbers, strict=True):
        for dimension in reversed(role):
            number, at[dimension] = divmod(number, epilogue.extents[dimension])
    registers: list[Any] = []
    for each in epilogue.instructions:
        if isinstance(each, Load):
            offset = place if each.offset == epilogue.everywhere else _value(each.offset, at)
            registers.append(find[step.reads[each.buffer.number]][offset])
        else:
            registers.append(_instruction(each, registers, at, {0: total}, find))
    for buffer, register in zip((step.result, *step.others), epilogue.registers, strict=True):
        find[buffer][place] = registers[register]


def _kind(aval: ShapedArray) -> Any:
    assert aval.dtype is not None
    return host.dtype(aval.dtype)


# What the host does, and programs in programs.


def _host(step: HostStep, find: _Find) -> None:
    operands: list[Any] = []
    for atom, given in zip(step.eqn.inputs, step.inputs, strict=True):
        if isinstance(given, Literal):
            operands.append(given.raw)
        else:
            operands.append(find[given].view(_kind(atom.aval)).reshape(atom.aval.shape).copy())
    results = step.eqn.primitive.evaluate(np, *operands, **step.eqn.params)
    if not step.eqn.primitive.multiple_results:
        results = (results,)
    for aval, buffer, made in zip(step.out_avals, step.outputs, results, strict=True):
        array = np.ascontiguousarray(made, _kind(aval))
        find[buffer][...] = array.reshape(-1).view(host.dtype(buffer.dtype))


def _control(step: ControlStep, find: _Find, kinds: list[str]) -> None:
    def program(number: int, given: Sequence[Any]) -> Sequence[Any]:
        return run(step.programs[number], given, find.constants, kinds)

    given = [find[buffer].copy() for buffer in step.inputs]
    match step.eqn.primitive.lower:
        case Branched():
            last = len(step.programs) - 1
            index = int(given[0][0])
            results = program(index if 0 <= index <= last else last, given[1:])
        case Looped():
            results = _loop(step, given, program)
        case Scanned():
            results = _scan(step, given, program)
        case other:
            raise AssertionError(f"{other} runs no program")
    for buffer, made in zip(step.outputs, results, strict=True):
        find[buffer][...] = made.view(host.dtype(buffer.dtype))


Run = Callable[[int, Sequence[Any]], Sequence[Any]]


def _loop(step: ControlStep, given: Sequence[Any], program: Run) -> Sequence[Any]:
    for_cond, first = step.eqn.params["cond_consts"], step.first
    carried = given[first:]
    while program(0, [*given[:for_cond], *carried])[0][0]:
        carried = program(1, [*given[for_cond:first], *carried])
    return carried


def _scan(step: ControlStep, given: Sequence[Any], program: Run) -> Sequence[Any]:
    first, count, length = step.first, step.carried, step.eqn.params["length"]
    carried, stacked = given[first : first + count], given[first + count :]
    rows = [np.zeros(b.size, host.dtype(b.dtype)) for b in step.outputs[count:]]
    for turn in range(length):
        at = length - 1 - turn if step.eqn.params["reverse"] else turn
        made = program(0, [*given[:first], *carried, *[_row(x, at, length) for x in stacked]])
        carried = made[:count]
        for array, row in zip(rows, made[count:], strict=True):
            _row(array, at, length)[...] = row.view(array.dtype)
    return [*carried, *rows]


def _row(array: Any, at: int, length: int) -> Any:
    size = array.size // length
    return array[at * size : (at + 1) * size]
