"""Loops and branches: what they need not do.

Before its programs are simplified, numbers among the operands are put into them. Afterwards, state
that no step changes and results that do not depend on the step leave the loop; once the uses of its
results are known, those that have none leave it too, with the state and the operands that only they
need.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final

from oakum.compile.simplify import folding, loop_invariant_code
from oakum.compile.simplify.draft import Draft
from oakum.primitives.rules.loop_invariants import branch_programs, rebuilt, scan_step, while_loop
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var
from oakum.values.avals import ShapedArray

Steps = Generator[ClosedJaxpr, ClosedJaxpr, "list[Atom]"]
"""Asks for programs to be simplified, and gives the results of an equation."""

_SPECIAL: Final = "with known operands"


def with_known(program: ClosedJaxpr, known: Mapping[int, Literal]) -> ClosedJaxpr:
    """Returns a program without arguments that are numbers, of which all elements are equal."""
    if not known:
        return program
    key = (_SPECIAL, tuple((at, folding.of_literal(known[at])) for at in sorted(known)))
    if key not in program.cache:
        program.cache[key] = _with_known(program, known)
    return program.cache[key]


def _with_known(program: ClosedJaxpr, known: Mapping[int, Literal]) -> ClosedJaxpr:
    from oakum.primitives.broadcasting import broadcast_in_dim_p

    old = program.jaxpr
    before: list[Equation] = []
    values: dict[Var, Atom] = {}
    for at, literal in known.items():
        var = old.invars[at]
        if var.aval.shape == ():
            values[var] = literal
        else:
            values[var] = Var(var.aval)
            params = {"shape": var.aval.shape, "broadcast_dimensions": (), "sharding": None}
            before.append(Equation(broadcast_in_dim_p, (literal,), (values[var],), params))  # pyright: ignore[reportArgumentType]

    def replaced(atoms: Sequence[Atom]) -> list[Atom]:
        return [values.get(x, x) if isinstance(x, Var) else x for x in atoms]

    equations = [
        Equation(e.primitive, replaced(e.inputs), e.outputs, e.params, e.effects, e.source)
        for e in old.eqns
    ]
    invars = [var for at, var in enumerate(old.invars) if at not in known]
    results = replaced(old.outvars)
    jaxpr = Jaxpr(old.constvars, invars, results, [*before, *equations], old.name)
    return ClosedJaxpr(jaxpr, program.consts)


def _known_among(draft: Draft, inputs: Sequence[Atom], places: Sequence[int]) -> dict[int, Literal]:
    found = {at: draft.uniform(inputs[at]) for at in places}
    return {at: literal for at, literal in found.items() if literal is not None}


def _others(values: Sequence[Any], gone: Mapping[int, Any]) -> list[Any]:
    return [x for at, x in enumerate(values) if at not in gone]


def _apply(
    draft: Draft,
    equation: Equation,
    inputs: Sequence[Atom],
    params: Mapping[str, Any],
    avals: Sequence[ShapedArray],
) -> Sequence[Atom]:
    primitive = equation.primitive
    effects = frozenset[str]() if primitive.effects is None else primitive.effects(**params)
    return draft.apply(primitive, inputs, params, avals, equation.source, effects)


def simplified(draft: Draft, equation: Equation, inputs: Sequence[Atom]) -> Steps:
    """Returns the results of a loop or a branch."""
    return _FORMS[equation.primitive.name](draft, equation, inputs)


def _scan(draft: Draft, equation: Equation, inputs: Sequence[Atom]) -> Steps:
    params = equation.params
    consts, carry, length = params["consts"], params["carry"], params["length"]
    first = consts + carry
    known = _known_among(draft, inputs, [*range(consts), *range(first, len(inputs))])
    body = yield with_known(params["jaxpr"], known)
    inputs, consts = _others(inputs, known), consts - sum(at < consts for at in known)
    step = scan_step(body, consts, carry)
    first = consts + carry
    fixed, state, scanned = inputs[:consts], inputs[consts:first], inputs[first:]
    fixed, kept = step.operands(fixed, state)
    results: list[Atom | None] = [
        x if moved else None for x, moved in zip(state, step.moved, strict=True)
    ]
    results += [None if at is None else scanned[at] for at in step.slices]
    body, constant = _without_uniform(step.program, len(kept))
    left = [at for at, x in enumerate(results) if x is None]
    for at, literal in constant.items():
        var = equation.outputs[left[at]]
        results[left[at]] = draft.filled(literal.raw, var.aval) if length else None
    if not length:
        body = step.program
    rest = [at for at, x in enumerate(results) if x is None]
    avals = [equation.outputs[at].aval for at in rest]
    if length > 1:
        body, before = _hoist(draft, body, fixed)
        fixed = [*before, *fixed]
    params = {**params, "jaxpr": body, "consts": len(fixed), "carry": len(kept)}
    found = _apply(draft, equation, [*fixed, *kept, *scanned], params, avals)
    return _filled_in(results, found)


def _hoist(
    draft: Draft, program: ClosedJaxpr, fixed: Sequence[Atom]
) -> tuple[ClosedJaxpr, list[Atom]]:
    found, before = loop_invariant_code.hoist(draft, program, fixed)
    # What was computed before the loop may turn out to be known, or its operands to be unused.
    draft.again = draft.again or bool(before)
    return found, before


def _filled_in(results: Sequence[Atom | None], found: Sequence[Atom]) -> list[Atom]:
    rest = iter(found)
    return [next(rest) if x is None else x for x in results]


def _without_uniform(body: ClosedJaxpr, carry: int) -> tuple[ClosedJaxpr, dict[int, Literal]]:
    """Returns a step without the results, beside its state, that are the same number each time."""
    numbers = {
        eqn.outputs[0]: eqn.inputs[0]
        for eqn in body.eqns
        if eqn.primitive.name == "broadcast_in_dim"
    }
    found: dict[int, Literal] = {}
    for at, atom in enumerate(body.jaxpr.outvars):
        number = numbers.get(atom) if isinstance(atom, Var) else atom
        if at >= carry and isinstance(number, Literal):
            found[at] = number
    if not found:
        return body, found
    return rebuilt(body, body.jaxpr.invars, _others(body.jaxpr.outvars, found)), found


def _while(draft: Draft, equation: Equation, inputs: Sequence[Atom]) -> Steps:
    params = equation.params
    first, second = params["cond_consts"], params["cond_consts"] + params["body_consts"]
    known = _known_among(draft, inputs, range(first))
    condition = yield with_known(params["cond_jaxpr"], known)
    for_condition = _others(inputs[:first], known)
    own = inputs[first:second]
    known = _known_among(draft, own, range(len(own)))
    body = yield with_known(params["body_jaxpr"], known)
    for_body, state = _others(own, known), inputs[second:]
    loop = while_loop(condition, len(for_condition), body, len(for_body))
    results: list[Atom | None] = [None] * len(state)
    if any(loop.moved):
        pairs = zip(state, loop.moved, strict=True)
        results = [x if moved else None for x, moved in pairs]
        for_condition, for_body, state = loop.operands(for_condition, for_body, state)
    avals = [var.aval for var, x in zip(equation.outputs, results, strict=True) if x is None]
    condition, before = _hoist(draft, loop.condition, for_condition)
    for_condition = [*before, *for_condition]
    body, before = _hoist(draft, loop.body, for_body)
    for_body = [*before, *for_body]
    params = {
        "cond_jaxpr": condition,
        "body_jaxpr": body,
        "cond_consts": len(for_condition),
        "body_consts": len(for_body),
    }
    found = _apply(draft, equation, [*for_condition, *for_body, *state], params, avals)
    return _filled_in(results, found)


def _cond(draft: Draft, equation: Equation, inputs: Sequence[Atom]) -> Steps:
    index, operands = inputs[0], inputs[1:]
    known = _known_among(draft, operands, range(len(operands)))
    branches: list[ClosedJaxpr] = []
    for branch in equation.params["branches"]:
        branches.append((yield with_known(branch, known)))
    operands = _others(operands, known)
    programs, sources = branch_programs(tuple(branches))
    results = [None if at is None else operands[at] for at in sources]
    avals = [var.aval for var, x in zip(equation.outputs, results, strict=True) if x is None]
    params = {**equation.params, "branches": programs}
    return _filled_in(results, _apply(draft, equation, [index, *operands], params, avals))


_FORMS: Final[Mapping[str, Callable[[Draft, Equation, Sequence[Atom]], Steps]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}
