"""Loop-invariant code is moved out of loops.

Repetition, reshapes and the like stay in the loop, where they are free, and so does what has more
elements than its operands: it would be read from memory instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from oakum.compile.simplify.draft import UNREPEATABLE, Draft
from oakum.primitives.rules.arguments import shape_of
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var

_FREE: Final = frozenset(
    "broadcast_in_dim iota empty reshape squeeze transpose rev slice concatenate pad".split()
)
_SMALL: Final = 64
"""Results of up to so many elements may have more elements than their operands."""
_MANY: Final = 32
"""The most arguments of a value that are tracked one by one."""
_PRODUCTS: Final = frozenset(
    "dot_general conv_general_dilated cholesky triangular_solve qr svd eigh lu".split()
)
"""Operations that are worth the memory of their results in any case."""


def hoist(
    draft: Draft, program: ClosedJaxpr, fixed: Sequence[Atom]
) -> tuple[ClosedJaxpr, list[Atom]]:
    """Returns a step without what it computes only from its first arguments, which are the same in
    each iteration, and the values that it takes instead, as its first arguments.
    """
    jaxpr = program.jaxpr
    found = _Invariants(jaxpr, len(fixed))
    lifted, moved = found.split(jaxpr)
    if not lifted:
        return program, []
    constants = dict(zip(jaxpr.constvars, program.consts, strict=True))
    values: dict[Var, Atom] = dict(zip(jaxpr.invars, fixed, strict=False))
    for equation in found.needed(lifted):
        for atom in equation.inputs:
            if isinstance(atom, Var) and atom not in values:
                values[atom] = draft.constant(constants[atom], atom.aval)
        _compute(draft, equation, values)
    equations = [each for each in jaxpr.eqns if each not in moved]
    invars = [*lifted, *jaxpr.invars]
    step = Jaxpr(jaxpr.constvars, invars, jaxpr.outvars, equations, jaxpr.name)
    return ClosedJaxpr(step, program.consts), [values[var] for var in lifted]


def _compute(draft: Draft, equation: Equation, values: dict[Var, Atom]) -> None:
    inputs = [values[x] if isinstance(x, Var) else x for x in equation.inputs]
    avals = [var.aval for var in equation.outputs]
    results = draft.apply(equation.primitive, inputs, equation.params, avals, equation.source)
    values.update(zip(equation.outputs, results, strict=True))


class _Invariants:
    """The equations of a step with the same results in each iteration."""

    def __init__(self, jaxpr: Jaxpr, fixed: int) -> None:
        self._equations: list[Equation] = []
        self._leaves: dict[Var, frozenset[Var]] = {}
        """The arguments and constants that a value is computed of."""
        for var in (*jaxpr.invars[:fixed], *jaxpr.constvars):
            self._leaves[var] = frozenset((var,))
        for equation in jaxpr.eqns:
            if self._is_invariant(equation):
                self._add(equation)

    def _is_invariant(self, equation: Equation) -> bool:
        if equation.effects or equation.primitive.name in UNREPEATABLE:
            return False
        return all(isinstance(x, Literal) or x in self._leaves for x in equation.inputs)

    def _add(self, equation: Equation) -> None:
        self._equations.append(equation)
        given = [self._leaves[x] for x in equation.inputs if isinstance(x, Var)]
        leaves = frozenset[Var]().union(*given)
        if len(leaves) > _MANY:
            leaves = max(given, key=len)
        self._leaves.update(dict.fromkeys(equation.outputs, leaves))

    def split(self, jaxpr: Jaxpr) -> tuple[list[Var], set[Equation]]:
        """Returns the values to be computed before the loop, and the equations that leave it."""
        used = _used(jaxpr, set(self._equations))
        lifted: list[Var] = []
        moved: set[Equation] = set()
        for equation in reversed(self._equations):
            wanted = [var for var in equation.outputs if var in used]
            if wanted and not self._is_worth(equation):
                used.update(x for x in equation.inputs if isinstance(x, Var))
                continue
            moved.add(equation)
            lifted += wanted
        return lifted, moved

    def _is_worth(self, equation: Equation) -> bool:
        name = equation.primitive.name
        if name in _FREE:
            return False
        if name in _PRODUCTS:
            return True
        outputs = equation.outputs
        most = sum(map(_size, self._leaves[outputs[0]])) if outputs else 0
        return sum(map(_size, outputs)) <= max(most, _SMALL)

    def needed(self, lifted: Sequence[Var]) -> list[Equation]:
        """Returns the equations that compute some values."""
        wanted = set(lifted)
        found: list[Equation] = []
        for equation in reversed(self._equations):
            if not wanted.isdisjoint(equation.outputs):
                found.append(equation)
                wanted.update(x for x in equation.inputs if isinstance(x, Var))
        return found[::-1]


def _used(jaxpr: Jaxpr, invariant: set[Equation]) -> set[Var]:
    """Returns the variables that the results and the other equations of a step read."""
    used = {x for x in jaxpr.outvars if isinstance(x, Var)}
    for equation in jaxpr.eqns:
        if equation not in invariant:
            used.update(x for x in equation.inputs if isinstance(x, Var))
    return used


def _size(var: Var) -> int:
    return math.prod(shape_of(var.aval))
