"""The primitive of `while_loop`: a program repeated while another returns true.

Operands are the constants of the condition, those of the body, and the state. Parameters: the two
programs, `cond_jaxpr` and `body_jaxpr`, and the numbers of their constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum.control_flow import loop_evaluation, while_batching
from oakum.errors import ReverseModeError
from oakum.primitives.rules.derivatives import Zero, instantiate, with_zeros
from oakum.primitives.rules.loop_invariants import rebuilt
from oakum.primitives.rules.lowering import Looped
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, Unfinished, Var, kept, run
from oakum.tracing.trace import Primitive, aval_of
from oakum.transforms.autodiff.jvp import jvp_jaxpr
from oakum.transforms.autodiff.partial_eval import PartialTrace, partial_eval_jaxpr
from oakum.transforms.jit.jit_primitive import named_axes
from oakum.values.avals import ShapedArray


def _abstract(
    *avals: ShapedArray,
    cond_jaxpr: ClosedJaxpr,
    body_jaxpr: ClosedJaxpr,
    cond_consts: int,
    body_consts: int,
) -> list[ShapedArray]:
    return jaxpr_verifier.check_loop(cond_jaxpr, body_jaxpr, (cond_consts, body_consts), avals)


def _evaluate(
    xp: ModuleType,
    *operands: object,
    cond_jaxpr: ClosedJaxpr,
    body_jaxpr: ClosedJaxpr,
    cond_consts: int,
    body_consts: int,
) -> list[Any]:
    loop = _Loop(xp, operands, (cond_jaxpr, body_jaxpr), (cond_consts, body_consts))
    while loop.steps():
        pass
    return loop.state


def _attempt(
    xp: ModuleType,
    *operands: object,
    cond_jaxpr: ClosedJaxpr,
    body_jaxpr: ClosedJaxpr,
    cond_consts: int,
    body_consts: int,
) -> list[Any] | Unfinished:
    loop = _Loop(xp, operands, (cond_jaxpr, body_jaxpr), (cond_consts, body_consts))
    step = loop_evaluation.operations_of(cond_jaxpr) + loop_evaluation.operations_of(body_jaxpr)
    left = min(map(loop_evaluation.remaining, (cond_jaxpr, body_jaxpr))) // step
    for taken in range(left):
        if not loop.steps():
            loop_evaluation.spend(body_jaxpr, (taken + 1) * step)
            return loop.state
    loop_evaluation.spend(body_jaxpr, max(left, 0) * step)
    return Unfinished([*loop.fixed, *loop.state])


class _Loop:
    """A loop that is evaluated step by step."""

    def __init__(
        self,
        xp: ModuleType,
        operands: Sequence[Any],
        programs: tuple[ClosedJaxpr, ClosedJaxpr],
        counts: tuple[int, int],
    ) -> None:
        for_cond, for_all = counts[0], sum(counts)
        self._xp, self.fixed = xp, operands[:for_all]
        self._for_cond, self._for_body = operands[:for_cond], operands[for_cond:for_all]
        self.state = list(operands[for_all:])
        self._cond, self._body = [
            (each.jaxpr, [const.raw for const in each.consts]) for each in programs
        ]

    def steps(self) -> bool:
        """Takes one step, if the condition holds; returns whether it does."""
        if not run(self._xp, *self._cond, [*self._for_cond, *self.state])[0]:
            return False
        self.state = run(self._xp, *self._body, [*self._for_body, *self.state])
        return True


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    cond_jaxpr: ClosedJaxpr,
    body_jaxpr: ClosedJaxpr,
    cond_consts: int,
    body_consts: int,
) -> tuple[list[Any], list[Any]]:
    first = cond_consts + body_consts
    fixed = [not isinstance(t, Zero) for t in tangents[cond_consts:first]]
    carried = [not isinstance(t, Zero) for t in tangents[first:]]
    while True:
        program, out = jvp_jaxpr(body_jaxpr, [*fixed, *carried], carried)
        wider = [a or b for a, b in zip(carried, out, strict=True)]
        if wider == carried:
            break
        carried = wider
    for_body = [
        instantiate(t) for t, nz in zip(tangents[cond_consts:first], fixed, strict=True) if nz
    ]
    state = [instantiate(t) for t, nz in zip(tangents[first:], carried, strict=True) if nz]
    count = len(carried)
    body = _group_constants(program, body_consts, body_consts + count, len(for_body))
    results = while_p.bind(
        *primals[:first],
        *for_body,
        *primals[first:],
        *state,
        cond_jaxpr=_with_more(cond_jaxpr, [aval_of(t) for t in state]),
        body_jaxpr=body,
        cond_consts=cond_consts,
        body_consts=body_consts + len(for_body),
    )
    return results[:count], with_zeros(results[count:], carried, body_jaxpr.out_avals)


@kept
def _group_constants(program: ClosedJaxpr, consts: int, values: int, tangents: int) -> ClosedJaxpr:
    """Returns a program of values and then tangents, as one whose constants of both kinds come
    first.
    """
    old = program.jaxpr.invars
    rest = old[values:]
    invars = [*old[:consts], *rest[:tangents], *old[consts:values], *rest[tangents:]]
    return rebuilt(program, invars, program.jaxpr.outvars)


@kept
def _with_more(closed: ClosedJaxpr, avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    """Returns a program with further arguments that it does not use."""
    old = closed.jaxpr
    invars = [*old.invars, *map(Var, avals)]
    return ClosedJaxpr(Jaxpr(old.constvars, invars, old.outvars, old.eqns, old.name), closed.consts)


def _partial(
    trace: PartialTrace,
    operands: Sequence[Any],
    *,
    cond_jaxpr: ClosedJaxpr,
    body_jaxpr: ClosedJaxpr,
    cond_consts: int,
    body_consts: int,
) -> list[Any]:
    """Splits a loop: the part of the state that is known is computed by a loop of its own; the loop
    for the rest computes everything again.
    """
    params = {
        "cond_jaxpr": cond_jaxpr,
        "body_jaxpr": body_jaxpr,
        "cond_consts": cond_consts,
        "body_consts": body_consts,
    }
    first = cond_consts + body_consts
    unknowns = [trace.is_unknown(x) for x in operands]
    carried = unknowns[first:]
    while True:
        _, _, out = partial_eval_jaxpr(
            body_jaxpr, [*unknowns[cond_consts:first], *carried], carried
        )
        wider = [a or b for a, b in zip(carried, out, strict=True)]
        if wider == carried:
            break
        carried = wider
    uncertain = any(unknowns[:cond_consts]) or _depends(
        cond_jaxpr, [*unknowns[:cond_consts], *carried]
    )
    if uncertain or all(carried):
        return trace.record(while_p, operands, params)
    known_body, known_cond = _known_parts(params, unknowns, carried)
    arguments = [
        *operands[:cond_consts],
        *(
            x
            for x, u in zip(operands[cond_consts:first], unknowns[cond_consts:first], strict=True)
            if not u
        ),
        *(x for x, u in zip(operands[first:], carried, strict=True) if not u),
    ]
    results = iter(
        while_p.bind(
            *arguments,
            cond_jaxpr=known_cond,
            body_jaxpr=known_body,
            cond_consts=cond_consts,
            body_consts=unknowns[cond_consts:first].count(False),
        )
    )
    recorded = trace.record(while_p, operands, params)
    return [r if u else next(results) for r, u in zip(recorded, carried, strict=True)]


def _depends(closed: ClosedJaxpr, unknowns: Sequence[bool]) -> bool:
    return partial_eval_jaxpr(closed, unknowns)[2][0]


def _known_parts(
    params: dict[str, Any], unknowns: Sequence[bool], carried: Sequence[bool]
) -> tuple[ClosedJaxpr, ClosedJaxpr]:
    body, cond = params["body_jaxpr"], params["cond_jaxpr"]
    first = params["cond_consts"]
    fixed = unknowns[first : first + params["body_consts"]]
    known, _, _ = partial_eval_jaxpr(body, [*fixed, *carried], carried)
    count = list(carried).count(False)
    known_body = rebuilt(known, known.jaxpr.invars, known.jaxpr.outvars[:count])
    program, _, _ = partial_eval_jaxpr(cond, [*([False] * first), *carried])
    known_cond = rebuilt(program, program.jaxpr.invars, program.jaxpr.outvars[:1])
    return known_body, known_cond


def _transpose(*_: object, **__: object) -> Any:
    raise ReverseModeError(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with "
        "dynamic start/stop values"
    )


def _effects(*, cond_jaxpr: ClosedJaxpr, body_jaxpr: ClosedJaxpr, **_: object) -> frozenset[str]:
    return cond_jaxpr.effects | body_jaxpr.effects


def _axes(*, cond_jaxpr: ClosedJaxpr, body_jaxpr: ClosedJaxpr, **_: object) -> tuple[Any, ...]:
    return tuple(dict.fromkeys([*named_axes(cond_jaxpr), *named_axes(body_jaxpr)]))


while_p = Primitive(
    "while",
    abstract=_abstract,
    evaluate=_evaluate,
    attempt=_attempt,
    jvp=_jvp,
    partial=_partial,
    transpose=_transpose,
    batch=while_batching.batch,
    effects=_effects,
    axes=_axes,
    multiple_results=True,
    lower=Looped(),
)
