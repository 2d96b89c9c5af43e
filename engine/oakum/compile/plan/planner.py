"""Plans: from a program to its steps in order, each variable in memory of its own.

`buffer_assignment` then has those that may share their memory do so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oakum import dtypes
from oakum.compile.cpu.codegen.cumulative import Accumulation, AccumulationStep
from oakum.compile.fusion.epilogue import Finish
from oakum.compile.fusion.fuse import Fusion, Separate
from oakum.compile.fusion.groups import Group
from oakum.compile.fusion.merge_axes import merge_axes
from oakum.compile.fusion.nest_builder import NestBuilder
from oakum.compile.fusion.split_reduction import split
from oakum.compile.fusion.unrolling import unrolled
from oakum.compile.loops.affine import Affine
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Buffer, Constant, Load, Nest, Store, Sweep
from oakum.compile.loops.loop_verifier import checked
from oakum.compile.loops.operations import NATIVE
from oakum.compile.native import target
from oakum.compile.plan.contraction_steps import (
    Codes,
    ContractionStep,
    problem_of,
    products_of,
    scratch_bytes,
    shares_of,
    title_of,
)
from oakum.compile.plan.epilogue_fusion import Finished, finished
from oakum.compile.plan.history import History
from oakum.compile.plan.steps import ControlStep, HostStep, KernelStep, NestStep, Plan, PlanStep
from oakum.compile.rewrite.complex.complex_pair import is_complex, rows_aval
from oakum.compile.rewrite.keys_to_uint32 import is_key, words_aval
from oakum.primitives.rules.lowering import Accumulated, Branched, Looped, Scanned, remaining
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Literal, Var
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.lazy_modules import Namespace
from oakum.values.records import replace

if TYPE_CHECKING:
    from oakum.compile.cpu.kernels import dispatch
    from oakum.compile.plan.contraction_steps import Problem
else:
    dispatch = Namespace("oakum.compile.cpu.kernels.dispatch")


class Shared:
    """What a program has in common with those in it: constants, code of contractions, and whether
    the histories of their plans are kept.
    """

    def __init__(self, *, keeps_histories: bool = False) -> None:
        self.raws: list[Any] = []
        self.codes = Codes()
        self.keeps_histories = keeps_histories

    def add(self, raw: Any, aval: ShapedArray) -> Buffer:
        """The buffer of one more constant."""
        assert aval.dtype is not None
        self.raws.append(host.np.ascontiguousarray(raw))
        return Buffer(len(self.raws) - 1, aval.dtype, _size(aval), "constant")


class Planner:
    """Makes the plan of a program."""

    def __init__(self, closed: ClosedJaxpr, shared: Shared) -> None:
        jaxpr = self._jaxpr = closed.jaxpr
        self._shared = shared
        self._memory: dict[Var, Buffer] = {}
        self._plan = Plan([], [])
        if shared.keeps_histories:
            self._plan.history = History(closed, self._memory)
        self._copies: list[tuple[Var | Literal, Buffer]] = []
        for var, const in zip(jaxpr.constvars, closed.consts, strict=True):
            self._memory[var] = shared.add(const.raw, var.aval)
        self._plan.inputs += [self._bind(v, n, "in") for n, v in enumerate(jaxpr.invars)]
        for number, atom in enumerate(jaxpr.outvars):
            dtype = atom.aval.dtype
            assert dtype is not None
            buffer = Buffer(number, dtype, _size(atom.aval), "out")
            self._plan.outputs.append(buffer)
            if isinstance(atom, Literal) or atom in self._memory:
                self._copies.append((atom, buffer))
            else:
                self._memory[atom] = buffer
        for eqn in jaxpr.eqns:
            if eqn.primitive.name in ("random_unwrap", "rows_of_complex"):
                self._share(eqn.inputs[0], eqn.outputs[0])

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

    def _buffer_of(self, var: Var) -> Buffer:
        found = self._memory.get(var)
        if found is None:
            aval = _in_memory(var)
            assert aval.dtype is not None
            found = self._memory[var] = self._plan.temporary(aval.dtype, _size(aval))
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
                    nest = NestBuilder(fusion, step, self._buffer_of, self._plan.temporary).build()
                    if nest.sweeps and all(nest.extents[a] for a in nest.outer):
                        nest = unrolled(merge_axes(checked(nest)))
                        nests = split(nest, self._plan.temporary)
                        self._plan.steps += [NestStep(checked(each)) for each in nests]
                case Separate():
                    self._plan.steps += self._separate(step)
        for atom, buffer in self._copies:
            self._copy(atom, buffer)
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
        scratch = self._plan.temporary(dtypes.uint8, scratch_bytes(code, shares))
        lhs, rhs = operands
        title, to = title_of(problem, finish), self._buffer_of(result)
        return ContractionStep(
            name, code, title, products, lhs, rhs, offsets, to, scratch, shares, finish
        )

    def _accumulation(self, eqn: Equation) -> AccumulationStep | None:
        """The step of a running reduction; None for anything else."""
        lower: Any = remaining(eqn.primitive.lower)
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
        problem = dispatch.problem_of(eqn)
        if problem is None:
            return None
        stride = dispatch.scratch_stride(problem, target.host())
        shares = dispatch.shares_of(problem)
        scratch = self._plan.temporary(dtypes.uint8, stride * shares)
        operands = tuple(self._input(x) for x in eqn.inputs)
        results = tuple(self._buffer_of(v) for v in eqn.outputs)
        return KernelStep(problem, operands, results, scratch, shares)

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
        scratch = self._plan.temporary(dtypes.uint8, 0)  # As large as it has to be in the end.
        flag = self._plan.temporary(dtypes.bool_, 1)
        outputs = tuple(self._buffer_of(v) for v in eqn.outputs)
        return ControlStep(eqn, plans, tuple(inputs), outputs, first, count, scratch, flag)

    def _input(self, atom: Var | Literal) -> Buffer:
        if isinstance(atom, Literal):
            return self._shared.add(atom.raw, atom.aval)
        return self._buffer_of(atom)

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


def _size(aval: ShapedArray) -> int:
    total = 1
    for n in shape_of(aval):
        total *= n
    return total
