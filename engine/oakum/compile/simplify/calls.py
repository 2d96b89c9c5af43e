"""Operations that run one program once: which program, and on which operands.

Evaluated, such an operation gives what its program gives; its derivatives, its name and its
promises to the user were of use before the program came here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Literal, subprograms
from oakum.values.records import dataclass

_PLAIN: Final = frozenset(
    "jit checkpoint custom_jvp_call custom_vjp_call linear_call composite".split()
)
"""Primitives that apply their parameter `jaxpr` to their operands."""

NAMES: Final = _PLAIN | {"custom_linear_solve", "cond"}
"""The primitives of calls; a branch is one where it is known which is taken."""

LOOPS: Final = frozenset(("scan", "while", "cond"))
"""The primitives whose programs are simplified where they stand."""

ROOM: Final = 20_000
"""As many equations may come of programs that stand at several places, which doubles them."""


@dataclass(frozen=True, slots=True)
class Call:
    """A program and its operands; `apart` keeps its equations apart from equal ones outside."""

    program: ClosedJaxpr
    operands: Sequence[Atom]
    apart: bool = False


def call_of(equation: Equation, operands: Sequence[Atom]) -> Call | None:
    """Returns the call that an equation is, if it is one."""
    name = equation.primitive.name
    if name in _PLAIN:
        return Call(equation.params["jaxpr"], operands, _recomputes(equation))
    if name == "custom_linear_solve":
        programs, counts = equation.params["programs"], equation.params["counts"]
        start = counts.matvec + counts.vecmat
        solver = operands[start : start + counts.solve]
        return Call(programs.solve, [*solver, *operands[sum(counts) :]])
    if name == "cond" and isinstance(operands[0], Literal):
        branches = equation.params["branches"]
        return Call(branches[int(operands[0].raw)], operands[1:])
    return None


def _recomputes(equation: Equation) -> bool:
    """Returns whether the program is run again to save memory, and not to be merged with the first
    run.
    """
    return equation.primitive.name == "checkpoint" and bool(equation.params.get("prevent_cse"))


class Sizes:
    """How many equations programs have once all calls in them are replaced by their programs."""

    def __init__(self) -> None:
        self._known: dict[ClosedJaxpr, int] = {}

    def of(self, program: ClosedJaxpr) -> int:
        """Returns the number of equations, programs in loops and branches counted too."""
        waiting = [program]
        while waiting:
            current = waiting[-1]
            if current in self._known:
                waiting.pop()
                continue
            inner = [_close(each) for eqn in current.eqns for each in subprograms(eqn)]
            missing = [each for each in inner if each is not None and each not in self._known]
            if missing:
                waiting += missing
                continue
            found = len(current.eqns)
            self._known[current] = found + sum(self._known[each] for each in inner if each)
        return self._known[program]

    def repeated(self, program: ClosedJaxpr) -> int:
        """Returns the number of equations that come of programs at several places, but for the
        first.
        """
        return self.of(program) - _distinct(program)


def _distinct(program: ClosedJaxpr) -> int:
    """Returns the number of equations, those of a program that stands at several places once."""
    seen = {program}
    waiting = [program]
    found = 0
    while waiting:
        current = waiting.pop()
        found += len(current.eqns)
        for equation in current.eqns:
            for each in subprograms(equation):
                if isinstance(each, ClosedJaxpr) and each not in seen:
                    seen.add(each)
                    waiting.append(each)
    return found


def _close(program: object) -> ClosedJaxpr | None:
    return program if isinstance(program, ClosedJaxpr) else None
