"""Plans: the steps of a program in order, and the memory that they work in.

Invariants:
- A buffer is written by one step, before the steps that read it.
- Temporary buffers share one arena: two of them overlap only where no step needs both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from oakum import dtypes, host
from oakum.avals import ShapedArray
from oakum.compile import kernels, target
from oakum.compile.accumulation import Accumulation, AccumulationStep
from oakum.compile.affine import Affine
from oakum.compile.axes import merge_axes
from oakum.compile.build import NestBuilder
from oakum.compile.contractions import (
    Codes,
    ContractionStep,
    Problem,
    problem_of,
    products_of,
    scratch_stride,
    shares_of,
    title_of,
)
from oakum.compile.elements import shape_of
from oakum.compile.finishes import Finish
from oakum.compile.finishing import Finished, finished
from oakum.compile.fuse import Fusion, Separate
from oakum.compile.groups import Group
from oakum.compile.kernels import KernelStep
from oakum.compile.loop_verify import checked
from oakum.compile.loops import Buffer, Constant, Load, Nest, Store, Sweep
from oakum.compile.operations import NATIVE
from oakum.compile.pairs.pair import is_complex, rows_aval
from oakum.compile.words import is_key, words_aval
from oakum.dtypes import DType
from oakum.ir import Atom, ClosedJaxpr, Equation, Literal, Var
from oakum.rules.lowering import Accumulated, Branched, Decomposed, Looped, Scanned


class Shared:
    """What a program has in common with those in it: constants, and code of contractions."""

    def __init__(self) -> None:
        self.raws: list[Any] = []
        self.codes = Codes()

    def add(self, raw: Any, aval: ShapedArray) -> Buffer:
        """The buffer of one more constant."""
        assert aval.dtype is not None
        self.raws.append(host.np.ascontiguousarray(raw))
        return Buffer(len(self.raws) - 1, aval.dtype, _size(aval), "constant")


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
    """Runs programs of an equation: again and again, or one of several.

    `fixed`, `carried` and `stacked` say how many of the inputs are what; `spare` has, for each
    carried value, memory for what one round hands to the next, twice; `scratch` is the arena of
    the programs.
    """

    eqn: Equation
    programs: tuple[Plan, ...]
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    spare: tuple[tuple[Buffer, Buffer], ...]
    scratch: Buffer
    flag: Buffer


PlanStep = NestStep | HostStep | ControlStep | ContractionStep | AccumulationStep | KernelStep


@dataclass(slots=True)
class Plan:
    """The steps of a program."""

    inputs: list[Buffer]
    outputs: list[Buffer]
    steps: list[PlanStep] = field(default_factory=list[PlanStep])
    offsets: dict[Buffer, int] = field(default_factory=dict[Buffer, int])
    """Where in the arena the temporary buffers lie, in bytes."""
    arena_bytes: int = 0


class Planner:
    """Makes the plan of a program."""

    def __init__(self, closed: ClosedJaxpr, shared: Shared) -> None:
        jaxpr = self._jaxpr = closed.jaxpr
        self._shared = shared
        self._memory: dict[Var, Buffer] = {}
        self._temporaries: list[Buffer] = []
        self._copies: list[tuple[Var | Literal, Buffer]] = []
        for var, const in zip(jaxpr.constvars, closed.consts, strict=True):
            self._memory[var] = shared.add(const.raw, var.aval)
        inputs = [self._bind(v, n, "in") for n, v in enumerate(jaxpr.invars)]
        outputs: list[Buffer] = []
        for number, atom in enumerate(jaxpr.outvars):
            dtype = atom.aval.dtype
            assert dtype is not None
            buffer = Buffer(number, dtype, _size(atom.aval), "out")
            outputs.append(buffer)
            if isinstance(atom, Literal) or atom in self._memory:
                self._copies.append((atom, buffer))
            else:
                self._memory[atom] = buffer
        for eqn in jaxpr.eqns:
            if eqn.primitive.name in ("random_unwrap", "rows_of_complex"):
                self._share(eqn.inputs[0], eqn.outputs[0])
        self._plan = Plan(inputs, outputs)

    def _bind(self, var: Var, number: int, role: str) -> Buffer:
        dtype = var.aval.dtype
        assert dtype is not None
        buffer = Buffer(number, dtype, _size(var.aval), role)  # pyright: ignore[reportArgumentType]
        self._memory[var] = buffer
        return buffer

    def _share(self, first: Atom, second: Var) -> bool:
        """Has two variables in the same memory; False where both have their own already."""
        if not isinstance(first, Var):
            return False
        if first in self._memory and second in self._memory:
            return self._memory[first] is self._memory[second]
        known, other = (first, second) if first in self._memory else (second, first)
        self._memory[other] = self._buffer_of(known)
        return True

    def _temporary(self, dtype: DType, size: int) -> Buffer:
        buffer = Buffer(len(self._temporaries), dtype, size, "temporary")
        self._temporaries.append(buffer)
        return buffer

    def _buffer_of(self, var: Var) -> Buffer:
        found = self._memory.get(var)
        if found is None:
            aval = _in_memory(var)
            assert aval.dtype is not None
            found = self._memory[var] = self._temporary(aval.dtype, _size(aval))
        return found

    def plan(self) -> Plan:
        """The plan."""
        fusion = Fusion(self._jaxpr)
        for step in finished(fusion):
            match step:
                case Finished():
                    self._plan.steps.append(self._finished(step))
                case Group():
                    if not step.size and step.kept is None:
                        continue
                    nest = NestBuilder(fusion, step, self._buffer_of, self._temporary).build()
                    if all(nest.extents[a] for a in nest.outer):
                        self._plan.steps.append(NestStep(checked(merge_axes(checked(nest)))))
                case Separate():
                    self._plan.steps += self._separate(step)
        for atom, buffer in self._copies:
            self._copy(atom, buffer)
        self._arrange()
        return self._plan

    def _host(self, eqn: Equation) -> HostStep:
        inputs = [x if isinstance(x, Literal) else self._buffer_of(x) for x in eqn.inputs]
        outputs = tuple(self._buffer_of(v) for v in eqn.outputs)
        return HostStep(eqn, tuple(inputs), outputs, tuple(v.aval for v in eqn.outputs))

    def _separate(self, step: Separate) -> Sequence[PlanStep]:
        eqn = step.eqn
        if eqn.primitive.name in _VIEWS and self._share(eqn.inputs[0], eqn.outputs[0]):
            return ()
        native = (
            self._contraction(step)
            or self._control(eqn)
            or self._accumulation(eqn)
            or self._kernel(eqn)
        )
        if native is None:
            assert not any(step.views), "the host takes operands that are in memory"
            native = self._host(eqn)
        return (native,)

    def _contraction(self, step: Separate) -> ContractionStep | None:
        """The step of a product or a convolution; None where there is no native code for it."""
        found = problem_of(step)
        return None if found is None else self._product(step, found, step.eqn.outputs[0])

    def _finished(self, step: Finished) -> ContractionStep:
        """The step of a product whose elements are gone on with before they are stored."""
        found = problem_of(step.product)
        assert found is not None
        result, *others = step.results
        made = self._product(step.product, found, result, step.finish)
        return replace(
            made,
            reads=tuple(self._buffer_of(var) for var in step.reads),
            others=tuple(self._buffer_of(var) for var in others),
        )

    def _product(
        self,
        step: Separate,
        found: tuple[Problem, tuple[int, int]],
        result: Var,
        finish: Finish | None = None,
    ) -> ContractionStep:
        problem, offsets = found
        operands = [
            self._input(atom) if view is None else self._buffer_of(view.var)
            for atom, view in zip(step.eqn.inputs, step.views, strict=True)
        ]
        name, code = self._shared.codes.of(problem, finish)
        products = products_of(problem)
        shares = shares_of(problem, code)
        scratch = self._temporary(dtypes.uint8, scratch_stride(code) * shares)
        lhs, rhs = operands
        title, to = title_of(problem, finish), self._buffer_of(result)
        return ContractionStep(
            name, code, title, products, lhs, rhs, offsets, to, scratch, shares, finish
        )

    def _accumulation(self, eqn: Equation) -> AccumulationStep | None:
        """The step of a running reduction; None for anything else."""
        lower: Any = eqn.primitive.lower
        if isinstance(lower, Decomposed):
            lower = lower.otherwise
        dtype = eqn.inputs[0].aval.dtype if eqn.inputs else None
        if not isinstance(lower, Accumulated) or dtype not in NATIVE:
            return None
        shape = shape_of(eqn.inputs[0].aval)
        axis: int = eqn.params["axis"]
        before, after = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
        reverse: bool = eqn.params["reverse"]
        problem = Accumulation(before, shape[axis], after, dtype, lower.monoid, reverse)
        return AccumulationStep(
            problem, self._input(eqn.inputs[0]), self._buffer_of(eqn.outputs[0])
        )

    def _kernel(self, eqn: Equation) -> KernelStep | None:
        """The step of a problem that has a kernel of its own; None for another."""
        problem = kernels.problem_of(eqn)
        if problem is None:
            return None
        stride = kernels.scratch_stride(problem, target.host())
        scratch = self._temporary(dtypes.uint8, stride * problem.shares)
        operands = tuple(self._input(x) for x in eqn.inputs)
        results = tuple(self._buffer_of(v) for v in eqn.outputs)
        return KernelStep(problem, operands, results, scratch)

    def _control(self, eqn: Equation) -> ControlStep | None:
        """The step of an equation that runs programs; None for another."""
        match eqn.primitive.lower:
            case Scanned():
                programs = (eqn.params["jaxpr"],)
                first, count = eqn.params["consts"], eqn.params["carry"]
            case Looped():
                programs = (eqn.params["cond_jaxpr"], eqn.params["body_jaxpr"])
                first = eqn.params["cond_consts"] + eqn.params["body_consts"]
                count = len(eqn.inputs) - first
            case Branched():
                programs, first, count = eqn.params["branches"], 0, 0
            case _:
                return None
        plans = tuple(Planner(program, self._shared).plan() for program in programs)
        inputs = [self._input(x) for x in eqn.inputs]
        spare = [self._twice(buffer) for buffer in inputs[first : first + count]]
        scratch = self._temporary(dtypes.uint8, max(max(p.arena_bytes for p in plans), 1))
        flag = self._temporary(dtypes.bool_, 1)
        outputs = tuple(self._buffer_of(v) for v in eqn.outputs)
        return ControlStep(eqn, plans, tuple(inputs), outputs, tuple(spare), scratch, flag)

    def _input(self, atom: Var | Literal) -> Buffer:
        if isinstance(atom, Literal):
            return self._shared.add(atom.raw, atom.aval)
        return self._buffer_of(atom)

    def _twice(self, buffer: Buffer) -> tuple[Buffer, Buffer]:
        return self._temporary(buffer.dtype, buffer.size), self._temporary(
            buffer.dtype, buffer.size
        )

    def _copy(self, atom: Var | Literal, to: Buffer) -> None:
        if to.dtype not in NATIVE:
            self._plan.steps.append(_copied(atom, to, self._memory))
            return
        offset, extents = Affine.axis(0), (to.size,)
        if isinstance(atom, Literal):
            source = Constant(atom.raw.item(), to.dtype)
        else:
            source = Load(self._memory[atom], offset)
        sweep = Sweep((), (source,), (Store(to, offset, 0),))
        if to.size:
            self._plan.steps.append(NestStep(Nest(extents, (0,), (sweep,))))

    def _arrange(self) -> None:
        """Lays the temporary buffers out in the arena, by the steps that need them."""
        first: dict[Buffer, int] = {}
        last: dict[Buffer, int] = {}
        for number, step in enumerate(self._plan.steps):
            for buffer in buffers_of(step):
                if buffer.role == "temporary":
                    first.setdefault(buffer, number)
                    last[buffer] = number
        placed: list[Buffer] = []
        for buffer in sorted(first, key=lambda b: -b.nbytes):
            around = sorted(
                (self._plan.offsets[b], self._plan.offsets[b] + _padded(b))
                for b in placed
                if first[b] <= last[buffer] and first[buffer] <= last[b]
            )
            at = 0
            for begin, end in around:
                if at + _padded(buffer) <= begin:
                    break
                at = max(at, end)
            self._plan.offsets[buffer] = at
            self._plan.arena_bytes = max(self._plan.arena_bytes, at + _padded(buffer))
            placed.append(buffer)


_VIEWS = ("random_wrap", "random_unwrap", "complex_of_rows", "rows_of_complex")
"""Operations whose results lie in memory as their operands do."""


def _in_memory(var: Var) -> ShapedArray:
    """The aval of what native code sees of a variable."""
    if is_key(var):
        return words_aval(var.aval)
    return rows_aval(var.aval) if is_complex(var) else var.aval


def _copied(atom: Var | Literal, to: Buffer, memory: dict[Var, Buffer]) -> HostStep:
    """A copy that the host makes."""
    from oakum.primitives.conversion import copy_p

    given = atom if isinstance(atom, Literal) else memory[atom]
    return HostStep(Equation(copy_p, [atom], [], {}), (given,), (to,), (atom.aval,))


def _padded(buffer: Buffer) -> int:
    return -(-max(buffer.nbytes, 1) // 64) * 64


def buffers_of(step: PlanStep) -> Sequence[Buffer]:
    """The memory that a step needs."""
    match step:
        case NestStep(nest):
            return nest.buffers
        case HostStep(_, inputs, outputs):
            return [*[x for x in inputs if isinstance(x, Buffer)], *outputs]
        case ContractionStep():
            return [step.lhs, step.rhs, step.result, step.scratch, *step.reads, *step.others]
        case AccumulationStep(_, source, result):
            return [source, result]
        case KernelStep():
            return step.buffers
        case ControlStep():
            spare = [buffer for pair in step.spare for buffer in pair]
            return [*step.inputs, *step.outputs, *spare, step.scratch, step.flag]


def _size(aval: ShapedArray) -> int:
    total = 1
    for n in shape_of(aval):
        total *= n
    return total
