"""Loops and branches without the results that nobody uses.

State that no used result depends on leaves the loop with them, and so do operands that nothing of
what stays reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from oakum.higher_order.scan_derivatives import rebuilt
from oakum.ir import ClosedJaxpr, Equation, Jaxpr, Var

Marks = Sequence[bool]


def narrowed(equation: Equation, used: Marks) -> Equation:
    """The equation without results that are not used; itself where nothing can be left out."""
    return _FORMS[equation.primitive.name](equation, used)


def dependences(program: Jaxpr) -> tuple[list[int], int]:
    """The arguments that each result depends on, and those that effects do, as sets of bits."""
    masks: dict[Any, int] = {var: 1 << at for at, var in enumerate(program.invars)}
    effects = 0
    for equation in program.eqns:
        mask = 0
        for atom in equation.inputs:
            mask |= masks.get(atom, 0)
        if equation.effects:
            effects |= mask
        if mask:
            for var in equation.outputs:
                masks[var] = mask
    return [masks.get(atom, 0) for atom in program.outvars], effects


def _kept(values: Sequence[Any], marks: Marks) -> list[Any]:
    return [x for x, mark in zip(values, marks, strict=True) if mark]


def _bits(mask: int, count: int) -> list[bool]:
    return [bool(mask >> at & 1) for at in range(count)]


def _state_needed(masks: Sequence[int], carry: int, start: int, needed: int) -> tuple[int, int]:
    """The arguments that are needed, given those that are at first; and the state, as bits.

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


def _scan(equation: Equation, used: Marks) -> Equation:
    params = equation.params
    consts, carry, body = params["consts"], params["carry"], params["jaxpr"]
    masks, needed = dependences(body.jaxpr)
    for at, mark in enumerate(used):
        if mark:
            needed |= masks[at] if at >= carry else 1 << (consts + at)
    needed, state = _state_needed(masks, carry, consts, needed)
    inputs = _bits(needed, len(equation.inputs))
    outputs = [*_bits(state, carry), *used[carry:]]
    if all(inputs) and all(outputs):
        return equation
    program = _part(body, inputs, outputs)
    changed = {"jaxpr": program, "consts": sum(inputs[:consts]), "carry": sum(outputs[:carry])}
    return _changed(equation, inputs, outputs, changed)


def _part(program: ClosedJaxpr, inputs: Marks, outputs: Marks) -> ClosedJaxpr:
    jaxpr = program.jaxpr
    return rebuilt(program, _kept(jaxpr.invars, inputs), _kept(jaxpr.outvars, outputs))


def _changed(
    equation: Equation, inputs: Marks, outputs: Marks, params: Mapping[str, Any]
) -> Equation:
    return Equation(
        equation.primitive,
        _kept(equation.inputs, inputs),
        _kept(equation.outputs, outputs),
        {**equation.params, **params},
        equation.effects,
        equation.source,
    )


def _while(equation: Equation, used: Marks) -> Equation:
    params = equation.params
    first, own = params["cond_consts"], params["body_consts"]
    condition, body = params["cond_jaxpr"], params["body_jaxpr"]
    carry = len(used)
    tested, effects = dependences(condition.jaxpr)
    for_test = tested[0] | effects
    masks, needed = dependences(body.jaxpr)
    for at, mark in enumerate(used):
        if mark or for_test >> (first + at) & 1:
            needed |= 1 << (own + at)
    needed, state = _state_needed(masks, carry, own, needed)
    marks = _bits(state, carry)
    test_inputs = [*_bits(for_test, first), *marks]
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
    return _changed(equation, inputs, marks, changed)


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
    return _changed(equation, [True, *inputs], used, {"branches": programs})


_FORMS: Final[Mapping[str, Callable[[Equation, Marks], Equation]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}


def used_of(equation: Equation, uses: Mapping[Var, int]) -> list[bool]:
    """Which results of an equation are used."""
    return [var in uses for var in equation.outputs]
