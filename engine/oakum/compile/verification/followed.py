"""Followed programs: programs that run now, with their memory and the values that are known.

When a step is done, it has changed no memory but its own, what it has completed is what the
equations give, and from then on known. So a step that reads memory which another step has not
written yet, or has written over, gives other values than these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.steps import ControlStep, HostStep, Plan, PlanStep, written_by
from oakum.compile.program.native_program import is_plain
from oakum.compile.verification.guarded_memory import array_at, bytes_at
from oakum.compile.verification.iterations import Iterations, WrongIteration, iterations_of
from oakum.compile.verification.reference import Reference, alike, describe_difference, equations_of
from oakum.dtypes import Kind
from oakum.tracing.ir import Equation, Literal, Var
from oakum.values import host
from oakum.values.avals import ShapedArray


class Difference(Exception):
    """Code does something else than the evaluation; `eqn` is the equation it is about, if any, and
    `among` are those that the step computes together with it.
    """

    def __init__(
        self, what: str, step: int, eqn: Equation | None = None, among: Sequence[Equation] = ()
    ) -> None:
        super().__init__(what)
        self.step = step
        self.eqn = eqn
        self.among = among


class Program:
    """What is known of a plan before it runs."""

    def __init__(self, plan: Plan) -> None:
        assert plan.history is not None
        self.plan = plan
        self.closed = plan.history.closed
        self.completed = plan.history.completed
        self.made = {var: eqn for eqn in self.closed.eqns for var in eqn.outputs}
        self._chains: dict[Var, list[Equation]] = {}

    def equations(self, var: Var, reference: Reference) -> list[Equation]:
        """Returns the equations that a step computes a variable by from what is known when it
        begins.

        They are the same in each run.
        """
        found = self._chains.get(var)
        if found is None:
            found = self._chains[var] = equations_of(var, self.made, reference.known)
        return found


class _Region:
    """Memory that a program uses, and what is in it."""

    def __init__(self, name: str, address: int, size: int) -> None:
        self.name = name
        self.begin, self.end = address, address + size
        self.bytes = bytes_at(address, size)
        self._before = self.bytes.copy()

    def accept(self, address: int, size: int) -> None:
        """Takes what is there now for right."""
        begin, end = max(address, self.begin) - self.begin, min(address + size, self.end)
        if begin < end - self.begin:
            part = slice(begin, end - self.begin)
            self._before[part] = self.bytes[part]

    def change(self) -> int | None:
        """Returns the first byte that has changed; None where none has."""
        np = host.np
        if np.array_equal(self.bytes, self._before):
            return None
        return int(np.flatnonzero(self.bytes != self._before)[0])


class Followed:
    """A program while it runs."""

    def __init__(
        self, program: Program, addresses: Sequence[int], arena: int, inputs: Sequence[Any]
    ) -> None:
        self.program = program
        self.plan = program.plan
        self.step = 0
        """The number of the step that is carried out now."""
        self.iterations: Iterations | None = None
        """What the step has to run, if it runs programs."""
        self._addresses = addresses
        self._arena = arena
        self.reference = Reference(program.closed, inputs)

    def begin(self, poison: int) -> None:
        """Compares what the program is given, and poisons what it has to write first."""
        plan = self.plan
        given = zip(plan.inputs, self.program.closed.jaxpr.invars, strict=True)
        for number, (buffer, var) in enumerate(given):
            actual, expected = self._read(buffer, var.aval), self.reference.known[var]
            what = _difference(actual, expected, var.aval)
            if what is not None:
                raise Difference(f"input {number} of the program is wrong: {what}", self.step)
        for number, buffer in enumerate(plan.outputs):
            if number not in plan.aliases:
                bytes_at(self._address(buffer), buffer.nbytes)[...] = poison
        bytes_at(self._arena, plan.arena_bytes)[...] = poison
        self._regions = self._all_regions()
        self._prepare()

    def _all_regions(self) -> list[_Region]:
        plan = self.plan
        found = {self._arena: _Region("scratch memory", self._arena, plan.arena_bytes)}
        for role, buffers in (("result", plan.outputs), ("operand", plan.inputs)):
            for number, buffer in enumerate(buffers):
                address = self._address(buffer)
                if buffer.nbytes and address not in found:
                    found[address] = _Region(f"{role} {number}", address, buffer.nbytes)
        return [region for region in found.values() if region.end > region.begin]

    def _prepare(self) -> None:
        """Looks at what the next step needs, where this is not seen by what it gives."""
        if self.is_done:
            return
        step = self.plan.steps[self.step]
        match step:
            case ControlStep():
                self.iterations = iterations_of(step, [self._value(x) for x in step.eqn.inputs])
            case HostStep() if not is_plain(step):
                self._check_operands(step)
            case _:
                pass

    def _check_operands(self, step: HostStep) -> None:
        """Compares what code of the user's is going to be given."""
        for number, (atom, buffer) in enumerate(zip(step.eqn.inputs, step.inputs, strict=True)):
            if isinstance(buffer, Literal) or buffer.role == "constant":
                continue  # Whether constants have changed is seen when the run ends.
            what = _difference(self._read(buffer, atom.aval), self._value(atom), atom.aval)
            if what is not None:
                what = f"operand {number} of what the host computes is wrong: {what}"
                raise Difference(what, self.step, step.eqn)

    @property
    def is_done(self) -> bool:
        """Whether all steps have been carried out."""
        return self.step == len(self.plan.steps)

    def finish_step(self) -> None:
        """Compares what the step has done with what its equations give."""
        step = self.plan.steps[self.step]
        self._check_memory(step)
        results = self._results_of_rounds(step)
        for var, buffer in self.program.completed[self.step]:
            actual = self._read(buffer, var.aval).copy()
            eqns: Sequence[Equation] = ()
            if var in results:
                what = _difference(actual, results[var], var.aval)
            elif isinstance(step, HostStep) and not is_plain(step):
                what = None  # It has run, and what it does must not be done twice.
            else:
                eqns = self.program.equations(var, self.reference)
                what = self.reference.difference(var, actual, eqns)
            if what is not None:
                raise Difference(what, self.step, self.program.made[var], eqns)
            self.reference.known[var] = actual
        self.step += 1
        self._prepare()

    def _check_memory(self, step: PlanStep) -> None:
        for buffer in (*written_by(step), *_scratch_of(step)):
            if buffer.role == "stage":
                continue  # It is no memory of the program's: each thread has its own.
            address = self._address(buffer)
            for region in self._regions:
                region.accept(address, buffer.nbytes)
        for region in self._regions:
            place = region.change()
            if place is not None:
                what = f"byte {place} of {region.name} has changed, which the step must not write"
                raise Difference(what, self.step)

    def _results_of_rounds(self, step: PlanStep) -> dict[Var, Any]:
        if not isinstance(step, ControlStep):
            return {}
        assert self.iterations is not None
        try:
            found = self.iterations.results()
        except WrongIteration as error:
            raise Difference(str(error), self.step, step.eqn) from None
        self.iterations = None
        return dict(zip(step.eqn.outputs, found, strict=True))

    def results(self) -> list[Any]:
        """What the program has given, compared."""
        found: list[Any] = []
        outputs = zip(self.plan.outputs, self.program.closed.jaxpr.outvars, strict=True)
        for number, (buffer, atom) in enumerate(outputs):
            actual, expected = self._read(buffer, atom.aval), self._value(atom)
            what = _difference(actual, expected, atom.aval)
            if what is not None:
                eqn = None if isinstance(atom, Literal) else self.program.made.get(atom)
                raise Difference(f"result {number} is wrong: {what}", self.step - 1, eqn)
            found.append(expected)
        return found

    def _value(self, atom: Var | Literal) -> Any:
        return self.reference.value(atom, self.program.made)

    def _read(self, buffer: Buffer, aval: ShapedArray) -> Any:
        """What is in memory, as an array that shares it."""
        assert aval.dtype is not None
        shape, dtype = shape_of(aval), host.dtype(aval.dtype)
        if not math.prod(shape):
            return host.np.empty(shape, dtype)
        return array_at(self._address(buffer), shape, dtype)

    def _address(self, buffer: Buffer) -> int:
        match buffer.role:
            case "in":
                return self._addresses[buffer.number]
            case "out":
                return self._addresses[len(self.plan.inputs) + buffer.number]
            case "temporary":
                return self._arena + self.plan.offsets[buffer]
            case _:
                raise AssertionError(f"{buffer} is nobody's result")


def _scratch_of(step: PlanStep) -> list[Buffer]:
    """Returns the memory that a step may write besides its results."""
    match step:
        case ControlStep():
            return [step.scratch, step.flag, *(b for b in step.spare if b is not None)]
        case _:
            scratch = getattr(step, "scratch", None)
            return [] if scratch is None else [scratch]


def _difference(actual: host.Array, expected: host.Array, aval: ShapedArray) -> str | None:
    """How an array differs from another one that it must be a copy of; None where it does not."""
    assert aval.dtype is not None
    if actual.tobytes() == expected.tobytes():
        return None
    if aval.dtype.kind is Kind.KEY:
        return f"{actual!r}, expected {expected!r}"
    right = alike(actual, expected, aval.dtype)
    return None if right.all() else describe_difference(actual, expected, right)
