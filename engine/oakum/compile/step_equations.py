"""The equations that the steps of a plan carry out, from its history.

Invariants:
- The plan was made with its history.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum.compile.plan.steps import Plan
from oakum.tracing.ir import Equation, Var

_MOST_NAMES: Final = 4
"""The operations that are named of a step; more are counted."""


def of(plan: Plan) -> list[list[Equation]]:
    """Returns the equations that each step carries out, in the order of the program."""
    history = plan.history
    assert history is not None
    eqns = history.closed.eqns
    makers = {var: number for number, eqn in enumerate(eqns) for var in eqn.outputs}
    known: set[int] = set()
    found: list[list[Equation]] = []
    for completed in history.completed:
        numbers: set[int] = set()
        left = [var for var, _ in completed]
        while left:
            number = makers.get(left.pop())
            if number is not None and number not in known:
                known.add(number)
                numbers.add(number)
                left += [x for x in eqns[number].inputs if isinstance(x, Var)]
        found.append([eqns[number] for number in sorted(numbers)])
    return found


def names(eqns: Sequence[Equation]) -> str:
    """Returns the names of the operations of a step, the first of them."""
    names = list(dict.fromkeys(eqn.primitive.name for eqn in eqns))
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f", and {more} more" if more > 0 else "")
