"""Liveness: which equations are needed, and how often each value is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from oakum.tracing.ir import Atom, Equation, Var

Narrow = Callable[[Equation, Mapping[Var, int]], Equation]
"""Makes an equation smaller, whose results are used as often as is said."""


def needed(
    equations: Sequence[Equation], results: Sequence[Atom], narrow: Narrow | None = None
) -> tuple[list[Equation], dict[Var, int]]:
    """Returns the equations that the results or an effect need, and the numbers of uses of
    variables.
    """
    uses: dict[Var, int] = {}
    _count(uses, results)
    kept: list[Equation] = []
    for equation in reversed(equations):
        outputs = equation.outputs
        used = outputs[0] in uses if len(outputs) == 1 else not uses.keys().isdisjoint(outputs)
        if used or equation.effects:
            smaller = equation if narrow is None else narrow(equation, uses)
            kept.append(smaller)
            _count(uses, smaller.inputs)
    kept.reverse()
    return kept, uses


def _count(uses: dict[Var, int], atoms: Sequence[Atom]) -> None:
    for atom in atoms:
        if type(atom) is Var:
            uses[atom] = uses.get(atom, 0) + 1
