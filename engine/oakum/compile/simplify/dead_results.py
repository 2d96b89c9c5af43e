"""Which equations are needed; loops and branches without unused results.

State that no used result depends on leaves the loop too, and so do operands that nothing left
reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Var, kept

Marks = Sequence[bool]

_MANY: Final = 64
"""The results of a loop with more are taken to depend on all operands, which bounds the sets of
bits.
"""


def narrow(equation: Equation, uses: Mapping[Var, int]) -> Equation:
    """Returns the equation without unused results; the same one if nothing can go."""
    form = _FORMS.get(equation.primitive.name)
    if form is None:
        return equation
    return form(equation, [var in uses for var in equation.outputs])


@kept
def dependences(program: Jaxpr) -> tuple[list[int], int]:
    """Returns the arguments that each result depends on, and those that effects do, as sets of
    bits.
    """
    masks: dict[Any, int] = {var: 1 << at for at, var in enumerate(program.invars)}
    effects = 0
    for equation in program.eqns:
        given = [masks.get(atom, 0) for atom in equation.inputs]
        everything = _union(given, -1)
        if equation.effects:
            effects |= everything
        if not everything:
            continue
        for var, operands in zip(equation.outputs, _operands_of(equation), strict=True):
            masks[var] = everything if operands == -1 else _union(given, operands)
    return [masks.get(atom, 0) for atom in program.outvars], effects


def _union(masks: Sequence[int], chosen: int) -> int:
    """Returns the union of those of the sets that are chosen."""
    found = 0
    for at, mask in enumerate(masks):
        if chosen >> at & 1:
            found |= mask
    return found


def _operands_of(equation: Equation) -> list[int]:
    """Returns the operands that each result depends on, as sets of bits; -1 for all."""
    name, count = equation.primitive.name, len(equation.outputs)
    if name not in _FORMS or count > _MANY:
        return [-1] * count
    params = equation.params
    if name == "scan":
        masks, _ = dependences(params["jaxpr"].jaxpr)
        return [_scan_needs(params, masks, [at]) for at in range(count)]
    if name == "cond":
        chosen = [dependences(branch.jaxpr)[0] for branch in params["branches"]]
        return [_union(each, -1) << 1 | 1 for each in zip(*chosen, strict=True)]
    return [_while_needs(params, [at], count)[2] for at in range(count)]


def _keep(values: Sequence[Any], marks: Marks) -> list[Any]:
    return [x for x, mark in zip(values, marks, strict=True) if mark]


def _bits(mask: int, count: int) -> list[bool]:
    return [bool(mask >> at & 1) for at in range(count)]


def _state_needed(masks: Sequence[int], carry: int, start: int, needed: int) -> tuple[int, int]:
    """Returns the arguments that are needed, given those that are at first; and the state, as bits.

    State is needed when its argument is, and then all that its next value depends on.
    """
    own = (1 << carry) - 1
    state = needed >> start & own
    done = 0
    while waiting := state & ~done:
        at = (waiting & -waiting).bit_length() - 1
        done |= 1 << at
        needed |= masks[at] | 1 << (start + at)
        state |= needed >> start & own
    return needed, state


def _scan_needs(params: Mapping[str, Any], masks: Sequence[int], used: Sequence[int]) -> int:
    """Returns the operands of a scan that some of its results need."""
    consts, carry = params["consts"], params["carry"]
    needed = 0
    for at in used:
        needed |= 1 << (consts + at) if at < carry else masks[at]
    return _state_needed(masks, carry, consts, needed)[0]


def _scan(equation: Equation, used: Marks) -> Equation:
    params = equation.params
    consts, carry, body = params["consts"], params["carry"], params["jaxpr"]
    masks, effects = dependences(body.jaxpr)
    chosen = [at for at, mark in enumerate(used) if mark]
    needed, state = _state_needed(
        masks, carry, consts, effects | _scan_needs(params, masks, chosen)
    )
    inputs = _bits(needed, len(equation.inputs))
    outputs = [*_bits(state, carry), *used[carry:]]
    if all(inputs) and all(outputs):
        return equation
    program = _part(body, inputs, outputs)
    changed = {"jaxpr": program, "consts": sum(inputs[:consts]), "carry": sum(outputs[:carry])}
    return _change(equation, inputs, outputs, changed)


def _part(program: ClosedJaxpr, inputs: Marks, outputs: Marks) -> ClosedJaxpr:
    """Returns a program with some of its arguments and results; loops within it are narrowed
    too.
    """
    old = program.jaxpr
    results = _keep(old.outvars, outputs)
    equations, _ = live_equations(old.eqns, results, narrow)
    jaxpr = Jaxpr(old.constvars, _keep(old.invars, inputs), results, equations, old.name)
    return ClosedJaxpr(jaxpr, program.consts)


def _change(
    equation: Equation, inputs: Marks, outputs: Marks, params: Mapping[str, Any]
) -> Equation:
    return Equation(
        equation.primitive,
        _keep(equation.inputs, inputs),
        _keep(equation.outputs, outputs),
        {**equation.params, **params},
        equation.effects,
        equation.source,
    )


def _while_needs(
    params: Mapping[str, Any], used: Sequence[int], carry: int
) -> tuple[int, int, int]:
    """What some results of a while loop need: arguments of its body, state, and operands."""
    first, own = params["cond_consts"], params["body_consts"]
    tested, effects = dependences(params["cond_jaxpr"].jaxpr)
    for_test = tested[0] | effects
    masks, needed = dependences(params["body_jaxpr"].jaxpr)
    for at in range(carry):
        if at in used or for_test >> (first + at) & 1:
            needed |= 1 << (own + at)
    needed, state = _state_needed(masks, carry, own, needed)
    return needed, state, for_test & ((1 << first) - 1) | needed << first


def _while(equation: Equation, used: Marks) -> Equation:
    params = equation.params
    first, own = params["cond_consts"], params["body_consts"]
    condition, body = params["cond_jaxpr"], params["body_jaxpr"]
    carry = len(used)
    chosen = [at for at, mark in enumerate(used) if mark]
    needed, state, operands = _while_needs(params, chosen, carry)
    marks = _bits(state, carry)
    test_inputs = [*_bits(operands, first), *marks]
    body_inputs = _bits(needed, own + carry)
    inputs = [*test_inputs[:first], *body_inputs]
    if all(inputs):
        return equation
    changed = {
        "cond_jaxpr": _part(condition, test_inputs, [True]),
        "body_jaxpr": _part(body, body_inputs, marks),
        "cond_consts": sum(test_inputs[:first]),
        "body_consts": sum(body_inputs[:own]),
    }
    return _change(equation, inputs, marks, changed)


def _cond(equation: Equation, used: Marks) -> Equation:
    branches: Sequence[ClosedJaxpr] = equation.params["branches"]
    needed = 0
    for branch in branches:
        masks, effects = dependences(branch.jaxpr)
        needed |= effects
        for at, mark in enumerate(used):
            needed |= masks[at] if mark else 0
    inputs = _bits(needed, len(equation.inputs) - 1)
    if all(inputs) and all(used):
        return equation
    programs = tuple(_part(branch, inputs, used) for branch in branches)
    return _change(equation, [True, *inputs], used, {"branches": programs})


_FORMS: Final[Mapping[str, Callable[[Equation, Marks], Equation]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}


Narrow = Callable[[Equation, Mapping[Var, int]], Equation]
"""Makes an equation smaller, whose results are used as often as is said."""


def live_equations(
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
