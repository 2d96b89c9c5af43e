"""What loops and branches have to do, by the rules of their operations.

A step that runs programs is followed program by program: the operands of each, which one runs next,
and the results of the step. Nothing is computed here but moved, so all of it is compared bit by
bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from oakum.compile.loops.elements import shape_of
from oakum.compile.plan.steps import ControlStep
from oakum.primitives.rules.lowering import Branched, Looped, Scanned
from oakum.tracing.ir import ClosedJaxpr
from oakum.values import host


class WrongIteration(Exception):
    """Raised if code runs a program that it must not run now, or stops too early."""


class Iterations(ABC):
    """The programs that a step runs."""

    def __init__(self, step: ControlStep, operands: Sequence[Any]) -> None:
        self.step = step
        self.operands = list(operands)

    @property
    @abstractmethod
    def programs(self) -> Sequence[ClosedJaxpr]:
        """The programs of the equation, as it numbers them."""

    @abstractmethod
    def begin(self, number: int) -> list[Any]:
        """Returns the operands of a program; raises if it must not run."""

    @abstractmethod
    def end(self, number: int, results: Sequence[Any]) -> None:
        """Takes the results of a program."""

    @abstractmethod
    def results(self) -> list[Any]:
        """Returns the results of the step; raises if it is not done."""


class _ScanIterations(Iterations):
    def __init__(self, step: ControlStep, operands: Sequence[Any]) -> None:
        super().__init__(step, operands)
        self._behind = step.first + step.carried
        self._carried = self.operands[step.first : self._behind]
        self._length: int = step.eqn.params["length"]
        self._rows: list[Sequence[Any]] = []

    @property
    def programs(self) -> Sequence[ClosedJaxpr]:
        return [self.step.eqn.params["jaxpr"]]

    def begin(self, number: int) -> list[Any]:
        turn = len(self._rows)
        if turn >= self._length:
            raise WrongIteration(f"the loop goes on after its {self._length} iterations")
        row = self._length - 1 - turn if self.step.eqn.params["reverse"] else turn
        stacked = [array[row] for array in self.operands[self._behind :]]
        return [*self.operands[: self.step.first], *self._carried, *stacked]

    def end(self, number: int, results: Sequence[Any]) -> None:
        self._carried = list(results[: self.step.carried])
        self._rows.append(results[self.step.carried :])

    def results(self) -> list[Any]:
        if len(self._rows) != self._length:
            raise WrongIteration(
                f"the loop ends after {len(self._rows)} of {self._length} iterations"
            )
        rows = self._rows[::-1] if self.step.eqn.params["reverse"] else self._rows
        found = list(self._carried)
        for number, var in enumerate(self.step.eqn.outputs[self.step.carried :]):
            assert var.aval.dtype is not None
            stacked = host.np.empty(shape_of(var.aval), host.dtype(var.aval.dtype))
            for place, row in enumerate(rows):
                stacked[place] = row[number]
            found.append(stacked)
        return found


class _LoopIterations(Iterations):
    def __init__(self, step: ControlStep, operands: Sequence[Any]) -> None:
        super().__init__(step, operands)
        self._for_cond: int = step.eqn.params["cond_consts"]
        self._carried = self.operands[step.first :]
        self._goes_on: bool | None = None
        """What the condition gave for what is carried now; None where it was not asked yet."""
        self._count = 0

    @property
    def programs(self) -> Sequence[ClosedJaxpr]:
        return [self.step.eqn.params[name] for name in ("cond_jaxpr", "body_jaxpr")]

    def begin(self, number: int) -> list[Any]:
        if number == 0:
            if self._goes_on is not None:
                raise WrongIteration("the condition is asked twice in an iteration")
            return [*self.operands[: self._for_cond], *self._carried]
        if not self._goes_on:
            raise WrongIteration(f"the loop goes on after iteration {self._count}")
        return [*self.operands[self._for_cond : self.step.first], *self._carried]

    def end(self, number: int, results: Sequence[Any]) -> None:
        if number == 0:
            self._goes_on = bool(results[0])
        else:
            self._carried, self._goes_on = list(results), None
            self._count += 1

    def results(self) -> list[Any]:
        if self._goes_on is not False:
            raise WrongIteration(f"the loop ends after iteration {self._count}")
        return self._carried


class _BranchIterations(Iterations):
    def __init__(self, step: ControlStep, operands: Sequence[Any]) -> None:
        super().__init__(step, operands)
        self._given: Sequence[Any] | None = None

    @property
    def programs(self) -> Sequence[ClosedJaxpr]:
        return self.step.eqn.params["branches"]

    def begin(self, number: int) -> list[Any]:
        asked, last = int(self.operands[0]), len(self.step.programs) - 1
        wanted = asked if 0 <= asked <= last else last
        if number != wanted or self._given is not None:
            raise WrongIteration(f"branch {number} is run, where branch {wanted} has to")
        return self.operands[1:]

    def end(self, number: int, results: Sequence[Any]) -> None:
        self._given = results

    def results(self) -> list[Any]:
        if self._given is None:
            raise WrongIteration("no branch is run")
        return list(self._given)


def iterations_of(step: ControlStep, operands: Sequence[Any]) -> Iterations:
    """Returns the programs that a step has to run for these operands."""
    match step.eqn.primitive.lower:
        case Scanned():
            return _ScanIterations(step, operands)
        case Looped():
            return _LoopIterations(step, operands)
        case Branched():
            return _BranchIterations(step, operands)
        case _:
            raise AssertionError(f"{step.eqn.primitive} runs no program")
