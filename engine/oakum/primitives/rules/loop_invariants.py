"""Moves loop-invariant carries and pass-through outputs out of loops and branches.

State that a loop's body does not change is a constant of the loop: under vmap and differentiation
it is then neither repeated nor kept for each step. A reduced program is kept in the cache of the
program it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from oakum.array import Array
from oakum.runtime.arrays import as_array
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, kept, prune


def rebuilt(closed: ClosedJaxpr, invars: Sequence[Any], outvars: Sequence[Any]) -> ClosedJaxpr:
    """Returns a program with its arguments in another order and other results, less what these need
    not.
    """
    old = closed.jaxpr
    jaxpr = Jaxpr(old.constvars, invars, outvars, prune(old.eqns, outvars), old.name)
    return ClosedJaxpr(jaxpr, closed.consts)


def forwarded(closed: ClosedJaxpr) -> list[int | None]:
    """For each result of a program the argument that it is, if any."""
    places: dict[Any, int] = {v: i for i, v in enumerate(closed.jaxpr.invars)}
    return [places.get(v) for v in closed.jaxpr.outvars]


def as_result(value: object) -> Any:
    """Returns an operand as a result."""
    return value if isinstance(value, Array) else as_array(value)


def _without(values: Sequence[Any], marks: Sequence[bool]) -> list[Any]:
    return [x for x, each in zip(values, marks, strict=True) if not each]


def _only(values: Sequence[Any], marks: Sequence[bool]) -> list[Any]:
    return [x for x, each in zip(values, marks, strict=True) if each]


class ScanStep(NamedTuple):
    """The program of a step whose first constants are the state that it does not change.

    `moved` says which state that is, `slices` which scanned array each result is, if any.
    """

    program: ClosedJaxpr
    moved: list[bool]
    slices: list[int | None]

    def operands(self, lifted: Sequence[Any], state: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Returns the constants and the state of the loop."""
        return [*_only(state, self.moved), *lifted], _without(state, self.moved)

    def results(
        self, found: Sequence[Any], state: Sequence[Any], scanned: Sequence[Any]
    ) -> list[Any]:
        """Returns all results: those of the reduced loop, and the invariants moved out of it."""
        rest = iter(found)
        carried = [x if moved else next(rest) for x, moved in zip(state, self.moved, strict=True)]
        return [
            *carried,
            *(next(rest) if i is None else as_result(scanned[i]) for i in self.slices),
        ]


@kept
def scan_step(closed: ClosedJaxpr, consts: int, carry: int) -> ScanStep:
    """Returns the step of a scan without what it hands on."""
    sources = forwarded(closed)
    moved = [source == consts + i for i, source in enumerate(sources[:carry])]
    first = consts + carry
    slices = [i - first if i is not None and i >= first else None for i in sources[carry:]]
    program = closed
    if any(moved) or any(i is not None for i in slices):
        fixed, state, rest = _parts(closed, consts, carry)
        invars = [*_only(state, moved), *fixed, *_without(state, moved), *rest]
        gone = [*moved, *(i is not None for i in slices)]
        program = rebuilt(closed, invars, _without(closed.jaxpr.outvars, gone))
    return ScanStep(program, moved, slices)


def _parts(closed: ClosedJaxpr, consts: int, carry: int) -> tuple[Any, Any, Any]:
    invars = closed.jaxpr.invars
    return invars[:consts], invars[consts : consts + carry], invars[consts + carry :]


class WhileLoop(NamedTuple):
    """The programs of a loop whose first constants are the state that it does not change.

    `moved` says which state that is, `needed` which of it the condition reads.
    """

    condition: ClosedJaxpr
    body: ClosedJaxpr
    moved: list[bool]
    needed: list[bool]

    def operands(
        self, for_condition: Sequence[Any], for_body: Sequence[Any], state: Sequence[Any]
    ) -> tuple[list[Any], list[Any], list[Any]]:
        """Returns the constants of the condition, those of the body, and the state of the loop."""
        fixed = _only(state, self.moved)
        return (
            [*_only(fixed, self.needed), *for_condition],
            [*fixed, *for_body],
            _without(state, self.moved),
        )

    def results(self, found: Sequence[Any], state: Sequence[Any]) -> list[Any]:
        """Returns all results: those of the reduced loop, and the invariants moved out of it."""
        rest = iter(found)
        return [x if moved else next(rest) for x, moved in zip(state, self.moved, strict=True)]


@kept
def while_loop(
    condition: ClosedJaxpr, cond_consts: int, body: ClosedJaxpr, body_consts: int
) -> WhileLoop:
    """Returns the programs of a while loop without what it hands on."""
    moved = [source == body_consts + i for i, source in enumerate(forwarded(body))]
    loop = WhileLoop(condition, body, moved, [])
    if any(moved):
        fixed, state, _ = _parts(body, body_consts, len(moved))
        invars = [*_only(state, moved), *fixed, *_without(state, moved)]
        changed = rebuilt(body, invars, _without(body.jaxpr.outvars, moved))
        old = condition.jaxpr
        used = {*old.outvars, *(v for eqn in old.eqns for v in eqn.inputs)}
        fixed, state, _ = _parts(condition, cond_consts, len(moved))
        same = _only(state, moved)
        needed = [v in used for v in same]
        invars = [*_only(same, needed), *fixed, *_without(state, moved)]
        loop = WhileLoop(rebuilt(condition, invars, old.outvars), changed, moved, needed)
    return loop


def branch_programs(
    programs: tuple[ClosedJaxpr, ...],
) -> tuple[tuple[ClosedJaxpr, ...], list[int | None]]:
    """Branches without the results that are the same argument in all, and which argument it is."""
    key = ("forwarding branches", programs)
    cache = programs[0].cache
    if key not in cache:
        places = zip(*map(forwarded, programs), strict=True)
        sources = [found[0] if len(set(found)) == 1 else None for found in places]
        gone = [i is not None for i in sources]
        if any(gone):
            programs = tuple(
                rebuilt(p, p.jaxpr.invars, _without(p.jaxpr.outvars, gone)) for p in programs
            )
        cache[key] = programs, sources
    return cache[key]
