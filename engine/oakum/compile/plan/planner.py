"""The planner: from a program to its steps in order, with a buffer for each variable.

`buffer_assignment` then lets buffers share memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import dtypes
from oakum.compile.fusion.fuse import Fusion, Separate
from oakum.compile.fusion.groups import Group
from oakum.compile.fusion.merge_axes import merge_axes, unroll
from oakum.compile.fusion.nest_builder import NestBuilder
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Affine, Buffer, Constant, Load, Nest, Store, Sweep, checked
from oakum.compile.loops.operations import NATIVE
from oakum.compile.plan.epilogue_fusion import FusedProduct, fuse_epilogues
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
from oakum.compile.problems.problem import (
    Epilogue,
    Kernels,
    Product,
    accumulation_of,
    product_of,
    solved_of,
)
from oakum.compile.rewrite.rewriter import is_complex, is_key, rows_aval, words_aval
from oakum.primitives.rules.lowering import Branched, Looped, Scanned
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Literal, Var
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import replace


class Shared:
    """What a program and those within it share: the kernels of the back end, constants, and whether
    the histories of their plans are kept.
    """

    def __init__(self, kernels: Kernels, *, keeps_histories: bool = False) -> None:
        self.kernels = kernels
        self.raws: list[Any] = []
        self.keeps_histories = keeps_histories

    def add(self, raw: host.Array, aval: ShapedArray) -> Buffer:
        """Adds a constant and returns its buffer."""
        assert aval.dtype is not None
        self.raws.append(host.np.ascontiguousarray(raw))
        return Buffer(len(self.raws) - 1, aval.dtype, _size(aval), "constant")


class Planner:
    """Makes the plan of a program."""

    def __init__(self, closed: ClosedJaxpr, shared: Shared) -> None:
        jaxpr = self._jaxpr = closed.jaxpr
        self._shared = shared
        self._kernels = shared.kernels
        self._memory: dict[Var, Buffer] = {}
        self._plan = Plan([], [])
        if shared.keeps_histories:
            from oakum.compile.plan.history import History

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
        """Puts two variables in one buffer; returns False if they already have different ones."""
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
        """Returns the plan."""
        fusion, policy = Fusion(self._jaxpr, self._kernels), self._kernels.policy
        for step in fuse_epilogues(fusion):
            match step:
                case FusedProduct():
                    self._plan.steps.append(self._finished(step))
                case Group():
                    if not step.size and step.kept is None:
                        continue
                    nest = NestBuilder(fusion, step, self._buffer_of, self._plan.temporary).build()
                    if nest.sweeps and all(nest.extents[a] for a in nest.outer):
                        nest = unroll(merge_axes(checked(nest)), policy.unrolled_instructions)
                        nests = self._split(nest)
                        self._plan.steps += [NestStep(checked(each)) for each in nests]
                case Separate():
                    self._plan.steps += self._separate(step)
        for atom, buffer in self._copies:
            self._copy(atom, buffer)
        return self._plan

    def _split(self, nest: Nest) -> Sequence[Nest]:
        """Returns nests that together do the same, long reductions in parts."""
        policy = self._kernels.policy
        if nest.outer and policy.few_positions == 1:
            return [nest]
        lengths = [math.prod(nest.extents[a] for a in sweep.axes) for sweep in nest.sweeps]
        positions = math.prod(nest.extents[a] for a in nest.outer)
        if positions * max(lengths, default=0) < policy.shortest_split:
            return [nest]
        from oakum.compile.fusion.split_reduction import split

        return split(nest, self._kernels.policy, self._plan.temporary)

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
        """Returns the step of a product that the back end takes; None for other equations."""
        found = product_of(step.eqn, step.strides)
        if found is None or not self._kernels.takes(found):
            return None
        return self._product(step, found, step.eqn.outputs[0])

    def _finished(self, step: FusedProduct) -> ContractionStep:
        """Returns the step of a product with an epilogue."""
        found = product_of(step.product.eqn, step.product.strides)
        assert found is not None
        result, *others = step.results
        made = self._product(step.product, found, result, step.epilogue)
        return replace(
            made,
            reads=tuple(self._buffer_of(var) for var in step.reads),
            others=tuple(self._buffer_of(var) for var in others),
        )

    def _product(
        self, step: Separate, problem: Product, result: Var, epilogue: Epilogue | None = None
    ) -> ContractionStep:
        lhs, rhs = (
            self._input(atom) if view is None else self._buffer_of(view.var)
            for atom, view in zip(step.eqn.inputs, step.views, strict=True)
        )
        size = self._kernels.scratch_bytes(problem, epilogue)
        scratch, to = self._plan.temporary(dtypes.uint8, size), self._buffer_of(result)
        return ContractionStep(problem, lhs, rhs, step.offsets, to, scratch, epilogue)

    def _accumulation(self, eqn: Equation) -> AccumulationStep | None:
        """Returns the step of a running reduction that the back end takes; None for other
        equations.
        """
        problem = accumulation_of(eqn)
        if problem is None or not self._kernels.takes(problem):
            return None
        return AccumulationStep(
            problem, self._input(eqn.inputs[0]), self._buffer_of(eqn.outputs[0])
        )

    def _kernel(self, eqn: Equation) -> KernelStep | None:
        """Returns the step of a problem that the back end has a kernel for; None for other
        equations.
        """
        problem = solved_of(eqn)
        if problem is None or not self._kernels.takes(problem):
            return None
        scratch = self._plan.temporary(dtypes.uint8, self._kernels.scratch_bytes(problem))
        operands = tuple(self._input(x) for x in eqn.inputs)
        results = tuple(self._buffer_of(v) for v in eqn.outputs)
        return KernelStep(problem, operands, results, scratch)

    def _control(self, eqn: Equation) -> ControlStep | None:
        """Returns the step of an equation that runs programs; None for other equations."""
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
"""Operations whose results have the bytes of their operands."""


def _in_memory(var: Var) -> ShapedArray:
    """Returns the aval of a variable as native code sees its bytes."""
    if is_key(var):
        return words_aval(var.aval)
    return rows_aval(var.aval) if is_complex(var) else var.aval


def _copied(atom: Var | Literal, to: Buffer, memory: dict[Var, Buffer]) -> HostStep:
    """Returns the step of a copy made by the host."""
    from oakum.primitives.conversion import copy_p

    given = atom if isinstance(atom, Literal) else memory[atom]
    return HostStep(Equation(copy_p, [atom], [], {}), (given,), (to,), (atom.aval,))


def _size(aval: ShapedArray) -> int:
    total = 1
    for n in shape_of(aval):
        total *= n
    return total
