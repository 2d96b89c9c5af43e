"""Programs in programs: loops and branches are rewritten together with what runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from oakum.primitives.rules.lowering import Branched, Looped, Scanned
from oakum.tracing.ir import ClosedJaxpr, Equation, Jaxpr

Rewrite = Callable[[ClosedJaxpr], ClosedJaxpr]


def is_control(eqn: Equation) -> bool:
    """Returns whether an equation is a loop or a branch that the compiler knows."""
    return isinstance(eqn.primitive.lower, (Scanned, Looped, Branched))


def programs_of(eqn: Equation) -> list[ClosedJaxpr]:
    """Returns the programs that a loop or a branch runs; none for other equations."""
    if not is_control(eqn):
        return []
    found: list[ClosedJaxpr] = []
    for value in eqn.params.values():
        found += [x for x in _several(value) if isinstance(x, ClosedJaxpr)]
    return found


def _several(value: object) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)


def rewrite_all(closed: ClosedJaxpr, rewrite: Rewrite) -> ClosedJaxpr:
    """Rewrites each program within a program, and then the program.

    An unchanged program stays the same object; one that occurs twice is rewritten once.
    """
    done: dict[ClosedJaxpr, ClosedJaxpr] = {}
    waiting = [closed]
    while waiting:
        current = waiting[-1]
        if current in done:
            waiting.pop()
            continue
        inner = [each for eqn in current.eqns for each in programs_of(eqn)]
        missing = [each for each in inner if each not in done]
        if missing:
            waiting += missing
            continue
        done[current] = rewrite(_with_programs(current, done) if inner else current)
    return done[closed]


def _with_programs(closed: ClosedJaxpr, programs: Mapping[ClosedJaxpr, ClosedJaxpr]) -> ClosedJaxpr:
    eqns = [_with_programs_of(eqn, programs) for eqn in closed.eqns]
    old = closed.jaxpr
    if all(new is eqn for new, eqn in zip(eqns, old.eqns, strict=True)):
        return closed
    jaxpr = Jaxpr(old.constvars, old.invars, old.outvars, eqns, old.name)
    return ClosedJaxpr(jaxpr, closed.consts)


def _with_programs_of(eqn: Equation, programs: Mapping[ClosedJaxpr, ClosedJaxpr]) -> Equation:
    if all(programs[each] is each for each in programs_of(eqn)):
        return eqn
    params: dict[str, Any] = {}
    for name, value in eqn.params.items():
        known = tuple(
            programs.get(x, x) if isinstance(x, ClosedJaxpr) else x for x in _several(value)
        )
        params[name] = known if isinstance(value, tuple) else known[0]
    return Equation(eqn.primitive, eqn.inputs, eqn.outputs, params, eqn.effects, eqn.source)
